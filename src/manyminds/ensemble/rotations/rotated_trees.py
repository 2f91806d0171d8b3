"""What trees on rotated tables share: scales, what each tree sees, their answers."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import gen_batches

from manyminds.ensemble.base import run_on_members
from manyminds.ensemble.rotations.rotation import find_fill
from manyminds.trees.base import TreeModel

_BLOCK_CELLS = 2**22  # of a table that a thread rotates at a time: 32 MB


class RotatedTrees(TreeModel):
    """Trees that each see the scaled table by a rotation in ``rotations_``.

    A subclass's ``fit`` sets ``center_``, ``scale_``, ``rotations_`` and ``trees_``.
    """

    def _find_scale(self, X, sample_weight):
        """Return what to take from each column and what to divide it by."""
        center, scale = np.zeros(X.shape[1]), np.ones(X.shape[1])
        if self.scale == "standard":
            turned = self._turned
            center[turned] = find_fill(X[:, turned], sample_weight)
            distance = X[:, turned] - center[turned]
            spread = np.sqrt(find_fill(distance**2, sample_weight))
            # A constant column has no scale, whatever its rounding leaves behind.
            varies = spread > 1e-12 * np.abs(center[turned])
            scale[turned] = np.where(varies, spread, 1.0)
        return center, scale

    @property
    def _turned(self):
        """Numbers of the features that are rotated: those without categories."""
        categorical = self._encoder.is_categorical
        if categorical is None:
            return np.arange(self.n_features_in_)
        return np.flatnonzero(~categorical)

    def _rotate(self, rotation, columns):
        """Return what a tree sees: new features, and categories as they are."""
        turned = self._turned
        if rotation is None:
            return columns
        if len(turned) == len(columns):
            return rotation.rotate_columns(columns)
        seen = columns.copy()
        seen[turned] = rotation.rotate_columns(columns[turned])
        return seen

    def _read_table(self, X):
        """Check, encode and scale a table that the forest is asked about."""
        return (refuse_sparse(super()._read_table(X)) - self.center_) / self.scale_

    def _ask_trees(self, X, question):
        """Yield what each tree says about the rows of X as it sees them, in order."""
        columns = np.ascontiguousarray(X.T)

        def ask(t):
            seen = self._rotate(self.rotations_[t], columns)
            return question(self.trees_.tree(t), seen.T)

        members = ((t,) for t in range(self.trees_.n_trees))
        return run_on_members(ask, members, self.n_jobs)

    def _mean_value(self, X):
        X = self._read_table(X)
        n_rows = max(1, _BLOCK_CELLS // X.shape[1])
        totals = [
            sum(self._ask_trees(X[rows], lambda tree, seen: tree.mean_value(seen)))
            for rows in gen_batches(len(X), n_rows)
        ]
        return np.concatenate(totals) / self.trees_.n_trees

    @property
    def feature_importances_(self):
        """Mean over the trees of each feature's share in the fall of impurity."""
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
    """Return a dense table as it is."""
    if issparse(X):
        raise TypeError(
            "X is a sparse matrix; rotations would make it dense. Pass X.toarray() if "
            "there is room for it."
        )
    return X
