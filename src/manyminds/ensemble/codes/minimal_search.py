"""Search for the assignment of the shortest codewords to classes."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from manyminds.ensemble.base import run_on_members
from manyminds.ensemble.codes.columns import predict_left_out
from manyminds.ensemble.codes.distances import canonical_columns
from manyminds.ensemble.codes.fixed_codes import code_from_words, count_bits
from manyminds.utils.evolution import evolve_bits

MAX_EXHAUSTIVE = 8  # classes: 840 different codes; with nine there are 4 million


class ColumnCache:
    """Out-of-fold decisions of learners, kept by what a column splits.

    Columns recur all the time while codes evolve. A learner is fitted once for each
    split of the classes, complements being the same; rating a code is then decoding.

    Parameters
    ----------
    estimator : classifier
        Estimator to clone.
    X, label, weight : arrays
        Training rows, class numbers, and weights or None.
    fold : ndarray of shape (n_samples,)
        Fold of each row.
    seed : callable
        Returns the seeds of canonical columns.
    n_jobs : int or None
        Number of threads.
    enabled : bool, default=True
        Whether columns are kept, or fitted each time.

    Attributes
    ----------
    n_fitted : int
        Number of columns that were fitted.
    """

    def __init__(self, estimator, X, label, weight, fold, seed, n_jobs, enabled=True):
        self.estimator, self.X, self.label, self.weight = estimator, X, label, weight
        self.fold, self.seed, self.n_jobs = fold, seed, n_jobs
        self.enabled, self.n_fitted, self._kept = enabled, 0, {}

    def outputs(self, code):
        """Return whether the learner of each column puts each row on its 1 side.

        Parameters
        ----------
        code : ndarray of shape (n_classes, n_columns)

        Returns
        -------
        is_positive : list of ndarray of shape (n_samples,)
        """
        canonical, sign = canonical_columns(code)
        keys = [column.tobytes() for column in canonical.T]
        wanted = dict(zip(keys, canonical.T))
        kept = self._kept if self.enabled else {}
        missing = [key for key in wanted if key not in kept]
        columns = [wanted[key] for key in missing]
        fits = (
            (self.estimator, self.X, self.label, column, seed, self.fold, self.weight)
            for column, seed in zip(columns, self.seed(columns))
        )
        outputs = list(run_on_members(predict_left_out, fits, self.n_jobs))
        for key, found in zip(missing, outputs):
            kept[key] = found >= 0.0
            self.n_fitted += 1
        return [kept[key] == (s > 0) for key, s in zip(keys, sign)]


@dataclass(frozen=True, eq=False)
class CodeRater:
    """Error of codes on out-of-fold rows, by Hamming decoding.

    Ties go to the first class: only the sides are kept, not the margins.
    """

    cache: ColumnCache
    n_classes: int

    def rate_words(self, words):
        """Return the weighted share of rows that a code gets wrong.

        Parameters
        ----------
        words : ndarray of shape (n_classes,)
            The binary number that is the codeword of each class.
        """
        n_bits, label = count_bits(self.n_classes), self.cache.label
        sides = self.cache.outputs(code_from_words(words, n_bits))
        read = np.zeros(len(label), dtype=np.int64)
        for side in sides:
            read = 2 * read + side
        # The nearest codeword of each of the few possible outputs, then a lookup.
        possible = np.arange(2**n_bits)[:, np.newaxis]
        nearest = np.bitwise_count(possible ^ words).argmin(axis=1)
        return float(np.average(nearest[read] != label, weights=self.cache.weight))

    def rate_bits(self, bits):
        """Return the errors of a population of bit strings, class by class."""
        return np.array([self.rate_words(words) for words in self.read_words(bits)])

    def read_words(self, bits):
        """Return the codewords of bit strings as numbers: (n_strings, n_classes)."""
        n_bits = count_bits(self.n_classes)
        genes = bits.reshape(len(bits), self.n_classes, n_bits)
        return genes @ (1 << np.arange(n_bits)[::-1])


def repair_words(words, n_bits, rng):
    """Assign unused codewords to all but the first of classes with the same one.

    Parameters
    ----------
    words : ndarray of shape (n_classes,)
        Codewords as numbers below ``2 ** n_bits``.
    n_bits : int
        Length of codewords.
    rng : RandomState
        Draws the unused ones.

    Returns
    -------
    words : ndarray of shape (n_classes,)
        All different; equal to the argument if that is valid.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.codes.minimal_search import repair_words
    >>> repair_words(np.array([0, 1, 0, 3]), 2, np.random.RandomState(0))
    array([0, 1, 2, 3])
    """
    _, first = np.unique(words, return_index=True)
    repeated = np.setdiff1d(np.arange(len(words)), first)
    if len(repeated) == 0:
        return words
    unused = np.setdiff1d(np.arange(2**n_bits), words)
    repaired = words.copy()
    repaired[repeated] = rng.permutation(unused)[: len(repeated)]
    return repaired


def search_by_evolution(rater, method, options, rng):
    """Evolve the assignment of codewords to classes; return code and history.

    Parameters
    ----------
    rater : CodeRater
    method : {"ga", "pbil"}
    options : dict
        Sizes of the search, as `evolve_bits` takes them.
    rng : RandomState

    Returns
    -------
    code : ndarray of shape (n_classes, n_columns)
    history : ndarray of shape (n_generations + 1,)
        Least error so far.
    """
    n_bits = count_bits(rater.n_classes)

    def repair(bits, rng):
        words = [repair_words(one, n_bits, rng) for one in rater.read_words(bits)]
        return (code_from_words(np.array(words), n_bits) > 0).reshape(bits.shape)

    found = evolve_bits(
        rater.rate_bits,
        rater.n_classes * n_bits,
        method=method,
        repair=repair,
        random_state=rng,
        **options,
    )
    (words,) = rater.read_words(found.best[np.newaxis])
    return code_from_words(words, n_bits), found.history


def search_exhaustively(rater):
    """Rate all codes that differ by more than order and complement of columns.

    Returns
    -------
    code : ndarray of shape (n_classes, n_columns)
        The first of the best.
    history : ndarray of shape (n_codes,)
        Least error so far.
    """
    n_bits = count_bits(rater.n_classes)
    designs = list_designs(rater.n_classes)
    errors = np.array([rater.rate_words(words) for words in designs])
    best = code_from_words(designs[errors.argmin()], n_bits)
    return best, np.minimum.accumulate(errors)


def list_designs(n_classes):
    """List the codewords of all minimal codes that differ essentially.

    Complements of columns can turn the first codeword into 0; of the orders of columns,
    that with falling columns is listed.

    Returns
    -------
    words : ndarray of shape (n_designs, n_classes)
        There are :math:`2^B! / ((2^B - N)! \\, 2^B \\, B!)`.
    """
    n_bits = count_bits(n_classes)
    rest = list(permutations(range(1, 2**n_bits), n_classes - 1))
    words = np.array([(0, *some) for some in rest])
    bits = code_from_words(words, n_bits) > 0  # (n_designs, n_classes, n_bits)
    place = 1 << np.arange(n_classes)[::-1]
    columns = np.einsum("dcb,c->db", bits, place)
    return words[(np.diff(columns, axis=1) < 0).all(axis=1)]
