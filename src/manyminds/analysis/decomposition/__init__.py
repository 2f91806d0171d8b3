"""Bias-variance decomposition of the error of a learner."""

from manyminds.analysis.decomposition.decomposing import (
    decompose_predictions,
    decompose_votes,
)
from manyminds.analysis.decomposition.display import BiasVarianceDisplay
from manyminds.analysis.decomposition.measuring import (
    bias_variance,
    bias_variance_of_problem,
)
from manyminds.analysis.decomposition.posterior import estimate_posterior
from manyminds.analysis.decomposition.result import BiasVariance
from manyminds.analysis.decomposition.sscv import SubsampledCV

__all__ = [
    "BiasVariance",
    "BiasVarianceDisplay",
    "SubsampledCV",
    "bias_variance",
    "bias_variance_of_problem",
    "decompose_predictions",
    "decompose_votes",
    "estimate_posterior",
]
