"""OP-ELM: rank the hidden units of an extreme learning machine, select the best."""

from numbers import Integral

import numpy as np
from scipy.linalg import cho_solve, qr, solve_triangular
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.output_layer import (
    code_classes,
    decode_classes,
    fit_scaler,
    solve_ridge,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.weights import read_weights

_SMALL = 1e-10  # share of a unit's variance that is a rounding error
_N_PAIRS = 1000  # of samples, whose distances are the range of widths
_WIDTHS = 0.2, 0.8  # quantiles of these distances


@fill_docstring(**PARAMETERS)
class OPELMClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Classify by linear regression on the most useful of many random hidden units.

    Many hidden units of several types are drawn, and ranked by multiresponse sparse
    regression [2]_, which for one output is least-angle regression. The number of
    units, in this order, is the one with the lowest leave-one-out error; the errors for
    all numbers are computed from one QR decomposition [1]_.

    Parameters
    ----------
    n_hidden : int, default=100
        Number of units that are drawn, in addition to linear units.
    kernels : {"l", "s", "g", "ls", "lg", "sg", "lsg"}, default="lsg"
        Types of units: linear ("l", the features themselves), sigmoid ("s", the
        hyperbolic tangent of a random linear combination of features) and Gaussian
        ("g", centered on a training sample, with a width in the range of distances
        between samples). With "s" and "g", half of the drawn units are of each type.
    {scale}
    random_state : int, RandomState instance or None, default=None
        Draws the units.

    Attributes
    ----------
    {classes}
    ranking_ : ndarray of shape (n_ranked,)
        Indices of the units, the most useful first: linear units come first in the
        numbering, then sigmoid, then Gaussian ones. Units that are linear combinations
        of those ranked before them are omitted.
    loo_errors_ : ndarray of shape (n_ranked + 1,)
        Leave-one-out mean squared error with the first 0, 1, 2 ... units of the
        ranking; classes are coded by 1 and -1.
    n_kept_ : int
        Number of selected units.
    hidden_weights_ : ndarray of shape (n_features, n_sigmoid)
        Weights of the sigmoid units.
    hidden_biases_ : ndarray of shape (n_sigmoid,)
        Biases of the sigmoid units.
    centers_ : ndarray of shape (n_gaussian, n_features)
        Centers of the Gaussian units, in scaled features.
    widths_ : ndarray of shape (n_gaussian,)
        Widths of the Gaussian units.
    coef_ : ndarray of shape (n_kept, n_outputs)
        Output weights of the selected units.
    intercept_ : ndarray of shape (n_outputs,)
        Intercepts of the outputs.
    {scaler}
    {n_features_in}

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
        """Draw, rank and select hidden units, and solve for the output weights.

        Parameters
        ----------
        {x}
        {y_classes}
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights: a weight of 2 counts as two samples, of which leave-one-out
            leaves out one. Weights with a mean below 1 are scaled to a mean of 1.

        Returns
        -------
        {fitted}
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
        selected = self.ranking_[: self.n_kept_]
        self.coef_, self.intercept_ = solve_ridge(
            hidden[:, selected], targets, 0.0, weight
        )
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
        spread = X.shape[1] ** -0.5  # otherwise units of many features saturate
        self.hidden_weights_ = spread * rng.normal(size=(X.shape[1], n_sigmoid))
        self.hidden_biases_ = rng.normal(size=n_sigmoid)
        rows = _draw_rows(X, weight, n_gaussian + 2 * _N_PAIRS, rng)
        drawn = X[rows] if self.scaler_ is None else self.scaler_.transform(X[rows])
        self.centers_ = drawn[:n_gaussian]
        one, other = drawn[n_gaussian:].reshape(2, _N_PAIRS, -1)
        with np.errstate(over="ignore"):
            apart = np.linalg.norm(one - other, axis=1)
        if not np.isfinite(apart).all():
            raise ValueError("Distances of samples overflow: scale the columns of X.")
        least, most = (
            np.quantile(apart[apart > 0.0], _WIDTHS) if apart.any() else (1, 1)
        )
        self.widths_ = rng.uniform(least, most, size=n_gaussian)

    def _hide(self, X):
        """Return the activations of all units for a checked table."""
        X = X if self.scaler_ is None else self.scaler_.transform(X)
        units = [X] if "l" in self.kernels else []
        if "s" in self.kernels:
            units.append(np.tanh(X @ self.hidden_weights_ + self.hidden_biases_))
        if len(self.centers_) > 0:
            apart = euclidean_distances(X, self.centers_) / self.widths_
            units.append(np.exp(-0.5 * apart**2))
        return np.hstack(units)

    def decision_function(self, X):
        """Return the scores of the classes; the highest is predicted.

        Parameters
        ----------
        {x_new}

        Returns
        -------
        scores : ndarray of shape (n_samples, n_classes) or (n_samples,)
            Outputs; for two classes one column, positive for the second class.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        selected = self.ranking_[: self.n_kept_]
        outputs = self._hide(X)[:, selected] @ self.coef_ + self.intercept_
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs

    def predict(self, X):
        """Predict the class with the highest output.

        {predict}
        """
        scores = self.decision_function(X)
        return self.classes_[decode_classes(scores.reshape(len(scores), -1))]


def _drop_weightless(X, label, weight):
    """Drop samples of weight 0; scale weights with a mean below 1 to a mean of 1."""
    if weight is None:
        return X, label, np.ones(len(X))
    rows = np.flatnonzero(weight > 0.0)
    weight = weight[rows]
    return X[rows], label[rows], weight / min(weight.mean(), 1.0)


def _draw_rows(X, weight, n_draws, rng):
    """Draw samples by their weights, independently of their order."""
    order = np.lexsort(X.T)
    bounds = np.cumsum(weight[order])
    places = np.searchsorted(bounds, rng.uniform(size=n_draws) * bounds[-1], "right")
    return order[np.minimum(places, len(X) - 1)]


def rank_units(hidden, targets, weight):
    """Rank units by multiresponse sparse regression.

    The fit moves from zero towards the least-squares fit on the units selected so far.
    A unit is selected when its correlation with the residuals (the sum of the absolute
    inner products over targets) reaches that of the selected ones.

    Parameters
    ----------
    hidden : ndarray of shape (n_samples, n_units)
        Activations of the units.
    targets : ndarray of shape (n_samples, n_outputs)
        Targets of the outputs.
    weight : ndarray of shape (n_samples,)
        Sample weights.

    Returns
    -------
    ranking : ndarray of shape (n_ranked,)
        Indices of the units, without constant ones and linear combinations of those
        before them.
    """
    units = _center(hidden, weight)
    length = np.linalg.norm(units, axis=0)
    magnitude = np.sqrt(weight @ hidden**2)
    waiting = length > np.sqrt(_SMALL) * magnitude
    units /= np.where(waiting, length, 1.0)
    gram, cross = units.T @ units, units.T @ _center(targets, weight)
    correlation = cross.copy()  # inner products with the residuals
    factor, chosen = np.zeros_like(gram), []
    while waiting.any():
        rest = np.flatnonzero(waiting)
        total = np.abs(correlation).sum(axis=1)
        step, best = 0.0, rest[total[rest].argmax()]
        if chosen:
            m = len(chosen)
            ahead = cho_solve((factor[:m, :m], True), cross[chosen])
            change = gram[:, chosen] @ ahead - (cross - correlation)
            steps = _find_steps(correlation[rest], change[rest], total[chosen].max())
            step, best = steps.min(), rest[steps.argmin()]
            correlation -= step * change
        waiting[best] = False
        if _extend(factor, gram, chosen, best):
            chosen.append(best)
    return np.array(chosen, dtype=np.intp)


def _center(columns, weight):
    """Center each column; multiply rows by the square roots of their weights."""
    centered = columns - weight @ columns / weight.sum()
    return centered * np.sqrt(weight)[:, np.newaxis]


def _find_steps(correlation, change, level):
    """Find the step at which each unit reaches the correlation of the selected ones.

    That is the ``step`` where ``sum(abs(correlation - step * change))`` is
    ``(1 - step) * level``. Their difference is convex and piecewise linear, at most 0
    at step 0 and at least 0 at step 1: so it is followed from corner to corner, which
    takes fewer evaluations than all combinations of signs.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        corners = correlation / change
    corners[~((corners > 0.0) & (corners < 1.0))] = 1.0
    ends = (
        np.zeros((len(correlation), 1)),
        np.sort(corners, axis=1),
        np.ones((len(correlation), 1)),
    )
    steps = np.hstack(ends)
    difference = np.abs(
        correlation[:, np.newaxis] - steps[:, :, np.newaxis] * change[:, np.newaxis]
    )
    difference = difference.sum(axis=2) - (1.0 - steps) * level
    difference[:, -1] = np.maximum(difference[:, -1], 0.0)
    after = np.maximum((difference >= 0.0).argmax(axis=1), 1)
    each = np.arange(len(correlation))
    low = np.minimum(difference[each, after - 1], 0.0)
    high = difference[each, after]
    share = np.divide(
        -low, high - low, out=np.zeros(len(correlation)), where=high > low
    )
    return steps[each, after - 1] + share * (
        steps[each, after] - steps[each, after - 1]
    )


def _extend(factor, gram, chosen, unit):
    """Add a unit to the Cholesky factor; return whether it is linearly independent."""
    m = len(chosen)
    row = solve_triangular(factor[:m, :m], gram[chosen, unit], lower=True) if m else []
    left_over = gram[unit, unit] - np.dot(row, row)
    if left_over < _SMALL:
        return False
    factor[m, :m], factor[m, m] = row, np.sqrt(left_over)
    return True


def leave_one_out(hidden, targets, weight):
    """Compute leave-one-out errors of least squares on the first 0, 1 ... columns.

    If one of the samples that row ``i`` counts as is left out, its residual is larger
    by ``1 / (1 - h_i)``, with ``h_i`` its leverage. Both are computed from an
    orthonormal basis, to which each column adds one vector.

    Parameters
    ----------
    hidden : ndarray of shape (n_samples, n_units)
        Linearly independent columns; an intercept is added.
    targets : ndarray of shape (n_samples, n_outputs)
        Targets of the outputs.
    weight : ndarray of shape (n_samples,)
        Positive sample weights: a weight of 2 counts as two samples.

    Returns
    -------
    errors : ndarray of shape (n_units + 1,)
        Mean squared error; infinite where a leverage is 1.
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
