"""Tests of two methods by five repetitions of two-fold cross-validation."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from manyminds.analysis._checks import read_pair
from manyminds.analysis.comparison.scores import differences

__all__ = ["FiveByTwoResult", "five_by_two_cv_ftest", "five_by_two_cv_ttest"]


@dataclass(frozen=True)
class FiveByTwoResult:
    """Result of a 5x2cv test.

    Parameters
    ----------
    statistic : float
        F, or t.
    p_value : float
        P-value under the null hypothesis that the methods do not differ.
    df : tuple of int
        Degrees of freedom: two numbers for F, one for t.
    mean_difference : float
        Mean score of the first method minus that of the second.
    note : str
        Warning about degenerate scores, or an empty text.
    """

    statistic: float
    p_value: float
    df: tuple[int, ...]
    mean_difference: float
    note: str = ""


def five_by_two_cv_ftest(a, b):
    """Test two methods by the combined 5x2cv F statistic.

    Under the null hypothesis, the sum of the ten squared differences over twice the
    sum of the five repetitions' variances approximately follows an F distribution with
    10 and 5 degrees of freedom [1]_.

    Parameters
    ----------
    a, b : array-like of shape (5, 2) or (10,)
        Scores of two methods on five repetitions of two folds, in the order of
        scikit-learn's ``RepeatedKFold(n_splits=2, n_repeats=5)``.

    Returns
    -------
    result : FiveByTwoResult
        Statistic and p-value.

    References
    ----------
    .. [1] Alpaydin, "Combined 5 x 2 cv F test for comparing supervised
       classification learning algorithms", Neural Computation 11, 1999.

    Examples
    --------
    >>> from manyminds.analysis import five_by_two_cv_ftest
    >>> a = [[0.80, 0.82], [0.81, 0.83], [0.79, 0.80], [0.82, 0.84], [0.80, 0.85]]
    >>> b = [[0.78, 0.79], [0.80, 0.80], [0.77, 0.79], [0.79, 0.81], [0.80, 0.80]]
    >>> print(f"{five_by_two_cv_ftest(a, b).p_value:.3f}")
    0.187
    """
    difference, variance = _differences_and_variances(a, b)
    top, bottom = (difference**2).sum(), 2.0 * variance.sum()
    if bottom == 0:
        return _degenerate(difference, abs(difference).max(), (10, 5))
    p_value = stats.f.sf(top / bottom, 10, 5)
    return FiveByTwoResult(
        float(top / bottom), float(p_value), (10, 5), float(difference.mean())
    )


def five_by_two_cv_ttest(a, b):
    """Test two methods by the 5x2cv t statistic, two-sided.

    The first fold's difference over the root of the mean variance approximately
    follows a t distribution with 5 degrees of freedom [1]_. The result depends on which
    fold is first: `five_by_two_cv_ftest` uses all ten.

    Parameters
    ----------
    a, b : array-like of shape (5, 2) or (10,)
        Scores of two methods on five repetitions of two folds.

    Returns
    -------
    result : FiveByTwoResult
        Statistic and p-value.

    References
    ----------
    .. [1] Dietterich, "Approximate statistical tests for comparing supervised
       classification learning algorithms", Neural Computation 10, 1998.

    Examples
    --------
    >>> from manyminds.analysis import five_by_two_cv_ttest
    >>> a = [[0.80, 0.82], [0.81, 0.83], [0.79, 0.80], [0.82, 0.84], [0.80, 0.85]]
    >>> b = [[0.78, 0.79], [0.80, 0.80], [0.77, 0.79], [0.79, 0.81], [0.80, 0.80]]
    >>> print(f"{five_by_two_cv_ttest(a, b).statistic:.3f}")
    1.136
    """
    difference, variance = _differences_and_variances(a, b)
    error = np.sqrt(variance.mean())
    if error == 0:
        return _degenerate(difference, difference[0, 0], (5,))
    statistic = difference[0, 0] / error
    p_value = 2.0 * stats.t.sf(abs(statistic), 5)
    return FiveByTwoResult(
        float(statistic), float(p_value), (5,), float(difference.mean())
    )


def _differences_and_variances(a, b):
    a, b = read_pair(a, b)
    if a.shape not in ((5, 2), (10,)):
        raise ValueError(
            "a and b must have shape (5, 2), or (10,), for five repetitions of two "
            f"folds; got {a.shape}."
        )
    difference = differences(a, b).reshape(5, 2)
    # Half the squared distance of two numbers is the sum of their squared distances
    # from their mean, and is exactly zero when they are equal.
    return difference, (difference[:, 0] - difference[:, 1]) ** 2 / 2.0


def _degenerate(difference, top, df):
    """Return the result if both folds of every repetition have equal differences."""
    mean = float(difference.mean())
    if top == 0:
        return FiveByTwoResult(0.0, 1.0, df, mean, "The scores do not differ.")
    return FiveByTwoResult(
        float(np.copysign(np.inf, top)),
        0.0,
        df,
        mean,
        "The two folds of each repetition have equal differences: the variance is 0.",
    )
