"""AdaBoost.R2: boosting for regression by the loss relative to the largest error."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import StrOptions
from manyminds.ensemble.bagging._parameters import PARAGRAPHS
from manyminds.ensemble.bagging.base import BatchModel
from manyminds.ensemble.estimators import Ensemble
from manyminds.trees.base import TreeRegressorMixin
from manyminds.trees.decision_tree import DecisionTreeRegressor
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.targets import check_magnitude

_LOSSES = {
    "linear": lambda share: share,
    "square": lambda share: share**2,
    "exponential": lambda share: 1.0 - np.exp(-share),
}


@fill_docstring(**PARAGRAPHS)
class AdaBoostR2Regressor(Ensemble, TreeRegressorMixin, BatchModel):
    r"""Predict a number by the weighted median of members boosted one by one.

    In each round a member is fitted, to a sample drawn with the current weights or to
    the weighted rows themselves. With its absolute errors :math:`e_i` on all training
    rows, of which the largest is :math:`D`, the loss :math:`L_i` is :math:`e_i / D`,
    :math:`(e_i / D)^2` or :math:`1 - \exp(-e_i / D)`, its weighted mean is
    :math:`\bar L`, and [1]_

    .. math:: \beta = \frac{\bar L}{1 - \bar L}, \qquad
              w_i \leftarrow w_i \beta^{1 - L_i}.

    The weight of the member is :math:`\log(1 / \beta)`. Boosting ends early when
    :math:`\bar L \ge 1/2`, without that member unless it is the first, or when a
    member makes no error at all.

    Parameters
    ----------
    estimator : estimator, default=None
        Regressor to fit; None: a ``DecisionTreeRegressor`` of depth 3.
    n_estimators : int, default=100
        Maximum number of members.
    loss : {"linear", "square", "exponential"}, default="exponential"
        Function of a row's error.
    resample : bool, default=True
        Whether members are fitted to a sample of as many rows as there are, drawn with
        the weights, or to all rows with the weights; the weights then sum to the number
        of rows, and the estimator must take ``sample_weight``.
    random_state : int, RandomState instance or None, default=None
        Draws samples, and seeds the members.
    {categorical_features}

    Attributes
    ----------
    {members}
    estimator_weights_ : ndarray of shape (n_members,)
        Weight of each member, :math:`\log(1 / \beta)`.
    estimator_errors_ : ndarray of shape (n_members,)
        Weighted mean loss of each member.
    {names}

    References
    ----------
    .. [1] Drucker, "Improving regressors using boosting techniques", ICML, 1997.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from manyminds.ensemble import AdaBoostR2Regressor, RandomOracleRegressor
    >>> from manyminds.trees import REPTreeRegressor
    >>> X, y = make_friedman1(200, random_state=0)
    >>> oracle = RandomOracleRegressor(REPTreeRegressor())
    >>> model = AdaBoostR2Regressor(oracle, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.8
    True
    """

    _parameter_constraints = {
        **{
            name: constraint
            for name, constraint in BatchModel._parameter_constraints.items()
            if name != "n_jobs"
        },
        "loss": [StrOptions(set(_LOSSES))],
        "resample": ["boolean"],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=100,
        *,
        loss="exponential",
        resample=True,
        random_state=None,
        categorical_features="from_dtype",
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.loss = loss
        self.resample = resample
        self.random_state = random_state
        self.categorical_features = categorical_features

    def _default(self):
        return DecisionTreeRegressor(max_depth=3)

    def fit(self, X, y, sample_weight=None):
        """Fit members one after the other, each with the weights the last one left.

        {fit_boosted}
        """
        self._validate_params()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)
        check_magnitude(y)

        rng, fitter = check_random_state(self.random_state), self._make_fitter(given, X)
        w = np.ones(len(y)) if sample_weight is None else sample_weight
        members, errors = [], []
        for _ in range(self.n_estimators):
            p = w / w.sum()
            seen = _draw_sample(p, rng) if self.resample else p * len(p)
            member = fitter.fit(y, seen[None], 1, rng)
            loss = _measure_loss(self.loss, y - member.mean(fitter.X)[:, 0], p)
            error = float(p @ loss)
            if error >= 0.5 and members:
                break
            members.append(member)
            errors.append(error)
            if not 0.0 < error < 0.5:
                break
            beta = error / (1.0 - error)
            w = p * beta ** (1.0 - loss)
        self._members = type(members[0]).join(members)
        self.estimator_errors_ = np.array(errors)
        self.estimator_weights_ = _count_members(self.estimator_errors_)
        return self

    def predict(self, X):
        """Predict the target of each row of X.

        {predict_frame}
        y : ndarray of shape (n_samples,)
            The weighted median of the members' predictions: the smallest that, with
            those below it, has half of the total weight.
        """
        return weighted_median(self.predict_all(X), self.estimator_weights_)

    def staged_predict(self, X):
        """Yield the predictions of one member, of two, and so on.

        {predict_frame_staged}
        y : ndarray of shape (n_samples,)
        """
        targets = self.predict_all(X)
        for n in range(1, len(targets) + 1):
            yield weighted_median(targets[:n], self.estimator_weights_[:n])


def _draw_sample(p, rng):
    """Draw as many rows as there are, and count how often each was drawn."""
    drawn = rng.choice(len(p), size=len(p), p=p)
    return np.bincount(drawn, minlength=len(p)).astype(np.float64)


def _measure_loss(kind, errors, p):
    """Turn errors into losses between 0 and 1; rows of weight 0 have none."""
    errors = np.where(p > 0.0, np.abs(errors), 0.0)
    largest = errors.max()
    return _LOSSES[kind](errors / largest) if largest > 0.0 else errors


def _count_members(errors):
    """Return log(1 / beta), and 1 to a member with no error or with too large a one."""
    counts = np.ones(len(errors))
    is_usual = (errors > 0.0) & (errors < 0.5)
    counts[is_usual] = np.log((1.0 - errors[is_usual]) / errors[is_usual])
    return counts


def weighted_median(values, weights):
    """Return the least value that has half of the weight at or below it.

    Parameters
    ----------
    values : ndarray of shape (n_members, n_rows)
    weights : ndarray of shape (n_members,)

    Returns
    -------
    medians : ndarray of shape (n_rows,)
    """
    order = np.argsort(values, axis=0, kind="stable")
    below = np.cumsum(weights[order], axis=0)
    place = np.argmax(below >= 0.5 * below[-1], axis=0)
    rows = np.arange(values.shape[1])
    return values[order[place, rows], rows]
