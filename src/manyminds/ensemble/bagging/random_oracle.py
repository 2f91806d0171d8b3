"""Random linear oracles: two models, and a random hyperplane that chooses one."""

from dataclasses import dataclass
from numbers import Integral

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils import check_random_state

from manyminds._compat import Interval
from manyminds.ensemble.bagging._parameters import PARAGRAPHS
from manyminds.ensemble.bagging.base import BatchModel, take_apart
from manyminds.ensemble.bagging.estimator_fitting import fit_on_rows
from manyminds.ensemble.bagging.hyperplanes import Hyperplanes, draw_hyperplanes
from manyminds.ensemble.bagging.oracle_members import split_pair
from manyminds.ensemble.bagging.tree_fitting import TreeFitter, can_grow_together
from manyminds.ensemble.base import (
    adopt_tree,
    draw_member_seeds,
    make_member,
    read_values,
)
from manyminds.trees.base import TreeClassifierMixin, TreeModel, TreeRegressorMixin
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import PARDO_2011, cite
from manyminds.utils.tables import is_frame, take_rows


class _RandomOracle(BatchModel):
    """Two models on the two sides of a hyperplane halfway between two random rows."""

    _parameter_constraints = {
        "estimator": BatchModel._parameter_constraints["estimator"],
        "min_samples_side": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
        "categorical_features": BatchModel._parameter_constraints[
            "categorical_features"
        ],
    }

    def __init__(
        self,
        estimator=None,
        *,
        min_samples_side=1,
        random_state=None,
        categorical_features="from_dtype",
    ):
        self.estimator = estimator
        self.min_samples_side = min_samples_side
        self.random_state = random_state
        self.categorical_features = categorical_features

    def _take_apart(self):
        """Return the estimator inside, and the options of the oracle."""
        inside, of_inside = take_apart(self._get_estimator())
        if of_inside is not None or not isinstance(self.categorical_features, str):
            return self, None  # oracle in oracle, or one with categories of its own
        return inside, {"min_samples_side": self.min_samples_side}

    def fit(self, X, y, sample_weight=None):
        """Draw the anchors, and fit a model on either side.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value, if the model inside takes them.
        y : array-like of shape (n_samples,)
            Their classes or targets.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights. Anchors are drawn among rows of positive weight, all with the
            same odds.

        Returns
        -------
        self : object
            The fitted pair of models.
        """
        self._validate_params()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        inside = self._get_estimator()
        if can_grow_together(inside):
            fitter = TreeFitter(
                inside,
                X,
                self._encoder,
                oracle={"min_samples_side": self.min_samples_side},
                n_classes=self._n_values if is_classifier(self) else None,
            )
            state = check_random_state(self.random_state)
            members = fitter.fit(y, weights[None], 1, state)
        else:
            members = self._fit_pair(self._take_weighted(given, X), X, y, weights)
        return self._set_members(members)

    def _fit_pair(self, seen, X, y, weights):
        """Fit clones of the estimator on the rows of either side."""
        state, encoder = check_random_state(self.random_state), self._encoder
        is_categorical = np.zeros(X.shape[1], dtype=bool)
        if encoder.is_categorical is not None:
            is_categorical = encoder.is_categorical
        plane = draw_hyperplanes(
            X, is_categorical, weights[None], 1, state,
            min_samples_side=self.min_samples_side,
        )  # fmt: skip
        is_second = plane.project(X)[:, 0] > plane.limits[0]
        has_sides = plane.distances[0] > 0.0
        fitted = []
        for side, seed in enumerate(draw_member_seeds(state, 2)):
            of_side = np.where(is_second == bool(side), weights, 0.0)
            if side == 0 or has_sides:
                member = self._make_side(seed, y[of_side > 0.0])
                fitted.append(fit_on_rows(member, seen, y, of_side))
        n_classes = self._n_values if is_classifier(self) else None
        return _Pair(plane, fitted, n_classes)

    def _make_side(self, seed, y):
        """Clone the estimator for a side; a constant if there is one row or class."""
        if is_classifier(self) and len(np.unique(y)) == 1:
            return DummyClassifier(strategy="prior")
        if len(y) == 1:
            return DummyRegressor()
        return make_member(self._get_estimator(), seed)

    def _set_members(self, members):
        self._members = members
        self.anchors_ = members.planes.anchors[0]
        return self

    def _mean_value(self, X):
        if isinstance(getattr(self, "_members", None), _Pair):
            seen = self._read_table(X)
            return self._members.mean(seen, self._encode(X) if is_frame(X) else seen)
        return super()._mean_value(X)

    def _encode(self, X):
        """Check samples and encode them, also those that members see in a dataframe."""
        return TreeModel._read_table(self, X)

    def decide(self, X):
        """Return which of the two models predicts each row of X.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Samples to route.

        Returns
        -------
        side : ndarray of int of shape (n_samples,)
            0: the model on the side of the first anchor, which also has those that are
            just as near to the second; 1: the other. All 0 if there is only one model.
        """
        X = self._encode(X)
        plane = self._members.planes
        return (plane.project(X)[:, 0] > plane.limits[0]).astype(np.intp)

    @property
    def estimators_(self):
        """The models of the two sides; only one if all rows were equal."""
        members = self._members
        if isinstance(members, _Pair):
            return members.estimators
        trees = split_pair(members.trees, 0, self.n_features_in_)
        has_sides = members.planes.distances[0] > 0.0
        inside = self._get_estimator()
        return [
            adopt_tree(self, clone(inside), tree) for tree in trees[: 1 + has_sides]
        ]


@fill_docstring(**PARAGRAPHS)
class RandomOracleClassifier(TreeClassifierMixin, _RandomOracle):
    """Classify by one of two models, chosen by a random hyperplane.

    Two different training rows, the anchors, are drawn without regard to targets. One
    model is fitted to the rows nearer to the one, another to those nearer to the other,
    and the model on its side of the hyperplane predicts a new row [1]_. This makes the
    members of an ensemble diverse at little cost: the two models share the rows, and
    only one predicts. Alone, it is no better than the model inside: use it as
    ``estimator`` of an ensemble.

    Distances are Euclidean, in numbers scaled to [0, 1] over the training rows; a
    category counts 0 if it is equal and 1 if it differs. A missing value counts for
    neither anchor.

    Parameters
    ----------
    estimator : estimator, default=None
        Classifier to fit on either side; None: a ``DecisionTreeClassifier``. Trees of
        this package are grown on both sides at once.
    {oracle_classifier}

    Attributes
    ----------
    {anchors}
    estimators_ : list of estimators
        The model of the first anchor's side, and that of the second's. Both get the
        numbers of the classes in place of the labels, unless they are our trees.
    {class_names}

    References
    ----------
    .. [1] Kuncheva and Rodríguez, "Classifier ensembles with a random linear oracle",
       IEEE Transactions on Knowledge and Data Engineering 19, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import BaggingClassifier, RandomOracleClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> oracle = RandomOracleClassifier(random_state=0).fit(X, y)
    >>> [tree.get_n_leaves() > 1 for tree in oracle.estimators_]
    [True, True]
    >>> bagging = BaggingClassifier(RandomOracleClassifier(), random_state=0).fit(X, y)
    >>> bagging.score(X, y) > 0.95
    True
    """

    _default = DecisionTreeClassifier


@fill_docstring(**PARAGRAPHS, references=cite(PARDO_2011))
class RandomOracleRegressor(TreeRegressorMixin, _RandomOracle):
    """Predict a number by one of two models, chosen by a random hyperplane.

    Two different training rows, the anchors, are drawn without regard to targets. One
    model is fitted to the rows nearer to the one, another to those nearer to the other,
    and the model on its side of the hyperplane predicts a new row [1]_. This makes the
    members of an ensemble diverse at little cost: the two models share the rows, and
    only one predicts. Alone, it is no better than the model inside: use it as
    ``estimator`` of an ensemble, such
    as ``BaggingRegressor``, ``AdaBoostR2Regressor`` or ``IteratedBaggingRegressor``.

    Distances are Euclidean, in numbers scaled to [0, 1] over the training rows; a
    category counts 0 if it is equal and 1 if it differs. A missing value counts for
    neither anchor.

    Parameters
    ----------
    estimator : estimator, default=None
        Regressor to fit on either side; None: a ``DecisionTreeRegressor``. Trees of
        this package are grown on both sides at once.
    {oracle_regressor}

    Attributes
    ----------
    {anchors}
    estimators_ : list of estimators
        The model of the first anchor's side, and that of the second's.
    {names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import LinearRegression
    >>> from manyminds.ensemble import RandomOracleRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> oracle = RandomOracleRegressor(LinearRegression(), random_state=0).fit(X, y)
    >>> len(oracle.estimators_), oracle.anchors_.shape
    (2, (2, 10))
    >>> sorted(set(oracle.decide(X).tolist()))
    [0, 1]
    """

    _default = DecisionTreeRegressor


@dataclass(frozen=True, eq=False)
class _Pair:
    """Any two fitted estimators, and the plane between them."""

    planes: Hyperplanes
    estimators: list
    n_classes: int | None

    def mean(self, X, encoded):
        """Predict each row by the model of its side: (n_rows, n_values)."""
        side = self.planes.project(encoded)[:, 0] > self.planes.limits[0]
        values = np.empty((len(side), self.n_classes or 1))
        for one, member in enumerate(self.estimators):
            rows = np.flatnonzero(side == bool(one))
            if len(rows) > 0:
                values[rows] = read_values(member, take_rows(X, rows), self.n_classes)
        return values
