"""ACE: artificial contrasts with ensembles, an approximate Markov blanket."""

import sys
from numbers import Integral, Real
from typing import NamedTuple

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state

from manyminds._compat import Interval, RealNotInt, StrOptions
from manyminds.ensemble.base import run_on_members
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    TABLE_CONSTRAINTS,
    SupervisedSelector,
    rank_in_order,
)
from manyminds.feature_selection.contrasts.contrast_tables import (
    add_contrasts,
    take_columns,
)
from manyminds.feature_selection.contrasts.ensembles import (
    Growth,
    measure_importances,
    measure_masking,
)
from manyminds.feature_selection.contrasts.paired_tests import (
    judge_above,
    limit_by_contrasts,
)
from manyminds.feature_selection.contrasts.redundancy import (
    judge_masking,
    remove_masked,
)
from manyminds.feature_selection.contrasts.targets import Target
from manyminds.feature_selection.embedded.importances import read_rows
from manyminds.trees.binning import MAX_BINS, bin_table
from manyminds.utils.docstrings import fill_docstring

FEW_COLUMNS = 20  # up to which the best contrast is the limit
FEWER_THAN_ALL = 95  # percentile of more contrasts
NOTHING = 1e-6  # share of the variance that is rounding


class ACERound(NamedTuple):
    """What a round of ACE has found.

    Attributes
    ----------
    importances : ndarray of shape (n_features,)
        Mean importance of each feature over the replicates.
    limit : float
        Mean importance that the contrasts set as limit.
    pvalues : ndarray of shape (n_features,)
        Of "more important than the contrasts", corrected.
    relevant : ndarray of int
        Positions of the relevant features.
    masking : ndarray of shape (n_relevant, n_relevant)
        By how much relevant feature i masks relevant feature j; 0 on the diagonal.
    is_masked : ndarray of bool of shape (n_relevant, n_relevant)
        Whether i masks j significantly.
    kept : ndarray of int
        Positions of the relevant features that no kept one masks, the most important
        first.
    """

    importances: np.ndarray
    limit: float
    pvalues: np.ndarray
    relevant: np.ndarray
    masking: np.ndarray
    is_masked: np.ndarray
    kept: np.ndarray


@fill_docstring(**PARAMETERS)
class ACESelector(SupervisedSelector):
    r"""Select an approximate Markov blanket by artificial contrasts with ensembles.

    A Markov blanket of the target is a set of features that makes all others
    irrelevant. ACE [1]_ [2]_ approximates it without any number of features to choose,
    for numbers, categories and missing values, classes or numeric targets. A round has
    three steps:

    1. **Relevance.** In each of R replicates, a forest is grown on all features and on
       a shuffled copy of each, its *contrast*. A percentile of the importances of the
       contrasts is the limit of the replicate. A feature is relevant if it is above the
       limits by a one-sided t-test over the replicates.
    2. **Masking.** Boosted trees are grown on the relevant features and their
       contrasts. Feature i masks feature j as far as splits on j imitate those on i,
       see :func:`~manyminds.trees.masking_matrix`. From the most important feature
       down, each one removes those that it masks by more than contrasts, by the same
       test.
    3. **Residuals.** Boosted trees of the remaining features predict the target on rows
       that they were not fitted to; what they leave is the target of the next round.
       Of classes, it is the difference between their indicators and probabilities.

    All features are candidates again in every round, so that a feature that was masked
    in part is found when the effect of the other is subtracted. Rounds end when no
    feature is relevant, when nothing is left to explain, or when they neither add a
    feature nor explain anything.

    Trees find the cut of each feature on the samples that they have drawn, and choose
    the feature that splits a node on out-of-bag samples. The out-of-bag decrease of
    impurity is the importance: it does not favor features with many values.

    Parameters
    ----------
    n_estimators : int, default=50
        Number of trees of a forest, and of rounds of boosting, in each replicate.
    n_replicates : int, default=20
        Number of replicates, each with new contrasts and new trees.
    percentile : float or "auto", default=100.0
        Percentile of the contrasts' scores that is the limit of a replicate; 100: the
        best contrast. "auto": 100 for up to 20 features, and 95 for more, which finds
        weaker features and, among many, more false ones. See the notes.
    alpha : float, default=0.05
        Significance level of the tests.
    correction : {"bonferroni", "none"}, default="bonferroni"
        Correction for the number of features that are tested at once.
    test : {"paired", "prediction"}, default="paired"
        The t-test of the differences from the limits. "paired" is that of the paper: it
        asks whether their mean is positive, and is the more certain of it the more
        replicates there are, although they share the samples. "prediction" asks whether
        the mean is above what another set of contrasts may reach. See the notes.
    subtract : {"round", "selected"}, default="round"
        Model whose predictions are subtracted: that of the features of a round, from
        the target of the round, as in the paper; or that of all features selected so
        far, from the first target.
    max_iter : int, default=10
        Maximum number of rounds; 1: no residuals.
    tol : float, default=1e-3
        Rounds end when one adds no feature and decreases the variance of the residuals
        by less than this share of the variance of the target.
    max_features : int, float, {"sqrt", "log2"} or None, default="sqrt"
        Number, or share, of the features and contrasts that a node of the forest draws.
    max_depth : int, default=None
        Maximum number of splits between root and leaf, in forests.
    masking_depth : int, default=5
        The same in boosted trees, which draw all features in every node.
    min_samples_leaf : int, default=5
        Minimum number of drawn samples on either side of a split.
    learning_rate : float, default=0.1
        Factor of each boosted tree.
    min_oob : int, default=5
        In a node with fewer out-of-bag samples, the feature is chosen by the drawn
        ones.
    decrease : {"unbiased", "clipped", "plain"}, default="unbiased"
        Out-of-bag decrease of impurity. "unbiased": less what an irrelevant cut is
        expected to gain, so that it may be negative; "clipped": the same, at least 0;
        "plain": of the impurity as it is, which favors features with many values.
    {task}
    {max_bins}
    {categorical_features}
    random_state : int, RandomState instance or None, default=None
        Shuffles contrasts, draws samples and features, assigns folds.
    {n_jobs}
    verbose : int, default=0
        Whether to print what each round finds.

    Attributes
    ----------
    {support}
    markov_blanket_ : ndarray of int of shape (n_selected,)
        Positions of the selected features, the most important first.
    scores_ : ndarray of shape (n_features,)
        Importance of each feature, summed over the rounds that kept it; 0 for features
        that are not selected.
    ranking_ : ndarray of int of shape (n_features,)
        1, 2, ... for the selected features, the highest score first; all others share
        the next rank.
    pvalues_ : ndarray of shape (n_features,)
        Smallest corrected p-value of relevance of each feature over the rounds.
    rounds_ : list of ACERound
        What each round has found.
    n_iter_ : int
        Number of rounds.
    residual_variance_ : ndarray of shape (n_subtracted + 1,)
        Variance of the target, and of what each model has left, summed over classes.
    {n_features_in}

    See Also
    --------
    BorutaSelector : Selects all relevant features, with redundant ones.
    MRMRSelector : Selects a given number of relevant features of low redundancy.

    Notes
    -----
    The t-test is about replicates, which share the samples. With very many trees or
    replicates, "paired" becomes certain of differences that are random in the sample;
    "prediction" is calibrated by the randomness of contrasts. In 50 draws of noise with
    20 replicates, "paired" with the best contrast as limit selected something in 0 to
    4 % of the draws (20 or 60 columns, 300 to 1,000 samples, numbers or classes), with
    ``percentile=95`` in 2 to 14 %, and with 100 replicates in 12 and 28 %; "prediction"
    in none of them: with many replicates, take it. It has less power: of four weak
    effects among 40 columns, 500 samples, "paired" found 2.6, and 3.0 with
    ``percentile=95``, "prediction" with it 0.8. In a network of products, 3,000
    samples, eight candidates for a blanket of two, "paired" selected 3.7 features and
    "prediction" 2.8 on average.

    Masking compares features in pairs. It is significant for features that are
    correlated at all, given enough samples: a member of the blanket may be removed in
    favor of another one, and is found in a later round, but an ancestor of both that is
    correlated with the removed one only may take its place and stay.

    Decreases are those of the unbiased impurity: with the decrease of the plain one,
    :math:`B`, and the impurity :math:`W` within both sides of :math:`n` out-of-bag
    samples, :math:`B - W / (n - 2)`. :math:`B` alone is never negative, and its sum
    over the splits on an irrelevant feature is as large out of bag as it is on the
    drawn samples: out-of-bag samples alone do not remove the bias.

    References
    ----------
    .. [1] Deng, Davila, Runger and Tuv, "Learning Markov blankets for continuous or
       discrete networks via feature selection", Ensembles in Machine Learning
       Applications, Springer, 2011.
    .. [2] Tuv, Borisov, Runger and Torkkola, "Feature selection with ensembles,
       artificial variables, and redundancy elimination", Journal of Machine Learning
       Research 10, 2009.

    Examples
    --------
    The third column is a noisy copy of the first.

    >>> import numpy as np
    >>> from manyminds.feature_selection import ACESelector, BorutaSelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(300, 6))
    >>> X[:, 2] = X[:, 0] + 0.1 * rng.normal(size=300)
    >>> y = X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=300)
    >>> selector = ACESelector(20, n_replicates=10, random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([0, 1])
    >>> BorutaSelector(random_state=0).fit(X, y).get_support(indices=True)
    array([0, 1, 2])
    """

    _parameter_constraints = {
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_replicates": [Interval(Integral, 2, None, closed="left")],
        "percentile": [Interval(Real, 0.0, 100.0, closed="both"), StrOptions({"auto"})],
        "alpha": [Interval(Real, 0.0, 1.0, closed="neither")],
        "correction": [StrOptions({"bonferroni", "none"})],
        "test": [StrOptions({"paired", "prediction"})],
        "subtract": [StrOptions({"round", "selected"})],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0.0, 1.0, closed="both")],
        "max_features": [
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
            StrOptions({"sqrt", "log2"}),
            None,
        ],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "masking_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0.0, 1.0, closed="right")],
        "min_oob": [Interval(Integral, 0, None, closed="left")],
        "decrease": [StrOptions({"unbiased", "clipped", "plain"})],
        **TABLE_CONSTRAINTS,
        "max_bins": [Interval(Integral, 2, MAX_BINS, closed="both")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        n_estimators=50,
        *,
        n_replicates=20,
        percentile=100.0,
        alpha=0.05,
        correction="bonferroni",
        test="paired",
        subtract="round",
        max_iter=10,
        tol=1e-3,
        max_features="sqrt",
        max_depth=None,
        masking_depth=5,
        min_samples_leaf=5,
        learning_rate=0.1,
        min_oob=5,
        decrease="unbiased",
        task="auto",
        max_bins=255,
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
        verbose=0,
    ):
        self.n_estimators = n_estimators
        self.n_replicates = n_replicates
        self.percentile = percentile
        self.alpha = alpha
        self.correction = correction
        self.test = test
        self.subtract = subtract
        self.max_iter = max_iter
        self.tol = tol
        self.max_features = max_features
        self.max_depth = max_depth
        self.masking_depth = masking_depth
        self.min_samples_leaf = min_samples_leaf
        self.learning_rate = learning_rate
        self.min_oob = min_oob
        self.decrease = decrease
        self.task = task
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Select features, round after round.

        {fit_forest}
        """
        self._validate_params()
        X, is_categorical = self._read_features(X, self.categorical_features)
        X, target, weight = self._read_target(X, y, sample_weight)
        state = check_random_state(self.random_state)

        columns = bin_table(X, is_categorical, self.max_bins, n_jobs=self.n_jobs)
        table = take_columns(columns, np.arange(X.shape[1]))
        self.scores_ = np.zeros(X.shape[1])
        self.support_ = np.zeros(X.shape[1], dtype=bool)
        self.rounds_, first = [], target
        variances = [first.measure_variance(weight)]
        for _ in range(self.max_iter):
            found = self._find_blanket(table, target, weight, state)
            self.rounds_.append(found)
            is_new = not self.support_[found.kept].all()
            self.support_[found.kept] = True
            self.scores_[found.kept] += found.importances[found.kept]
            self._report(found)
            if len(found.kept) == 0 or len(self.rounds_) == self.max_iter:
                break
            target = self._subtract(X, is_categorical, target, first, weight, state)
            variances.append(target.measure_variance(weight))
            is_idle = variances[-2] - variances[-1] < self.tol * variances[0]
            if variances[-1] <= NOTHING * variances[0] or (is_idle and not is_new):
                break
        self._set_result(variances)
        return self

    def _read_target(self, X, y, sample_weight):
        """Check targets and weights; return table, target and weights."""
        X, y, weight, classes = read_rows(self, X, y, sample_weight, self.task)
        if classes is None:
            return X, Target(y[:, np.newaxis]), weight
        if len(classes) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes or more; y has only one "
                f"class, {classes.tolist()[0]!r}."
            )
        return X, Target(y, len(classes)), weight

    def _find_blanket(self, table, target, weight, state):
        """Find the relevant features, and those of them that are not masked."""
        m = len(table.columns)
        scores = self._replicate(measure_importances, table, target, weight, state)
        limits = limit_by_contrasts(scores[:, m:], self._choose_percentile(m))
        pvalues = self._correct(judge_above(scores[:, :m], limits, self.test)[1], m)
        relevant = np.flatnonzero(pvalues < self.alpha)
        importances = scores[:, :m].mean(axis=0)

        k = len(relevant)
        masking, is_masked = np.zeros((k, k)), np.zeros((k, k), dtype=bool)
        if k > 1:
            some = take_columns(table, relevant)
            scores = self._replicate(measure_masking, some, target, weight, state)
            tested = judge_masking(scores, self._choose_percentile(k), self.test)
            masking = scores[:, :, :k].mean(axis=0)
            is_masked = self._correct(tested, k - 1) < self.alpha
        kept = relevant[remove_masked(importances[relevant], is_masked)]
        return ACERound(
            importances, limits.mean(), pvalues, relevant, masking, is_masked, kept
        )

    def _choose_percentile(self, n_contrasts):
        if self.percentile == "auto":
            return 100 if n_contrasts <= FEW_COLUMNS else FEWER_THAN_ALL
        return self.percentile

    def _correct(self, pvalues, n_tests):
        """Correct p-values for the number of tests."""
        if self.correction == "none":
            return pvalues
        return np.minimum(pvalues * n_tests, 1.0)

    def _replicate(self, measure, table, target, weight, state):
        """Measure scores with new contrasts and new trees in each replicate."""
        growth = Growth(
            self.n_estimators,
            self.max_features,
            self.max_depth,
            self.min_samples_leaf,
            self.masking_depth,
            self.learning_rate,
            self.min_oob,
            self.decrease,
        )

        def measure_one(shuffle_seed, seed):
            rng = np.random.default_rng(shuffle_seed)
            return measure(add_contrasts(table, rng), target, growth, weight, seed)

        seeds = state.randint(2**31 - 1, size=(self.n_replicates, 2)).tolist()
        return np.array(list(run_on_members(measure_one, seeds, self.n_jobs)))

    def _subtract(self, X, is_categorical, target, first, weight, state):
        """Return what a model of the kept, or of all selected, features leaves."""
        used = self.rounds_[-1].kept
        if self.subtract == "selected":
            used, target = np.flatnonzero(self.support_), first
        values = X[:, used]
        values = values.toarray() if issparse(values) else np.ascontiguousarray(values)
        seed = state.randint(2**31 - 1)
        return target.subtract_model(
            values, is_categorical[used], weight, seed, self.n_jobs
        )

    def _report(self, found):
        """Print what a round has found."""
        if self.verbose:
            print(
                f"{type(self).__name__}: round {len(self.rounds_)}: "
                f"{len(found.relevant)} features relevant, {len(found.kept)} of them "
                f"not masked; {self.support_.sum()} selected so far",
                file=sys.stderr,
            )

    def _set_result(self, variances):
        order = np.argsort(-self.scores_, kind="stable")
        self.markov_blanket_ = order[self.support_[order]]
        self.ranking_ = rank_in_order(self.markov_blanket_, len(self.scores_))
        self.pvalues_ = np.min([one.pvalues for one in self.rounds_], axis=0)
        self.n_iter_ = len(self.rounds_)
        self.residual_variance_ = np.array(variances)
