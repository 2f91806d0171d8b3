"""Correlations of numeric columns in several training sets, from shared sums.

With folds there is one training set (a split) for each fold: all rows but those of the
fold. Its sums are those over all rows less those over the fold, so that one pass over
the rows serves every split. Without folds there is one split, which has all rows.
"""

import numpy as np
from scipy.sparse import csr_array, issparse

from manyminds.feature_selection.associations.correlation import (
    TINY,
    divide_squares,
    sum_centered,
)

BLOCK = 2**16  # numbers that are centered at a time: they stay in cache
MAX_CACHE_BYTES = 2**28  # of products that several splits need
MIN_BLOCK_COLUMNS = 16  # columns at a time, however many rows: X may be in C order


class NumericPairs:
    """Absolute correlations of numeric columns, from sums of products.

    Parameters
    ----------
    X : ndarray or sparse CSC matrix of shape (n_samples, n_features)
    weight : ndarray of shape (n_samples,)
    fold : ndarray of int of shape (n_samples,) or None
    y : ndarray of shape (n_samples,)
        The target: numbers, or codes of classes.
    n_classes : int or None
        None if the target is a number.
    measure : {"f", "pearson"}
        Measure of relevance. Two classes are correlated by their codes; for a numeric
        target, F is that of the regression on one column.
    lockstep : bool, default=False
        Whether to lay out the columns for ``measure_splits`` rather than for
        ``measure`` with few candidates.

    Attributes
    ----------
    relevance : ndarray of shape (n_splits, n_features)
        Association of each column with the target.
    constant : ndarray of bool of shape (n_splits, n_features)
        Which columns are constant in which split.
    """

    def __init__(self, X, weight, fold, y, n_classes, measure, lockstep=False):
        order, ends = np.arange(len(y)), [len(y)]
        if fold is not None:
            order, ends = np.argsort(fold, kind="stable"), np.cumsum(np.bincount(fold))
        self._folds = [slice(*edges) for edges in zip([0, *ends[:-1]], ends)]
        self._root = np.sqrt(weight[order])
        lines, varies = _make_lines(X, weight, order, "F" if lockstep else "C")
        self._blocks = [lines[:, rows] for rows in self._folds]
        self._lines, self._cache = lines, {}
        y, ones = y[order], np.ones((1, len(y)))
        self._total = self._leave_out(self._add_up(ones))[:, 0]
        self._sums = self._leave_out(self._multiply(ones * self._root))[:, 0]
        spread = self._leave_out(np.stack([_add_squares(one) for one in self._blocks]))
        spread -= self._sums**2 / self._total[:, None]
        self.constant = (spread <= TINY * spread.max(axis=0)) | ~varies
        self._spread = np.where(self.constant, 0.0, spread)
        self._inverse = _invert_root(self._spread)
        if measure == "f" and n_classes is not None:
            self.relevance = self._relate_to_classes(y, n_classes)
        else:
            self.relevance = self._relate_to_numbers(y, measure)

    def _relate_to_classes(self, y, n_classes):
        """Compute F in each split, capped so that it is finite."""
        member = (y == np.arange(n_classes)[:, None]).astype(np.float64)
        sums = self._leave_out(self._multiply(member * self._root))
        sizes, f = self._leave_out(self._add_up(member)), np.empty_like(self._spread)
        for split, total in enumerate(self._total):
            size, is_present = sizes[split], sizes[split] > TINY * total
            between = (sums[split, is_present] ** 2 / size[is_present, None]).sum(
                axis=0
            )
            between -= self._sums[split] ** 2 / total
            n_present = np.count_nonzero(is_present)
            f[split] = divide_squares(between, self._spread[split], total, n_present)
            cap = (total - n_present) / max(n_present - 1, 1) / TINY
            np.minimum(f[split], cap, out=f[split])
        return f

    def _relate_to_numbers(self, y, measure):
        """Compute the absolute correlation, or F of a regression, in each split."""
        y = (y - np.average(y, weights=self._root**2))[None, :]
        sums = self._leave_out(self._add_up(y))[:, 0]
        squares = self._leave_out(self._add_up(y**2))[:, 0]
        spread = squares - sums**2 / self._total
        spread[spread <= TINY * squares] = 0.0
        products = self._leave_out(self._multiply(y * self._root))[:, 0]
        inverse, everywhere = _invert_root(spread), slice(None)
        r = self._correlate(products, sums, inverse, everywhere, everywhere)
        if measure == "pearson":
            return r
        square = np.minimum(r**2, 1.0 - TINY)
        return (self._total[:, None] - 2.0) * square / (1.0 - square)

    def measure(self, features, candidates=None):
        """Associate each of ``features`` with each of ``candidates``; None: with all.

        Returns an array of shape (n_features, n_splits, n_candidates).
        """
        products = self._leave_out(self._multiply(self._take(features), candidates))
        products = np.moveaxis(products, 1, 0)
        sums, inverse = self._sums[:, features].T, self._inverse[:, features].T
        chosen = slice(None) if candidates is None else candidates
        return self._correlate(products, sums, inverse, slice(None), chosen)

    def measure_splits(self, splits, features):
        """Associate ``features[i]`` with all columns in the split ``splits[i]`` alone.

        Products over all rows are the same for all splits, and are cached; those over
        the fold that a split leaves out are few.

        Returns an array of shape (n_splits, n_features).
        """
        fresh = [f for f in np.unique(features).tolist() if f not in self._cache]
        if fresh:
            self._cache.update(zip(fresh, _multiply(self._take(fresh), self._lines)))
        lines = self._take(features)
        products = np.empty((len(splits), self._sums.shape[1]))
        for i, (split, feature) in enumerate(zip(splits, features)):
            block = self._blocks[split]
            left_out = block @ lines[i, self._folds[split]]
            np.subtract(self._cache[feature], left_out, out=products[i])
            self._cache[feature] = self._cache.pop(feature)  # the most recently used
        max_cached = max(1, MAX_CACHE_BYTES // products[0].nbytes)
        for feature in list(self._cache)[:-max_cached]:
            del self._cache[feature]
        sums, inverse = self._sums[splits, features], self._inverse[splits, features]
        every = slice(None) if len(splits) == len(self._total) else splits  # a view
        return self._correlate(products, sums, inverse, every, slice(None))

    def _take(self, features):
        """Return the lines of some features as a dense array."""
        lines = self._lines[features]
        return lines.toarray() if issparse(lines) else lines

    def _correlate(self, products, sums, inverse, splits, candidates):
        """Turn sums of products over splits into absolute correlations."""
        share = (sums / self._total[splits])[..., None]
        products -= share * self._sums[splits][..., candidates]
        products *= self._inverse[splits][..., candidates]
        products *= inverse[..., None]
        np.abs(products, out=products)
        return np.minimum(products, 1.0, out=products)

    def _multiply(self, others, candidates=None):
        """Multiply others with lines by fold: (n_folds, n_others, n_candidates)."""
        chosen = slice(None) if candidates is None else candidates
        return np.stack(
            [
                _multiply(others[:, rows], block[chosen])
                for block, rows in zip(self._blocks, self._folds)
            ]
        )

    def _add_up(self, others):
        """Sum others by fold: (n_folds, n_others)."""
        others = others * self._root**2
        return np.stack([others[:, rows].sum(axis=1) for rows in self._folds])

    def _leave_out(self, sums):
        """Turn sums over folds into sums over splits."""
        return sums if len(sums) == 1 else sums.sum(axis=0) - sums


def _make_lines(X, weight, order, layout):
    """Turn columns into scaled lines, with the samples in the given order.

    Lines of a dense table are centered; a sparse one stays sparse. Values are
    multiplied by the square roots of the weights, so that the product of two lines is a
    weighted sum.

    Returns
    -------
    lines : ndarray or sparse CSR array of shape (n_features, n_samples)
    varies : ndarray of bool of shape (n_features,)
        Which columns are not constant.
    """
    total = weight.sum()
    root = np.sqrt(weight[order])
    if issparse(X):
        _, squares, _ = sum_centered(X, weight, np.empty((0, len(weight))))
        lines = csr_array(X.T)[:, order].multiply(root[None, :])
        lines = lines.multiply(_invert_root(squares / total)[:, None])
        return lines.tocsr(), squares > 0.0
    if layout == "F":
        return _make_lines_by_row(X, weight[order], order)
    lines, squares = np.empty(X.shape[::-1]), np.empty(X.shape[1])
    size = max(MIN_BLOCK_COLUMNS, BLOCK // len(weight))
    is_sorted = bool((order[1:] > order[:-1]).all())
    weight = weight[order]
    for first in range(0, X.shape[1], size):
        block = slice(first, first + size)
        made = lines[block]
        made[:] = X[:, block].T if is_sorted else X[order, block].T
        mean = made @ weight / total
        made -= mean[:, None]
        made *= root
        square = _add_squares(made)
        square[square <= total * (TINY * mean) ** 2] = 0.0
        made *= _invert_root(square / total)[:, None]
        squares[block] = square
    return lines, squares > 0.0


def _make_lines_by_row(X, weight, order):
    """Make lines in Fortran order, one sample after the other in memory.

    ``weight`` is in the order of the lines.
    """
    table, total = np.empty(X.shape), weight.sum()
    mean, square = np.empty(X.shape[1]), np.zeros(X.shape[1])
    weight_by_row = np.empty(len(weight))
    weight_by_row[order] = weight
    np.matmul(weight_by_row / total, X, out=mean)
    root = np.sqrt(weight)[:, None]
    size = max(MIN_BLOCK_COLUMNS, BLOCK // X.shape[1])
    blocks = [slice(i, i + size) for i in range(0, len(table), size)]
    for rows in blocks:
        made = np.subtract(X[order[rows]], mean, out=table[rows])
        made *= root[rows]
        square += np.einsum("ij,ij->j", made, made)
    square[square <= total * (TINY * mean) ** 2] = 0.0
    scale = _invert_root(square / total)
    for rows in blocks:
        table[rows] *= scale
    return table.T, square > 0.0


def _multiply(others, lines):
    """Multiply each of the others, which are dense, with each line."""
    if issparse(lines):
        return np.ascontiguousarray((lines @ others.T).T)
    return others @ lines.T


def _add_squares(lines):
    """Sum the squares of each line."""
    if issparse(lines):
        return np.asarray(lines.power(2).sum(axis=1)).ravel()
    return np.einsum("ij,ij->i", lines, lines)


def _invert_root(squares):
    """Return the inverse square root; 0 where the square is 0."""
    root = np.sqrt(squares)
    return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0.0)
