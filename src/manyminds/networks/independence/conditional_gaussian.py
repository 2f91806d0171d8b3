"""Tests of mixed columns: normal numbers in each cell of the categories."""

import numpy as np

from manyminds.kernels.conditional_tables import GAUSSIAN, Rule
from manyminds.networks.independence._parameters import PARAMETERS
from manyminds.networks.independence.base import CompiledTest
from manyminds.networks.independence.coding import (
    code_columns,
    make_evidence,
    name_variables,
    read_columns,
    to_normal_scores,
)
from manyminds.networks.independence.contingency import log_level
from manyminds.networks.independence.fisher_z import check_known
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.tables import take_columns


@fill_docstring(**PARAMETERS)
class ConditionalGaussianTest(CompiledTest):
    """Test mixtures of numbers and categories for conditional independence.

    In each cell of the categories, the numbers are taken to be normal with a mean and a
    covariance of their own. The statistic is twice the logarithm of the likelihood
    ratio of the joint distribution and of one in which X and Y are independent given Z
    [1]_. For categories alone it is G2; for numbers alone it is that of a partial
    correlation.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_variables)
        Columns without missing numbers; a missing category is a category.
    is_categorical : array-like of bool of shape (n_variables,), default=None
        Mask of the columns of categories; None: those of a dataframe with a categorical
        dtype.
    {alpha}
    ranks : bool, default=False
        Whether to replace the numbers by normal quantiles of their ranks.
    {sample_weight}
    {names}
    {n_jobs}

    Notes
    -----
    Cells with fewer samples than the numbers have dimensions, plus two, are left out;
    if most samples are in such cells, the test is skipped.

    References
    ----------
    .. [1] Andrews, Ramsey and Cooper, "Scoring Bayesian networks of mixed variables",
       International Journal of Data Science and Analytics 6, 2018.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import ConditionalGaussianTest
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.integers(2, size=500)
    >>> effects = cause[:, None] + rng.normal(size=(500, 2))
    >>> X = np.column_stack([cause, effects])
    >>> test = ConditionalGaussianTest(X, is_categorical=[True, False, False])
    >>> test.test(1, 2).independent, test.test(1, 2, [0]).independent
    (False, True)
    """

    def __init__(self, X, *, is_categorical=None, alpha=0.01, ranks=False,
                 sample_weight=None, names=None, n_jobs=None):  # fmt: skip
        values, from_dtype = read_columns(X)
        names = name_variables(X) if names is None else list(names)
        is_coded = from_dtype if is_categorical is None else np.asarray(is_categorical)
        if is_coded.shape != (len(values),) or is_coded.dtype != bool:
            raise ValueError(
                "is_categorical must be a mask with one entry for each of the "
                f"{len(values)} columns; got {is_categorical!r}."
            )
        check_known(values[~is_coded], "ConditionalGaussianTest")
        codes = np.zeros(values.shape, dtype=np.uint8)
        n_levels = np.zeros(len(values), dtype=np.int64)
        if is_coded.any():
            codes[is_coded], n_levels[is_coded] = code_columns(
                take_columns(X if hasattr(X, "columns") else np.asarray(X), is_coded)
            )
        values = np.where(is_coded[:, None], 0.0, values)
        if ranks:
            values[~is_coded] = to_normal_scores(values[~is_coded])
        evidence = make_evidence(codes, n_levels, values, sample_weight)
        rule = Rule(GAUSSIAN, 0, log_level(alpha), -1.0, 0.0)
        super().__init__(names, evidence, rule, n_jobs)
