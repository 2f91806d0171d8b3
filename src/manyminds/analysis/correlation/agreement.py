"""Agreement of the scores of encodings with the errors of classifiers."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.stats import pearsonr

from manyminds.analysis._checks import (
    check_not_negative,
    check_share,
    read_pair,
    read_scores,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TAMPONI_2015, cite

__all__ = ["ErrorAgreement", "RankingWarning", "error_agreement", "score_range"]


class RankingWarning(UserWarning):
    """Scores are too close to each other for a reliable ranking."""


@dataclass(frozen=True)
class ErrorAgreement:
    """Agreement of the scores of encodings with errors.

    Parameters
    ----------
    correlation : float
        Pearson's correlation of scores and errors: -1 is perfect; NaN if all scores, or
        all errors, are equal.
    p_value : float
        One-tailed p-value under the null hypothesis of no correlation.
    is_significant : bool
        Whether the correlation is significantly negative.
    """

    correlation: float
    p_value: float
    is_significant: bool


@fill_docstring(references=cite(f"{TAMPONI_2015}, chapter 2"))
def error_agreement(scores, errors, *, alpha=0.05, reject_saturated=False):
    """Test whether higher scores correlate with lower errors.

    Parameters
    ----------
    scores : array-like of shape (n_encodings,)
        Scores of three encodings or more.
    errors : array-like of shape (n_encodings,)
        Error of a classifier on each encoding.
    alpha : float, default=0.05
        Significance level of the one-tailed test. With ten encodings, 0.05 corresponds
        to a correlation of -0.549.
    reject_saturated : bool, default=False
        Whether a score of at most 0, or at least 1, excludes significance, as in the
        thesis: such scores are saturated.

    Returns
    -------
    agreement : ErrorAgreement

    {references}

    Examples
    --------
    >>> from manyminds.analysis import error_agreement
    >>> found = error_agreement([0.2, 0.4, 0.5, 0.7], [0.30, 0.22, 0.15, 0.10])
    >>> print(f"{found.correlation:.3f} {found.is_significant}")
    -0.985 True
    """
    check_share("alpha", alpha)
    scores, errors = read_pair(scores, errors)
    if scores.ndim != 1 or len(scores) < 3:
        raise ValueError(
            "scores and errors must be of three encodings or more; got shape "
            f"{scores.shape}."
        )
    if np.ptp(scores) == 0.0 or np.ptp(errors) == 0.0:
        return ErrorAgreement(np.nan, np.nan, False)
    found = pearsonr(scores, errors, alternative="less")
    is_void = reject_saturated and (scores.min() <= 0.0 or scores.max() >= 1.0)
    return ErrorAgreement(
        float(found.statistic),
        float(found.pvalue),
        bool(found.pvalue <= alpha and not is_void),
    )


def score_range(scores, *, min_range=0.4):
    """Return the range of scores; warn if it is small.

    In the experiments of the thesis, the agreement with errors was significant in
    nearly all cases with a range above 0.4, and less often below: then discard the
    worst encodings, and choose among the others by another criterion.

    Parameters
    ----------
    scores : array-like of shape (n_encodings,)
        Score of each encoding.
    min_range : float, default=0.4
        A smaller range issues a `RankingWarning`; 0 for none.

    Returns
    -------
    range : float

    Examples
    --------
    >>> from manyminds.analysis import score_range
    >>> print(score_range([0.25, 0.75, 0.5]))
    0.5
    """
    check_not_negative("min_range", min_range)
    apart = float(np.ptp(read_scores("scores", scores)))
    if apart < min_range:
        warnings.warn(
            f"Ranking unreliable: the scores are within {apart:.2g} of each other, "
            f"less than {min_range:g}.",
            RankingWarning,
            stacklevel=2,
        )
    return apart
