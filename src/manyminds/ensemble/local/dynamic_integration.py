"""Dynamic integration: weigh the trees' votes by their accuracy near a row."""

from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import DocLinkMixin, HasMethods, Interval
from manyminds.ensemble._parameters import PARAGRAPHS
from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.ensemble.estimators import Ensemble
from manyminds.ensemble.local.local_gains import (
    check_forest,
    make_uniform_forest,
    read_forest_rows,
)
from manyminds.ensemble.local.proximity import list_proximities
from manyminds.utils.docstrings import fill_docstring

_FEW = 0.15  # pairs of rows, as a share: with fewer, a sparse product is quicker


@fill_docstring(**PARAGRAPHS)
class DynamicIntegrationClassifier(
    Ensemble, ClassifierMixin, DocLinkMixin, BaseEstimator
):
    r"""Classify by a forest whose trees are weighed anew for each row.

    A tree's weight for the row :math:`x` is its margin on the training rows that it has
    not drawn, those close to :math:`x` counting most [1]_:

    .. math:: w_t(x) = \frac{\sum_{i \notin B_t} s(x, x_i)^a \, m_t(x_i)}
                            {\sum_{i \notin B_t} s(x, x_i)^a}

    where :math:`m_t(x_i)` is 1 if tree :math:`t` is right about :math:`x_i` and -1 if
    it is wrong, and :math:`s` is the forest's proximity: the share of trees in which
    both rows end in one leaf.

    Parameters
    ----------
    estimator : forest classifier, default=None
        The forest, with a bootstrap. None: ``RandomForestClassifier(
        criterion="entropy", max_features=1)`` of 100 trees. Its ``n_jobs`` is the
        number of threads.
    exponent : float, default=3.0
        The power :math:`a` of proximities; 0: all rows have the same weight.
    random_state : int, RandomState instance or None, default=None
        Draws the forest.

    Attributes
    ----------
    forest_ : forest classifier
        The fitted forest.
    leaves_ : ndarray of shape (n_samples, n_trees)
        In which leaf of each tree each training row ends.
    margins_ : ndarray of int8 of shape (n_samples, n_trees)
        1 where a tree is right about a training row that it has not drawn, -1 where it
        is wrong, 0 where it has drawn the row.
    {class_names}

    See Also
    --------
    manyminds.ensemble.RFLocalClassifier : Use locality when trees grow.

    Notes
    -----
    A tree may have a negative weight; with two classes its vote then counts for the
    other one, as in the paper. With more classes, for which there is no such rule, we
    share it out among all others. A tree without a close row has no weight. If no tree
    has one, all votes have the same weight.

    For :math:`M` rows to predict, :math:`n` training rows and :math:`T` trees a
    prediction takes at most :math:`4 M n T` floating-point operations, in a product of
    matrices, and fewer if most training rows share no leaf with the row to predict.

    References
    ----------
    .. [1] Tsymbal, Pechenizkiy and Cunningham, "Dynamic integration with random
       forests", ECML, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.ensemble import DynamicIntegrationClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> forest = DynamicIntegrationClassifier(random_state=0).fit(X[::2], y[::2])
    >>> print(forest.score(X[1::2], y[1::2]) > 0.9)
    True
    >>> forest.weigh_trees(X[:5]).shape
    (5, 100)
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "apply"]), None],
        "exponent": [Interval(Real, 0.0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, estimator=None, *, exponent=3.0, random_state=None):
        self.estimator = estimator
        self.exponent = exponent
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Grow the forest and store where its trees are right.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Their odds of being drawn, and their weights in the trees' margins.

        Returns
        -------
        self : DynamicIntegrationClassifier
            The fitted forest.
        """
        self._validate_params()
        base = self._base
        check_forest("estimator", base)
        if not base.bootstrap:
            raise ValueError(
                "estimator must have bootstrap=True: margins are those on rows that a "
                "tree has not drawn."
            )

        seed = draw_member_seeds(self.random_state, 1)[0]
        self.forest_ = make_member(base, seed).fit(X, y, sample_weight)
        self._adopt_names()
        table, label = read_forest_rows(self.forest_, X, y)
        self._odds = None
        if sample_weight is not None:
            self._odds = np.asarray(sample_weight, dtype=np.float64)
        trees, n_jobs = self.forest_.trees_, self.forest_.n_jobs
        self.leaves_ = trees.apply(table, n_jobs=n_jobs)
        right = trees.labels_by_tree(table, n_jobs=n_jobs) == label
        drawn = self.forest_._count_draws(slice(0, trees.n_trees)) > 0
        self.margins_ = np.where(drawn, 0, np.where(right, 1, -1)).astype(np.int8).T
        return self

    @property
    def _base(self):
        if self.estimator is not None:
            return self.estimator
        return make_uniform_forest()

    def _adopt_names(self):
        """Copy the names of classes and columns from the forest."""
        for name in ("classes_", "n_classes_", "n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(self.forest_, name):
                setattr(self, name, getattr(self.forest_, name))

    def weigh_trees(self, X):
        """Weigh each tree for each row of X.

        {classify_table}
        weights : ndarray of shape (n_samples, n_trees)
            From -1, if a tree is wrong about all that is close, to 1; 0 if nothing is.
        """
        check_is_fitted(self)
        leaves, n_trees = self.forest_.apply(X), self.margins_.shape[1]
        margins = self.margins_.astype(np.float64)
        both = np.concatenate([margins, np.abs(margins)], axis=1)
        if self._odds is not None:
            both *= self._odds[:, np.newaxis]
        weights = np.zeros((len(leaves), n_trees))
        for rows, proximity in list_proximities(leaves, self.leaves_):
            sums = _raise_power(proximity, self.exponent) @ both
            margin, total = sums[:, :n_trees], sums[:, n_trees:]
            np.divide(margin, total, out=weights[rows], where=total > 0.0)
        return weights

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_table}
        probabilities : ndarray of shape (n_samples, n_classes)
            Shares of the weighted votes.
        """
        weights = self.weigh_trees(X)
        weights[~weights.any(axis=1)] = 1.0
        votes = np.searchsorted(self.classes_, self.predict_all(X)).T
        against = np.maximum(-weights, 0.0) / max(self.n_classes_ - 1, 1)
        shares = np.tile(against.sum(axis=1)[:, np.newaxis], self.n_classes_)
        for c in range(self.n_classes_):
            gains = np.maximum(weights, 0.0) - against
            shares[:, c] += np.where(votes == c, gains, 0.0).sum(axis=1)
        shares = np.maximum(shares, 0.0)  # rounding may leave less than nothing
        return shares / shares.sum(axis=1, keepdims=True)

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_table}
        y : ndarray of shape (n_samples,)
            The class with the most weighted votes; the first of equals.
        """
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_.take(best)

    @property
    def _members(self):
        return self.forest_._members

    def _read_table(self, X):
        return self.forest_._read_table(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._base).input_tags
        tags.target_tags.required = True
        return tags


def _raise_power(proximity, exponent):
    """Raise proximities to a power; keep them sparse where that is quicker."""
    if exponent == 0.0:
        return np.ones(proximity.shape)
    proximity.data **= exponent
    is_sparse = proximity.nnz < _FEW * proximity.shape[0] * proximity.shape[1]
    return proximity if is_sparse else proximity.toarray()
