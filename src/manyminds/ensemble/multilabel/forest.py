"""Forests for many targets: one tree predicts all labels, or all numbers."""

from numbers import Real

import numpy as np
from sklearn.base import RegressorMixin, clone
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import check_array, check_is_fitted

from manyminds._compat import Interval
from manyminds.ensemble._parameters import OOB_SCORE as OOB_RESULT
from manyminds.ensemble.base import copy_names
from manyminds.ensemble.forests import _parameters as forests
from manyminds.ensemble.forests.base import Forest
from manyminds.ensemble.multilabel._parameters import LABELS, PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelMixin
from manyminds.trees._parameters import CCP_ALPHA, GROWTH_LIMITS, NAMES, SPLIT_LIMITS
from manyminds.trees.label_growing import MAX_LABELS, grow_on_labels, grow_on_targets
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_2001, KOCEV_2013, cite
from manyminds.utils.targets import check_magnitude

_OPTIONS = forests.RUN + forests.DRAWS.removeprefix(CCP_ALPHA)
_ATTRIBUTES = forests.ATTRIBUTES.replace(
    "The trees as fitted estimators", "The trees as forests of one tree"
)
_PARAGRAPHS = {
    **PARAGRAPHS,
    "bootstrap": forests.BOOTSTRAP.format(default="True"),
    "label_growth": forests.N_TREES
    + GROWTH_LIMITS
    + forests.MAX_FEATURES.format(default='"sqrt"')
    + SPLIT_LIMITS,
    "target_growth": forests.N_TREES
    + GROWTH_LIMITS
    + forests.MAX_FEATURES.format(default="1.0")
    + SPLIT_LIMITS,
    "label_options": forests.OOB_SCORE.format(score="subset accuracy") + _OPTIONS,
    "target_options": forests.OOB_SCORE.format(score="R²") + _OPTIONS,
    "label_attributes": forests.ALL_TREES
    + LABELS
    + NAMES
    + _ATTRIBUTES.format(tree="MultiLabelForestClassifier")
    + OOB_RESULT,
    "target_attributes": forests.ALL_TREES
    + "n_targets_ : int\n    Number of targets.\n"
    + NAMES
    + _ATTRIBUTES.format(tree="MultiTargetForestRegressor")
    + OOB_RESULT,
    "references": cite(KOCEV_2013, BREIMAN_2001),
}


class _ManyTargets(Forest):
    """A forest whose trees have many targets; a subclass sets ``_splitter``."""

    ccp_alpha = 0.0
    _splitter = "best"
    _tree = None  # of another forest, if this one is no more than that
    _parameter_constraints = {
        **Forest._parameter_constraints,
        "threshold": [Interval(Real, 0.0, 1.0, closed="both")],
    }

    def _flatten_target(self, y):
        return y

    def predict_all(self, X):
        """Predict each row of X by each tree alone.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples to predict, as ``predict`` takes them.

        Returns
        -------
        values : ndarray of shape (n_members, n_samples, n_targets)
            Score of each label, or mean of each target, in each tree.
        """
        check_is_fitted(self)
        return self._members.values(self._read_table(X))

    @property
    def estimators_(self):
        """The trees as forests of one tree, which share the forest's arrays.

        They have no ``estimators_`` of their own: who walks down an estimator arrives.
        """
        if self.trees_ is self._tree:
            raise AttributeError("A tree of a forest has no estimators_.")
        return [self._make_tree(t) for t in range(self.trees_.n_trees)]

    def _make_tree(self, t):
        tree = clone(self).set_params(n_estimators=1)
        copy_names(self, tree)
        tree._copy_targets(self)
        tree.trees_ = tree._tree = self.trees_.tree(t)
        tree._has_weight = self._has_weight
        seed = self._seeds[t : t + 1]
        tree._seeds, tree._n_draws, tree._n_rows = seed, self._n_draws, self._n_rows
        tree._draw_bounds = self._draw_bounds
        return tree


@fill_docstring(**_PARAGRAPHS)
class MultiLabelForestClassifier(MultiLabelMixin, _ManyTargets):
    """Predict all labels by the mean vote of trees, each of which predicts all labels.

    A split decreases the mean gini over all labels, and a leaf holds the share of each
    label: related labels share the splits that tell them apart [1]_. For the rest, it
    is a random forest [2]_: bootstrap samples, ``max_features`` features drawn anew for
    each node, binned columns, missing values and categories as they are. Categories are
    ordered by the label whose share differs most among them. The time grows with the
    number of labels that a row has, not with the number of labels.

    Parameters
    ----------
    {label_growth}
    {bootstrap}
    {threshold}
    {label_options}

    Attributes
    ----------
    {label_attributes}
    oob_decision_function_ : ndarray of shape (n_samples, n_labels)
        Out-of-bag scores; only with ``oob_score``.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import MultiLabelForestClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> forest = MultiLabelForestClassifier(random_state=0).fit(X, y)
    >>> forest.predict(X[:2]).shape
    (2, 3)
    """

    criterion = "gini"

    def __init__(
        self,
        n_estimators=100,
        *,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features="sqrt",
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        bootstrap=True,
        threshold=0.5,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
        max_samples=None,
        feature_weights=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.threshold = threshold
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.max_samples = max_samples
        self.feature_weights = feature_weights
        self.max_bins = max_bins
        self.categorical_features = categorical_features

    @property
    def _n_values(self):
        return self.n_labels_

    def _read_target(self, y, reset):
        Y = self._read_labels(y, reset)
        if Y.shape[1] > MAX_LABELS:
            raise ValueError(
                f"y has {Y.shape[1]} labels; a forest takes up to {MAX_LABELS}."
            )
        return Y

    def _grow(self, *inputs):
        return grow_on_labels(*inputs, n_jobs=self.n_jobs, watch=self._watch)

    def _copy_targets(self, forest):
        self.n_labels_, self._is_flat = forest.n_labels_, forest._is_flat

    def _score_labels(self, X):
        return self._mean_value(X)

    def _rate_out_of_bag(self, mean, truth, guess):
        self.oob_decision_function_ = mean
        rate = self.oob_score if callable(self.oob_score) else accuracy_score
        self.oob_score_ = rate(truth, (guess > self.threshold).astype(truth.dtype))


@fill_docstring(**_PARAGRAPHS)
class MultiTargetForestRegressor(RegressorMixin, _ManyTargets):
    """Predict many numbers by the mean of trees, each of which predicts all of them.

    A split decreases the mean squared error over all targets [1]_: scale the targets
    first if their units differ. For the rest, it is a random forest [2]_.

    Parameters
    ----------
    {target_growth}
    {bootstrap}
    {target_options}

    Attributes
    ----------
    {target_attributes}
    oob_prediction_ : ndarray of shape (n_samples, n_targets)
        Out-of-bag predictions; only with ``oob_score``.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_linnerud
    >>> from manyminds.ensemble import MultiTargetForestRegressor
    >>> X, y = load_linnerud(return_X_y=True)
    >>> forest = MultiTargetForestRegressor(random_state=0).fit(X, y)
    >>> forest.predict(X).shape
    (20, 3)
    """

    criterion = "squared_error"

    def __init__(
        self,
        n_estimators=100,
        *,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=1.0,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        bootstrap=True,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        warm_start=False,
        max_samples=None,
        feature_weights=None,
        max_bins=255,
        categorical_features="from_dtype",
    ):
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.warm_start = warm_start
        self.max_samples = max_samples
        self.feature_weights = feature_weights
        self.max_bins = max_bins
        self.categorical_features = categorical_features

    @property
    def _n_values(self):
        return self.n_targets_

    def _read_target(self, y, reset):
        y = check_array(y, dtype=np.float64, ensure_2d=False, input_name="y")
        check_magnitude(y)
        if reset:
            self._is_flat = y.ndim == 1
            self.n_targets_ = 1 if self._is_flat else y.shape[1]
        return y.reshape(len(y), -1)

    def _grow(self, *inputs):
        return grow_on_targets(*inputs, n_jobs=self.n_jobs, watch=self._watch)

    def _copy_targets(self, forest):
        self.n_targets_, self._is_flat = forest.n_targets_, forest._is_flat

    def predict(self, X):
        """Predict the targets of each row of X.

        {predict_table}
        y : ndarray of shape (n_samples, n_targets) or (n_samples,)
            Mean over the trees of the mean targets in the leaf of a row.
        """
        mean = self._mean_value(X)
        return mean[:, 0] if self._is_flat else mean

    def _rate_out_of_bag(self, mean, truth, guess):
        self.oob_prediction_ = mean[:, 0] if self._is_flat else mean
        rate = self.oob_score if callable(self.oob_score) else r2_score
        self.oob_score_ = rate(truth, guess)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
