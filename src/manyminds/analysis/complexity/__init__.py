"""Complexity: how hard each sample of a data set is to classify."""

from manyminds.analysis.complexity.agreement import (
    ComplexityAgreement,
    disagreeing_neighbors,
    measure_complexity_agreement,
)
from manyminds.analysis.complexity.clustering import (
    make_profile_centroids,
    multi_resolution_index,
)
from manyminds.analysis.complexity.display import ComplexityDisplay
from manyminds.analysis.complexity.mrca import MultiResolutionComplexity

__all__ = [
    "ComplexityAgreement",
    "ComplexityDisplay",
    "MultiResolutionComplexity",
    "disagreeing_neighbors",
    "make_profile_centroids",
    "measure_complexity_agreement",
    "multi_resolution_index",
]
