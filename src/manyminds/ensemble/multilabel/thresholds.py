"""Thresholds of labels: by label cardinality, or one for each label."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import DocLinkMixin, HasMethods, Interval, StrOptions
from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelMixin
from manyminds.ensemble.multilabel.forest import MultiLabelForestClassifier
from manyminds.ensemble.multilabel.stratification import IterativeStratifiedKFold
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import READ_2011, cite


def cardinality_threshold(scores, cardinality):
    """Return the threshold at which rows have a given mean number of labels.

    Parameters
    ----------
    scores : array-like of shape (n_samples, n_labels)
        Scores of labels.
    cardinality : float
        Wanted mean number of labels with a greater score.

    Returns
    -------
    threshold : float
        Middle between the two scores where the mean number comes nearest; the lower
        one of two that come as near.

    Examples
    --------
    >>> from manyminds.ensemble import cardinality_threshold
    >>> cardinality_threshold([[0.9, 0.4], [0.8, 0.1]], cardinality=1.0)
    0.6
    """
    scores = np.asarray(scores, dtype=np.float64)
    values, counts = np.unique(scores, return_counts=True)
    # n_above[i]: pairs with a greater score than values[i]; none above the greatest.
    n_above = scores.size - np.cumsum(counts)
    cuts = np.append((values[:-1] + values[1:]) / 2.0, values[-1])
    cuts = np.append(np.nextafter(values[0], -np.inf), cuts)
    n_above = np.append(scores.size, n_above)
    distance = np.abs(n_above / len(scores) - cardinality)
    return float(cuts[distance.argmin()])


def label_thresholds(y, scores):
    """Return for each label the threshold with the highest F1.

    Parameters
    ----------
    y : array-like of shape (n_samples, n_labels)
        1 if a row has a label, otherwise 0.
    scores : array-like of shape (n_samples, n_labels)
        Scores of labels, of rows that had no part in the fit.

    Returns
    -------
    thresholds : ndarray of shape (n_labels,)
        Middle between two scores; 0.5 for a label that no row has.

    Examples
    --------
    >>> from manyminds.ensemble import label_thresholds
    >>> label_thresholds([[1], [1], [0]], [[0.4], [0.3], [0.1]])
    array([0.2])
    """
    Y, scores = np.asarray(y), np.asarray(scores, dtype=np.float64)
    return np.array([_best_cut(has, of) for has, of in zip(Y.T, scores.T)])


def _best_cut(has, scores):
    """Return the threshold of one label with the highest F1."""
    if not has.any():
        return 0.5
    order = np.argsort(-scores, kind="stable")
    scores, hits = scores[order], np.cumsum(has[order])
    n_taken = np.arange(1, len(scores) + 1)
    f1 = 2.0 * hits / (n_taken + hits[-1])
    is_cut = np.append(scores[:-1] > scores[1:], True)
    best = np.where(is_cut, f1, -1.0).argmax()
    if best == len(scores) - 1:
        return float(np.nextafter(scores[-1], -np.inf))
    return float((scores[best] + scores[best + 1]) / 2.0)


def center_thresholds(scores, thresholds):
    """Stretch scores between 0 and 1 so that thresholds are at 0.5, in two lines.

    Parameters
    ----------
    scores : array-like of shape (n_samples, n_labels)
        Scores of labels.
    thresholds : float or array-like of shape (n_labels,)
        A row has the labels whose score is greater.

    Returns
    -------
    centered : ndarray of shape (n_samples, n_labels)
        Above 0.5 where the score is above its threshold, and in the order of the
        scores. Nothing changes where the threshold is 0.5.

    Examples
    --------
    >>> from manyminds.ensemble import center_thresholds
    >>> center_thresholds([[0.1, 0.2, 0.6]], 0.2)
    array([[0.25, 0.5 , 0.75]])
    """
    scores = np.asarray(scores, dtype=np.float64)
    thresholds = np.asarray(thresholds, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        below = np.where(thresholds > 0.0, scores / (2.0 * thresholds), 0.0)
        above = 0.5 + (scores - thresholds) / (2.0 * (1.0 - thresholds))
    above = np.maximum(above, np.nextafter(0.5, 1.0))  # whatever was rounded
    return np.where(scores > thresholds, above, np.minimum(below, 0.5))


@fill_docstring(**PARAGRAPHS, references=cite(READ_2011))
class LabelThresholdClassifier(MultiLabelMixin, DocLinkMixin, BaseEstimator):
    """Choose the thresholds of a learner of many labels by out-of-fold scores.

    Scores of rare labels seldom exceed 0.5. "cardinality" takes the one threshold for
    all labels at which rows have as many labels on average as in the training set [1]_;
    "label" the threshold of each label at which it occurs as often as there; "f1" that
    of its highest F1. The folds are those of an `IterativeStratifiedKFold`. The scores
    of ``predict_proba`` are stretched so that the threshold of each label is at 0.5.

    Parameters
    ----------
    estimator : estimator, default=None
        Learner of many labels with ``predict_proba``; None: a
        `MultiLabelForestClassifier`.
    strategy : {{"cardinality", "label", "f1"}}, default="cardinality"
        How thresholds are chosen.
    calibrate_on : {{"folds", "batch"}}, default="folds"
        Whether thresholds are chosen in ``fit``, or for the rows that are predicted
        together, as the paper does: the prediction of a row then depends on the others.
        Not for "f1".
    cv : int, default=5
        Number of folds; fewer if there are fewer rows.
    {draw_state}

    Attributes
    ----------
    thresholds_ : ndarray of shape (n_labels,)
        Threshold of each label; only if chosen in ``fit``.
    estimator_ : estimator
        The learner, fitted to all rows.
    {labels}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import LabelThresholdClassifier
    >>> X, y = make_multilabel_classification(n_classes=8, n_labels=1, random_state=0)
    >>> model = LabelThresholdClassifier(random_state=0).fit(X, y)
    >>> bool(model.thresholds_.max() < 0.5)
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "strategy": [StrOptions({"cardinality", "label", "f1"})],
        "calibrate_on": [StrOptions({"folds", "batch"})],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        *,
        strategy="cardinality",
        calibrate_on="folds",
        cv=5,
        random_state=None,
    ):
        self.estimator = estimator
        self.strategy = strategy
        self.calibrate_on = calibrate_on
        self.cv = cv
        self.random_state = random_state

    def fit(self, X, y):
        """Choose thresholds by out-of-fold scores, and fit the learner to all rows.

        {fit_unweighted}
        """
        self._validate_params()
        self._check_parameters()
        Y = self._read_labels(y)
        if len(Y) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two rows for its folds; got a "
                "single sample."
            )
        seeds = draw_member_seeds(self.random_state, 2)
        learner = make_member(self._get_estimator(), seeds[0])

        self._shares = Y.mean(axis=0)
        self.estimator_ = clone(learner).fit(X, Y)
        for name in ("n_features_in_", "feature_names_in_"):
            vars(self).pop(name, None)
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        if self.calibrate_on == "folds":
            folds = IterativeStratifiedKFold(
                min(self.cv, len(Y)), random_state=int(seeds[1])
            )
            scores = cross_val_predict(learner, X, Y, cv=folds, method="predict_proba")
            self.thresholds_ = self._choose_thresholds(Y, np.asarray(scores))
        return self

    def _get_estimator(self):
        if self.estimator is None:
            return MultiLabelForestClassifier()
        return self.estimator

    def _check_parameters(self):
        tags = get_tags(self._get_estimator()).classifier_tags
        if tags is None or not tags.multi_label:
            raise ValueError(
                f"estimator must be a learner of many labels; got {self.estimator!r}."
            )
        if self.calibrate_on == "batch" and self.strategy == "f1":
            raise ValueError(
                'strategy="f1" needs the true labels, so that calibrate_on must be '
                '"folds"; got "batch".'
            )

    def _choose_thresholds(self, Y, scores):
        """Return the threshold of each label."""
        if self.strategy == "f1":
            return label_thresholds(Y, scores)
        if self.strategy == "label":
            columns = zip(scores.T, self._shares)
            return np.array([cardinality_threshold(s[:, None], p) for s, p in columns])
        threshold = cardinality_threshold(scores, self._shares.sum())
        return np.full(scores.shape[1], threshold)

    def _read_scores(self, X):
        """Return the learner's scores, and the thresholds."""
        check_is_fitted(self)
        scores = self.estimator_.predict_proba(X)
        if self.calibrate_on == "folds":
            return scores, self.thresholds_
        return scores, self._choose_thresholds(None, scores)

    def _score_labels(self, X):
        """Move the threshold of each label to 0.5, in two straight lines."""
        return center_thresholds(*self._read_scores(X))

    def _choose_labels(self, X):
        scores, thresholds = self._read_scores(X)
        return scores > thresholds

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inside = get_tags(self._get_estimator()).input_tags
        tags.input_tags.allow_nan = inside.allow_nan
        tags.input_tags.sparse = inside.sparse
        return tags
