"""Correlation scores: dependence between an encoding and the classes."""

from manyminds.analysis.correlation.agreement import (
    ErrorAgreement,
    RankingWarning,
    error_agreement,
    score_range,
)
from manyminds.analysis.correlation.association import WilksResult, wilks_test
from manyminds.analysis.correlation.encoding_comparison import EncodingComparison
from manyminds.analysis.correlation.preparing import AddNoise, Bootstrap
from manyminds.analysis.correlation.score import correlation_score
from manyminds.analysis.correlation.subsets import SubsetScorer, draw_subsets
from manyminds.analysis.correlation.uncertainty import nearest_neighbor_entropy

__all__ = [
    "AddNoise",
    "Bootstrap",
    "EncodingComparison",
    "ErrorAgreement",
    "RankingWarning",
    "SubsetScorer",
    "WilksResult",
    "correlation_score",
    "draw_subsets",
    "error_agreement",
    "nearest_neighbor_entropy",
    "score_range",
    "wilks_test",
]
