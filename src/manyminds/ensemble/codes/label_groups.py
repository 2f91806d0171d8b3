"""Several labels that occur in few combinations: classify the combination."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.utils import check_array, check_random_state, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    validate_data,
)

from manyminds._compat import DocLinkMixin, HasMethods, Interval, StrOptions
from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.ensemble.codes._parameters import PARAGRAPHS
from manyminds.ensemble.codes.calibration import apply_platt, fit_platt
from manyminds.ensemble.codes.weighted_ecoc import WeightedECOCClassifier
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.folds import assign_folds


@fill_docstring(**PARAGRAPHS)
class LabelGroupClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    r"""Predict several labels by classifying the groups in which they occur.

    Each combination of labels in the training rows is a class, a group. A classifier
    has a score :math:`F_i` for each group; the score of label :math:`k` is the share of
    the groups that contain it, and a sigmoid turns it into a probability [1]_:

    .. math:: G_k = \frac{\sum_{i \ni k} F_i}{\sum_i F_i}, \qquad
       p_k = \frac{1}{1 + \exp(A_k G_k + B_k)}.

    Only combinations that occur in the training rows have a class, but the scores of
    several of them may add up to another combination.

    Parameters
    ----------
    estimator : classifier, default=None
        Classifier of the groups, with ``class_scores`` or ``predict_proba``; None:
        `WeightedECOCClassifier`.
    normalize : {"sum", "n_classes"}, default="sum"
        Whether to divide by the sum of the scores of the row's groups, or by their
        number, as the paper prints it.
    calibration : {"auto", "oob", "cv", "train"} or None, default="auto"
        Scores that the sigmoids are fitted to: out-of-bag scores of the estimator,
        scores of cross-validation, or scores of the training rows, as in the paper,
        which are optimistic for strong learners. "auto": out-of-bag, if the estimator
        has such, else cross-validation. None: no sigmoid; scores are taken for
        probabilities.
    cv : int, default=3
        Number of folds of cross-validation.
    random_state : int, RandomState instance or None, default=None
        Seeds the estimator and draws the folds.

    Attributes
    ----------
    estimator_ : classifier
        Fitted to the numbers of the groups.
    groups_ : ndarray of shape (n_groups, n_labels)
        The labels of each group, 0 or 1.
    sigmoids_ : ndarray of shape (n_labels, 2)
        :math:`A` and :math:`B` of each label.
    classes_ : list of ndarray, or ndarray
        The values of each label, sorted; the greater one is "present". An array for a
        single label that was passed as a vector.
    {names}

    Notes
    -----
    The printed divisor is the number of groups. It cannot have led to the published
    figures: no label is in more than half of the groups there, so that no score would
    exceed one half, and each label would always be predicted to be absent without the
    sigmoids, with an error of 22.3 % instead of the published 16.6 %.

    References
    ----------
    .. [1] Smith and Windeatt, "Facial action unit recognition using filtered local
       binary pattern features with bootstrapped and weighted ECOC classifiers", SUEMA,
       2010.

    Examples
    --------
    >>> from sklearn.metrics import hamming_loss
    >>> from manyminds.datasets import make_label_groups
    >>> from manyminds.ensemble import LabelGroupClassifier
    >>> X, Y = make_label_groups(800, signal=4.0, random_state=0)
    >>> model = LabelGroupClassifier(random_state=0).fit(X[:400], Y[:400])
    >>> model.groups_.shape
    (12, 6)
    >>> print(hamming_loss(Y[400:], model.predict(X[400:])) < 0.06)
    True
    """

    _parameter_constraints = {
        "estimator": [
            HasMethods(["fit", "class_scores"]),
            HasMethods(["fit", "predict_proba"]),
            None,
        ],
        "normalize": [StrOptions({"sum", "n_classes"})],
        "calibration": [StrOptions({"auto", "oob", "cv", "train"}), None],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        *,
        normalize="sum",
        calibration="auto",
        cv=3,
        random_state=None,
    ):
        self.estimator = estimator
        self.normalize = normalize
        self.calibration = calibration
        self.cv = cv
        self.random_state = random_state

    @property
    def _base(self):
        return WeightedECOCClassifier() if self.estimator is None else self.estimator

    def fit(self, X, y):
        """Fit the classifier of the groups, and the sigmoids of the labels.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training rows; NaN is a missing value, if the estimator takes it.
        y : array-like of shape (n_samples, n_labels) or (n_samples,)
            Their labels; each column has at most two values. A vector is a single
            label, and predictions are vectors as well.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        self._validate_params()
        if not is_classifier(self._base):
            raise ValueError(f"estimator must be a classifier; got {self.estimator!r}.")
        X, present = self._read_training_set(X, y)
        self.groups_, group = np.unique(present, axis=0, return_inverse=True)
        group = group.ravel()
        if len(self.groups_) < 2:
            raise ValueError(
                "y must have two classes or more, that is, combinations of labels; all "
                "rows have the same labels."
            )

        rng = check_random_state(self.random_state)
        seed = draw_member_seeds(rng, 1)[0]
        self.estimator_ = make_member(self._base, seed).fit(X, group)
        scores = self._rate_training_rows(X, group, rng)
        if scores is not None:
            scores, known = self._add_up(scores), ~np.isnan(scores).any(axis=1)
            self.sigmoids_ = np.array(
                [
                    fit_platt(score[known], label[known])
                    for score, label in zip(scores.T, present.T)
                ]
            )
        return self

    def _read_training_set(self, X, y):
        """Check the arguments of ``fit``; return rows, and labels as 0 and 1."""
        if y is None:
            raise ValueError(
                "LabelGroupClassifier requires y to be passed, but the target y is "
                "None."
            )
        X = validate_data(self, X, ensure_min_samples=2, **self._list_checks())
        y = check_array(y, ensure_2d=False, dtype=None, input_name="y")
        check_consistent_length(X, y)
        check_classification_targets(y)
        if y.ndim > 2:
            raise ValueError(f"y must have one or two dimensions; got {y.ndim}.")
        self._is_vector = y.ndim == 1
        y = y.reshape(len(y), -1)
        values = [np.unique(column) for column in y.T]
        for k, found in enumerate(values):
            if len(found) > 2:
                raise ValueError(
                    "Only binary classification is supported, of each label; column "
                    f"{k} of y has {len(found)} values."
                )
        self.classes_ = values[0] if self._is_vector else values
        greatest = np.array([found[-1] for found in values])
        absent = [len(found) == 1 and found[0] == 0 for found in values]
        return X, ((greatest == y) & ~np.array(absent)).astype(np.intp)

    def _rate_training_rows(self, X, group, rng):
        """Return the scores of the groups that the sigmoids are fitted to."""
        kind = self.calibration
        out_of_bag = getattr(self.estimator_, "oob_decision_function_", None)
        if kind == "auto":
            kind = "cv" if out_of_bag is None else "oob"
        if kind == "oob" and out_of_bag is None:
            raise ValueError(
                'calibration="oob" needs an estimator with oob_decision_function_; got '
                f"{self._base!r}."
            )
        if kind == "oob" and not np.isnan(out_of_bag).all():
            return out_of_bag
        if kind == "cv":
            return self._rate_left_out(X, group, rng)
        return None if kind is None else read_group_scores(self.estimator_, X)

    def _rate_left_out(self, X, group, rng):
        """Return the scores of rows by estimators that have not seen them."""
        n_folds = min(self.cv, np.bincount(group).max())
        if n_folds < 2:
            return read_group_scores(self.estimator_, X)
        fold = assign_folds(group, n_folds, rng)
        scores = np.zeros((len(X), len(self.groups_)))
        for f in range(n_folds):
            train, test = np.flatnonzero(fold != f), np.flatnonzero(fold == f)
            member = clone(self.estimator_)
            if (group[train] == group[train[0]]).all():
                scores[np.ix_(test, group[train[:1]])] = 1.0
                continue
            member.fit(X[train], group[train])
            found = read_group_scores(member, X[test])
            scores[np.ix_(test, member.classes_)] = found
        return scores

    def _add_up(self, scores):
        """Return the scores of the labels from those of the groups."""
        total = float(len(self.groups_))
        if self.normalize == "sum":
            total = scores.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore"):
            return scores @ self.groups_ / total

    def label_scores(self, X):
        """Return the score of each label for each row of X, before the sigmoid.

        {classify_array}
        scores : ndarray of shape (n_samples, n_labels)
            :math:`G`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._list_checks())
        return self._add_up(read_group_scores(self.estimator_, X))

    def predict_proba(self, X):
        """Predict the probability of each label for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_labels)
            Probability that the label is present; for a single label that was passed
            as a vector, of both its values.
        """
        p = self._rate_labels(X)
        return np.column_stack([1.0 - p, p]) if self._is_vector else p

    def _rate_labels(self, X):
        """Return the probability that each label is present."""
        scores = self.label_scores(X)
        if self.calibration is None:
            return scores
        columns = zip(scores.T, self.sigmoids_)
        return np.stack([apply_platt(score, pair) for score, pair in columns], axis=1)

    def predict(self, X):
        """Predict the labels of each row of X.

        {classify_array}
        y : ndarray of shape (n_samples, n_labels) or (n_samples,)
            Labels with a probability of one half or more are present.
        """
        present = self._rate_labels(X) >= 0.5
        classes = [self.classes_] if self._is_vector else self.classes_
        columns = [
            values[np.where(found, len(values) - 1, 0)]
            for values, found in zip(classes, present.T)
        ]
        return columns[0] if self._is_vector else np.stack(columns, axis=1)

    def _list_checks(self):
        finite = "allow-nan" if get_tags(self._base).input_tags.allow_nan else True
        return {"dtype": np.float64, "ensure_all_finite": finite}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = get_tags(self._base).input_tags.allow_nan
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        tags.target_tags.single_output = False
        tags.target_tags.multi_output = True
        return tags


def read_group_scores(estimator, X):
    """Return the scores of the groups: those of a code, or probabilities."""
    rate = getattr(estimator, "class_scores", None) or estimator.predict_proba
    scores = rate(X)
    if np.isnan(scores).any():
        raise ValueError(
            "Scores of the groups are not numbers, as values of X overflow: scale the "
            "columns of X."
        )
    return scores
