"""The rows that each tree of a forest drew, and what follows from those it did not."""

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import Bunch, check_random_state

from manyminds.trees.growing import draw_seeds, list_draws
from manyminds.trees.permutation import oob_permutation_importance
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_2001, cite


class RepeatedDraws:
    """Repeat the draws of a forest's trees from their seeds.

    Goes before a tree model among the bases of a class, whose ``fit`` calls
    ``_store_draws`` and sets ``trees_``.
    """

    def _count_draws(self, some):
        """Count how often the trees of a slice drew each row passed to ``fit``."""
        draws = self._count_weighted_draws(some)
        if self._has_weight is None:
            return draws
        of_all = np.zeros((len(draws), self._n_rows), draws.dtype)
        of_all[:, self._has_weight] = draws
        return of_all

    def _count_weighted_draws(self, some):
        """Count how often the trees of a slice drew each row with a weight."""
        kept = self._has_weight
        n_samples = self._n_rows if kept is None else np.count_nonzero(kept)
        return list_draws(
            self._seeds[some], n_samples, self._n_draws, self._draw_bounds
        )

    @property
    def estimators_samples_(self):
        """The training rows that each tree drew, in rising order, repeats included."""
        n_trees = self.trees_.n_trees
        if not self.bootstrap:
            kept = self._has_weight
            rows = np.arange(self._n_rows) if kept is None else np.flatnonzero(kept)
            return [rows.copy() for _ in range(n_trees)]
        return [
            np.repeat(np.arange(self._n_rows), self._count_draws(slice(t, t + 1))[0])
            for t in range(n_trees)
        ]


class DrawnRows(RepeatedDraws):
    """Repeat the draws of trees with one target, and score what they did not draw."""

    @fill_docstring(references=cite(BREIMAN_2001))
    def oob_permutation_importance(self, X, y, *, n_repeats=1, random_state=None):
        """Measure how much the out-of-bag error rises when a feature is shuffled.

        Each tree predicts the training rows that it did not draw, before and after the
        values of a feature are shuffled among them [1]_. The forest is not refitted, so
        that two copies of a feature both keep a part of their importance.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            The rows that the forest was fitted on, in the same order.
        y : array-like of shape (n_samples,)
            Their targets. Rows that had the weight 0 take no part.
        n_repeats : int, default=1
            How often each feature is shuffled for each tree.
        random_state : int, RandomState instance or None, default=None
            Shuffles.

        Returns
        -------
        result : Bunch
            ``importances_mean`` of shape (n_features,), the mean rise over the trees
            (of the share of misclassified rows, or of the mean squared error),
            ``importances_se``, its standard error, and ``importances`` of shape
            (n_estimators, n_features), the rise of each tree.

        {references}
        """
        X, y = self._read_same_rows(X, np.asarray(y))
        if not self.bootstrap:
            raise ValueError(
                "Out-of-bag importance needs bootstrap=True: no row is left out."
            )
        if self._has_weight is not None:
            X, y = X[self._has_weight], y[self._has_weight]
        return Bunch(
            **oob_permutation_importance(
                self.trees_,
                X.toarray() if issparse(X) else X,
                y,
                self._count_weighted_draws,
                n_repeats=n_repeats,
                seeds=draw_seeds(check_random_state(random_state), self.trees_.n_trees),
                n_jobs=self.n_jobs,
            )
        )

    def _read_same_rows(self, X, y):
        """Check and encode the rows of ``fit`` and their targets, passed once more."""
        X = self._read_table(X)
        if X.shape[0] != self._n_rows or len(y) != self._n_rows:
            raise ValueError(
                f"X and y must be the {self._n_rows} rows that the forest was fitted "
                f"on; they have {X.shape[0]} and {len(y)} rows."
            )
        return X, self._read_target(y, reset=False)
