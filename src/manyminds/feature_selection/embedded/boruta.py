"""Boruta: select every feature that is more important than the shuffled ones."""

from numbers import Integral, Real

import numpy as np
from scipy.stats import binom, false_discovery_control
from sklearn.utils import check_random_state, get_tags

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble.base import draw_member_seeds
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import TABLE_CONSTRAINTS, Selector
from manyminds.feature_selection.embedded.importances import (
    check_takes_weight,
    choose_importance,
    make_forest,
    measure_importances,
    read_rows,
)
from manyminds.utils.docstrings import fill_docstring

N_TREES = 100
MIN_SHADOWS = 5


@fill_docstring(**PARAMETERS)
class BorutaSelector(Selector):
    """Select all features that are more important than shuffled copies of features.

    In every round, each remaining feature gets a shadow: a copy with its values
    shuffled. A model is fitted to both, and a feature that is more important than the
    best shadow scores a hit. After each round a binomial test decides whether a feature
    has significantly more hits than half of the rounds (it is confirmed) or fewer (it
    is rejected and removed) [1]_. The aim is all relevant features, including redundant
    ones, not the smallest set that predicts well.

    Parameters
    ----------
    estimator : estimator, default=None
        Model with ``feature_importances_`` or ``coef_``; by default a random forest of
        100 trees.
    max_iter : int, default=100
        Maximum number of rounds.
    alpha : float, default=0.05
        Significance level of the tests.
    correction : {"bonferroni", "two_step", "none"}, default="bonferroni"
        Correction for multiple tests: "bonferroni" for the number of features, as the
        authors; "two_step" by Benjamini and Hochberg for the number of features, and by
        Bonferroni for the number of rounds so far, as the package BorutaPy.
    percentile : float, default=100
        Percentile of the shadows' importances that a feature must exceed. Below 100,
        more relevant and more irrelevant features pass.
    importance : {"auto", "gain", "permutation"}, default="auto"
        - "gain": the model's own ``feature_importances_`` or ``coef_``.
        - "permutation": the increase of the out-of-bag error of one of our forests when
          a feature is shuffled, divided by its standard error, as the authors. Gain
          favors features with many values, in shadows, too.
        - "auto": "permutation" if the estimator supports it.
    early_stopping : int, default=None
        Stop after this number of successive rounds without a decision.
    {task}
    {importance_categories}
    random_state : int, RandomState instance or None, default=None
        Shuffles the shadows and seeds the models.
    n_jobs : int, default=None
        Number of threads of the default forest; ignored if there is an estimator.

    Attributes
    ----------
    {support}
    support_weak_ : ndarray of bool of shape (n_features,)
        The tentative ones: neither confirmed nor rejected after the last round.
    ranking_ : ndarray of int of shape (n_features,)
        1 for confirmed, 2 for tentative features, then the rejected ones, the last
        rejected first. Features that were rejected in one round share a rank.
    n_hits_ : ndarray of int of shape (n_features,)
        Number of rounds in which each feature exceeded the shadows.
    n_iter_ : int
        Number of rounds.
    importance_history_ : ndarray of shape (n_iter, n_features)
        Importance of each feature in each round; NaN after its rejection.
    shadow_history_ : ndarray of shape (n_iter,)
        Importance that features had to exceed in each round.

    Notes
    -----
    ``alpha`` is the level of a test on rounds, not on samples. All rounds use the same
    samples, and an irrelevant feature that happens to fit them hits in every round. As
    each exceeds the best of m shadows in most rounds with a probability of about
    0.7 / m, about one irrelevant feature in two runs is confirmed, whatever ``alpha``
    is; fewer by out-of-bag importance.

    References
    ----------
    .. [1] Kursa and Rudnicki, "Feature selection with the Boruta package", Journal of
       Statistical Software 36, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection import BorutaSelector
    >>> X = np.random.default_rng(0).normal(size=(200, 6))
    >>> y = X[:, 0] + X[:, 3] > 0
    >>> selector = BorutaSelector(random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 3])
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "get_params"]), None],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "alpha": [Interval(Real, 0.0, 1.0, closed="neither")],
        "correction": [StrOptions({"bonferroni", "two_step", "none"})],
        "percentile": [Interval(Real, 0.0, 100.0, closed="both")],
        "importance": [StrOptions({"auto", "gain", "permutation"})],
        "early_stopping": [Interval(Integral, 1, None, closed="left"), None],
        **TABLE_CONSTRAINTS,
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator=None,
        *,
        max_iter=100,
        alpha=0.05,
        correction="bonferroni",
        percentile=100,
        importance="auto",
        early_stopping=None,
        task="auto",
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
    ):
        self.estimator = estimator
        self.max_iter = max_iter
        self.alpha = alpha
        self.correction = correction
        self.percentile = percentile
        self.importance = importance
        self.early_stopping = early_stopping
        self.task = task
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Compare features with shadows, round after round.

        {fit_estimator}
        """
        self._validate_params()
        X, is_categorical = self._read_features(X, self.categorical_features)
        X, *target, classes = read_rows(self, X, y, sample_weight, self.task)
        measure = self._choose_measure(*target, classes)
        state = check_random_state(self.random_state)
        rng = np.random.default_rng(state.randint(2**31 - 1))
        columns = np.ascontiguousarray(X.T)

        rejected_in = np.zeros(len(columns), dtype=np.int64)  # 0: not rejected
        is_confirmed = np.zeros(len(columns), dtype=bool)
        self.n_hits_ = np.zeros(len(columns), dtype=np.int64)
        history, n_idle = [], 0
        for seed in draw_member_seeds(state, self.max_iter):
            active = np.flatnonzero(rejected_in == 0)
            table, is_code = _add_shadows(columns, is_categorical, active, rng)
            found = measure(table, is_code, seed)
            importances, shadows = found[: len(active)], found[len(active) :]
            limit = np.percentile(shadows, self.percentile)
            self.n_hits_[active] += importances > limit
            history.append((active, importances, limit))

            high, low = self._judge(self.n_hits_[active], len(history), len(columns))
            is_open = ~is_confirmed[active]
            is_confirmed[active[high & is_open]] = True
            rejected_in[active[low & is_open]] = len(history)
            n_idle = 0 if np.any((high | low) & is_open) else n_idle + 1
            all_decided = np.all(is_confirmed | (rejected_in > 0))
            if all_decided or n_idle == self.early_stopping:
                break
        self._set_result(is_confirmed, rejected_in, history)
        return self

    def _choose_measure(self, y, sample_weight, classes):
        """Return the function that computes importances for a table and a seed."""
        estimator = self.estimator
        if estimator is None:
            estimator = make_forest(classes is not None, N_TREES, self.n_jobs)
        check_takes_weight(estimator, sample_weight)
        importance = choose_importance(self.importance, estimator)
        common = estimator, importance, y, sample_weight

        def measure(table, is_code, seed):
            return measure_importances(*common, table, is_code, seed, in_errors=True)

        return measure

    def _judge(self, n_hits, n_rounds, n_features):
        """Return which features have significantly more, and which fewer, hits."""
        high = binom.sf(n_hits - 1, n_rounds, 0.5)
        low = binom.cdf(n_hits, n_rounds, 0.5)
        if self.correction == "two_step":
            return tuple(
                (false_discovery_control(p) <= self.alpha)
                & (p <= self.alpha / n_rounds)
                for p in (high, low)
            )
        n_tests = n_features if self.correction == "bonferroni" else 1
        return high * n_tests <= self.alpha, low * n_tests <= self.alpha

    def _set_result(self, is_confirmed, rejected_in, history):
        self.support_ = is_confirmed
        self.support_weak_ = ~is_confirmed & (rejected_in == 0)
        ends = np.unique(rejected_in[rejected_in > 0])[::-1]
        self.ranking_ = np.where(is_confirmed, 1, 2)
        for rank, end in enumerate(ends, start=3):
            self.ranking_[rejected_in == end] = rank
        self.n_iter_ = len(history)
        self.importance_history_ = np.full((len(history), len(is_confirmed)), np.nan)
        self.shadow_history_ = np.empty(len(history))
        for i, (active, importances, limit) in enumerate(history):
            self.importance_history_[i, active] = importances
            self.shadow_history_[i] = limit

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = (
            self.estimator is None or get_tags(self.estimator).input_tags.allow_nan
        )
        return tags


def _add_shadows(columns, is_categorical, active, rng):
    """Append shuffled copies of the active columns, at least five."""
    n_times = -(-MIN_SHADOWS // len(active))
    sources = np.tile(active, max(1, n_times))
    shadows = rng.permuted(columns[sources], axis=1)
    table = np.concatenate([columns[active], shadows]).T
    return table, is_categorical[np.concatenate([active, sources])]
