"""Tests of categories: G2, chi-square, and mutual information against a threshold."""

import numpy as np

from manyminds.kernels.conditional_tables import (
    CHI2,
    G2,
    N_RESULTS,
    Rule,
    index_strata,
    make_scratch,
    measure_columns,
)
from manyminds.networks.independence._parameters import PARAMETERS
from manyminds.networks.independence.base import CompiledTest
from manyminds.networks.independence.coding import (
    code_columns,
    make_evidence,
    name_variables,
)
from manyminds.utils.docstrings import fill_docstring

STATISTICS = {"g2": G2, "chi2": CHI2}


@fill_docstring(**PARAMETERS)
class ContingencyTest(CompiledTest):
    r"""Test categories for conditional independence by contingency tables.

    The likelihood-ratio statistic of X and Y given Z is
    :math:`G^2 = 2 n \, I(X; Y \mid Z)`, with the conditional mutual information in
    nats. Under independence it is about chi-square distributed, as is Pearson's
    statistic. With a ``threshold`` there is no significance: X and Y are independent if
    :math:`I(X; Y \mid Z)` is below it.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_variables)
        Each distinct value of a column is a category; missing values are one, too.
    statistic : {"g2", "chi2"}, default="g2"
    {alpha}
    threshold : float, default=None
        Minimum information of dependent variables, in nats; replaces ``alpha``.
    dof : {"observed", "nominal"}, default="observed"
        Degrees of freedom. "observed": in each stratum of Z, those of the rows and the
        columns of the table that have samples. "nominal": :math:`(|X| - 1)(|Y| - 1)`
        for each possible value of Z, also where there cannot be any counts.
    {min_count}
    {sample_weight}
    {names}
    {n_jobs}

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import ContingencyTest
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.integers(2, size=1000)
    >>> effects = (cause[:, None] + (rng.uniform(size=(1000, 2)) < 0.1)) % 2
    >>> test = ContingencyTest(np.column_stack([cause, effects]))
    >>> test.test(1, 2).independent, test.test(1, 2, [0]).independent
    (False, True)
    """

    def __init__(
        self, X, *, statistic="g2", alpha=0.01, threshold=None, dof="observed",
        min_count=5.0, sample_weight=None, names=None, n_jobs=None,
    ):  # fmt: skip
        codes, n_levels = code_columns(X)
        names = name_variables(X) if names is None else names
        rule = make_rule(statistic, alpha, threshold, dof, min_count)
        evidence = make_evidence(codes, n_levels, sample_weight=sample_weight)
        super().__init__(names, evidence, rule, n_jobs)

    @classmethod
    def from_codes(cls, codes, n_levels, *, names=None, sample_weight=None, n_jobs=None,
                   **options):  # fmt: skip
        """Make a test from columns that are coded already.

        Parameters
        ----------
        codes : ndarray of uint8 of shape (n_variables, n_samples)
            Codes 0, 1, ... of each variable.
        n_levels : array-like of int of shape (n_variables,)
            Number of codes that each variable may have.
        names, sample_weight, n_jobs, **options
            See the class.

        Returns
        -------
        test : ContingencyTest
        """
        defaults = {"statistic": "g2", "alpha": 0.01, "threshold": None,
                    "dof": "observed", "min_count": 5.0}  # fmt: skip
        test = cls.__new__(cls)
        names = [f"x{j}" for j in range(len(codes))] if names is None else names
        evidence = make_evidence(codes, n_levels, sample_weight=sample_weight)
        rule = make_rule(**(defaults | options))
        CompiledTest.__init__(test, names, evidence, rule, n_jobs)
        return test

    def _measure(self, xs, y, given):
        table = np.empty((len(xs), N_RESULTS))
        given = np.array(given, dtype=np.int64)
        n_samples = self.evidence.codes.shape[1]
        strata, n_strata = np.zeros(n_samples, dtype=np.int32), 1
        if len(given):
            scratch = make_scratch(n_samples, int(self.evidence.n_levels.max()), 1)
            n_strata = index_strata(self.evidence, given, scratch, strata)

        def measure(block):
            measure_columns(
                self.evidence, self.rule, xs[block], y, given, strata, n_strata,
                table[block],
            )  # fmt: skip

        self._run(measure, len(xs), 1)
        return table


def make_rule(statistic="g2", alpha=0.01, threshold=None, dof="observed",
              min_count=5.0):  # fmt: skip
    """Check how to test; return a rule for the kernels."""
    if statistic not in STATISTICS:
        raise ValueError(
            f"statistic must be one of {sorted(STATISTICS)}; got {statistic!r}."
        )
    if dof not in ("observed", "nominal"):
        raise ValueError(f"dof must be 'observed' or 'nominal'; got {dof!r}.")
    return Rule(
        STATISTICS[statistic], int(dof == "nominal"), log_level(alpha),
        -1.0 if threshold is None else float(threshold), float(min_count),
    )  # fmt: skip


def log_level(alpha):
    """Check a significance level; return its logarithm."""
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha must be between 0 and 1; got {alpha}.")
    return float(np.log(alpha))
