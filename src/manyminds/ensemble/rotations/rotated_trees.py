"""Trees on rotated tables: scales, what each tree sees, their predictions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import gen_batches

from manyminds.ensemble.base import Members, run_on_members
from manyminds.ensemble.estimators import Ensemble
from manyminds.ensemble.rotations.rotation import find_fill
from manyminds.trees.base import TreeModel
from manyminds.trees.structure import Trees

_BLOCK_CELLS = 2**22  # of a table that a thread rotates at a time: 32 MB


def rotate(rotation, columns, turned):
    """Return what a tree sees: rotated features, and categories as they are.

    Parameters
    ----------
    rotation : BlockRotation or None
        None: no feature is rotated.
    columns : ndarray of shape (n_features, n_samples)
        The scaled table, transposed.
    turned : ndarray of int
        Features that are rotated.

    Returns
    -------
    seen : ndarray of shape (n_features, n_samples)
    """
    if rotation is None:
        return columns
    if len(turned) == len(columns):
        return rotation.rotate_columns(columns)
    seen = columns.copy()
    seen[turned] = rotation.rotate_columns(columns[turned])
    return seen


@dataclass(frozen=True, eq=False)
class RotatedMembers(Members):
    """Trees that each see the scaled table by a rotation of its own.

    Parameters
    ----------
    trees : Trees
    rotations : list of BlockRotation or None
    turned : ndarray of int
        Features that are rotated.
    n_jobs : int or None
        Number of threads.
    """

    trees: Trees
    rotations: list
    turned: np.ndarray
    n_jobs: Any = None

    def __len__(self):
        return self.trees.n_trees

    def _predict_each(self, X):
        columns = np.ascontiguousarray(X.T)

        def predict(t):
            seen = rotate(self.rotations[t], columns, self.turned)
            return self.trees.tree(t).mean_value(seen.T)

        numbers = ((t,) for t in range(len(self)))
        return run_on_members(predict, numbers, self.n_jobs)

    def mean(self, X):
        """Return the mean of the trees' values: (n_samples, n_values)."""
        n_rows = max(1, _BLOCK_CELLS // X.shape[1])
        means = [
            super(RotatedMembers, self).mean(X[rows])
            for rows in gen_batches(len(X), n_rows)
        ]
        return np.concatenate(means)


class RotatedTrees(Ensemble, TreeModel):
    """Trees that each see the scaled table by a rotation in ``rotations_``.

    A subclass's ``fit`` sets ``center_``, ``scale_``, ``rotations_`` and ``trees_``.
    """

    def _find_scale(self, X, sample_weight):
        """Return the center and the scale of each column."""
        center, scale = np.zeros(X.shape[1]), np.ones(X.shape[1])
        if self.scale == "standard":
            turned = self._turned
            center[turned] = find_fill(X[:, turned], sample_weight)
            distance = X[:, turned] - center[turned]
            spread = np.sqrt(find_fill(distance**2, sample_weight))
            # A constant column has no scale, only rounding errors.
            varies = spread > 1e-12 * np.abs(center[turned])
            scale[turned] = np.where(varies, spread, 1.0)
        return center, scale

    @property
    def _turned(self):
        """Indices of the features that are rotated: those without categories."""
        categorical = self._encoder.is_categorical
        if categorical is None:
            return np.arange(self.n_features_in_)
        return np.flatnonzero(~categorical)

    @property
    def _members(self):
        return RotatedMembers(self.trees_, self.rotations_, self._turned, self.n_jobs)

    def _read_table(self, X):
        """Check, encode and scale samples to predict."""
        return (refuse_sparse(super()._read_table(X)) - self.center_) / self.scale_

    def _mean_value(self, X):
        X = self._read_table(X)
        return self._members.mean(X)

    @property
    def feature_importances_(self):
        """Mean over the trees of each feature's share in the decrease of impurity."""
        turned, shares = self._turned, self.trees_.feature_importances()
        for rotation, share in zip(self.rotations_, shares):
            if rotation is not None:
                share[turned] = rotation.spread_importances(share[turned])
        total = shares.sum(axis=0)
        return total / (total.sum() or 1.0)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags


def refuse_sparse(X):
    """Return a dense table; raise if it is sparse."""
    if issparse(X):
        raise TypeError(
            "X is a sparse matrix; rotations would make it dense. Pass X.toarray() if "
            "there is room for it."
        )
    return X
