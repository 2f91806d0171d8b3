"""Fisher's z test of partial correlations."""

import numpy as np

from manyminds.kernels.conditional_tables import FISHER_Z, Rule
from manyminds.networks.independence._parameters import PARAMETERS
from manyminds.networks.independence.base import CompiledTest
from manyminds.networks.independence.coding import (
    make_evidence,
    name_variables,
    read_columns,
    to_normal_scores,
)
from manyminds.networks.independence.contingency import log_level
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class FisherZTest(CompiledTest):
    r"""Test numbers for conditional independence by partial correlations.

    All correlations are computed once. The partial correlation r of X and Y given k
    variables has :math:`z = \sqrt{n - k - 3} \, \operatorname{artanh} r`, which is
    about standard normal under independence. The test is exact for normal variables and
    sees linear dependences only.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_variables)
        Numbers, without missing values.
    {alpha}
    ranks : bool, default=False
        Whether to replace the numbers by normal quantiles of their ranks: outliers and
        monotone transformations of columns then do not matter.
    {sample_weight}
    {names}
    {n_jobs}

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import FisherZTest
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.normal(size=500)
    >>> effects = cause[:, None] + rng.normal(size=(500, 2))
    >>> test = FisherZTest(np.column_stack([cause, effects]))
    >>> test.test(1, 2).independent, test.test(1, 2, [0]).independent
    (False, True)
    """

    def __init__(self, X, *, alpha=0.01, ranks=False, sample_weight=None, names=None,
                 n_jobs=None):  # fmt: skip
        values, is_categorical = read_columns(X)
        names = name_variables(X) if names is None else list(names)
        if is_categorical.any():
            where = [names[j] for j in np.flatnonzero(is_categorical)]
            raise ValueError(
                f"FisherZTest takes numbers only; the columns {where} are categorical. "
                "Use ConditionalGaussianTest."
            )
        check_known(values, "FisherZTest")
        if ranks:
            values = to_normal_scores(values)
        evidence = make_evidence(
            values=values, sample_weight=sample_weight, correlate=True
        )
        rule = Rule(FISHER_Z, 0, log_level(alpha), -1.0, 0.0)
        super().__init__(names, evidence, rule, n_jobs)


def check_known(values, name):
    """Raise an error if there are missing or infinite values."""
    if not np.isfinite(values).all():
        raise ValueError(
            f"{name} takes finite numbers only; X has missing or infinite values. "
            "Impute them, or discretize and use ContingencyTest."
        )
