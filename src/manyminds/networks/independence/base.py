"""The contract of tests of conditional independence, and of those that are compiled."""

from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
from joblib import effective_n_jobs

from manyminds.kernels.conditional_tables import (
    DEPENDENT,
    DOF,
    INDEPENDENT,
    LOG_P,
    N_RESULTS,
    STATISTIC,
    STRENGTH,
    UNKNOWN,
    VERDICT,
)
from manyminds.kernels.separators import search_separators
from manyminds.utils.threads import run_in_threads

MAX_CACHED = 1_000_000  # results that a test keeps
MIN_WORK = 2**20  # rows to read, times tests, for which threads are worth their start


class TestResult(NamedTuple):
    """The result of one test of X and Y given Z.

    Attributes
    ----------
    statistic : float
    dof : float
        Degrees of freedom.
    p_value : float
    strength : float
        Conditional mutual information, in nats; an estimate of it for numbers.
    independent : bool
        Whether X and Y count as independent given Z. False if the test is not reliable.
    reliable : bool
        Whether there were enough samples; if not, nothing was tested.
    """

    statistic: float
    dof: float
    p_value: float
    strength: float
    independent: bool
    reliable: bool


@dataclass(frozen=True)
class TestResults:
    """The results of many tests; each attribute is an array with one entry per test.

    Attributes
    ----------
    table : ndarray of shape (n_tests, 5)
        Statistic, degrees of freedom, logarithm of the p-value, strength and verdict.
    """

    table: np.ndarray

    @property
    def log_p(self):
        """Logarithms of the p-values."""
        return self.table[:, LOG_P]

    @property
    def strength(self):
        """Conditional mutual information, in nats."""
        return self.table[:, STRENGTH]

    @property
    def is_independent(self):
        """Mask of the tests whose columns count as independent."""
        return self.table[:, VERDICT] == INDEPENDENT

    @property
    def is_dependent(self):
        """Mask of the tests that found a dependence."""
        return self.table[:, VERDICT] == DEPENDENT

    def __getitem__(self, k):
        """Return one result."""
        row = self.table[k]
        return TestResult(
            float(row[STATISTIC]),
            float(row[DOF]),
            float(np.exp(row[LOG_P])),
            float(row[STRENGTH]),
            bool(row[VERDICT] == INDEPENDENT),
            bool(row[VERDICT] != UNKNOWN),
        )


@dataclass(frozen=True)
class Separators(TestResults):
    """What a search for separating sets has found for each pair.

    Attributes
    ----------
    table : ndarray of shape (n_pairs, 5)
        Results of the separating set; without one, of the set with the weakest
        dependence.
    found : list of tuple of int or None
        The separating set of each pair; None if there is none.
    """

    found: list


class IndependenceTest:
    """Base class of tests of X and Y given Z, which cache and count what they do.

    Variables are positions of columns.

    Parameters
    ----------
    names : list of str
        Names of the variables.
    n_jobs : int, default=None
        Number of threads.

    Attributes
    ----------
    n_variables : int
    n_tests : int
        Number of tests made so far. Neither results from the cache nor tests that were
        skipped for lack of samples count.
    """

    __test__ = False  # pytest would take the class for a test

    def __init__(self, names, n_jobs=None):
        self.names = list(names)
        self.n_jobs = n_jobs
        self.n_variables = len(self.names)
        self.n_tests = 0
        self._cache = {}
        self._n_cached = 0

    def test(self, x, y, given=()):
        """Test whether two variables are independent given others.

        Parameters
        ----------
        x, y : int
            The variables; their order does not matter.
        given : sequence of int, default=()
            The conditioning set.

        Returns
        -------
        result : TestResult
        """
        given = self._check(x, y, given)
        for one, other in ((x, y), (y, x)):
            row = self._cache.get((other, given), {}).get(one)
            if row is not None:
                return TestResults(row[None])[0]
        return self.test_many([x], y, given)[0]

    def test_many(self, xs, y, given=()):
        """Test many variables for independence of one, given the same others.

        Parameters
        ----------
        xs : array-like of int of shape (n_tests,)
        y : int
        given : sequence of int, default=()

        Returns
        -------
        results : TestResults
        """
        xs = np.asarray(xs, dtype=np.int64)
        given = tuple(sorted(int(z) for z in given))
        if y in given or np.isin(xs, (y, *given)).any():
            raise ValueError(
                f"xs, y and given must be different variables; got {xs.tolist()}, {y} "
                f"and {list(given)}."
            )
        rows = self._cache.setdefault((int(y), given), {})
        listed = xs.tolist()
        fresh = [x for x in dict.fromkeys(listed) if x not in rows]
        if fresh:
            table = self._measure(np.array(fresh, dtype=np.int64), int(y), given)
            self.n_tests += int((table[:, VERDICT] != UNKNOWN).sum())
            is_kept = self._n_cached + len(fresh) <= MAX_CACHED
            if is_kept:
                self._n_cached += len(fresh)
                rows.update(zip(fresh, table))
            if len(fresh) == len(listed):
                return TestResults(table)
            if not is_kept:
                rows = rows | dict(zip(fresh, table))
        return TestResults(np.array([rows[x] for x in listed]).reshape(-1, N_RESULTS))

    def search(self, pairs, candidates, min_size, max_size, *, required=False):
        """Search sets that make pairs of variables independent, small sets first.

        Parameters
        ----------
        pairs : list of tuple of int
        candidates : list of list of int, or list of tuple of two lists of int
            The variables of the sets of each pair: subsets of one list, or those of one
            list and then those of another.
        min_size, max_size : int
            Sizes of the sets.
        required : bool, default=False
            Whether all sets have the first candidate.

        Returns
        -------
        separators : Separators
        """
        if not pairs:
            return Separators(np.empty((0, N_RESULTS)), [])
        lists = [one if _is_double(one) else (one, []) for one in candidates]
        table, found, n_tests = self._search(pairs, lists, min_size, max_size, required)
        self.n_tests += int(n_tests)
        return Separators(table, found)

    def _check(self, x, y, given):
        if len({x, y, *given}) < 2 + len(tuple(given)):
            raise ValueError(
                "x, y and given must be different variables; got "
                f"{x}, {y} and {list(given)}."
            )
        return tuple(sorted(int(z) for z in given))

    def _measure(self, xs, y, given):
        """Return a table of results, one row for each variable of ``xs``."""
        raise NotImplementedError

    def _search(self, pairs, lists, min_size, max_size, required):
        """Return results, separating sets, and the number of uncounted tests.

        This one makes single tests, which are cached.
        """
        table, found = np.zeros((len(pairs), N_RESULTS)), []
        table[:, VERDICT] = UNKNOWN
        for k, (x, y) in enumerate(pairs):
            separator = None
            for given in list_sets(*lists[k], min_size, max_size, required):
                result = self.test(x, y, given)
                log_p = np.log(max(result.p_value, 1e-300))
                row = table[k]
                is_first = row[VERDICT] == UNKNOWN
                is_weaker = (-log_p, result.strength) < (-row[LOG_P], row[STRENGTH])
                if result.reliable and (result.independent or is_first or is_weaker):
                    row[:] = [*result[:2], log_p, result.strength, result.independent]
                if result.independent:
                    separator = given
                    break
            found.append(separator)
        return table, found, 0


def _is_double(candidates):
    return isinstance(candidates, tuple) and len(candidates) == 2


def list_sets(first, second, min_size, max_size, required=False):
    """List the sets of a search in their order: by list, then by size.

    Examples
    --------
    >>> from manyminds.networks.independence.base import list_sets
    >>> list(list_sets([1, 2], [2, 3], 0, 2))
    [(), (1,), (2,), (1, 2), (3,), (2, 3)]
    """
    for some in (first, second):
        for size in range(min_size, min(max_size, len(some)) + 1):
            for given in combinations(some, size):
                if required and (not given or given[0] != some[0]):
                    continue
                if some is second and set(given) <= set(first):
                    continue
                yield given


class CompiledTest(IndependenceTest):
    """Base class of tests whose searches are compiled, and run on threads.

    Their single tests are cached; tests within a search are not, since repeating one
    takes no longer than looking it up.

    Parameters
    ----------
    names : list of str
    evidence : Evidence
    rule : Rule
    n_jobs : int, default=None
    """

    def __init__(self, names, evidence, rule, n_jobs=None):
        super().__init__(names, n_jobs)
        self.evidence = evidence
        self.rule = rule

    def _measure(self, xs, y, given):
        pairs, lists = [(x, y) for x in xs], [(list(given), [])] * len(xs)
        return self._search(pairs, lists, len(given), len(given), False)[0]

    def _search(self, pairs, lists, min_size, max_size, required):
        pairs = np.array(pairs, dtype=np.int64)
        lengths = np.array([(0, len(a), len(b)) for a, b in lists], dtype=np.int64)
        max_size = min(max_size, int(lengths.max()))
        max_size = max(max_size, min_size)
        bounds = np.cumsum(lengths.ravel()).reshape(-1, 3)
        candidates = np.fromiter((c for a, b in lists for c in (*a, *b)), np.int64)
        sizes = np.array([min_size, max_size], dtype=np.int64)
        separators = np.empty((len(pairs), max_size), dtype=np.int64)
        found, n_tests = np.empty((2, len(pairs)), dtype=np.int64)
        table = np.empty((len(pairs), N_RESULTS))

        def search(block):
            search_separators(
                self.evidence, self.rule, pairs[block], candidates, bounds[block],
                sizes, int(required), separators[block], found[block],
                n_tests[block], table[block],
            )  # fmt: skip

        self._run(search, len(pairs), int(max(lengths.sum(axis=1).max(), 1)))
        sets = [
            None if n < 0 else tuple(row[:n].tolist())
            for n, row in zip(found.tolist(), separators)
        ]
        return table, sets, n_tests.sum()

    def _run(self, function, n_items, work):
        """Call a function for blocks of items, on threads if there is much to do."""
        n_threads = effective_n_jobs(self.n_jobs)
        n_rows = max(self.evidence.codes.shape[1], 1)
        if n_threads == 1 or n_items * n_rows * work < MIN_WORK:
            function(slice(None))
            return
        edges = np.linspace(0, n_items, min(8 * n_threads, n_items) + 1).astype(int)
        blocks = [slice(a, b) for a, b in pairwise(edges) if a < b]
        run_in_threads(function, blocks, n_threads)
