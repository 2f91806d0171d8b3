"""Paragraphs that the docstrings of comparisons share."""

from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import DEMSAR_2006, NADEAU_2003, cite

__all__ = ["document_comparison"]


document_comparison = fill_docstring(
    method_names="""
names : tuple of str
    Names of the methods.
""",
    ranked_methods="""
names : tuple of str
    Names of the methods.
average_ranks : tuple of float
    Mean rank of each method.
n_datasets : int
    Number of data sets.
""",
    scores="""
scores : array-like or DataFrame of shape (n_datasets, n_methods)
    One score per data set and method.
""",
    names="""
names : list of str, default=None
    Names of the methods; by default the columns of a DataFrame, or numbers.
""",
    rank_direction="""
higher_is_better : bool, default=True
    Whether the highest score, or the lowest, gets rank 1.
""",
    direction="""
higher_is_better : bool, default=True
    Whether higher or lower scores are better.
""",
    missing="""
missing : {"raise", "drop"}, default="raise"
    Whether a missing score is an error, or its data set is left out.
""",
    adjust="""
adjust : {"holm", "hochberg", "bonferroni", "bh", "none"}, default="holm"
    Adjustment of the p-values for the number of tests, see `adjust_p_values`.
""",
    test_share="""
test_share : float, default=None
    Fraction of the samples in the test set of each fold: 0.1 in ten-fold
    cross-validation. Pass either this, or ``n_train`` and ``n_test``.
n_train, n_test : float, default=None
    Number of training and test samples of each fold.
""",
    rope="""
rope : float, default=0.0
    Largest difference at which two methods are practically equivalent.
""",
    p_values="""
p_values : array-like of shape (n_tests,)
    P-values of single tests.
""",
    adjusted="""
adjusted : ndarray of shape (n_tests,)
    Adjusted p-values in the same order.
""",
    adjusting="""
Parameters
----------
p_values : array-like of shape (n_tests,)
    P-values of single tests.

Returns
-------
adjusted : ndarray of shape (n_tests,)
    Adjusted p-values in the same order.
""",
    alternative="""
alternative : {"two-sided", "greater", "less"}, default="two-sided"
    Alternative hypothesis; "greater": the scores of ``a`` are higher.

Returns
-------
result : TTestResult
    Statistic, p-value, degrees of freedom and standard error.
""",
    counts="""
alpha : float, default=0.05
    Significance level of the test.
higher_is_better : bool, default=True
    Whether the higher or the lower score wins.

Returns
-------
counts : WinTieLoss
    Counts, and the outcome on each data set.
""",
    demsar=cite(DEMSAR_2006),
    folds="""
a, b : array-like of shape (n_folds,) or (n_repeats, n_splits)
    Scores of two methods on the same folds.
""",
    nadeau=cite(NADEAU_2003),
)
