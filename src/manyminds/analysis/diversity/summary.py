"""All measures of an ensemble's diversity in one call."""

from dataclasses import dataclass, fields

import numpy as np
import pandas as pd

from manyminds.analysis._checks import check_option
from manyminds.analysis.diversity import whole
from manyminds.analysis.diversity._reading import encode_labels, read_pair
from manyminds.analysis.diversity.averaging import average_pairs
from manyminds.analysis.diversity.counting import (
    count_agreements,
    count_correct_pairs,
    divide,
    kappa_from_counts,
)
from manyminds.analysis.diversity.margins import part_votes
from manyminds.analysis.diversity.per_sample import entropy_of_votes
from manyminds.analysis.diversity.voting import count_votes

__all__ = ["DiversitySummary", "measure_diversity"]


@dataclass(frozen=True)
class DiversitySummary:
    """An ensemble's diversity by all measures.

    Parameters
    ----------
    mean_error : float
        Mean share of errors of the members.
    q_statistic, correlation, double_fault, coincident_errors : float
        Means over all pairs of members, of what they get right and wrong.
    kappa, disagreement : float
        Means over all pairs of members, of the labels they give.
    kohavi_wolpert_variance, interrater_agreement, entropy, difficulty : float
        Measures of the whole ensemble, of what members get right and wrong.
    generalized_diversity, coincident_failure, ensemble_coincident_errors : float
        Measures of the whole ensemble's failures; NaN if there are none.
    vote_entropy : float
        Mean entropy of the votes on a sample, in bits.
    ambiguity : float
        Mean share of samples on which a member contradicts the vote.
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
        """Return a table: value, range, and which way is more diverse.

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


# Range of each measure, and which end of it means diversity.
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


def measure_diversity(y, predictions, *, undefined="skip"):
    """Measure how much the members of an ensemble of classifiers differ.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        True labels.
    predictions : array-like of shape (n_members, n_samples)
        What each member predicts, such as ``predict_all`` gives; two members or more.
    undefined : {"skip", "zero"}, default="skip"
        What to do with pairs that a measure is not defined for, such as Q of two
        perfect members: leave them out of means, or count them as 0.

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
    for_true, for_rival, _ = part_votes(votes.copy(), y_codes)

    def mean(matrix):
        return average_pairs(matrix, undefined=undefined)

    # Right or wrong is a label of its own, which is compared faster than the others.
    truth = np.ones(len(y), dtype=bool)
    return DiversitySummary(
        mean_error=float(1.0 - correct.mean()),
        q_statistic=mean(counts.q_statistic()),
        correlation=mean(counts.correlation()),
        kappa=mean(kappa_from_counts(n_agree, n_chance, n_samples)),
        disagreement=mean(divide(n_samples - n_agree, n_samples)),
        double_fault=mean(counts.double_fault()),
        coincident_errors=mean(counts.coincident_errors()),
        kohavi_wolpert_variance=whole.kohavi_wolpert_variance(truth, correct),
        interrater_agreement=whole.interrater_agreement(truth, correct),
        entropy=whole.entropy_measure(truth, correct),
        vote_entropy=float(entropy_of_votes(votes).mean()),
        difficulty=whole.difficulty(truth, correct),
        generalized_diversity=whole.generalized_diversity(truth, correct),
        coincident_failure=(
            float("nan")  # there is no failure to be shared: not even 0 of them
            if correct.all()
            else whole.coincident_failure_diversity(truth, correct)
        ),
        ensemble_coincident_errors=whole.ensemble_coincident_errors(truth, correct),
        ambiguity=float(1.0 - votes.max(axis=1).mean() / len(codes)),
        strength=float((for_true - for_rival).mean() / len(codes)),
    )
