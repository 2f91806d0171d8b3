"""Iterated bagging: bag the out-of-bag residuals of the stages before."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval
from manyminds.ensemble.bagging._parameters import PARAGRAPHS
from manyminds.ensemble.bagging.base import BatchModel, draw_bags
from manyminds.trees.base import TreeRegressorMixin
from manyminds.trees.decision_tree import DecisionTreeRegressor
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.tables import take_rows


@fill_docstring(**PARAGRAPHS)
class IteratedBaggingRegressor(TreeRegressorMixin, BatchModel):
    r"""Predict a number by the sum of baggings, each of the residuals of the last.

    The first stage bags the target. Each next stage bags the residuals: the target
    minus the predictions of the members that had not drawn the row,

    .. math:: y^{(k+1)}_i = y^{(k)}_i - \frac{1}{|O_i|}
              \sum_{t \in O_i} f^{(k)}_t(x_i),

    and the stages add up [1]_. Bagging decreases the variance; with out-of-bag
    residuals, later stages decrease the bias. Stages end when the mean square of the
    residuals rises above ``tolerance`` times its minimum, and those after the minimum
    are dropped.

    Parameters
    ----------
    estimator : estimator, default=None
        Regressor to fit; None: a ``DecisionTreeRegressor``.
    n_stages : int, default=5
        Maximum number of stages.
    n_estimators : int, default=20
        Number of members of a stage.
    tolerance : float, default=1.1
        Factor of the minimum mean square of the residuals at which the stages end.
    {n_jobs}
    random_state : int, RandomState instance or None, default=None
        Draws rows, and seeds the members.
    {categorical_features}

    Attributes
    ----------
    estimators_ : list of lists of estimators
        The fitted members of each stage that is used.
    n_stages_ : int
        Number of stages that are used.
    residual_mean_squares_ : ndarray of shape (n_fitted_stages,)
        Mean square of the out-of-bag residuals of each fitted stage. Rows that every
        member drew are predicted by the mean of all members.
    {names}

    References
    ----------
    .. [1] Breiman, "Using iterated bagging to debias regressions", Machine Learning
       45, 2001.

    Examples
    --------
    >>> from sklearn.datasets import make_friedman1
    >>> from manyminds.ensemble import IteratedBaggingRegressor
    >>> X, y = make_friedman1(200, random_state=0)
    >>> model = IteratedBaggingRegressor(random_state=0).fit(X, y)
    >>> model.n_stages_ > 1, len(model.estimators_[0])
    (True, 20)
    """

    _default = DecisionTreeRegressor
    _parameter_constraints = {
        **BatchModel._parameter_constraints,
        "n_stages": [Interval(Integral, 1, None, closed="left")],
        "tolerance": [Interval(Real, 1.0, None, closed="left")],
    }

    def __init__(
        self,
        estimator=None,
        n_stages=5,
        n_estimators=20,
        *,
        tolerance=1.1,
        n_jobs=None,
        random_state=None,
        categorical_features="from_dtype",
    ):
        self.estimator = estimator
        self.n_stages = n_stages
        self.n_estimators = n_estimators
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Bag the target, then the residuals, until these no longer decrease.

        {fit_iterated}
        """
        self._validate_params()
        given = X
        X, y, sample_weight = self._read_training_set(X, y, sample_weight)

        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        rng = check_random_state(self.random_state)
        fitter = self._make_fitter(given, X)
        stages, mean_squares, residual = [], [], y
        for _ in range(self.n_stages):
            draws = draw_bags(rng, self.n_estimators, len(y), weights)
            stages.append(fitter.fit(residual, draws, self.n_estimators, rng))
            residual = residual - _predict_out_of_bag(stages[-1], fitter.X, draws)
            mean_squares.append(np.average(residual**2, weights=weights))
            if mean_squares[-1] > self.tolerance * min(mean_squares):
                break
        self.residual_mean_squares_ = np.array(mean_squares)
        self.n_stages_ = int(np.argmin(mean_squares)) + 1
        self._members, self._stages = stages[0], stages[: self.n_stages_]
        return self

    def _mean_value(self, X):
        X = self._read_table(X)
        return sum(stage.mean(X) for stage in self._stages)

    def staged_predict(self, X):
        """Yield the predictions after one stage, after two, and so on.

        {predict_frame_staged}
        y : ndarray of shape (n_samples,)
        """
        X = self._read_table(X)
        total = 0.0
        for stage in self._stages:
            total = total + stage.mean(X)[:, 0]
            yield total

    @property
    def estimators_(self):
        """The fitted members of each stage."""
        return [self._list_estimators(stage) for stage in self._stages]


def _predict_out_of_bag(members, X, draws):
    """Predict each row by the members that did not draw it, or by all if all did."""
    mean, n_out_of_bag = members.out_of_bag_mean(X, lambda some: draws[some])
    drawn_by_all = np.flatnonzero(n_out_of_bag == 0)
    if len(drawn_by_all) > 0:
        mean[drawn_by_all] = members.values(take_rows(X, drawn_by_all)).mean(axis=0)
    return mean[:, 0]
