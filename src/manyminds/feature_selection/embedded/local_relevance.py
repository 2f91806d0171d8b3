"""Local relevance: how much each feature helps to classify each single row."""

from numbers import Integral

import numpy as np
from sklearn.utils import get_tags

from manyminds._compat import HasMethods, StrOptions
from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.ensemble.local.local_gains import (
    average_gains,
    check_forest,
    make_uniform_forest,
    read_forest_rows,
    sum_gains,
)
from manyminds.feature_selection.base import N_TO_SELECT, ScoreSelector, read_weight
from manyminds.trees.base import TreeModel


class LocalRelevance(ScoreSelector):
    r"""Return how much each feature helps each training row, and keep the best features.

    When a node of a tree splits by a feature and a row enters one of its children, the
    row's class becomes more or less frequent around it. In bits the row gains

    .. math:: g_i = \log_2 p_\mathrm{child}(y_i) - \log_2 p_\mathrm{node}(y_i),

    where :math:`p(y_i)` is the share of the row's class. The relevance of a feature for
    a row is the mean of these gains over all splits by the feature that the row passes,
    in all trees that have drawn it [1]_. The mean gain of all rows of a node is the
    information gain of its split: relevances share it out among the rows.

    Parameters
    ----------
    n_features_to_select : int or float, default=10
        Number of features to keep, or their share; all of them when there are fewer.
    estimator : forest classifier, default=None
        Where the splits come from. None: ``RandomForestClassifier(
        criterion="entropy", max_features=1)`` of 100 trees. A row meets a feature about
        ``0.63 * n_trees * depth / n_features`` times: take more trees for many
        features.
    unseen : {"zero", "mean"}, default="zero"
        What a row gets for a feature that it never meets: 0, or the mean gain of all
        rows that meet it.
    n_jobs : int, default=None
        Number of threads; -1: all processors. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Draws the forest.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical, for the default forest: a mask, positions or
        names, those of a dataframe with a categorical dtype, or none.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_samples, n_features)
        Relevance of each feature for each training row, in bits; may be negative.
    counts_ : ndarray of int of shape (n_samples, n_features)
        How many splits each relevance is the mean of.
    forest_ : forest classifier
        The forest.
    scores_ : ndarray of shape (n_features,)
        Mean relevance of each feature over the training rows.
    ranking_ : ndarray of int of shape (n_features,)
        Rank of each feature, 1 for the best.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    See Also
    --------
    relevance_matrix : The same for a forest that is already there.

    References
    ----------
    .. [1] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, section 7.5.

    Examples
    --------
    Which of the four inputs of a multiplexer matters depends on its two control bits:

    >>> import numpy as np
    >>> from manyminds.datasets import make_multiplexer
    >>> from manyminds.feature_selection import LocalRelevance
    >>> X, y = make_multiplexer(2000, random_state=0)
    >>> relevance = LocalRelevance(random_state=0).fit(X, y).relevance_
    >>> control = (2 * X[:, 0] + X[:, 1]).astype(int)
    >>> means = [relevance[control == k, 2:].mean(axis=0) for k in range(4)]
    >>> print(np.argmax(means, axis=1))
    [0 1 2 3]
    """

    _parameter_constraints = {
        "n_features_to_select": N_TO_SELECT,
        "estimator": [HasMethods(["fit", "apply"]), None],
        "unseen": [StrOptions({"zero", "mean"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "categorical_features": TreeModel._parameter_constraints[
            "categorical_features"
        ],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        estimator=None,
        unseen="zero",
        n_jobs=None,
        random_state=None,
        categorical_features="from_dtype",
    ):
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.unseen = unseen
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Grow the forest and add up what its splits tell about each row.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Their odds of being drawn, and their weights in the scores.

        Returns
        -------
        self : LocalRelevance
            The fitted selector.
        """
        self._validate_params()
        base = self._base
        check_forest("estimator", base)
        weights = read_weight(
            self._read_features(X, self.categorical_features)[0], sample_weight
        )

        seed = draw_member_seeds(self.random_state, 1)[0]
        self.forest_ = make_member(base, seed).fit(X, y, sample_weight)
        table, label = read_forest_rows(self.forest_, X, y)
        total, self.counts_ = sum_gains(self.forest_, table, label, self.n_jobs)
        self.relevance_ = average_gains(total, self.counts_, self.unseen)
        self.scores_ = np.average(self.relevance_, axis=0, weights=weights)
        return self

    @property
    def _base(self):
        if self.estimator is not None:
            return self.estimator
        return make_uniform_forest(
            n_jobs=self.n_jobs, categorical_features=self.categorical_features
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._base).input_tags
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags


def relevance_matrix(forest, X, y, *, unseen="zero", n_jobs=None):
    """Return how much each feature helps each training row of a fitted forest.

    Parameters
    ----------
    forest : fitted forest classifier
        One of ours, such as ``RandomForestClassifier(criterion="entropy",
        max_features=1)``. Only rows that a tree has drawn count in it; without a
        bootstrap, all do.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        The rows that the forest was fitted on, in the same order.
    y : array-like of shape (n_samples,)
        Their classes.
    unseen : {"zero", "mean"}, default="zero"
        What a row gets for a feature that it never meets: 0, or the mean gain of all
        rows that meet it.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    relevance : ndarray of shape (n_samples, n_features)
        Mean gain of each row by each feature, in bits; see `LocalRelevance`.
    counts : ndarray of int of shape (n_samples, n_features)
        How many splits each relevance is the mean of.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble import RandomForestClassifier
    >>> from manyminds.feature_selection import relevance_matrix
    >>> X = np.random.default_rng(0).uniform(size=(500, 2))
    >>> y = X[:, 1] > 2.5 * X[:, 0] - 0.75
    >>> forest = RandomForestClassifier(max_features=1, random_state=0).fit(X, y)
    >>> relevance, counts = relevance_matrix(forest, X, y)
    >>> steep = (X[:, 0] > 0.3) & (X[:, 0] < 0.7)  # where the border is
    >>> print(relevance[steep, 1].mean() > 2 * relevance[~steep, 1].mean())
    True
    """
    check_forest("forest", forest)
    if unseen not in ("zero", "mean"):
        raise ValueError(f"unseen must be 'zero' or 'mean'; got {unseen!r}.")
    table, label = read_forest_rows(forest, X, y)
    total, counts = sum_gains(forest, table, label, n_jobs)
    return average_gains(total, counts, unseen), counts
