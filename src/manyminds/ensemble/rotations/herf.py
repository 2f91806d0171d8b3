"""Hybrid extreme rotation forests: trees and networks, each on its own rotation."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.ensemble.rotations.composition import (
    draw_families,
)
from manyminds.ensemble.rotations.hybrids import (
    HybridClassifier,
    HybridRegressor,
)


class HERFClassifier(HybridClassifier):
    """Classify by trees and neural networks on tables that are rotated for each.

    Each member draws its family, a decision tree or an extreme learning machine, and
    its own rotation of the standardized features: these are parted into blocks at
    random, and each block is turned to its principal components in a random part of the
    rows [2]_. The members vote [1]_. How likely each family is, the authors leave open;
    here all are equally likely unless ``odds`` says otherwise.

    Parameters
    ----------
    n_estimators : int, default=35
        Number of members.
    families : sequence of str or (str, estimator), default=("tree", "elm")
        Kinds of members, by name or as a pair of a name and an estimator. Names are
        "tree" (of depth 10 at most), "elm" (extreme learning machine: ridge regression
        with an intercept on its hidden units), "plain_elm" (the same by the
        pseudo-inverse, without either, as the slides have it), "knn", "svm" (with an
        RBF kernel), "forest" (of ten trees), "adaboost" and "bayes".
    odds : array-like of shape (n_families,), default=None
        How likely each family is to be drawn, up to a factor; None: all alike.
    rotate : {"always", "never"} or float, default="always"
        Which members are varied by a rotation: all, none, or each with this
        probability. The others see the table as it is.
    features_per_block : int, default=4
        The features are parted into ``n_features // features_per_block`` blocks, one at
        least, whose sizes differ by one at most.
    row_share : float or None, default=0.75
        Size of the bootstrap sample of rows that a block's components are found on;
        None: all rows.
    class_subsets : bool, default=True
        Whether a block's components are found on the rows of some classes only, drawn
        for each block.
    invariant : {"bootstrap", "subspace", "rotate"}, default="bootstrap"
        What members of a family get instead that no rotation changes, such as
        neighbors and support vectors: rows drawn with replacement within each class;
        half of the features; or a rotation nonetheless, so that they are all alike.
    voting : {"hard", "soft"}, default="hard"
        Whether members vote with a label each, or with their probabilities, which mean
        different things in different families.
    n_jobs : int, default=None
        Number of threads; -1: all processors. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Draws families, rotations, rows, and what members draw.

    Attributes
    ----------
    family_names_ : list of str
        Names of the families.
    probabilities_ : ndarray of shape (n_families,)
        How likely a member is of each family.
    member_families_ : ndarray of shape (n_estimators,)
        Number of each member's family.
    estimators_ : list of estimators
        The members, fitted on numbers of classes.
    views_ : list of BlockRotation, ndarray or None
        What a member sees of the standardized table: a rotation of it, some columns
        of it, or all of it.
    means_, scales_ : ndarray of shape (n_features,)
        Mean and standard deviation of each column in training.
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_classes_ : int
        Number of classes.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    References
    ----------
    .. [1] Ayerdi and Graña, "Hybrid extreme rotation forest", Neural Networks 52, 2014.
    .. [2] Rodríguez, Kuncheva and Alonso, "Rotation forest: A new classifier ensemble
       method", IEEE Transactions on Pattern Analysis and Machine Intelligence 28, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.ensemble import HERFClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> forest = HERFClassifier(random_state=0).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 1)
    1.0
    """

    _parameter_constraints = {
        **HybridClassifier._parameter_constraints,
        "odds": ["array-like", None],
    }

    def __init__(
        self,
        n_estimators=35,
        *,
        families=("tree", "elm"),
        odds=None,
        rotate="always",
        features_per_block=4,
        row_share=0.75,
        class_subsets=True,
        invariant="bootstrap",
        voting="hard",
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.families = families
        self.odds = odds
        self.rotate = rotate
        self.features_per_block = features_per_block
        self.row_share = row_share
        self.class_subsets = class_subsets
        self.invariant = invariant
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw the families of the members, and fit each to its rotated table.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training rows; a missing value (NaN) counts as the mean of its column.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights. Families that take none get rows drawn by these odds.

        Returns
        -------
        self : HERFClassifier
            The fitted forest.
        """
        self._validate_params()
        families = self._read_families()
        X, y, weight = self._read_training_set(X, y, sample_weight)
        self.probabilities_ = _read_odds(self.odds, self.family_names_)

        rng = check_random_state(self.random_state)
        self.member_families_ = draw_families(
            self.probabilities_, self.n_estimators, rng
        )
        return self._fit_members(families, X, y, weight, rng)


class HERFRegressor(HybridRegressor):
    """Predict a number by trees and neural networks on tables rotated for each.

    Each member draws its family, a decision tree or an extreme learning machine, and
    its own rotation of the standardized features: these are parted into blocks at
    random, and each block is turned to its principal components in a random part of the
    rows [2]_. The answer is the mean of the members'. The paper [1]_ has classes only.

    Parameters
    ----------
    n_estimators : int, default=35
        Number of members.
    families : sequence of str or (str, estimator), default=("tree", "elm")
        Kinds of members, by name or as a pair of a name and an estimator. Names are
        "tree" (of depth 10 at most), "elm" (extreme learning machine: ridge regression
        with an intercept on its hidden units), "plain_elm" (the same by the
        pseudo-inverse, without either, as the slides have it), "knn", "svm" (with an
        RBF kernel), "forest" (of ten trees), "adaboost" and "ridge".
    odds : array-like of shape (n_families,), default=None
        How likely each family is to be drawn, up to a factor; None: all alike.
    rotate : {"always", "never"} or float, default="always"
        Which members are varied by a rotation: all, none, or each with this
        probability. The others see the table as it is.
    features_per_block : int, default=4
        The features are parted into ``n_features // features_per_block`` blocks, one at
        least, whose sizes differ by one at most.
    row_share : float or None, default=0.75
        Size of the bootstrap sample of rows that a block's components are found on;
        None: all rows.
    invariant : {"bootstrap", "subspace", "rotate"}, default="bootstrap"
        What members of a family get instead that no rotation changes, such as
        neighbors and support vectors: rows drawn with replacement; half of
        the features; or a rotation nonetheless, so that they are all alike.
    n_jobs : int, default=None
        Number of threads; -1: all processors. The result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        Draws families, rotations, rows, and what members draw.

    Attributes
    ----------
    family_names_ : list of str
        Names of the families.
    probabilities_ : ndarray of shape (n_families,)
        How likely a member is of each family.
    member_families_ : ndarray of shape (n_estimators,)
        Number of each member's family.
    estimators_ : list of estimators
        The members, fitted on standardized targets.
    views_ : list of BlockRotation, ndarray or None
        What a member sees of the standardized table: a rotation of it, some columns
        of it, or all of it.
    means_, scales_ : ndarray of shape (n_features,)
        Mean and standard deviation of each column in training.
    target_mean_, target_scale_ : float
        Mean and standard deviation of the target in training.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    References
    ----------
    .. [1] Ayerdi and Graña, "Hybrid extreme rotation forest", Neural Networks 52, 2014.
    .. [2] Rodríguez, Kuncheva and Alonso, "Rotation forest: A new classifier ensemble
       method", IEEE Transactions on Pattern Analysis and Machine Intelligence 28, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.ensemble import HERFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = HERFRegressor(random_state=0).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 1)
    0.4
    """

    _parameter_constraints = {
        **HybridRegressor._parameter_constraints,
        "odds": ["array-like", None],
    }

    def __init__(
        self,
        n_estimators=35,
        *,
        families=("tree", "elm"),
        odds=None,
        rotate="always",
        features_per_block=4,
        row_share=0.75,
        invariant="bootstrap",
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.families = families
        self.odds = odds
        self.rotate = rotate
        self.features_per_block = features_per_block
        self.row_share = row_share
        self.invariant = invariant
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw the families of the members, and fit each to its rotated table.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training rows; a missing value (NaN) counts as the mean of its column.
        y : array-like of shape (n_samples,)
            Their targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights. Families that take none get rows drawn by these odds.

        Returns
        -------
        self : HERFRegressor
            The fitted forest.
        """
        self._validate_params()
        families = self._read_families()
        X, y, weight = self._read_training_set(X, y, sample_weight)
        self.probabilities_ = _read_odds(self.odds, self.family_names_)

        rng = check_random_state(self.random_state)
        self.member_families_ = draw_families(
            self.probabilities_, self.n_estimators, rng
        )
        return self._fit_members(families, X, y, weight, rng)


def _read_odds(odds, names):
    """Turn odds of families into probabilities."""
    if odds is None:
        return np.full(len(names), 1.0 / len(names))
    given = np.asarray(odds, dtype=np.float64)
    if given.shape != (len(names),) or not (given >= 0.0).all() or given.sum() <= 0.0:
        raise ValueError(
            f"odds takes a number from 0 on for each of the {len(names)} families, not "
            f"all 0; got {odds!r}."
        )
    return given / given.sum()
