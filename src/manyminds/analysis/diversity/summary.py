"""All measures of diversity in one call."""

from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from manyminds.analysis._checks import check_option
from manyminds.analysis.diversity import ensemble_measures as measures
from manyminds.analysis.diversity._paragraphs import document_measure
from manyminds.analysis.diversity._reading import encode_labels, read_pair
from manyminds.analysis.diversity.averaging import average_pairs
from manyminds.analysis.diversity.margins import split_votes
from manyminds.analysis.diversity.pair_counts import (
    count_agreements,
    count_correct_pairs,
    divide,
    kappa_from_counts,
)
from manyminds.analysis.diversity.per_sample import entropy_of_votes
from manyminds.analysis.diversity.voting import count_votes

__all__ = ["DiversitySummary", "measure_diversity"]


@dataclass(frozen=True)
class DiversitySummary:
    """Diversity of an ensemble by all measures.

    Parameters
    ----------
    mean_error : float
        Mean error rate of the members.
    q_statistic, correlation, double_fault, coincident_errors : float
        Means over all pairs of members, from right and wrong predictions.
    kappa, disagreement : float
        Means over all pairs of members, from labels.
    kohavi_wolpert_variance, interrater_agreement, entropy, difficulty : float
        Measures of the ensemble, from right and wrong predictions.
    generalized_diversity, coincident_failure, ensemble_coincident_errors : float
        Measures of the failures of the ensemble; NaN without failures.
    vote_entropy : float
        Mean entropy of the votes on a sample, in bits.
    ambiguity : float
        Mean fraction of samples on which a member differs from the vote.
    strength : float
        Mean margin of the votes.
    """

    mean_error: float
    q_statistic: float
    correlation: float
    kappa: float
    disagreement: float
    double_fault: float
    coincident_errors: float
    kohavi_wolpert_variance: float
    interrater_agreement: float
    entropy: float
    vote_entropy: float
    difficulty: float
    generalized_diversity: float
    coincident_failure: float
    ensemble_coincident_errors: float
    ambiguity: float
    strength: float

    def to_frame(self):
        """Return a table of values, ranges and the diverse end of the range.

        Returns
        -------
        table : DataFrame
            One row per measure, with the columns ``value``, ``lowest``, ``highest``
            and ``diverse_if``.
        """
        rows = [
            (getattr(self, each.name), *_READING[each.name]) for each in fields(self)
        ]
        names = pd.Index([each.name for each in fields(self)], name="measure")
        columns = ["value", "lowest", "highest", "diverse_if"]
        return pd.DataFrame(rows, index=names, columns=columns)


# Range of each measure, and the diverse end of it.
_READING = {
    "mean_error": (0.0, 1.0, ""),
    "q_statistic": (-1.0, 1.0, "low"),
    "correlation": (-1.0, 1.0, "low"),
    "kappa": (-1.0, 1.0, "low"),
    "disagreement": (0.0, 1.0, "high"),
    "double_fault": (0.0, 1.0, "low"),
    "coincident_errors": (0.0, 1.0, "low"),
    "kohavi_wolpert_variance": (0.0, 0.25, "high"),
    "interrater_agreement": (-1.0, 1.0, "low"),
    "entropy": (0.0, 1.0, "high"),
    "vote_entropy": (0.0, np.inf, "high"),
    "difficulty": (0.0, 0.25, "low"),
    "generalized_diversity": (0.0, 1.0, "high"),
    "coincident_failure": (0.0, 1.0, "high"),
    "ensemble_coincident_errors": (0.0, 1.0, "low"),
    "ambiguity": (0.0, 1.0, "high"),
    "strength": (-1.0, 1.0, ""),
}


@document_measure
def measure_diversity(y, predictions, *, undefined="skip"):
    """Compute all measures of the diversity of an ensemble of classifiers.

    Parameters
    ----------
    {pair_predictions}
    undefined : {"skip", "zero"}, default="skip"
        Treatment of pairs whose measure is undefined, such as Q of two perfect members:
        leave them out of means, or count them as 0.

    Returns
    -------
    result : DiversitySummary

    Examples
    --------
    >>> from manyminds.analysis.diversity import measure_diversity
    >>> y = [0, 0, 1, 1]
    >>> found = measure_diversity(y, [[0, 0, 1, 0], [0, 1, 1, 0], [0, 0, 1, 1]])
    >>> found.disagreement, found.double_fault
    (0.333..., 0.083...)
    >>> found.to_frame().loc["kappa", "diverse_if"]
    'low'
    """
    check_option("undefined", undefined, ("skip", "zero"))
    y, predictions = read_pair(y, predictions)
    correct = predictions == y
    counts = count_correct_pairs(correct)
    classes, codes, y_codes = encode_labels(predictions, y)
    n_agree, n_chance, n_samples = count_agreements(codes, len(classes))
    votes = count_votes(codes, len(classes))
    for_true, for_runner_up, _ = split_votes(votes.copy(), y_codes)

    def mean(matrix):
        return average_pairs(matrix, undefined=undefined)

    # Booleans are compared faster than labels.
    truth = np.ones(len(y), dtype=bool)
    return DiversitySummary(
        mean_error=float(1.0 - correct.mean()),
        q_statistic=mean(counts.q_statistic()),
        correlation=mean(counts.correlation()),
        kappa=mean(kappa_from_counts(n_agree, n_chance, n_samples)),
        disagreement=mean(divide(n_samples - n_agree, n_samples)),
        double_fault=mean(counts.double_fault()),
        coincident_errors=mean(counts.coincident_errors()),
        kohavi_wolpert_variance=measures.kohavi_wolpert_variance(truth, correct),
        interrater_agreement=measures.interrater_agreement(truth, correct),
        entropy=measures.entropy_measure(truth, correct),
        vote_entropy=float(entropy_of_votes(votes).mean()),
        difficulty=measures.difficulty(truth, correct),
        generalized_diversity=measures.generalized_diversity(truth, correct),
        coincident_failure=(
            float("nan")  # undefined without failures
            if correct.all()
            else measures.coincident_failure_diversity(truth, correct)
        ),
        ensemble_coincident_errors=measures.ensemble_coincident_errors(truth, correct),
        ambiguity=float(1.0 - votes.max(axis=1).mean() / len(codes)),
        strength=float((for_true - for_runner_up).mean() / len(codes)),
    )
