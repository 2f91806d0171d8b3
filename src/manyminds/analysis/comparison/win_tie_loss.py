"""Count wins, ties and losses over data sets."""

from dataclasses import dataclass, field

import numpy as np

from manyminds.analysis._checks import (
    check_not_negative,
    check_option,
    check_share,
    read_pair,
    read_scores,
)
from manyminds.analysis.comparison._paragraphs import document_comparison
from manyminds.analysis.comparison.resampled import (
    corrected_resampled_ttest,
    paired_ttest,
    unpaired_ttest,
    unpaired_ttest_from_summary,
)
from manyminds.analysis.comparison.scores import differences

__all__ = ["WinTieLoss", "win_tie_loss", "win_tie_loss_from_summary"]


@dataclass(frozen=True)
class WinTieLoss:
    """Counts of the first method's wins, ties and losses.

    Parameters
    ----------
    wins, ties, losses : int
        Number of data sets on which the first method is better, equal, worse.
    outcomes : tuple of int
        1, 0 or -1 for each data set.
    p_values : tuple of float
        P-value for each data set; empty without a test.
    """

    wins: int
    ties: int
    losses: int
    outcomes: tuple[int, ...] = field(repr=False)
    p_values: tuple[float, ...] = field(default=(), repr=False)

    @property
    def marks(self):
        """The outcomes as one string of ``+``, ``=`` and ``-``."""
        return "".join("=+-"[outcome] for outcome in self.outcomes)


@document_comparison
def win_tie_loss(
    a,
    b,
    *,
    tolerance=0.0,
    test=None,
    alpha=0.05,
    test_share=None,
    higher_is_better=True,
):
    """Count the data sets on which one method is better than another.

    Parameters
    ----------
    a, b : array-like of shape (n_datasets,) or (n_datasets, n_folds)
        Scores of two methods. With folds, the means are compared, or tested.
    tolerance : float, default=0.0
        Largest difference that is a tie; without a test only.
    test : {None, "corrected", "paired", "unpaired"}, default=None
        Test on the folds of each data set; differences that are not significant are
        ties: `corrected_resampled_ttest`, `paired_ttest` or `unpaired_ttest`.
    alpha : float, default=0.05
        Level of the test.
    test_share : float, default=None
        Fraction of test samples of each fold, for ``test="corrected"``.
    {counts}

    Examples
    --------
    >>> from manyminds.analysis import win_tie_loss
    >>> a, b = [0.90, 0.80, 0.70, 0.60], [0.85, 0.80, 0.71, 0.40]
    >>> win_tie_loss(a, b)
    WinTieLoss(wins=2, ties=1, losses=1)
    >>> win_tie_loss(a, b, tolerance=0.05).marks
    '===+'
    """
    check_option("test", test, (None, "corrected", "paired", "unpaired"))
    check_not_negative("tolerance", tolerance)
    a, b = read_pair(a, b)
    if a.ndim not in ((1, 2) if test is None else (2,)):
        raise ValueError(
            "a and b must have shape (n_datasets,) or (n_datasets, n_folds), and the "
            f"latter for test={test!r}; got {a.shape}."
        )
    if test is None:
        if a.ndim == 2:
            a, b = a.mean(axis=1), b.mean(axis=1)
        # The tolerance is a round number: differences equal to it are ties.
        difference = differences(a, b)
        beyond = np.abs(difference) > tolerance * (1.0 + 1e-12)
        return _count(np.sign(difference) * beyond, higher_is_better)
    tests = [_run_test(test, a[i], b[i], test_share) for i in range(len(a))]
    return _count_tests(tests, alpha, higher_is_better)


@document_comparison
def win_tie_loss_from_summary(
    mean_a, std_a, mean_b, std_b, *, n, ddof=0, alpha=0.05, higher_is_better=True
):
    """Count significant differences between published means and standard deviations.

    The means of each data set are compared by `unpaired_ttest_from_summary`, since a
    published table has no scores of single folds.

    Parameters
    ----------
    mean_a, std_a, mean_b, std_b : array-like of shape (n_datasets,)
        Means and standard deviations of two methods' scores.
    n : int
        Number of scores in each mean.
    ddof : {0, 1}, default=0
        0 if the standard deviations divide by n, as in NumPy, 1 if by n - 1.
    {counts}

    Examples
    --------
    >>> from manyminds.analysis import win_tie_loss_from_summary
    >>> win_tie_loss_from_summary(
    ...     [99.68, 82.39], [0.6, 10.7], [99.47, 83.72], [0.7, 10.5], n=100
    ... )
    WinTieLoss(wins=1, ties=1, losses=0)
    """
    columns = [
        read_scores(name, values).ravel()
        for name, values in [
            ("mean_a", mean_a),
            ("std_a", std_a),
            ("mean_b", mean_b),
            ("std_b", std_b),
        ]
    ]
    if len({len(column) for column in columns}) > 1:
        raise ValueError(
            "mean_a, std_a, mean_b and std_b must have one value per data set; got "
            f"{[len(column) for column in columns]} values."
        )
    tests = [
        unpaired_ttest_from_summary(one, one_std, n, other, other_std, n, ddof=ddof)
        for one, one_std, other, other_std in zip(*columns)
    ]
    return _count_tests(tests, alpha, higher_is_better)


def _run_test(test, a, b, test_share):
    if test == "corrected":
        return corrected_resampled_ttest(a, b, test_share=test_share)
    return paired_ttest(a, b) if test == "paired" else unpaired_ttest(a, b)


def _count_tests(tests, alpha, higher_is_better):
    check_share("alpha", alpha)
    p_values = np.array([test.p_value for test in tests])
    sign = np.sign([test.mean_difference for test in tests])
    return _count(sign * (p_values <= alpha), higher_is_better, p_values.tolist())


def _count(sign, higher_is_better, p_values=()):
    outcome = (sign if higher_is_better else -sign).astype(int)
    return WinTieLoss(
        int((outcome > 0).sum()),
        int((outcome == 0).sum()),
        int((outcome < 0).sum()),
        tuple(outcome.tolist()),
        tuple(p_values),
    )
