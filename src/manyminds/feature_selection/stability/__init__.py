"""Stability selection, and measures of the stability of selections."""

from manyminds.feature_selection.stability.display import StabilityDisplay
from manyminds.feature_selection.stability.nogueira import (
    StabilityComparison,
    StabilityEstimate,
    compare_stability,
    nogueira_stability,
    stability_by_size,
)
from manyminds.feature_selection.stability.overlaps import (
    jaccard_stability,
    kuncheva_stability,
    lustgarten_stability,
)
from manyminds.feature_selection.stability.paired import (
    null_interval,
    paired_stability,
)
from manyminds.feature_selection.stability.rankings import (
    pearson_stability,
    spearman_stability,
)

__all__ = [
    "StabilityComparison",
    "StabilityDisplay",
    "StabilityEstimate",
    "compare_stability",
    "jaccard_stability",
    "kuncheva_stability",
    "lustgarten_stability",
    "nogueira_stability",
    "null_interval",
    "paired_stability",
    "pearson_stability",
    "spearman_stability",
    "stability_by_size",
]
