"""How columns go together in each part of the rows, from sums of all and of folds.

A part of an ensemble is all rows but those of one fold. Sums over a part are the sums
over all rows less those over the fold: one pass over the rows serves every part.
Without folds there is one part, which has all rows.

Each kind of pairs has the same two methods, ``measure`` and ``measure_parts``.
"""

import numpy as np
from scipy.sparse import csr_array, issparse

from manyminds.feature_selection.associations.correlation import (
    TINY,
    divide_squares,
    sum_centered,
)
from manyminds.feature_selection.associations.information import (
    divide_information,
    share_information,
)
from manyminds.feature_selection.associations.tables import (
    count_table,
    joint_entropy,
)

BLOCK = 2**16  # numbers that are centered at a time: they stay in cache
KEPT_BYTES = 2**28  # of products that parts may ask for again
MAX_NARROW = 16  # columns at a time, however many rows: X may stand row by row


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
        What the relevance is. The codes of two classes correlate with columns as
        numbers do; numbers have an F as a regression on one column has.
    in_step : bool, default=False
        Whether ``measure_parts`` is to be quick, not ``measure`` of few candidates.

    Attributes
    ----------
    relevance : ndarray of shape (n_parts, n_features)
        How columns go with the target.
    constant : ndarray of bool of shape (n_parts, n_features)
        Which columns do not vary in which part.
    """

    def __init__(self, X, weight, fold, y, n_classes, measure, in_step=False):
        order, ends = np.arange(len(y)), [len(y)]
        if fold is not None:
            order, ends = np.argsort(fold, kind="stable"), np.cumsum(np.bincount(fold))
        self._folds = [slice(*edges) for edges in zip([0, *ends[:-1]], ends)]
        self._root = np.sqrt(weight[order])
        lines, varies = _make_lines(X, weight, order, "F" if in_step else "C")
        self._blocks = [lines[:, rows] for rows in self._folds]
        self._lines, self._kept = lines, {}
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
        """Measure F in each part, capped lest it be infinite."""
        member = (y == np.arange(n_classes)[:, None]).astype(np.float64)
        sums = self._leave_out(self._multiply(member * self._root))
        sizes, f = self._leave_out(self._add_up(member)), np.empty_like(self._spread)
        for part, total in enumerate(self._total):
            size, is_there = sizes[part], sizes[part] > TINY * total
            between = (sums[part, is_there] ** 2 / size[is_there, None]).sum(axis=0)
            between -= self._sums[part] ** 2 / total
            n_present = np.count_nonzero(is_there)
            f[part] = divide_squares(between, self._spread[part], total, n_present)
            cap = (total - n_present) / max(n_present - 1, 1) / TINY
            np.minimum(f[part], cap, out=f[part])
        return f

    def _relate_to_numbers(self, y, measure):
        """Measure the absolute correlation, or F of a regression, in each part."""
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
        """Measure each of ``features`` with each of ``candidates``; None: with all.

        Returns an array of shape (n_features, n_parts, n_candidates).
        """
        products = self._leave_out(self._multiply(self._take(features), candidates))
        products = np.moveaxis(products, 1, 0)
        sums, inverse = self._sums[:, features].T, self._inverse[:, features].T
        chosen = slice(None) if candidates is None else candidates
        return self._correlate(products, sums, inverse, slice(None), chosen)

    def measure_parts(self, parts, features):
        """Measure ``features[i]`` with all columns in the part ``parts[i]`` alone.

        Products over all rows are the same for all parts. They are kept; those over
        the fold that a part leaves out are few.

        Returns an array of shape (n_parts, n_features).
        """
        fresh = [f for f in np.unique(features).tolist() if f not in self._kept]
        if fresh:
            self._kept.update(zip(fresh, _multiply(self._take(fresh), self._lines)))
        lines = self._take(features)
        products = np.empty((len(parts), self._sums.shape[1]))
        for i, (part, feature) in enumerate(zip(parts, features)):
            block = self._blocks[part]
            left_out = block @ lines[i, self._folds[part]]
            np.subtract(self._kept[feature], left_out, out=products[i])
            self._kept[feature] = self._kept.pop(feature)  # the last one asked for
        n_most = max(1, KEPT_BYTES // products[0].nbytes)
        for feature in list(self._kept)[:-n_most]:
            del self._kept[feature]
        sums, inverse = self._sums[parts, features], self._inverse[parts, features]
        every = slice(None) if len(parts) == len(self._total) else parts  # a view
        return self._correlate(products, sums, inverse, every, slice(None))

    def _take(self, features):
        """Return the lines of some features, dense."""
        lines = self._lines[features]
        return lines.toarray() if issparse(lines) else lines

    def _correlate(self, products, sums, inverse, parts, candidates):
        """Turn sums of products over parts into absolute correlations."""
        share = (sums / self._total[parts])[..., None]
        products -= share * self._sums[parts][..., candidates]
        products *= self._inverse[parts][..., candidates]
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
        """Turn sums over folds into sums over parts."""
        return sums if len(sums) == 1 else sums.sum(axis=0) - sums


class CodePairs:
    """Information that columns of codes share, from their contingency tables.

    Parameters
    ----------
    table : CodeTable
    weight : ndarray of shape (n_samples,) or None
    fold : ndarray of int of shape (n_samples,) or None
    target : CodeTable
        Its one column is the target.
    measures : tuple of two of {"mutual_information", "symmetrical_uncertainty"}
        For the relevance, and for the redundancy.
    n_jobs : int or None

    Attributes
    ----------
    relevance : ndarray of shape (n_parts, n_features)
        Information that the columns have about the target.
    constant : ndarray of bool of shape (n_parts, n_features)
        Which columns have one level in which part.
    """

    def __init__(self, table, weight, fold, target, measures, n_jobs=None):
        self._counted, self._n_jobs = count_table(table, weight, fold), n_jobs
        self._measure = measures[1]
        self._everything = np.arange(table.n_features)
        self.constant = self._counted.entropy <= TINY
        target = count_table(target, weight, fold)
        h_xy = joint_entropy(
            target, [0], self._counted, self._everything, n_jobs=n_jobs
        )[0]
        self.relevance = _share(
            measures[0], self._counted.entropy, target.entropy, h_xy
        )

    def measure(self, features, candidates=None):
        """Measure each of ``features`` with each of ``candidates``; None: with all.

        Returns an array of shape (n_features, n_parts, n_candidates).
        """
        candidates = self._everything if candidates is None else candidates
        counted, entropy = self._counted, self._counted.entropy
        h_xy = joint_entropy(
            counted, features, counted, candidates, n_jobs=self._n_jobs
        )
        h_y = entropy[:, features].T[..., None]
        return _share(self._measure, entropy[:, candidates], h_y, h_xy)

    def measure_parts(self, parts, features):
        """Measure ``features[i]`` with all columns in the part ``parts[i]`` alone.

        Returns an array of shape (n_parts, n_features).
        """
        counted, entropy = self._counted, self._counted.entropy
        h_xy = [
            joint_entropy(
                counted, [feature], counted, self._everything, part, self._n_jobs
            )[0, 0]
            for part, feature in zip(parts, features)
        ]
        h_y = entropy[parts, features][:, None]
        return _share(self._measure, entropy[parts], h_y, np.stack(h_xy))


class MixedPairs:
    """Correlation for two numeric columns, information for all other pairs.

    Parameters
    ----------
    numeric : NumericPairs
        Of the numeric columns alone.
    coded : CodePairs
        Of all columns.
    is_numeric : ndarray of bool of shape (n_features,)
    """

    def __init__(self, numeric, coded, is_numeric):
        self._numeric, self._coded = numeric, coded
        self._is_numeric, self._place = is_numeric, np.cumsum(is_numeric) - 1
        self.constant = coded.constant.copy()
        self.constant[:, is_numeric] = numeric.constant
        self.relevance = coded.relevance.copy()
        self.relevance[:, is_numeric] = numeric.relevance

    def measure(self, features, candidates=None):
        """Measure each of ``features`` with each of ``candidates``; None: with all.

        Returns an array of shape (n_features, n_parts, n_candidates).
        """
        features = np.asarray(features)
        if candidates is None:
            candidates = np.arange(len(self._is_numeric))
        values = self._coded.measure(features, candidates)
        rows = np.flatnonzero(self._is_numeric[features])
        columns = np.flatnonzero(self._is_numeric[candidates])
        if len(rows) and len(columns):
            lefts, rights = features[rows], candidates[columns]
            found = self._numeric.measure(self._place[lefts], self._place[rights])
            values[rows[:, None], :, columns] = np.moveaxis(found, 1, 2)
        return values

    def measure_parts(self, parts, features):
        """Measure ``features[i]`` with all columns in the part ``parts[i]`` alone.

        Returns an array of shape (n_parts, n_features).
        """
        parts, features = np.asarray(parts), np.asarray(features)
        values = self._coded.measure_parts(parts, features)
        rows = np.flatnonzero(self._is_numeric[features])
        if len(rows):
            values[np.ix_(rows, self._is_numeric)] = self._numeric.measure_parts(
                parts[rows], self._place[features[rows]]
            )
        return values


def _make_lines(X, weight, order, layout):
    """Turn columns into scaled lines, their rows in the given order.

    Lines of a dense table are centered; a sparse one stays sparse. All is multiplied by
    the roots of the weights: sums of products of two lines are weighted sums.

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
    size = max(MAX_NARROW, BLOCK // len(weight))
    as_they_stand = bool((order[1:] > order[:-1]).all())
    weight = weight[order]
    for first in range(0, X.shape[1], size):
        block = slice(first, first + size)
        made = lines[block]
        made[:] = X[:, block].T if as_they_stand else X[order, block].T
        mean = made @ weight / total
        made -= mean[:, None]
        made *= root
        square = _add_squares(made)
        square[square <= total * (TINY * mean) ** 2] = 0.0
        made *= _invert_root(square / total)[:, None]
        squares[block] = square
    return lines, squares > 0.0


def _make_lines_by_row(X, weight, order):
    """Make lines that stand side by side in memory, as the columns of most tables do.

    ``weight`` is in the order of the lines.
    """
    table, total = np.empty(X.shape), weight.sum()
    mean, square = np.empty(X.shape[1]), np.zeros(X.shape[1])
    weight_by_row = np.empty(len(weight))
    weight_by_row[order] = weight
    np.matmul(weight_by_row / total, X, out=mean)
    root = np.sqrt(weight)[:, None]
    size = max(MAX_NARROW, BLOCK // X.shape[1])
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
    """Return one by the root of squares, and 0 where they are 0."""
    root = np.sqrt(squares)
    return np.divide(1.0, root, out=np.zeros_like(root), where=root > 0.0)


def _share(measure, h_x, h_y, h_xy):
    shared = share_information(h_x, h_y, h_xy)
    if measure == "mutual_information":
        return shared
    return divide_information(2.0 * shared, h_x + h_y)
