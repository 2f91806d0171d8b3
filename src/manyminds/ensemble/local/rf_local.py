"""RF LOCAL: nodes draw the features that matter for the rows they hold."""

from math import ceil, log2
from numbers import Integral
from warnings import warn

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import has_fit_parameter

from manyminds._compat import HasMethods, report_tasks, with_callbacks
from manyminds.ensemble.base import make_member, run_on_members, share_votes
from manyminds.ensemble.forests._parameters import PARAGRAPHS
from manyminds.ensemble.forests.base import Forest, ForestClassifier
from manyminds.ensemble.local.local_gains import (
    average_gains,
    check_forest,
    make_uniform_forest,
    read_forest_rows,
    sum_gains,
)
from manyminds.kernels.bundles import IS_CATEGORICAL, N_BINS, Record
from manyminds.kernels.local_growing import grow_local_trees
from manyminds.trees.base import TreeModel
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, list_draws, make_sampling, read_record
from manyminds.trees.structure import Trees
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite

_FEW_CELLS = 1e6  # of gains to add up: not worth a second thread
_MAX_ROWS = 2**20  # of all trees of a batch together: room is made for all at once


@fill_docstring(**PARAGRAPHS, references=cite(f"{ROGERS_2007}, chapters 7 and 8"))
class RFLocalClassifier(ForestClassifier):
    """Classify by trees whose nodes draw the features that matter for their own rows.

    A first forest, whose nodes draw one feature each with equal odds, measures how much
    each feature helps each training row: its relevance matrix. Trees of a second forest
    draw one feature at each node too, but with odds that are the sums of the relevances
    over the rows of the node, as far as these are positive. Trees become more accurate
    and a little less diverse [1]_.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees of the second forest.
    estimator : forest classifier, default=None
        The first forest. None: ``RandomForestClassifier(criterion="entropy",
        max_features=1)`` of 100 trees. With many features take more trees: a row should
        meet each feature a few times.
    selector : feature selector, default=None
        Chooses the features that the second forest may draw, from the same training
        set; see ``manyminds.feature_selection``. If it keeps none, all are kept.
    redraw_constant : bool, default=True
        Whether a node whose feature is constant in it draws another one, or becomes a
        leaf, as in the thesis.
    max_samples : int or float, default=None
        Number of rows that a tree draws, or fraction of the rows (of the total weight,
        if there are sample weights); None: as many as there are.
    {run}

    Attributes
    ----------
    trees_ : Trees
        The node arrays of all trees of the second forest.
    forest_ : forest classifier
        The first forest; ``relevance_matrix(forest_, X, y)`` of
        ``manyminds.feature_selection`` returns the relevances.
    selector_ : feature selector
        The fitted selector; None if there is none.
    support_ : ndarray of bool of shape (n_features,)
        Which features the second forest may draw.
    {class_attributes}

    See Also
    --------
    manyminds.ensemble.DynamicIntegrationClassifier : Weigh the votes locally instead.

    Notes
    -----
    Where no feature has a positive sum, all have equal odds; so have those
    that are left when all features with a positive sum are constant in the node.

    Relevances are rounded to whole multiples of a 24-bit unit. Sums of whole numbers
    are exact, and those of the larger child are what is left of the parent's when the
    smaller child's are taken away.

    {references}

    Examples
    --------
    >>> from manyminds.datasets import make_simple
    >>> from manyminds.ensemble import RFLocalClassifier
    >>> X, y = make_simple(300, random_state=0)
    >>> X_new, y_new = make_simple(2000, random_state=1)
    >>> forest = RFLocalClassifier(random_state=0).fit(X, y)
    >>> print(forest.score(X_new, y_new) > 0.92)
    True
    """

    bootstrap = True
    _splitter = "best"
    _parameter_constraints = {
        "n_estimators": Forest._parameter_constraints["n_estimators"],
        "estimator": [HasMethods(["fit", "apply"]), None],
        "selector": [HasMethods(["fit", "get_support"]), None],
        "redraw_constant": ["boolean"],
        "max_samples": Forest._parameter_constraints["max_samples"],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "max_bins": TreeModel._parameter_constraints["max_bins"],
        "categorical_features": TreeModel._parameter_constraints[
            "categorical_features"
        ],
    }

    def __init__(
        self,
        n_estimators=100,
        *,
        estimator=None,
        selector=None,
        redraw_constant=True,
        max_samples=None,
        n_jobs=None,
        random_state=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.n_estimators = n_estimators
        self.estimator = estimator
        self.selector = selector
        self.redraw_constant = redraw_constant
        self.max_samples = max_samples
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.max_bins = max_bins
        self.categorical_features = categorical_features

    @with_callbacks
    def fit(self, X, y, sample_weight=None):
        """Grow both forests.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training rows; NaN is a missing value.
        y : array-like of shape (n_samples,)
            Their classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Their odds of being drawn. A selector sees them if it takes them.

        Returns
        -------
        self : RFLocalClassifier
            The fitted forest.
        """
        self._validate_params()
        first = self._make_first_forest()
        check_forest("estimator", first)
        table, label, odds = self._read_training_set(X, y, sample_weight)

        rng = check_random_state(self.random_state)
        forest = make_member(first, rng.randint(2**31 - 1))
        self.forest_ = forest.fit(X, y, sample_weight)
        self.selector_, self.support_ = self._select(X, y, sample_weight, rng)
        total, n_seen = sum_gains(
            self.forest_, *read_forest_rows(self.forest_, X, y), self.n_jobs
        )
        relevance = average_gains(total, n_seen)
        if self._has_weight is not None:
            relevance = relevance[self._has_weight]
        self._draw_bags(odds, table, rng)
        self.trees_ = self._grow_trees(table, label.astype(np.int64), relevance)
        return self

    def _make_first_forest(self):
        if self.estimator is not None:
            return self.estimator
        return make_uniform_forest(
            max_samples=self.max_samples,
            n_jobs=self.n_jobs,
            max_bins=self.max_bins,
            categorical_features=self.categorical_features,
        )

    def _select(self, X, y, sample_weight, rng):
        """Fit the selector; return it and the mask of the features that it keeps."""
        everything = np.ones(self.n_features_in_, dtype=bool)
        if self.selector is None:
            return None, everything
        selector = make_member(self.selector, rng.randint(2**31 - 1))
        if has_fit_parameter(selector, "sample_weight"):
            selector.fit(X, y, sample_weight=sample_weight)
        else:
            selector.fit(X, y)
        kept = np.asarray(selector.get_support(), dtype=bool)
        if not kept.any():
            warn("The selector keeps no feature; all features are used.", stacklevel=3)
            kept = everything
        return selector, kept

    def _draw_bags(self, odds, table, rng):
        """Draw the seeds of the trees, from which their rows follow."""
        n_samples = table.shape[0]
        n_draws = self._get_n_draws(n_samples, odds)
        sampling = make_sampling(*table.shape, odds, bootstrap=n_draws)
        seeds = draw_seeds(rng, self.n_estimators)
        self._store_draws(seeds, n_draws, n_samples, sampling.draw_bounds)

    def _grow_trees(self, table, label, relevance):
        """Grow the trees of the second forest over threads."""
        kept = np.flatnonzero(self.support_)
        is_categorical = self._encoder.is_categorical
        if len(kept) < len(self.support_):
            table, relevance = table[:, kept], relevance[:, kept]
            is_categorical = (
                is_categorical if is_categorical is None else (is_categorical[kept])
            )
        if issparse(table):
            table = table.tocsc()
        binned = bin_table(table, is_categorical, self.max_bins, n_jobs=self.n_jobs)
        gains = _round_gains(relevance, self._n_draws)
        whole = np.arange(self._n_draws + 1.0)
        logs = whole * np.log2(np.maximum(whole, 1.0))

        def grow(seeds):
            drawn = list_draws(seeds, len(label), self._n_draws, self._draw_bounds)
            inputs = binned, label, drawn, gains, logs, self.redraw_constant, seeds
            return _grow_some(inputs, self.n_classes_, kept, self.n_features_in_)

        is_small = gains.size * self.n_estimators <= _FEW_CELLS
        batches = _cut_batches(self._seeds, len(label), is_small)
        trees = run_on_members(grow, batches, 1 if is_small else self.n_jobs)
        trees = report_tasks(self, trees, len(batches), "grow trees")
        return Trees.join(trees, self.n_estimators)

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_table}
        probabilities : ndarray of shape (n_samples, n_classes)
            Shares of the trees' votes.
        """
        X = self._read_table(X)
        return share_votes(self._members.labels(X), self.n_classes_)


def _round_gains(relevance, n_draws):
    """Turn relevances into whole numbers whose sums are exact.

    Floats of 32 bits hold those up to 2**24, floats of 64 bits sums up to 2**53.
    """
    n_bits = min(24, 52 - ceil(log2(n_draws * relevance.shape[1] + 1)))
    largest = np.abs(relevance).max()
    scale = 2.0**n_bits / largest if largest > 0.0 else 1.0
    return np.rint(relevance * scale).astype(np.float32)


def _cut_batches(seeds, n_samples, is_small):
    """Cut the trees into batches: what they are does not depend on threads."""
    n_batches = max(1 if is_small else 50, len(seeds) * n_samples // _MAX_ROWS)
    return [(some,) for some in np.array_split(seeds, min(n_batches, len(seeds)))]


def _grow_some(inputs, n_classes, kept, n_features):
    """Grow a few trees; return what `Trees` consist of, columns counted among all."""
    (_, columns, _), _, drawn, *_ = inputs
    is_categorical = columns[:, IS_CATEGORICAL] == 1
    most = int(columns[is_categorical, N_BINS].max(initial=0))
    n_nodes = 2 * np.count_nonzero(drawn)
    n_sets = n_nodes if is_categorical.any() else 1
    ints, floats = np.empty((5, n_nodes), np.int32), np.empty((3, n_nodes))
    values = np.empty((n_nodes, n_classes))
    sets = np.empty((n_sets, max(1, -(-most // 64))), np.uint64)
    ends = np.empty((len(drawn), 2), np.int64)
    record = Record(ints, floats, values, sets, ends)
    grow_local_trees(*inputs, record)

    grown = read_record(record, len(drawn), n_features, most)
    is_split = grown["feature"] >= 0
    grown["feature"] = np.where(is_split, kept[grown["feature"]], -1).astype(np.int32)
    return grown
