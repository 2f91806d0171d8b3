"""RpBoost: least-squares boosting of stumps, each on a fresh random projection."""

from itertools import repeat
from numbers import Integral, Real

import numpy as np
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions, check_sample_weight
from manyminds.ensemble._parameters import PARAGRAPHS
from manyminds.ensemble.base import draw_member_seeds
from manyminds.ensemble.boosting.projections import run_ahead, sort_columns
from manyminds.kernels.stumps import add_stumps, find_stump
from manyminds.utils.docstrings import fill_docstring

BLOCK_CELLS = 2**18  # projected values that are sorted at a time: they stay in cache


@fill_docstring(**PARAGRAPHS)
class RpBoostClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Boost stumps on fresh random projections by least squares.

    The first guess is the mean of the classes, coded -1 and +1. Each round draws a
    random matrix, projects the rows by it, and among the projected columns finds the
    stump, -1 below a threshold and +1 above it, that fits the residuals best [1]_. It
    is added with the weight of penalized least squares. With more than two
    classes there is one such sum for each class against the rest; they share the
    projections.

    A stump thus cuts along an oblique direction, and the sum can learn what single
    columns do not show, such as exclusive or and checkerboards. Without a projection it
    is LsBoost [2]_, which is additive in the columns and cannot.

    Parameters
    ----------
    n_estimators : int, default=500
        Number of rounds, each with one projection and one stump (for each class, if
        they are more than two).
    projection : {"normal", "sign", "uniform", "orthonormal", "unit"} or None, \
            default="normal"
        What the entries of the matrix are drawn from: the normal distribution (the
        paper's N), -1 and +1 with equal probability (U), or the numbers from 0 to 1
        (the likely reading of P, whose distribution the paper omits). "orthonormal"
        makes normal directions orthogonal, at most as many at a time as there are
        features; "unit" makes them of length 1, which changes no stump. None: no
        projection; stumps cut single columns, which are sorted only once.
    n_components : {"sub", "same", "super"} or int, default="same"
        Columns to project on: half as many as there are features, as many, twice as
        many, or so many. Not used without a projection.
    l2_regularization : float, default=0.0
        Penalty :math:`\\lambda` on the squared weight of a stump. It changes no choice
        of a stump; it multiplies the learning rate by :math:`N / (N + \\lambda)` where
        :math:`N` is the number of rows, or the sum of their weights.
    learning_rate : float, default=0.3
        What the weight of each stump is multiplied by. Up to 2 the training error never
        rises. The paper has 1.0 and the penalty alone, which is better where classes do
        not overlap; noisy tables need less.
    scale : bool, default=True
        Whether to draw directions for columns of unit variance, so that units do not
        matter. The paper does not mention it. Stumps on single columns do not need it.
    tol : float, default=0.0
        Stop when the mean squared residual is below this.
    random_state : int, RandomState instance or None, default=None
        Draws the projections.
    n_jobs : int, default=None
        Number of threads that project and sort ahead of the rounds. The result does
        not depend on it.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    n_components_ : int
        Number of columns among which each round looks for its stump.
    init_ : ndarray of shape (n_outputs,)
        The first guess. There is one output with two classes, else one for each class.
    directions_ : ndarray of shape (n_outputs, n_rounds, n_features)
        Direction along which each stump cuts, in the units of the features.
    thresholds_ : ndarray of shape (n_outputs, n_rounds)
        Where it cuts: rows beyond it are above the cut. Minus infinity, and a direction
        of zeros, if it is constant.
    weights_ : ndarray of shape (n_outputs, n_rounds)
        What it adds above the cut, and takes off below.
    train_score_ : ndarray of shape (n_rounds,)
        Mean squared residual of the training rows after each round, summed over the
        outputs.
    {names}

    Notes
    -----
    A cut below all rows, a constant, is among the stumps. Without it
    the sum would have no intercept but the first guess, which is not the best one for
    what the stumps add to it.

    The paper writes the weights as a product with the projected rows, one for each
    projected column. That is inconsistent with stumps of -1 and +1; here the
    product is with the values of the stumps, as in least squares.

    References
    ----------
    .. [1] Casale, Pujol and Radeva, "Embedding random projections in regularized
       gradient boosting machines", SUEMA, 2010.
    .. [2] Friedman, "Greedy function approximation: a gradient boosting machine",
       Annals of Statistics 29, 2001.

    Examples
    --------
    >>> from manyminds.datasets import make_checkerboard
    >>> from manyminds.ensemble import RpBoostClassifier
    >>> X, y = make_checkerboard(1000, random_state=0)
    >>> X_new, y_new = make_checkerboard(1000, random_state=1)
    >>> boost = RpBoostClassifier(learning_rate=1.0, random_state=0).fit(X, y)
    >>> print(boost.score(X_new, y_new) > 0.94)
    True
    >>> plain = RpBoostClassifier(projection=None, learning_rate=1.0).fit(X, y)
    >>> print(plain.score(X_new, y_new) < 0.84)
    True
    """

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "projection": [
            StrOptions({"normal", "sign", "uniform", "orthonormal", "unit"}),
            None,
        ],
        "n_components": [
            StrOptions({"sub", "same", "super"}),
            Interval(Integral, 1, None, closed="left"),
        ],
        "l2_regularization": [Interval(Real, 0.0, None, closed="left")],
        "learning_rate": [Interval(Real, 0.0, None, closed="neither")],
        "scale": ["boolean"],
        "tol": [Interval(Real, 0.0, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_estimators=500,
        *,
        projection="normal",
        n_components="same",
        l2_regularization=0.0,
        learning_rate=0.3,
        scale=True,
        tol=0.0,
        random_state=None,
        n_jobs=None,
    ):
        self.n_estimators = n_estimators
        self.projection = projection
        self.n_components = n_components
        self.l2_regularization = l2_regularization
        self.learning_rate = learning_rate
        self.scale = scale
        self.tol = tol
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Boost stumps on the rows of X and their classes y.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows: finite numbers.
        y : array-like of shape (n_samples,)
            Their classes, two or more.
        sample_weight : array-like of shape (n_samples,), default=None
            Their weights. The penalty is held against their sum.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        weight = check_sample_weight(
            sample_weight, X, dtype=np.float64, ensure_non_negative=True
        )
        X, y, weight = _leave_out_weightless(X, y, weight)
        self.classes_, label = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes or more; y has only one "
                "class."
            )

        target = _code_targets(label, len(self.classes_))
        self.init_ = np.average(target, axis=1, weights=weight)
        residual = target - self.init_[:, None]
        self._make_room(len(target), X.shape[1])
        for m, columns in enumerate(self._list_columns(X, weight)):
            for k in range(len(target)):
                self._add_stump(k, m, columns, weight, residual[k])
            self.train_score_[m] = (residual**2 @ weight).sum() / weight.sum()
            if self.train_score_[m] < self.tol:
                self._cut_room(m + 1)
                break
        return self

    def _make_room(self, n_outputs, n_features):
        """Allocate the model: a direction, a threshold and a weight for each stump."""
        n_rounds = self.n_estimators
        self.directions_ = np.zeros((n_outputs, n_rounds, n_features))
        self.thresholds_ = np.zeros((n_outputs, n_rounds))
        self.weights_ = np.zeros((n_outputs, n_rounds))
        self.train_score_ = np.zeros(n_rounds)

    def _list_columns(self, X, weight):
        """Yield the sorted columns among which each round looks for its stumps.

        No projection depends on the residuals: they are drawn, applied and sorted in
        blocks of several rounds, ahead of the rounds.
        """
        table = np.ascontiguousarray(X.T)
        n_features, n_rows = table.shape
        self.n_components_ = self._count_components(n_features)
        if self.projection is None:
            columns = sort_columns(np.eye(n_features), table)
            yield from repeat(columns, self.n_estimators)
            return
        units = _measure_units(X, weight) if self.scale else np.ones(n_features)
        shape = self.n_components_, n_features
        size = max(1, BLOCK_CELLS // (n_rows * self.n_components_))
        seeds = draw_member_seeds(self.random_state, self.n_estimators)
        blocks = (
            (table, self.projection, shape, units, seeds[first : first + size])
            for first in range(0, len(seeds), size)
        )
        yield from run_ahead(blocks, self.n_jobs)

    def _count_components(self, n_features):
        """Return the number of columns that a round considers."""
        if self.projection is None or self.n_components == "same":
            return n_features
        if self.n_components == "sub":
            return max(1, round(n_features / 2))
        return 2 * n_features if self.n_components == "super" else self.n_components

    def _add_stump(self, k, m, columns, weight, residual):
        """Find the stump of output k in round m; subtract it from the residual."""
        column, n_below, s = find_stump(
            columns.order, columns.may_cut, weight * residual
        )
        if column < 0:
            return  # no residual to fit: a stump of weight 0
        step = self.learning_rate * s / (weight.sum() + self.l2_regularization)
        self.weights_[k, m] = step
        below, above = columns.order[column, :n_below], columns.order[column, n_below:]
        residual[below] += step
        residual[above] -= step
        if n_below == 0:
            self.thresholds_[k, m] = -np.inf  # along no direction: all rows are above
            return
        low, high = columns.values[column, [below[-1], above[0]]]
        self.directions_[k, m] = columns.directions[column]
        # Between neighboring floats there is no middle: "above" must stay above.
        middle = 0.5 * low + 0.5 * high
        self.thresholds_[k, m] = max(low, min(middle, np.nextafter(high, low)))

    def _cut_room(self, n_rounds):
        """Cut the model to its first rounds."""
        self.directions_ = self.directions_[:, :n_rounds].copy()
        self.thresholds_ = self.thresholds_[:, :n_rounds].copy()
        self.weights_ = self.weights_[:, :n_rounds].copy()
        self.train_score_ = self.train_score_[:n_rounds].copy()

    def decision_function(self, X):
        """Add up the stumps for each row of X.

        {classify_array}
        F : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With two classes one value for each row, above 0 for the second class. With
            more, one for each class.
        """
        check_is_fitted(self)
        return next(self._add_up(X, [self.weights_.shape[1]]))

    def staged_decision_function(self, X):
        """Add up the stumps for each row of X, round by round.

        {classify_array_staged}
        F : ndarray of shape (n_samples,) or (n_samples, n_classes)
            As of ``decision_function``, after each round.
        """
        check_is_fitted(self)
        yield from self._add_up(X, range(1, self.weights_.shape[1] + 1))

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_array}
        y : ndarray of shape (n_samples,)
            The class with the highest sum of stumps; the first of equals.
        """
        return self._name_classes(self.decision_function(X))

    def staged_predict(self, X):
        """Predict the class of each row of X, round by round.

        {classify_array_staged}
        y : ndarray of shape (n_samples,)
            As of ``predict``, after each round.
        """
        for F in self.staged_decision_function(X):
            yield self._name_classes(F)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            The softmax of the sums of stumps, ``1 / (1 + exp(-2 F))`` with two classes.
            Where classes are about equally likely it agrees with ``(1 + F) / 2``, which
            least squares estimates but which can leave the range of probabilities.
        """
        F = self.decision_function(X)
        if len(self.classes_) == 2:
            F = np.column_stack([-F, F])
        return softmax(0.5 * len(self.classes_) * F, axis=1)

    def _add_up(self, X, stages):
        """Yield the sums of the first so many rounds for each row of X."""
        X = validate_data(self, X, dtype=np.float64, reset=False)
        table, start = np.ascontiguousarray(X.T), 0
        F = np.repeat(self.init_[:, None], len(X), axis=1)
        for stop in stages:
            for k, total in enumerate(F):
                add_stumps(
                    table,
                    self.directions_[k, start:stop],
                    self.thresholds_[k, start:stop],
                    self.weights_[k, start:stop],
                    total,
                )
            yield (F[0] if len(self.classes_) == 2 else F.T).copy()
            start = stop

    def _name_classes(self, F):
        best = (F > 0.0).astype(np.intp) if F.ndim == 1 else F.argmax(axis=1)
        return self.classes_[best]


def _leave_out_weightless(X, y, weight):
    """Leave out rows of weight 0, so that they have no effect on the cuts."""
    keep = weight > 0.0
    if not keep.any():
        raise ValueError("sample_weight has no positive weight.")
    return (X, y, weight) if keep.all() else (X[keep], y[keep], weight[keep])


def _code_targets(label, n_classes):
    """Code the second class of two, or each class against the rest, by -1 and +1."""
    wanted = [1] if n_classes == 2 else range(n_classes)
    return np.array([np.where(label == k, 1.0, -1.0) for k in wanted])


def _measure_units(X, weight):
    """Measure the standard deviation of each column; 1 if it is constant."""
    mean = np.average(X, axis=0, weights=weight)
    units = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weight))
    rounding = len(X) * np.finfo(np.float64).eps * np.abs(X).max(axis=0)
    return np.where(units > rounding, units, 1.0)
