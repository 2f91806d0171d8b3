"""Diversity of the members of an ensemble, and its effect on the error."""

from manyminds.analysis.diversity.added_error import AddedError, added_error
from manyminds.analysis.diversity.ambiguity import (
    AmbiguityDecomposition,
    decompose_ambiguity,
    member_ambiguity,
    sample_ambiguity,
)
from manyminds.analysis.diversity.averaging import average_pairs
from manyminds.analysis.diversity.ensemble_measures import (
    coincident_failure_diversity,
    difficulty,
    ensemble_coincident_errors,
    entropy_measure,
    generalized_diversity,
    interrater_agreement,
    kohavi_wolpert_variance,
)
from manyminds.analysis.diversity.failure_type import FailureType, failure_type
from manyminds.analysis.diversity.kappa_error import KappaErrorDisplay
from manyminds.analysis.diversity.margins import (
    Strength,
    measure_strength,
    raw_margins,
    vote_margins,
)
from manyminds.analysis.diversity.pair_counts import (
    PairCounts,
    count_correct_pairs,
    count_pairs,
)
from manyminds.analysis.diversity.pairwise import (
    coincident_errors,
    disagreement,
    double_fault,
    error_correlation,
    kappa,
    output_correlation,
    q_statistic,
)
from manyminds.analysis.diversity.per_sample import (
    ensemble_confidence,
    minority_share,
    vote_entropy,
)
from manyminds.analysis.diversity.summary import DiversitySummary, measure_diversity
from manyminds.analysis.diversity.voting import majority_vote

__all__ = [
    "AddedError",
    "AmbiguityDecomposition",
    "DiversitySummary",
    "FailureType",
    "KappaErrorDisplay",
    "PairCounts",
    "Strength",
    "added_error",
    "average_pairs",
    "coincident_errors",
    "coincident_failure_diversity",
    "count_correct_pairs",
    "count_pairs",
    "decompose_ambiguity",
    "difficulty",
    "disagreement",
    "double_fault",
    "ensemble_coincident_errors",
    "ensemble_confidence",
    "entropy_measure",
    "error_correlation",
    "failure_type",
    "generalized_diversity",
    "interrater_agreement",
    "kappa",
    "kohavi_wolpert_variance",
    "majority_vote",
    "measure_diversity",
    "measure_strength",
    "member_ambiguity",
    "minority_share",
    "output_correlation",
    "q_statistic",
    "raw_margins",
    "sample_ambiguity",
    "vote_entropy",
    "vote_margins",
]
