"""Paragraphs that docstrings of several tests share; see `fill_docstring`."""

PARAMETERS = {
    "alpha": """
alpha : float, default=0.01
    Significance level: variables with a larger p-value count as independent.
""",
    "min_count": """
min_count : float, default=5.0
    Tests with fewer samples per cell of their table, on average, are skipped: they
    neither find a dependence nor an independence. 0: none is.
""",
    "names": """
names : list of str, default=None
    Names of the variables; by default those of the columns, or x0, x1, ...
""",
    "sample_weight": """
sample_weight : array-like of shape (n_samples,), default=None
    Sample weights: a weight of 2 counts as two samples.
""",
    "n_jobs": """
n_jobs : int, default=None
    Number of threads; -1 means all processors. Results do not depend on it.
""",
}
