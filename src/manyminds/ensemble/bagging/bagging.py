"""Bagging, random subspaces, randomization: members on drawn rows or columns."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.ensemble.bagging._parameters import PARAGRAPHS
from manyminds.ensemble.bagging.base import BatchModel, draw_bags
from manyminds.ensemble.estimators import BootstrapEnsemble
from manyminds.trees.base import TreeClassifierMixin, TreeModel, TreeRegressorMixin
from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.growing import count_features
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_1996, HO_1998, cite


@fill_docstring(**PARAGRAPHS)
class _Bagging(BootstrapEnsemble, BatchModel):
    """Fit members on rows and columns drawn for each."""

    _parameter_constraints = {
        **BatchModel._parameter_constraints,
        **BootstrapEnsemble._bootstrap_constraints,
        "max_features": TreeModel._parameter_constraints["max_features"],
        "oob_score": ["boolean"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        bootstrap=True,
        max_samples=None,
        max_features=1.0,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        categorical_features="from_dtype",
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.max_features = max_features
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Fit the members.

        {fit_bagged}
        """
        self._validate_params()
        self._check_bootstrap()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        rng = check_random_state(self.random_state)
        self._columns = self._draw_columns(rng, X.shape[1])
        draws = weights[None]
        if self.bootstrap:
            n_draws = self._get_n_draws(len(y), weights)
            draws = draw_bags(rng, self.n_estimators, n_draws, weights)
        fitter = self._make_fitter(given, X)
        self._members = fitter.fit(y, draws, self.n_estimators, rng, self._columns)
        if self.oob_score:
            draws = self._add_unweighted(draws)
            self._score_out_of_bag(self._read_table(given), y, lambda some: draws[some])
        return self

    def _draw_columns(self, state, n_features):
        """Draw the columns of each member; None: all members see all columns."""
        n_seen = count_features(self.max_features, n_features)
        if n_seen == n_features:
            return None
        columns = np.zeros((self.n_estimators, n_features), dtype=bool)
        for seen in columns:
            seen[state.permutation(n_features)[:n_seen]] = True
        return columns

    def _add_unweighted(self, draws):
        """Add rows of weight 0, never drawn, to the numbers of draws of the others."""
        kept = self._has_weight
        if kept is None:
            return draws
        of_all = np.zeros((len(draws), len(kept)))
        of_all[:, kept] = draws
        return of_all

    @property
    def estimators_features_(self):
        """The columns that each member sees, in rising order."""
        if self._columns is None:
            everything = np.arange(self.n_features_in_)
            return [everything for _ in range(len(self._members))]
        return [np.flatnonzero(seen) for seen in self._columns]


@fill_docstring(**PARAGRAPHS, references=cite(BREIMAN_1996, HO_1998))
class BaggingClassifier(TreeClassifierMixin, _Bagging):
    """Classify by the mean of members fitted on drawn rows, or drawn columns.

    With ``bootstrap=True`` each member gets as many rows as there are, drawn with
    replacement: bagging [1]_. With ``bootstrap=False`` and ``max_features`` below 1,
    all rows and a random subset of the columns: random subspaces [2]_. With
    ``bootstrap=False`` and all columns, members differ only by what is random in
    themselves: randomization. Trees of this package, alone or within a
    ``RandomOracleClassifier``, are grown all at once.

    Parameters
    ----------
    estimator : estimator, default=None
        Classifier to fit; None: a ``DecisionTreeClassifier``.
    {bagging_classifier}

    Attributes
    ----------
    {classifier_attributes}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import BaggingClassifier, RandomOracleClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> bagging = BaggingClassifier(oob_score=True, random_state=0).fit(X, y)
    >>> bagging.oob_score_ > 0.9
    True
    >>> subspaces = BaggingClassifier(
    ...     RandomOracleClassifier(), bootstrap=False, max_features=0.5, random_state=0
    ... ).fit(X, y)
    >>> subspaces.estimators_features_[0].shape
    (2,)
    """

    _default = DecisionTreeClassifier


@fill_docstring(**PARAGRAPHS, references=cite(BREIMAN_1996, HO_1998))
class BaggingRegressor(TreeRegressorMixin, _Bagging):
    """Predict a number by the mean of members fitted on drawn rows, or drawn columns.

    With ``bootstrap=True`` each member gets as many rows as there are, drawn with
    replacement: bagging [1]_. With ``bootstrap=False`` and ``max_features`` below 1,
    all rows and a random subset of the columns: random subspaces [2]_. With
    ``bootstrap=False`` and all columns, members differ only by what is random in
    themselves: randomization. Trees of this package, alone or within a
    ``RandomOracleRegressor``, are grown all at once.

    Parameters
    ----------
    estimator : estimator, default=None
        Regressor to fit; None: a ``DecisionTreeRegressor``.
    {bagging_regressor}

    Attributes
    ----------
    {regressor_attributes}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.ensemble import BaggingRegressor, RandomOracleRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> plain = BaggingRegressor(oob_score=True, random_state=0).fit(X, y)
    >>> oracles = BaggingRegressor(
    ...     RandomOracleRegressor(), oob_score=True, random_state=0
    ... ).fit(X, y)
    >>> oracles.oob_score_ > plain.oob_score_
    True
    """

    _default = DecisionTreeRegressor
