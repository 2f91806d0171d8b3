"""Stability selection: select what a selector selects on many resamples."""

from itertools import islice, product
from numbers import Integral, Real

import numpy as np
from scipy.sparse import issparse
from sklearn.feature_selection import SelectFromModel
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import (
    check_consistent_length,
    validate_data,
)

from manyminds._compat import HasMethods, Interval, StrOptions, check_sample_weight
from manyminds.ensemble.base import (
    draw_member_seeds,
    make_member,
    route_weight,
    run_on_members,
)
from manyminds.ensemble.forests.random_forest import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    Selector,
    count_to_select,
    rank_scores,
)
from manyminds.feature_selection.member_selectors import read_choice
from manyminds.feature_selection.stability.error_bounds import bound_false_selections
from manyminds.feature_selection.stability.nogueira import nogueira_stability
from manyminds.feature_selection.stability.paired import paired_stability
from manyminds.feature_selection.stability.resampling import (
    check_resampling,
    draw_resamples,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import MEINSHAUSEN_2010, SHAH_2013, cite
from manyminds.utils.tables import is_frame, name_columns, take_rows


@fill_docstring(**PARAMETERS, references=cite(MEINSHAUSEN_2010, SHAH_2013))
class StableSelector(Selector):
    """Select the features that a selector selects on many resamples.

    The selector is fitted to each resample. A feature is selected if the share of the
    resamples on which it was selected, its frequency, reaches ``threshold`` [1]_, or if
    it is among the ``n_features_to_select`` features of highest frequency.

    Parameters
    ----------
    selector : selector, default=None
        Anything with ``fit`` and ``get_support``, or a pipeline of selectors and of
        steps that preserve the columns. None: features whose importance in a random
        forest is above the mean.
    n_resamples : int, default=50
        Number of resamples.
    resampling : {"subsample", "bootstrap", "cv", "complementary_pairs"}, \
default="subsample"
        - "subsample": ``sample_share`` of the samples, without replacement.
        - "bootstrap": as many samples as there are, with replacement.
        - "cv": all samples but one of ``n_resamples`` folds.
        - "complementary_pairs": both halves of repeated random splits; needs an even
          ``n_resamples``.

        Resamples are stratified by class.
    sample_share : float, default=0.5
        Size of a subsample, as a share of all samples.
    threshold : float, default=0.6
        Minimum frequency of a selected feature.
    n_features_to_select : int or float, default=None
        Number of features to select, or their share of all features, in place of
        ``threshold``.
    n_permutations : int, default=0
        Number of permuted targets to repeat everything for, as a null distribution.
        Each costs as much as the fit itself.
    random_state : int, RandomState instance or None, default=None
        Draws resamples, and the seeds of the selectors.
    {n_jobs}

    Attributes
    ----------
    {support}
    selection_frequencies_ : ndarray of shape (n_features,)
        Share of the resamples on which each feature was selected.
    scores_ : ndarray of shape (n_features,)
        The same.
    ranking_ : ndarray of int of shape (n_features,)
        Rank by frequency, from 1; among equals the first goes first.
    selections_ : ndarray of bool of shape (n_resamples, n_features)
        Features selected on each resample.
    rankings_ : ndarray of int of shape (n_resamples, n_features)
        Rank of each feature on each resample; only if the selector has ``ranking_`` or
        ``scores_``.
    stability_ : float
        Nogueira's stability of the selections; for complementary pairs that between
        the two disjoint halves, see `paired_stability`. NaN if all selections are empty
        or complete.
    stability_interval_ : tuple of float
        Its 95 % confidence interval, corrected for the overlap of resamples.
    null_stability_ : ndarray of shape (n_permutations,)
        The same as ``stability_`` for each permuted target.
    null_frequencies_ : ndarray of shape (n_permutations, n_features)
        The same as ``selection_frequencies_`` for each permuted target.
    expected_false_selections_ : float
        Upper bound on the expected number of false selections; NaN where there is none,
        see Notes.

    See Also
    --------
    bound_false_selections : The bound, before fitting.
    manyminds.feature_selection.stability.null_interval : Interval of the stability
        without signal, from ``null_stability_``.

    Notes
    -----
    Let the selector select q of p features on average. On subsamples of half of the
    samples and with a threshold :math:`\\pi > 1/2`, the expected number of selected
    irrelevant features is at most :math:`q^2 / ((2 \\pi - 1) p)` if the selector is
    better than random guessing and irrelevant features are exchangeable [1]_. Neither
    is assumed for complementary pairs, where the bound is on features that are selected
    on half of the samples with a probability below q / p [2]_. The bound is useful if q
    is small: let the selector select few features.

    Resamples overlap, and so share their random variation: even if the target is
    independent of the features, some are selected on most resamples, and stability is
    above 0 unless disjoint halves are compared. ``n_permutations=10`` estimates by how
    much: each resample has the same targets as before, but the features of other
    samples. A feature whose frequency is above ``null_frequencies_.max()`` is selected
    more often than any feature for any permuted target; without signal, one in
    ``n_permutations + 1`` data sets has such a feature.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.feature_selection import SelectKBest
    >>> from manyminds.feature_selection import StableSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> selector = StableSelector(SelectKBest(k=3), threshold=0.9, random_state=0)
    >>> selector.fit(X, y).get_support(indices=True)
    array([22, 27])
    >>> selector.expected_false_selections_
    0.375
    """

    _parameter_constraints = {
        "selector": [HasMethods(["fit", "get_params"]), None],
        "n_resamples": [Interval(Integral, 2, None, closed="left")],
        "resampling": [
            StrOptions({"subsample", "bootstrap", "cv", "complementary_pairs"})
        ],
        "sample_share": [Interval(Real, 0.0, 1.0, closed="right")],
        "threshold": [Interval(Real, 0.0, 1.0, closed="right")],
        "n_features_to_select": [*N_TO_SELECT, None],
        "n_permutations": [Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        selector=None,
        *,
        n_resamples=50,
        resampling="subsample",
        sample_share=0.5,
        threshold=0.6,
        n_features_to_select=None,
        n_permutations=0,
        random_state=None,
        n_jobs=None,
    ):
        self.selector = selector
        self.n_resamples = n_resamples
        self.resampling = resampling
        self.sample_share = sample_share
        self.threshold = threshold
        self.n_features_to_select = n_features_to_select
        self.n_permutations = n_permutations
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y=None, sample_weight=None):
        """Fit the selector to resamples; select features of high frequency.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training samples; a dataframe is passed to the selector unchanged.
        {y_optional}
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights, passed to the selector. Samples of weight 0 are dropped; all
            others are drawn with equal probabilities.

        Returns
        -------
        {fitted}
        """
        self._validate_params()
        X, y, weight, strata = self._read(X, y, sample_weight)
        selector = self._make_selector(y)
        _check_takes_weight(selector, weight)
        state = check_random_state(self.random_state)
        rng = np.random.default_rng(state.randint(2**31 - 1))
        seeds = draw_member_seeds(state, self.n_resamples * (1 + self.n_permutations))

        resamples = draw_resamples(
            self.resampling, self.n_resamples, strata, self.sample_share, rng
        )
        places = np.arange(X.shape[0])
        orders = [
            places,
            *(rng.permutation(places) for _ in range(self.n_permutations)),
        ]
        arguments = (
            (make_member(selector, seed), X, y, weight, rows, order)
            for seed, (order, rows) in zip(seeds, product(orders, resamples))
        )
        found = run_on_members(_select, arguments, self.n_jobs)
        found = (_check_width(each, self.n_features_in_) for each in found)
        self._set_result(list(islice(found, self.n_resamples)))
        self._set_null([support for support, _ in found])
        return self

    def _read(self, X, y, sample_weight):
        """Check a training set; return it with the class codes of its samples."""
        if is_frame(X):
            validate_data(self, name_columns(X), skip_check_array=True)
        elif issparse(X):  # the selector checks whether it supports this
            X = validate_data(
                self, X, accept_sparse="csr", ensure_all_finite="allow-nan"
            )
        else:
            X, _ = self._read_features(X, None)
        if y is None and get_tags(self).target_tags.required:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but "
                "the target y is None."
            )
        if y is None and self.n_permutations:
            raise ValueError(
                f"n_permutations={self.n_permutations} needs a target to permute; got "
                "y=None."
            )
        check_consistent_length(X, y)
        y = None if y is None else np.asarray(y)
        if sample_weight is not None:
            sample_weight = check_sample_weight(
                sample_weight, np.empty((X.shape[0], 1)), ensure_non_negative=True
            )
            rows = np.flatnonzero(sample_weight)
            X, sample_weight = take_rows(X, rows), sample_weight[rows]
            y = None if y is None else y[rows]
            # With weights, models draw from the same distribution in another way.
            sample_weight = None if np.all(sample_weight == 1.0) else sample_weight
        check_resampling(self.resampling, self.n_resamples, X.shape[0])
        return X, y, sample_weight, _code_classes(y, X.shape[0])

    def _make_selector(self, y):
        if self.selector is not None:
            return self.selector
        is_numeric = type_of_target(y, input_name="y") == "continuous"
        forest = RandomForestRegressor if is_numeric else RandomForestClassifier
        return SelectFromModel(forest())

    def _set_result(self, found):
        """Compute frequencies and stability; select features by them."""
        supports, rankings = zip(*found)
        self.selections_ = np.array(supports)
        if all(ranking is not None for ranking in rankings):
            self.rankings_ = np.array(rankings)
        elif hasattr(self, "rankings_"):  # of an earlier fit
            del self.rankings_
        self.selection_frequencies_ = self.selections_.mean(axis=0)
        estimate = self._estimate(self.selections_)
        self.stability_ = estimate.stability
        self.stability_interval_ = estimate.low, estimate.high
        if self.n_features_to_select is None:
            self.support_ = self.selection_frequencies_ >= self.threshold
        else:
            n_kept = count_to_select(self.n_features_to_select, self.n_features_in_)
            self.support_ = self.ranking_ <= n_kept
        self.expected_false_selections_ = self._bound()

    def _set_null(self, supports):
        """Compute frequencies and stability for the permuted targets."""
        shape = self.n_permutations, self.n_resamples, self.n_features_in_
        selections = np.array(supports, dtype=bool).reshape(shape)
        self.null_frequencies_ = selections.mean(axis=1)
        self.null_stability_ = np.array(
            [self._estimate(each).stability for each in selections]
        )

    def _estimate(self, selections):
        """Estimate stability, corrected for the overlap of resamples."""
        if self.resampling == "complementary_pairs":
            return paired_stability(selections)
        share = self.sample_share if self.resampling == "subsample" else 0.5
        if self.resampling == "cv":
            share = (self.n_resamples - 2) / (self.n_resamples - 1)
        return nogueira_stability(selections, overlap=share)

    def _bound(self):
        """Bound the number of false selections; NaN where there is no bound."""
        halves = self.resampling == "complementary_pairs" or (
            self.resampling == "subsample" and self.sample_share == 0.5
        )
        by_count = self.n_features_to_select is not None
        if not halves or by_count or self.threshold <= 0.5:
            return float("nan")
        n_selected = self.selections_.sum(axis=1).mean()
        return bound_false_selections(self.threshold, n_selected, self.n_features_in_)

    @property
    def ranking_(self):
        """Rank of each feature by frequency; among equals the first goes first."""
        return rank_scores(self.selection_frequencies_)

    @property
    def scores_(self):
        """Share of the resamples on which each feature was selected."""
        return self.selection_frequencies_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        if self.selector is None:
            tags.target_tags.required = True
            tags.input_tags.allow_nan = tags.input_tags.sparse = True
        else:
            inner = get_tags(self.selector)
            tags.target_tags.required = inner.target_tags.required
            tags.input_tags.allow_nan = inner.input_tags.allow_nan
            tags.input_tags.sparse = inner.input_tags.sparse
        return tags


def _code_classes(y, n_samples):
    """Return class codes from 0; a target without classes is one class."""
    if y is None or type_of_target(y, input_name="y") not in ("binary", "multiclass"):
        return np.zeros(n_samples, dtype=np.int64)
    return np.unique(y, return_inverse=True)[1].ravel()


def _check_takes_weight(selector, weight):
    if weight is not None and not route_weight(selector, weight):
        raise ValueError(
            f"sample_weight was given, but selector={selector!r} takes none in fit."
        )


def _select(selector, X, y, weight, rows, order):
    """Fit a selector to the targets of ``rows`` and the features of ``order[rows]``.

    Returns support and ranking.
    """
    options = {} if weight is None else route_weight(selector, weight[rows])
    X = take_rows(X, order[rows])
    selector.fit(X, None if y is None else y[rows], **options)
    return read_choice(selector)


def _check_width(found, n_features):
    """Check that a selector was fitted to all features."""
    support, ranking = found
    if len(support) != n_features:
        raise ValueError(
            f"The selector chooses among {len(support)} features, but X has "
            f"{n_features}."
        )
    return support, ranking
