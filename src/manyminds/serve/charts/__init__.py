"""Charts of the pages: pure functions from data to SVG, without style attributes."""

from manyminds.serve.charts.bars import Bar, draw_bars
from manyminds.serve.charts.confusion import draw_confusion
from manyminds.serve.charts.curves import (
    draw_calibration,
    draw_precision_recall,
    draw_roc,
)
from manyminds.serve.charts.histogram import draw_histogram
from manyminds.serve.charts.intervals import Interval, draw_intervals
from manyminds.serve.charts.lines import Line, draw_lines
from manyminds.serve.charts.ranks import draw_ranks
from manyminds.serve.charts.scatter import Point, draw_scatter

__all__ = [
    "Bar",
    "Interval",
    "Line",
    "Point",
    "draw_bars",
    "draw_calibration",
    "draw_confusion",
    "draw_histogram",
    "draw_intervals",
    "draw_lines",
    "draw_precision_recall",
    "draw_ranks",
    "draw_roc",
    "draw_scatter",
]
