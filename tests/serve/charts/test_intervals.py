import math
import re

from manyminds.serve.charts import Interval, draw_intervals


def test_the_dot_is_inside_its_interval():
    row = Interval("a", 0.2, 0.5, 0.9, "tip")
    chart = draw_intervals([row], label="L", x_label="x")
    low, high = map(
        float, re.search(r'x1="([\d.]+)" x2="([\d.]+)" [^>]*range', chart).groups()
    )
    center = float(re.search(r'cx="([\d.]+)"', chart).group(1))
    assert math.isclose((center - low) / (high - low), 3 / 7, abs_tol=1e-3)


def test_a_score_without_interval_has_a_dot_only():
    row = Interval("a", math.nan, 0.5, math.nan, "tip")
    chart = draw_intervals([row], label="L", x_label="x")
    assert "range" not in chart and chart.count("<circle") == 1


def test_a_missing_score_has_no_dot():
    row = Interval("a", math.nan, math.nan, math.nan, "tip")
    assert "<circle" not in draw_intervals([row], label="L", x_label="x")
