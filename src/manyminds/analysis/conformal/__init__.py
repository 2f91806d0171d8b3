"""Conformal prediction: intervals and sets calibrated on out-of-fold predictions."""

from manyminds.analysis.conformal.coverage import CoverageEstimate, measure_coverage
from manyminds.analysis.conformal.intervals import ConformalIntervals
from manyminds.analysis.conformal.sets import ConformalSets

__all__ = [
    "ConformalIntervals",
    "ConformalSets",
    "CoverageEstimate",
    "measure_coverage",
]
