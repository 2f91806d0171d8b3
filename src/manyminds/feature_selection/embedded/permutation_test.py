"""Altmann's test: is an importance larger than for permuted targets?"""

import warnings
from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state, get_tags

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.analysis import adjust_p_values
from manyminds.ensemble.base import draw_member_seeds, run_on_members
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import TABLE_CONSTRAINTS, Selector, rank_in_order
from manyminds.feature_selection.embedded.importances import (
    check_takes_weight,
    choose_importance,
    make_forest,
    measure_importances,
    read_rows,
)
from manyminds.feature_selection.embedded.null_distributions import (
    DISTRIBUTIONS,
    find_p_values,
)
from manyminds.utils.docstrings import fill_docstring

N_TREES = 100


@fill_docstring(**PARAMETERS)
class PermutationTestSelector(Selector):
    """Select features whose importance is larger than for permuted targets.

    Importances have no scale of their own, and some favor features with many values.
    The model is fitted repeatedly to permuted targets, which yields the null
    distribution of the importance of each feature, and so its p-value [1]_.

    Parameters
    ----------
    estimator : estimator or callable, default=None
        Model with ``feature_importances_`` or ``coef_``; or a function that takes
        ``(X, y)`` and returns scores, or a tuple that begins with them, such as
        scikit-learn's ``mutual_info_classif``. By default a random forest of 100 trees.
    n_permutations : int, default=100
        Number of permuted targets. Sample weights are not permuted.
    alpha : float, default=0.05
        Maximum p-value, after the correction, of a selected feature.
    distribution : {"empirical", "auto", "normal", "lognormal", "gamma"}, \
default="empirical"
        Null distribution: "empirical" counts permuted targets with at least the same
        importance, an exact test whose p-values are at least 1 / (n_permutations + 1);
        the others are fitted to the null importances of each feature; "auto", as the
        paper, takes the one that fits best by the Kolmogorov-Smirnov test, and counts
        if none fits.
    correction : {"none", "bonferroni", "bh"}, default="none"
        Correction for multiple tests; "bh": Benjamini and Hochberg.
    importance : {"auto", "gain", "permutation"}, default="auto"
        - "gain": the model's ``feature_importances_`` or ``coef_``, as the paper. Those
          of a forest sum to one: in the presence of strong features, weak ones get less
          than for permuted targets, and the test misses them.
        - "permutation": the increase of the out-of-bag error of one of our forests when
          a feature is shuffled.
        - "auto": "permutation" if the estimator supports it.

        Ignored with a function.
    {task}
    {importance_categories}
    random_state : int, RandomState instance or None, default=None
        Permutes the targets and seeds the models.
    {n_jobs}

    Attributes
    ----------
    {support}
    p_values_ : ndarray of shape (n_features,)
        P-value of each feature, before the correction.
    adjusted_p_values_ : ndarray of shape (n_features,)
        After the correction.
    importances_ : ndarray of shape (n_features,)
        Importances for the original targets.
    null_importances_ : ndarray of shape (n_permutations, n_features)
        Importances for permuted targets.
    distributions_ : ndarray of str of shape (n_features,)
        Null distribution of each p-value.
    ranking_ : ndarray of int of shape (n_features,)
        Rank by p-value, from 1; among equals by how many standard deviations the
        importance is above the mean for permuted targets.

    References
    ----------
    .. [1] Altmann, Toloşi, Sander and Lengauer, "Permutation importance: a corrected
       feature importance measure", Bioinformatics 26, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection import PermutationTestSelector
    >>> X = np.random.default_rng(0).normal(size=(200, 6))
    >>> y = X[:, 0] + X[:, 3] > 0
    >>> selector = PermutationTestSelector(alpha=0.01, random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 3])
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "get_params"]), callable, None],
        "n_permutations": [Interval(Integral, 2, None, closed="left")],
        "alpha": [Interval(Real, 0.0, 1.0, closed="neither")],
        "distribution": [StrOptions({"empirical", "auto", *DISTRIBUTIONS})],
        "correction": [StrOptions({"none", "bonferroni", "bh"})],
        "importance": [StrOptions({"auto", "gain", "permutation"})],
        **TABLE_CONSTRAINTS,
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        estimator=None,
        *,
        n_permutations=100,
        alpha=0.05,
        distribution="empirical",
        correction="none",
        importance="auto",
        task="auto",
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
    ):
        self.estimator = estimator
        self.n_permutations = n_permutations
        self.alpha = alpha
        self.distribution = distribution
        self.correction = correction
        self.importance = importance
        self.task = task
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Compare importances with those for permuted targets.

        {fit_estimator}
        """
        self._validate_params()
        X, is_categorical = self._read_features(X, self.categorical_features)
        X, y, weight, classes = read_rows(self, X, y, sample_weight, self.task)
        measure = self._choose_measure(X, classes, weight, is_categorical)
        state = check_random_state(self.random_state)
        rng = np.random.default_rng(state.randint(2**31 - 1))
        seeds = draw_member_seeds(state, self.n_permutations + 1)

        targets = [y, *(rng.permutation(y) for _ in range(self.n_permutations))]
        found = run_on_members(measure, zip(targets, seeds), self.n_jobs)
        found = np.array(list(found))
        self.importances_, self.null_importances_ = found[0], found[1:]
        self.p_values_, self.distributions_ = find_p_values(
            self.importances_, self.null_importances_, self.distribution
        )
        self.adjusted_p_values_ = adjust_p_values(self.p_values_, self.correction)
        self.support_ = self.adjusted_p_values_ <= self.alpha
        self._warn_if_too_few()
        return self

    def _choose_measure(self, X, classes, sample_weight, is_categorical):
        """Return the function that computes importances for targets and a seed."""
        if not hasattr(self.estimator, "fit") and callable(self.estimator):
            if sample_weight is not None:
                raise ValueError(
                    "sample_weight was given, but a function of (X, y) takes none."
                )
            return lambda y, seed: _call(self.estimator, X, y)
        estimator = self.estimator
        if estimator is None:
            estimator = make_forest(classes is not None, N_TREES)
        check_takes_weight(estimator, sample_weight)
        importance = choose_importance(self.importance, estimator)
        return lambda y, seed: measure_importances(
            estimator, importance, y, sample_weight, X, is_categorical, seed
        )

    def _warn_if_too_few(self):
        """Warn if no empirical p-value could be small enough."""
        smallest = np.full(self.n_features_in_, 1.0 / (self.n_permutations + 1))
        counts = np.all(self.distributions_ == "empirical")
        if counts and adjust_p_values(smallest, self.correction).min() > self.alpha:
            warnings.warn(
                f"n_permutations={self.n_permutations} is too small for any of "
                f"{self.n_features_in_} features to be selected at alpha={self.alpha} "
                f"with correction={self.correction!r}: use more permutations, or "
                "another distribution.",
                stacklevel=3,
            )

    @property
    def ranking_(self):
        """Rank by p-value, then by the distance from permuted targets, from 1."""
        null = self.null_importances_
        spread = np.maximum(null.std(axis=0), np.finfo(float).tiny)
        with np.errstate(over="ignore"):
            distance = (self.importances_ - null.mean(axis=0)) / spread
        return rank_in_order(np.lexsort((-distance, self.p_values_)), len(distance))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = self.estimator is None or (
            hasattr(self.estimator, "fit")
            and get_tags(self.estimator).input_tags.allow_nan
        )
        return tags


def _call(function, X, y):
    """Return the scores of a function of features and targets."""
    answer = function(X, y)
    scores = np.asarray(answer[0] if isinstance(answer, tuple) else answer, np.float64)
    if scores.shape != (X.shape[1],):
        raise ValueError(
            f"estimator={function!r} must return one score for each of the "
            f"{X.shape[1]} features; it returned an array of shape {scores.shape}."
        )
    return np.nan_to_num(scores, nan=0.0)
