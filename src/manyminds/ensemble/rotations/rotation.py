"""Rotations of small blocks of features, each by its own orthogonal matrix."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

_FEATURES_PER_BLOCK = 3
_METHODS = ("pca", "random")


@dataclass(frozen=True, eq=False, repr=False)
class BlockRotation:
    """Disjoint blocks of features and the orthogonal matrix that turns each of them.

    The new features of a block replace its old ones, so that a rotated table has the
    shape of the table itself. The whole is one orthogonal matrix, made of
    blocks: it is never written down, and to rotate n rows of d features in blocks of k
    takes n·d·k steps.

    A missing value counts as the mean of its feature in the rows that the rotation was
    fitted to. So it shifts none of the new features of its block, and the block's
    other features are not lost, as they would be if it made all of them missing.

    Parameters
    ----------
    features : tuple of ndarray of shape (n_blocks, size), int64
        Features of the blocks, one array for each size of a block.
    matrices : tuple of ndarray of shape (n_blocks, size, size), float64
        A block's new features are its old ones times its matrix: columns are
        directions.
    fill : ndarray of shape (n_features,), float64
        Value that replaces a missing value of each feature.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.rotations.rotation import fit_block_rotation
    >>> X = np.random.default_rng(0).normal(size=(50, 5))
    >>> rotation = fit_block_rotation(X, features_per_block=3, random_state=0)
    >>> [len(block) for block in rotation.blocks]
    [3, 2]
    >>> np.allclose(np.sum(rotation.transform(X) ** 2, axis=1), np.sum(X**2, axis=1))
    True
    """

    features: tuple
    matrices: tuple
    fill: np.ndarray

    @property
    def n_features(self):
        """Number of columns of the tables that are rotated."""
        return len(self.fill)

    @property
    def blocks(self):
        """The features of each block, as a list of arrays."""
        return [block for stack in self.features for block in stack]

    def transform(self, X):
        """Rotate the rows of a table, one block of columns after the other.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers; NaN is a missing value.

        Returns
        -------
        rotated : ndarray of shape (n_samples, n_features)
            Float64 in C order, without missing values.
        """
        X = np.asarray(X, dtype=np.float64)
        if X.ndim != 2 or X.shape[1] != self.n_features:
            raise ValueError(
                f"X has shape {X.shape}; the rotation takes tables with "
                f"{self.n_features} columns."
            )
        return np.ascontiguousarray(self.rotate_columns(X.T).T)

    def rotate_columns(self, columns):
        """Rotate a table that lies on its side: features as rows.

        Parameters
        ----------
        columns : ndarray of shape (n_features, n_samples)
            Float64; NaN is a missing value.

        Returns
        -------
        rotated : ndarray of shape (n_features, n_samples)
            In C order: each new feature lies in one piece, as trees like it.
        """
        columns = fill_missing(columns, self.fill)
        rotated = np.empty(columns.shape)
        for features, matrices in zip(self.features, self.matrices):
            rotated[features] = matrices.transpose(0, 2, 1) @ columns[features]
        return rotated

    def spread_importances(self, importances):
        """Share out what the new features are worth among the old ones.

        A new feature is a unit vector in its block: the squares of its loadings add up
        to 1, and are the shares of the old features in it.

        Parameters
        ----------
        importances : ndarray of shape (n_features,)
            Worth of the new features.

        Returns
        -------
        importances : ndarray of shape (n_features,)
            Worth of the old features, with the same sum.
        """
        spread = np.empty(self.n_features)
        for features, matrices in zip(self.features, self.matrices):
            spread[features] = np.einsum(
                "bij,bj->bi", matrices**2, importances[features]
            )
        return spread

    def as_matrix(self):
        """Return the rotation as one matrix: ``transform(X)`` is ``X @ as_matrix()``.

        For inspection; of no use for wide tables.

        Returns
        -------
        matrix : ndarray of shape (n_features, n_features)
        """
        matrix = np.zeros((self.n_features, self.n_features))
        for features, matrices in zip(self.features, self.matrices):
            for block, turn in zip(features, matrices):
                matrix[np.ix_(block, block)] = turn
        return matrix

    def __repr__(self):
        n_blocks = sum(len(stack) for stack in self.features)
        return f"<BlockRotation: {self.n_features} features in {n_blocks} blocks>"


def fit_block_rotation(
    X,
    y=None,
    *,
    n_blocks=None,
    features_per_block=None,
    row_share=0.75,
    class_subsets=True,
    method="pca",
    sample_weight=None,
    random_state=None,
):
    """Divide the features into blocks at random, and find a rotation for each block.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Training rows; NaN is a missing value and counts as its feature's mean. Put the
        features on one scale before, as principal components depend on their units.
    y : array-like of shape (n_samples,), default=None
        Classes of the rows; read only if ``class_subsets``.
    n_blocks : int, default=None
        Number of blocks; no more than there are features. The sizes of blocks differ
        by one at most.
    features_per_block : int, default=None
        Maximum size of a block, instead of ``n_blocks``; 3 if both are None.
    row_share : float or None, default=0.75
        Size of the bootstrap sample of rows from which a block's components are
        computed, as a fraction of the rows it is drawn from; None: all those rows, none
        of them twice.
    class_subsets : bool, default=True
        Whether a block sees the rows of some classes only: how many, and which, is
        drawn for each block. Needs ``y``; without it, all rows are seen.
    method : {"pca", "random"}, default="pca"
        "pca": all principal components of the block's features, the greatest variance
        first. "random": an orthogonal matrix drawn uniformly from all of them,
        independent of the rows.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights: the odds of a draw if there is a bootstrap, else weights of rows.
    random_state : int, RandomState instance or None, default=None
        Draws the blocks, classes, rows and random matrices.

    Returns
    -------
    rotation : BlockRotation
        Blocks and matrices.

    Examples
    --------
    Two features that rise together: the first component is their diagonal.

    >>> import numpy as np
    >>> from manyminds.ensemble.rotations.rotation import fit_block_rotation
    >>> X = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])
    >>> rotation = fit_block_rotation(X, n_blocks=1, row_share=None, random_state=0)
    >>> np.round(abs(rotation.as_matrix()), 2)
    array([[0.71, 0.71],
           [0.71, 0.71]])
    """
    X = np.asarray(X, dtype=np.float64)
    n_blocks = _count_blocks(X.shape[1], n_blocks, features_per_block)
    _check_choices(row_share, method)

    rng = check_random_state(random_state)
    fill = find_fill(X, sample_weight)
    columns = fill_missing(X.T, fill)
    groups = _list_groups(y if class_subsets else None, sample_weight, len(X))
    blocks = np.array_split(rng.permutation(X.shape[1]), n_blocks)
    stacks, matrices = [], []
    for size in sorted({len(block) for block in blocks}, reverse=True):
        stack = np.array([block for block in blocks if len(block) == size])
        if method == "random":
            turns = _draw_rotations(len(stack), size, rng)
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                scatters = [
                    _scatter(columns[block], *_draw_rows(groups, row_share, rng))
                    for block in stack
                ]
            if not np.isfinite(scatters).all():
                raise ValueError("Products of columns overflow: scale those of X.")
            turns = np.linalg.eigh(np.array(scatters))[1][:, :, ::-1]
        stacks.append(stack.astype(np.int64))
        matrices.append(np.ascontiguousarray(turns))
    return BlockRotation(tuple(stacks), tuple(matrices), fill)


def find_fill(X, sample_weight=None):
    """Return the mean of each column's known values; 0 where there are none."""
    weight = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight)
    if not np.isnan(X.sum()):
        return weight @ X / weight.sum()
    total = weight @ ~np.isnan(X)
    return np.divide(
        weight @ np.nan_to_num(X), total, out=np.zeros(X.shape[1]), where=total > 0.0
    )


def fill_missing(columns, fill):
    """Put each feature's ``fill`` in place of NaN; features are rows here."""
    if not np.isnan(columns.sum()):
        return columns
    return np.where(np.isnan(columns), fill[:, np.newaxis], columns)


def _count_blocks(n_features, n_blocks, features_per_block):
    """Return the number of blocks of features."""
    numbers = {"n_blocks": n_blocks, "features_per_block": features_per_block}
    for name, number in numbers.items():
        if number is not None and (not isinstance(number, Integral) or number < 1):
            raise ValueError(f"{name} must be an integer above 0; got {number!r}.")
    if n_blocks is not None and features_per_block is not None:
        raise ValueError(
            f"n_blocks={n_blocks} and features_per_block={features_per_block} are both "
            "set; the rotation takes one of them."
        )
    if n_blocks is not None:
        return min(n_blocks, n_features)
    return -(-n_features // (features_per_block or _FEATURES_PER_BLOCK))


def _check_choices(row_share, method):
    """Check the fraction of rows and the method."""
    if row_share is not None and not 0.0 < row_share <= 1.0:
        raise ValueError(
            f"row_share must be above 0 and at most 1, or None; got {row_share!r}."
        )
    if method not in _METHODS:
        raise ValueError(f"method must be 'pca' or 'random'; got {method!r}.")


def _list_groups(y, sample_weight, n_samples):
    """List the rows of each class, or of all together, with their weights or None."""
    rows = np.arange(n_samples)
    if sample_weight is not None:
        sample_weight = np.asarray(sample_weight, dtype=np.float64)
        rows = np.flatnonzero(sample_weight > 0.0)
    groups = [rows]
    if y is not None:
        classes, label = np.unique(np.asarray(y)[rows], return_inverse=True)
        groups = [rows[label == c] for c in range(len(classes))]
    if sample_weight is None:
        return [(group, None) for group in groups]
    return [(group, sample_weight[group]) for group in groups]


def _draw_rows(groups, row_share, rng):
    """Draw classes, then rows of these classes; return the rows and their weights."""
    if len(groups) > 1:
        kept = rng.permutation(len(groups))[: rng.randint(1, len(groups) + 1)]
        groups = [groups[c] for c in kept]
    rows = np.concatenate([group for group, _ in groups])
    weight = None
    if groups[0][1] is not None:
        weight = np.concatenate([some for _, some in groups])
    if row_share is None:
        return rows, weight
    n_draws = max(1, round(row_share * len(rows)))
    if weight is None:
        return rows[rng.randint(len(rows), size=n_draws)], None
    bounds = np.cumsum(weight)
    drawn = np.searchsorted(bounds, rng.uniform(size=n_draws) * bounds[-1], "right")
    return rows[np.minimum(drawn, len(rows) - 1)], None


def _scatter(columns, rows, weight):
    """Return the covariance, up to a factor, of some features over some rows."""
    values = columns.take(rows, axis=1)  # four times as fast as columns[:, rows]
    if weight is None:
        values -= values.mean(axis=1, keepdims=True)
        return values @ values.T
    values -= (values @ weight / weight.sum())[:, np.newaxis]
    return (values * weight) @ values.T


def _draw_rotations(n_blocks, size, rng):
    """Draw orthogonal matrices uniformly: QR of normal draws, the signs made free."""
    q, r = np.linalg.qr(rng.normal(size=(n_blocks, size, size)))
    return q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, np.newaxis, :]
