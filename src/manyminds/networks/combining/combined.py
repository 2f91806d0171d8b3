"""Two probabilistic classifiers and a combiner of what they output."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.networks.combining.combiners import (
    MeanCombiner,
    TableCombiner,
    WeightedVote,
)
from manyminds.networks.combining.expert import ExpertNetworkClassifier
from manyminds.networks.combining.semi_supervised import SemiSupervisedNetworkClassifier
from manyminds.utils.tables import name_columns, take_rows
from manyminds.utils.weights import pass_weights, read_weights


class CombinedNetworksClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Combine a data-driven and an expertise-driven classifier of two classes.

    The combiner is fitted to the probabilities that the classifiers output for the
    training rows [1]_. That of the table can be read: ``combiner_.cpd_`` has the
    probability of the positive class for each pair of outputs.

    Parameters
    ----------
    first : classifier, default=None
        None: `SemiSupervisedNetworkClassifier`.
    second : classifier, default=None
        None: `ExpertNetworkClassifier` without arcs.
    combiner : {"table", "vote", "mean"}, default="table"
        `TableCombiner`, `WeightedVote`, or the mean of both.
    n_states : int, default=8
        Number of states of an output in the table.
    bins : {"uniform", "quantile"}, default="uniform"
        States of equal widths, or with about equally many training rows.
    smooth : {"probabilities", "counts"} or None, default="counts"
        What of the table is smoothed; see `TableCombiner`. The paper's "probabilities"
        has its empty cells pull all others towards 0: ranks are hardly changed, but
        the more probable class is.
    window : int, default=3
        Width of the smoothing filter.
    cv : int, cross-validation generator or None, default=None
        None: the combiner sees outputs for rows that the classifiers were fitted to,
        as in the paper. Otherwise out-of-fold outputs, with ``groups`` of ``fit`` for
        the visits of one subject.
    random_state : int, RandomState instance or None, default=None
        Seed of the default classifiers; others have their own.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The classes; the second is the positive one.
    first_, second_ : classifiers
        The fitted classifiers.
    combiner_ : TableCombiner, WeightedVote or MeanCombiner
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    Notes
    -----
    The table of the paper's results for 90 % specificity has 118 errors for "mean" on
    the longitudinal data, which contradicts its text; 218 would lie between the two
    that are averaged. Combining helps where the classifiers err on different rows.

    References
    ----------
    .. [1] Ceccon, Garway-Heath, Crabb and Tucker, "Combining expertise-driven and
       semi-supervised Bayesian networks for classification of early glaucoma", 2010.

    Examples
    --------
    >>> from manyminds.datasets import make_visual_field_study
    >>> from manyminds.networks import (
    ...     CombinedNetworksClassifier,
    ...     ExpertNetworkClassifier,
    ... )
    >>> study = make_visual_field_study(random_state=0)
    >>> expert = ExpertNetworkClassifier(study.expert_arcs, random_state=0)
    >>> model = CombinedNetworksClassifier(second=expert).fit(study.data, study.target)
    >>> model.combiner_.cpd_.shape
    (8, 8)
    """

    _parameter_constraints = {
        "first": "no_validation",
        "second": "no_validation",
        "combiner": [StrOptions({"table", "vote", "mean"})],
        "n_states": [Interval(Integral, 2, None, closed="left")],
        "bins": [StrOptions({"uniform", "quantile"})],
        "smooth": [StrOptions({"probabilities", "counts"}), None],
        "window": [Interval(Integral, 1, None, closed="left")],
        "cv": ["cv_object"],
        "random_state": ["random_state"],
    }

    def __init__(
        self, first=None, second=None, *, combiner="table", n_states=8, bins="uniform",
        smooth="counts", window=3, cv=None, random_state=None,
    ):  # fmt: skip
        self.first = first
        self.second = second
        self.combiner = combiner
        self.n_states = n_states
        self.bins = bins
        self.smooth = smooth
        self.window = window
        self.cv = cv
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None, groups=None):
        """Fit both classifiers, and the combiner to what they output.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.
        y : array-like of shape (n_samples,)
            Two classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights; passed to classifiers that take them.
        groups : array-like of shape (n_samples,), default=None
            Subjects of the rows, for ``cv``.

        Returns
        -------
        self : CombinedNetworksClassifier
        """
        self._validate_params()
        validate_data(self, name_columns(X), skip_check_array=True)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        check_consistent_length(X, y)
        if len(y) == 0:
            raise ValueError("X must have a sample at least; it is empty.")
        weight = read_weights(sample_weight, np.empty((len(y), 1)))
        if weight is not None and not weight.all():
            kept = np.flatnonzero(weight)
            X, y, weight = take_rows(X, kept), y[kept], weight[kept]
            groups = None if groups is None else np.asarray(groups)[kept]
        self.classes_, label = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is "
                f"multiclass: y has {len(self.classes_)} classes."
                if len(self.classes_) > 2
                else "CombinedNetworksClassifier needs two classes; y has one class."
            )

        pair = self._list_classifiers()
        self.first_, self.second_ = (
            clone(one).fit(X, y, **pass_weights(one, weight)) for one in pair
        )
        if self.cv is None:
            outputs = self._list_outputs(X)
        else:
            outputs = np.column_stack(
                [_predict_out_of_fold(one, X, y, weight, groups, self.cv)
                 for one in pair]
            )  # fmt: skip
        self.combiner_ = self._make_combiner().fit(outputs, label, weight)
        return self

    def _list_classifiers(self):
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=2)
        first, second = self.first, self.second
        if first is None:
            first = SemiSupervisedNetworkClassifier(random_state=seeds[0])
        if second is None:
            second = ExpertNetworkClassifier(random_state=seeds[1])
        return [first, second]

    def _make_combiner(self):
        table = TableCombiner(
            self.n_states, bins=self.bins, smooth=self.smooth, window=self.window
        )
        if self.combiner == "table":
            return table
        return WeightedVote() if self.combiner == "vote" else MeanCombiner(table)

    def _list_outputs(self, X):
        """Return the probability of the positive class by each classifier."""
        pair = self.first_, self.second_
        return np.column_stack([one.predict_proba(X)[:, 1] for one in pair])

    def predict_proba(self, X):
        """Return the probabilities of the classes.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, 2)
        """
        check_is_fitted(self)
        positive = self.combiner_.combine(self._list_outputs(X))
        return np.column_stack([1.0 - positive, positive])

    def predict(self, X):
        """Return the more probable class of each row; of ties the first.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def _predict_out_of_fold(estimator, X, y, weight, groups, cv):
    return cross_val_predict(
        estimator, X, y, groups=groups, cv=cv, method="predict_proba",
        params=pass_weights(estimator, weight),
    )[:, 1]  # fmt: skip
