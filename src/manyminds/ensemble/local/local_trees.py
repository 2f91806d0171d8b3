"""Forests of local trees: each tree weighs the rows near a centroid of its own most."""

from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.local._parameters import PARAGRAPHS
from manyminds.ensemble.local.centroids import (
    METRICS,
    PICKERS,
    call_picker,
    weigh_by_complexity,
)
from manyminds.ensemble.local.competence import (
    LocalForestClassifier,
    LocalForestRegressor,
)
from manyminds.ensemble.local.local_members import LocalMembers
from manyminds.trees.base import TreeModel
from manyminds.trees.growing import draw_seeds
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TAMPONI_2015, cite


class _ForestOfLocalTrees(LocalMembers):
    """Weigh the samples of each member by their distance from its centroid."""

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_features": TreeModel._parameter_constraints["max_features"],
        "max_leaf_nodes": TreeModel._parameter_constraints["max_leaf_nodes"],
        "subsample": [Interval(Real, 0.0, 1.0, closed="right")],
        "bootstrap": [Interval(Real, 0.0, None, closed="neither"), None],
        "precision": [Interval(Real, 0.0, None, closed="left")],
        "power": [Interval(Real, 0.0, None, closed="neither")],
        "metric": [StrOptions(set(METRICS)), callable],
        "scaling_matrix": ["array-like", None],
        "centroid_picker": [StrOptions(set(PICKERS)), callable],
        "scale": [StrOptions({"minmax"}), None],
        "estimator": [HasMethods(["fit", "predict"]), None],
        "n_active": [Interval(Integral, 1, None, closed="left"), None],
        "competence_weighted": ["boolean"],
        "max_bins": TreeModel._parameter_constraints["max_bins"],
        "categorical_features": TreeModel._parameter_constraints[
            "categorical_features"
        ],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def _fit(self, X, y, sample_weight):
        """Pick centroids, weigh the rows around each, fit a member to each weighting.

        This is the algorithm; its arguments have been checked.
        """
        rng = check_random_state(self.random_state)
        self._locality = self._learn_locality(X, sample_weight)
        points = self._locality.place(X)
        self.centroids_ = self._pick(points, y, sample_weight, rng)
        weights = self._weigh(points, sample_weight, rng)
        total = weights.sum(axis=1, keepdims=True)
        self.sample_centroids_ = safe_sparse_dot(weights, points) / total
        self._seeds = draw_seeds(rng, self.n_estimators)
        if self.estimator is None:
            self.trees_, self._estimators = self._grow_trees(X, y, weights), None
        else:
            self._estimators = self._fit_members(points, y, weights)
            vars(self).pop("trees_", None)  # those of an earlier fit
        return self

    def _pick(self, points, y, sample_weight, rng):
        """Choose the centroids."""
        if callable(self.centroid_picker):
            return call_picker(self.centroid_picker, points, self.n_estimators, rng)
        seen = self._locality.stretch(points)
        pick = PICKERS.get(self.centroid_picker, PICKERS["spread"])
        if self.centroid_picker == "mri":
            sample_weight = weigh_by_complexity(seen, y, sample_weight, self.n_jobs)
        rows = pick(seen, sample_weight, self.n_estimators, self.metric, rng)
        chosen = points[rows]
        return chosen.toarray() if issparse(chosen) else chosen

    def _weigh(self, points, sample_weight, rng):
        """Weigh each row for each member: (n_estimators, n_samples)."""
        log_weights = self._locality.log_weights(points, self.centroids_)
        takes_part = np.flatnonzero(sample_weight > 0.0)
        kept = np.zeros(log_weights.shape, dtype=bool)
        n_kept = max(1, int(self.subsample * len(takes_part)))
        for row in kept:
            some = takes_part
            if n_kept < len(takes_part):
                some = rng.permutation(takes_part)[:n_kept]
            row[some] = True
        log_weights[~kept] = -np.inf
        # A factor changes no tree; this one leaves some weight where all would vanish.
        log_weights -= log_weights.max(axis=1, keepdims=True)
        weights = np.exp(log_weights) * sample_weight
        if self.bootstrap is None:
            return weights
        n_draws = max(1, int(self.bootstrap * len(takes_part)))
        odds = weights / weights.sum(axis=1, keepdims=True)
        return np.array([rng.multinomial(n_draws, p) for p in odds], dtype=np.float64)


@fill_docstring(**PARAGRAPHS, references=cite(f"{TAMPONI_2015}, chapter 4"))
class ForestOfLocalTreesClassifier(_ForestOfLocalTrees, LocalForestClassifier):
    r"""Classify by trees that weigh the rows near centroids of their own most.

    Each tree sees all rows, but they weigh

    .. math:: w(x) = \exp\left(-\tfrac12 \varphi \|x - c\|^p\right),

    less the further they are from the tree's own centroid :math:`c`; centroids are rows
    drawn far from each other [1]_. The forest averages the predictions of all
    trees, or, with ``n_active``, of those most competent in the region.

    Distances need numbers; trees do not. For the distances alone, a category becomes a
    column of 0 and 1 for each of its values, a missing number the mean of its column,
    and columns are scaled; the trees see the table as it is.

    With the default settings weights fall slowly: on the data sets of [1]_ no loss of
    accuracy was found with ``precision=0``, which leaves a forest that differs from a
    random forest in that all trees see all rows and each node considers more features.
    Larger precisions help on some tables.

    Parameters
    ----------
    {growth}
    centroid_picker : str or callable, default="spread"
        "spread": by the product of :math:`\log(1 + d)` over the distances :math:`d`
        from all centroids before; "mri": the same, times the multi-resolution index of
        the row, so that hard regions get more trees; "kmeans++": by the square of the
        distance from the nearest; "random": any row, with replacement. A callable gets
        points, a number and a RandomState, and returns so many points.
    voting : {"soft", "hard"}, default="soft"
        Whether a tree predicts the probabilities of the leaf, or votes for one class.
    {options}

    Attributes
    ----------
    {attributes}
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_classes_ : int
        Number of classes.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import ForestOfLocalTreesClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ForestOfLocalTreesClassifier(random_state=0).fit(X[::2], y[::2])
    >>> print(f"{forest.score(X[1::2], y[1::2]):.1f}")
    0.9
    >>> forest.score_path(X[1::2], y[1::2]).shape
    (10,)
    """

    _parameter_constraints = {
        **_ForestOfLocalTrees._parameter_constraints,
        "centroid_picker": [StrOptions({*PICKERS, "mri"}), callable],
        "voting": [StrOptions({"soft", "hard"})],
    }

    def __init__(
        self,
        n_estimators=10,
        *,
        max_features=0.3,
        max_leaf_nodes=None,
        subsample=1.0,
        bootstrap=None,
        precision=1.0,
        power=1.0,
        metric="euclidean",
        scaling_matrix=None,
        centroid_picker="spread",
        voting="soft",
        scale="minmax",
        estimator=None,
        n_active=None,
        competence_weighted=False,
        max_bins=255,
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
    ):
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.subsample = subsample
        self.bootstrap = bootstrap
        self.precision = precision
        self.power = power
        self.metric = metric
        self.scaling_matrix = scaling_matrix
        self.centroid_picker = centroid_picker
        self.voting = voting
        self.scale = scale
        self.estimator = estimator
        self.n_active = n_active
        self.competence_weighted = competence_weighted
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        {fit_classes}
        """
        self._validate_params()
        X, y, sample_weight = self._read_rows(X, y, sample_weight)

        return self._fit(X, y, sample_weight)


@fill_docstring(**PARAGRAPHS, references=cite(f"{TAMPONI_2015}, chapter 4"))
class ForestOfLocalTreesRegressor(_ForestOfLocalTrees, LocalForestRegressor):
    r"""Predict a number by trees that weigh the rows near their own centroids most.

    Each tree sees all rows, but they weigh

    .. math:: w(x) = \exp\left(-\tfrac12 \varphi \|x - c\|^p\right),

    less the further they are from the tree's own centroid :math:`c`; centroids are rows
    drawn far from each other [1]_. The forest averages the predictions of all trees,
    or, with ``n_active``, of those most competent in the region. The thesis is about
    classes only; here, too, a tree's leaves are weighted means.

    Distances need numbers; trees do not. For the distances alone, a category becomes a
    column of 0 and 1 for each of its values, a missing number the mean of its column,
    and columns are scaled; the trees see the table as it is.

    Parameters
    ----------
    {growth}
    centroid_picker : {"spread", "kmeans++", "random"} or callable, default="spread"
        "spread": by the product of :math:`\log(1 + d)` over the distances :math:`d`
        from all centroids before; "kmeans++": by the square of the distance from the
        nearest; "random": any row, with replacement. A callable gets points, a number
        and a RandomState, and returns so many points.
    {options}

    Attributes
    ----------
    {attributes}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.ensemble import ForestOfLocalTreesRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = ForestOfLocalTreesRegressor(100, random_state=0).fit(X[::2], y[::2])
    >>> print(f"{forest.score(X[1::2], y[1::2]):.1f}")
    0.4
    """

    def __init__(
        self,
        n_estimators=10,
        *,
        max_features=0.3,
        max_leaf_nodes=None,
        subsample=1.0,
        bootstrap=None,
        precision=1.0,
        power=1.0,
        metric="euclidean",
        scaling_matrix=None,
        centroid_picker="spread",
        scale="minmax",
        estimator=None,
        n_active=None,
        competence_weighted=False,
        max_bins=255,
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
    ):
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.subsample = subsample
        self.bootstrap = bootstrap
        self.precision = precision
        self.power = power
        self.metric = metric
        self.scaling_matrix = scaling_matrix
        self.centroid_picker = centroid_picker
        self.scale = scale
        self.estimator = estimator
        self.n_active = n_active
        self.competence_weighted = competence_weighted
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Grow the forest.

        {fit_targets}
        """
        self._validate_params()
        X, y, sample_weight = self._read_rows(X, y, sample_weight)

        return self._fit(X, y, sample_weight)
