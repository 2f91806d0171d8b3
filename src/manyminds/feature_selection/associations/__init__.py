"""Association of one column with many others: correlations and information."""

from manyminds.feature_selection.associations.code_tables import CodeTable
from manyminds.feature_selection.associations.correlation import (
    absolute_pearson,
    anova_f,
    compression_index,
)
from manyminds.feature_selection.associations.information import (
    entropy,
    gain_ratio,
    information_gain,
    mutual_information,
    symmetrical_uncertainty,
)

__all__ = [
    "CodeTable",
    "absolute_pearson",
    "anova_f",
    "compression_index",
    "entropy",
    "gain_ratio",
    "information_gain",
    "mutual_information",
    "symmetrical_uncertainty",
]
