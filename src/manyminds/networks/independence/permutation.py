"""Permutation tests of categories, within the strata of the conditioning set."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.kernels.conditional_tables import (
    DEPENDENT,
    DOF,
    INDEPENDENT,
    LOG_P,
    N_RESULTS,
    STATISTIC,
    STRENGTH,
    VERDICT,
    index_strata,
    make_scratch,
)
from manyminds.kernels.stratum_permutations import permute_columns
from manyminds.networks.independence._parameters import PARAMETERS
from manyminds.networks.independence.base import IndependenceTest
from manyminds.networks.independence.contingency import ContingencyTest, log_level
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class PermutationTest(IndependenceTest):
    """Test categories for conditional independence by permutations.

    The values of X are permuted among the samples with the same values of Z. The
    p-value is the share of the permutations, the data included, whose information is at
    least that of the data. It is valid for any number of samples and any sparse table,
    and takes ``n_permutations`` times as long as `ContingencyTest`.

    Parameters
    ----------
    X : array-like or dataframe of shape (n_samples, n_variables)
        Each distinct value of a column is a category; missing values are one, too.
    {alpha}
    n_permutations : int, default=199
        At least ``1 / alpha - 1``, or nothing could be significant.
    random_state : int, RandomState instance or None, default=None
        Draws one seed for each pair of variables: the order of tests does not matter.
    {names}
    {n_jobs}

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import PermutationTest
    >>> x = np.tile([0, 1], 20)
    >>> result = PermutationTest(np.column_stack([x, x]), random_state=0).test(0, 1)
    >>> round(result.p_value, 3)
    0.005
    """

    def __init__(self, X, *, alpha=0.01, n_permutations=199, random_state=None,
                 names=None, n_jobs=None):  # fmt: skip
        counted = ContingencyTest(X, min_count=0.0, names=names)
        self._set(counted, alpha, n_permutations, random_state, n_jobs)

    @classmethod
    def from_codes(cls, codes, n_levels, *, alpha=0.01, n_permutations=199,
                   random_state=None, names=None, n_jobs=None):  # fmt: skip
        """Make a test from columns that are coded already; see `ContingencyTest`."""
        test = cls.__new__(cls)
        counted = ContingencyTest.from_codes(codes, n_levels, names=names)
        test._set(counted, alpha, n_permutations, random_state, n_jobs)
        return test

    def _set(self, counted, alpha, n_permutations, random_state, n_jobs):
        super().__init__(counted.names, n_jobs)
        self.log_alpha = log_level(alpha)
        if (n_permutations + 1) * alpha < 1.0 - 1e-12:
            raise ValueError(
                f"n_permutations must be at least {int(np.ceil(1.0 / alpha)) - 1} for "
                f"alpha={alpha}; got {n_permutations}."
            )
        self.n_permutations = n_permutations
        self.counted = counted
        rng = check_random_state(random_state)
        self.seed = int(rng.randint(1, 2**31 - 1))

    def _measure(self, xs, y, given):
        evidence = self.counted.evidence
        strata = np.empty(evidence.codes.shape[1], dtype=np.int32)
        scratch = make_scratch(len(strata), int(evidence.n_levels.max()), 1)
        members = np.array(given, dtype=np.int64)
        n_strata = index_strata(evidence, members, scratch, strata)
        # One of a pair is permuted whichever comes first, so that order never matters.
        low, high = np.minimum(xs, y), np.maximum(xs, y)
        seeds = self._draw_seeds(low, high, given)
        drawn = np.empty((len(xs), 2))

        def permute(block):
            for k in range(*block.indices(len(xs))):
                one = slice(k, k + 1)
                permute_columns(
                    evidence, low[one], high[k], strata, n_strata, seeds[one],
                    self.n_permutations, drawn[one],
                )  # fmt: skip

        self.counted.n_jobs = self.n_jobs
        self.counted._run(permute, len(xs), self.n_permutations)
        table = np.zeros((len(xs), N_RESULTS))
        log_p = np.log((drawn[:, 1] + 1.0) / (self.n_permutations + 1.0))
        table[:, STATISTIC], table[:, DOF], table[:, LOG_P] = drawn[:, 0], np.nan, log_p
        table[:, STRENGTH] = 0.5 * drawn[:, 0] / evidence.total
        independent = log_p > self.log_alpha + 1e-12
        table[:, VERDICT] = np.where(independent, INDEPENDENT, DEPENDENT)
        return table

    def _draw_seeds(self, low, high, given):
        key = [self.seed, len(given), *given]
        draws = [
            np.random.SeedSequence([*key, int(a), int(b)]).generate_state(1, np.uint64)[
                0
            ]
            for a, b in zip(low, high)
        ]
        return np.array([int(d) % (2**62) | 1 for d in draws], dtype=np.int64)
