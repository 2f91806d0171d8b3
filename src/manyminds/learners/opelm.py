"""OP-ELM: rank the hidden units of an extreme learning machine, and keep the best."""

from numbers import Integral

import numpy as np
from scipy.linalg import cho_solve, qr, solve_triangular
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners.elm import (
    code_classes,
    fit_scaler,
    read_codes,
    read_weights,
    solve_ridge,
)

_SMALL = 1e-10  # of a unit's variance: what is left of it is rounding
_N_PAIRS = 1000  # of rows, whose distances say how wide a bell may be
_WIDTHS = 0.2, 0.8  # quantiles of these distances


class OPELMClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Classify by least squares on those random hidden units that prove useful.

    Many hidden units of several kinds are drawn, and ranked by multiresponse sparse
    regression [2]_, which for one output is least-angle regression. Of all numbers of
    units, taken in this order, the one with the least leave-one-out error is kept; the
    errors of all of them come from one QR decomposition, and no model is fitted
    twice [1]_.

    Parameters
    ----------
    n_hidden : int, default=100
        Number of units that are drawn; linear units come on top of them.
    kernels : {"l", "s", "g", "ls", "lg", "sg", "lsg"}, default="lsg"
        Kinds of units: linear ("l", the features themselves), sigmoid ("s", the
        hyperbolic tangent of a random sum of features) and Gaussian ("g", a bell
        around a training row, as wide as training rows lie apart). Half of the drawn
        units are of each kind if both are wanted.
    scale : {"standard"} or None, default="standard"
        Whether to bring columns to mean 0 and variance 1 before all else.
    random_state : int, RandomState instance or None, default=None
        Draws the units.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    ranking_ : ndarray of shape (n_ranked,)
        Numbers of the units, the most useful first: linear ones, then sigmoid ones,
        then Gaussian ones. Units that are sums of those before them are left out.
    loo_errors_ : ndarray of shape (n_ranked + 1,)
        Mean squared leave-one-out error with the first 0, 1, 2 ... units of the
        ranking; classes are coded by 1 and -1.
    n_kept_ : int
        Number of units that are kept.
    hidden_weights_ : ndarray of shape (n_features, n_sigmoid)
        Weights of the sigmoid units.
    hidden_biases_ : ndarray of shape (n_sigmoid,)
        Biases of the sigmoid units.
    centres_ : ndarray of shape (n_gaussian, n_features)
        Centers of the Gaussian units, in scaled columns.
    widths_ : ndarray of shape (n_gaussian,)
        Widths of the Gaussian units.
    coef_ : ndarray of shape (n_kept, n_outputs)
        Output weights of the units that are kept.
    intercept_ : ndarray of shape (n_outputs,)
        Constants of the outputs.
    scaler_ : StandardScaler or None
        What brings columns to one scale.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    References
    ----------
    .. [1] Miche, Sorjamaa, Bas, Simula, Jutten and Lendasse, "OP-ELM: Optimally pruned
       extreme learning machine", IEEE Transactions on Neural Networks 21, 2010.
    .. [2] Similä and Tikka, "Multiresponse sparse regression with application to
       multidimensional scaling", ICANN, 2005.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.model_selection import cross_val_score
    >>> from manyminds.learners import OPELMClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> print(cross_val_score(OPELMClassifier(random_state=0), X, y).mean() > 0.93)
    True
    """

    _parameter_constraints = {
        "n_hidden": [Interval(Integral, 1, None, closed="left")],
        "kernels": [StrOptions({"l", "s", "g", "ls", "lg", "sg", "lsg"})],
        "scale": [StrOptions({"standard"}), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self, n_hidden=100, *, kernels="lsg", scale="standard", random_state=None
    ):
        self.n_hidden = n_hidden
        self.kernels = kernels
        self.scale = scale
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw, rank and choose hidden units, and solve for the output weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            How many rows each of them stands for: leave-one-out leaves out one. If
            weights are below 1 on average, they are brought to this average first.

        Returns
        -------
        self : OPELMClassifier
            The fitted classifier.
        """
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float64)
        weight = read_weights(sample_weight, X)
        check_classification_targets(y)
        self.classes_, label = np.unique(y, return_inverse=True)

        X, label, weight = _drop_weightless(X, label, weight)
        self._draw_units(X, weight)
        hidden = self._hide(X)
        targets = code_classes(label, len(self.classes_))
        self.ranking_ = rank_units(hidden, targets, weight)
        self.loo_errors_ = leave_one_out(hidden[:, self.ranking_], targets, weight)
        self.n_kept_ = int(self.loo_errors_.argmin())
        kept = self.ranking_[: self.n_kept_]
        self.coef_, self.intercept_ = solve_ridge(hidden[:, kept], targets, 0.0, weight)
        return self

    def _draw_units(self, X, weight):
        """Draw the sigmoid and Gaussian units."""
        rng = check_random_state(self.random_state)
        self.scaler_ = fit_scaler(X, weight, self.scale)
        n_sigmoid = n_gaussian = 0
        if "s" in self.kernels:
            n_sigmoid = -(-self.n_hidden // (2 if "g" in self.kernels else 1))
        if "g" in self.kernels:
            n_gaussian = self.n_hidden - n_sigmoid
        spread = X.shape[1] ** -0.5  # units of many features would saturate without it
        self.hidden_weights_ = spread * rng.normal(size=(X.shape[1], n_sigmoid))
        self.hidden_biases_ = rng.normal(size=n_sigmoid)
        rows = _draw_rows(X, weight, n_gaussian + 2 * _N_PAIRS, rng)
        drawn = X[rows] if self.scaler_ is None else self.scaler_.transform(X[rows])
        self.centres_ = drawn[:n_gaussian]
        one, other = drawn[n_gaussian:].reshape(2, _N_PAIRS, -1)
        apart = np.linalg.norm(one - other, axis=1)
        least, most = (
            np.quantile(apart[apart > 0.0], _WIDTHS) if apart.any() else (1, 1)
        )
        self.widths_ = rng.uniform(least, most, size=n_gaussian)

    def _hide(self, X):
        """Return what all units say about the rows of a checked table."""
        X = X if self.scaler_ is None else self.scaler_.transform(X)
        parts = [X] if "l" in self.kernels else []
        if "s" in self.kernels:
            parts.append(np.tanh(X @ self.hidden_weights_ + self.hidden_biases_))
        if len(self.centres_) > 0:
            apart = euclidean_distances(X, self.centres_) / self.widths_
            parts.append(np.exp(-0.5 * apart**2))
        return np.hstack(parts)

    def decision_function(self, X):
        """Return how much speaks for each class; the greatest is predicted.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            Outputs; for two classes one column, positive for the second of them.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        kept = self.ranking_[: self.n_kept_]
        outputs = self._hide(X)[:, kept] @ self.coef_ + self.intercept_
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs

    def predict(self, X):
        """Predict the class of each row of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows to classify.

        Returns
        -------
        y : ndarray of shape (n_samples,)
            The class whose output is greatest.
        """
        scores = self.decision_function(X)
        return self.classes_[read_codes(scores.reshape(len(scores), -1))]


def _drop_weightless(X, label, weight):
    """Drop rows without weight; bring weights to a mean of 1 if it is below."""
    if weight is None:
        return X, label, np.ones(len(X))
    rows = np.flatnonzero(weight > 0.0)
    weight = weight[rows]
    return X[rows], label[rows], weight / min(weight.mean(), 1.0)


def _draw_rows(X, weight, n_draws, rng):
    """Draw rows by their weights, in a way that their order does not matter for."""
    order = np.lexsort(X.T)
    bounds = np.cumsum(weight[order])
    places = np.searchsorted(bounds, rng.uniform(size=n_draws) * bounds[-1], "right")
    return order[np.minimum(places, len(X) - 1)]


def rank_units(hidden, targets, weight):
    """Rank units by multiresponse sparse regression: how soon each would be needed.

    The fit moves from nothing towards the least-squares fit on the units chosen so
    far. A unit is chosen when the residuals of all targets together (the sum of the
    absolute inner products) ask for it as much as for those.

    Parameters
    ----------
    hidden : ndarray of shape (n_samples, n_units)
        What the units say.
    targets : ndarray of shape (n_samples, n_outputs)
        What the outputs should be.
    weight : ndarray of shape (n_samples,)
        Weights of the rows.

    Returns
    -------
    ranking : ndarray of shape (n_ranked,)
        Numbers of the units, without constant ones and sums of those before them.
    """
    units = _center(hidden, weight)
    length = np.linalg.norm(units, axis=0)
    magnitude = np.sqrt(weight @ hidden**2)
    waiting = length > np.sqrt(_SMALL) * magnitude
    units /= np.where(waiting, length, 1.0)
    gram, cross = units.T @ units, units.T @ _center(targets, weight)
    asked = cross.copy()  # inner products of units and residuals
    factor, chosen = np.zeros_like(gram), []
    while waiting.any():
        rest = np.flatnonzero(waiting)
        demand = np.abs(asked).sum(axis=1)
        step, best = 0.0, rest[demand[rest].argmax()]
        if chosen:
            m = len(chosen)
            ahead = cho_solve((factor[:m, :m], True), cross[chosen])
            change = gram[:, chosen] @ ahead - (cross - asked)
            steps = _find_meeting(asked[rest], change[rest], demand[chosen].max())
            step, best = steps.min(), rest[steps.argmin()]
            asked -= step * change
        waiting[best] = False
        if _extend(factor, gram, chosen, best):
            chosen.append(best)
    return np.array(chosen, dtype=np.intp)


def _center(columns, weight):
    """Take the mean from each column; multiply rows by the roots of their weights."""
    centered = columns - weight @ columns / weight.sum()
    return centered * np.sqrt(weight)[:, np.newaxis]


def _find_meeting(asked, change, level):
    """Find how far to go until each unit is asked for as much as the chosen ones.

    That is the ``step`` with ``sum(abs(asked - step * change)) = (1 - step) * level``.
    The left side less the right one is convex and made of straight pieces, is not
    above 0 at step 0 and not below 0 at step 1: so it is followed from corner to
    corner, which takes fewer trials than all combinations of signs.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        corners = asked / change
    corners[~((corners > 0.0) & (corners < 1.0))] = 1.0
    ends = np.zeros((len(asked), 1)), np.sort(corners, axis=1), np.ones((len(asked), 1))
    steps = np.hstack(ends)
    gap = np.abs(asked[:, np.newaxis] - steps[:, :, np.newaxis] * change[:, np.newaxis])
    gap = gap.sum(axis=2) - (1.0 - steps) * level
    gap[:, -1] = np.maximum(gap[:, -1], 0.0)
    after = np.maximum((gap >= 0.0).argmax(axis=1), 1)
    each = np.arange(len(asked))
    low, high = np.minimum(gap[each, after - 1], 0.0), gap[each, after]
    share = np.divide(-low, high - low, out=np.zeros(len(asked)), where=high > low)
    return steps[each, after - 1] + share * (
        steps[each, after] - steps[each, after - 1]
    )


def _extend(factor, gram, chosen, unit):
    """Add a unit to the Cholesky factor; tell whether it is no sum of the others."""
    m = len(chosen)
    row = solve_triangular(factor[:m, :m], gram[chosen, unit], lower=True) if m else []
    left_over = gram[unit, unit] - np.dot(row, row)
    if left_over < _SMALL:
        return False
    factor[m, :m], factor[m, m] = row, np.sqrt(left_over)
    return True


def leave_one_out(hidden, targets, weight):
    """Return the leave-one-out errors of least squares on the first 0, 1 ... columns.

    Without one of the rows that row ``i`` stands for, its residual would be larger by
    ``1 / (1 - h_i)``, with ``h_i`` its leverage. Both come from an orthonormal basis,
    to which each column adds one vector.

    Parameters
    ----------
    hidden : ndarray of shape (n_samples, n_units)
        Columns, none of them a sum of those before it; a constant comes before all.
    targets : ndarray of shape (n_samples, n_outputs)
        What the outputs should be.
    weight : ndarray of shape (n_samples,)
        How many rows each row stands for; all positive.

    Returns
    -------
    errors : ndarray of shape (n_units + 1,)
        Mean squared error; infinite where a row alone decides its fit.
    """
    root = np.sqrt(weight)[:, np.newaxis]
    columns = np.hstack([np.ones((len(hidden), 1)), hidden])
    basis = qr(root * columns, mode="economic")[0]
    moves = basis.T @ (root * targets)
    basis = basis / root
    errors = np.full(columns.shape[1], np.inf)
    residual, left = targets.astype(np.float64), np.ones(len(hidden))
    for m in range(basis.shape[1]):
        residual = residual - np.outer(basis[:, m], moves[m])
        left = left - basis[:, m] ** 2
        if left.min() > _SMALL:
            squares = np.mean((residual / left[:, np.newaxis]) ** 2, axis=1)
            errors[m] = weight @ squares / weight.sum()
    return errors
