"""Common base of learners of many labels: targets, predictions, tags."""

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_array, get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
)

from manyminds._compat import DocLinkMixin, HasMethods
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.trees.columns import encode_table
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.weights import read_weights


@fill_docstring(**PARAGRAPHS)
class MultiLabelMixin(ClassifierMixin):
    """Predict sets of labels; a subclass defines ``_score_labels``.

    A target of one dimension is a single label: then classes, probabilities and
    predictions have the shapes of any other classifier of two classes.
    """

    threshold = 0.5

    def _score_labels(self, X):
        """Return the score of each label, between 0 and 1: (n_samples, n_labels)."""
        raise NotImplementedError

    def _choose_labels(self, X):
        """Return which labels each row has: (n_samples, n_labels) of bool."""
        return self._score_labels(X) > self.threshold

    def predict_proba(self, X):
        """Predict the score of each label for each row of X.

        {predict_frame}
        scores : ndarray of shape (n_samples, n_labels)
            Between 0 and 1; the higher, the more likely is the label. If ``y`` had one
            dimension, the probabilities of its two classes.
        """
        check_is_fitted(self)
        scores = self._score_labels(X)
        if not self._is_flat:
            return scores
        if len(self.classes_) == 1:
            return np.ones_like(scores)
        return np.column_stack([1.0 - scores, scores])

    def predict(self, X):
        """Predict the labels of each row of X.

        {predict_frame}
        y : ndarray of shape (n_samples, n_labels)
            1 if a row has the label, otherwise 0, or whichever two values the column
            of ``y`` had; of shape (n_samples,) if ``y`` had one dimension.
        """
        check_is_fitted(self)
        chosen = self._choose_labels(X).astype(np.intp)
        if self._is_flat:
            return self.classes_.take(chosen[:, 0], mode="clip")
        columns = [
            values.take(column, mode="clip")
            for values, column in zip(self.classes_, chosen.T)
        ]
        return np.column_stack(columns)

    def _read_labels(self, y, reset=True):
        """Check the targets; return them as 0 and 1: (n_samples, n_labels) uint8."""
        if y is None:
            raise ValueError(
                f"This {type(self).__name__} estimator requires y to be passed, but "
                "the target y is None."
            )
        if issparse(y):
            y = y.toarray()
        y = check_array(
            y, dtype=None, ensure_2d=False, ensure_all_finite=False, input_name="y",
            allow_nd=True,
        )  # fmt: skip
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
        if not reset:
            return _encode(y.reshape(len(y), -1), self._list_values())
        self._is_flat = y.ndim == 1
        y = y.reshape(len(y), -1)
        values = [_list_values(y[:, j], j, self._is_flat) for j in range(y.shape[1])]
        self.classes_ = values[0] if self._is_flat else np.stack(values)
        self.n_labels_ = len(values)
        return _encode(y, values)

    def _list_values(self):
        return [self.classes_] if self._is_flat else self.classes_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        tags.classifier_tags.multi_class = False
        return tags


class MultiLabelClassifier(MultiLabelMixin, DocLinkMixin, BaseEstimator):
    """A learner of many labels made of clones of its ``estimator``.

    A subclass sets ``_default``, the estimator if there is none.
    """

    _parameter_constraints = {"estimator": [HasMethods(["fit", "predict"]), None]}

    def _get_estimator(self):
        """Return the members' estimator, not fitted."""
        return self._default() if self.estimator is None else self.estimator

    @property
    def _takes_missing(self):
        return get_tags(self._get_estimator()).input_tags.allow_nan

    def _read_training_set(self, X, y, sample_weight=None):
        """Check the arguments of ``fit``: table, labels, weights.

        Rows of weight 0 are checked and left out.
        """
        X, self._encoder = encode_table(self, X, reset=True)
        Y = self._read_labels(y)
        check_consistent_length(X, Y)
        self._check_table(X)
        weights = read_weights(sample_weight, X)
        if weights is None:
            return X, Y, np.ones(len(Y))
        kept = weights > 0.0
        if not kept.all():
            X, Y, weights = X[kept], Y[kept], weights[kept]
            X = self._encoder.forget_absent(X)
        return X, Y, weights

    def _read_table(self, X):
        """Check and encode samples to predict."""
        check_is_fitted(self)
        X, _ = encode_table(self, X, self._encoder, reset=False)
        self._check_table(X)
        return np.ascontiguousarray(X)  # once, not for each member

    def _check_table(self, X):
        if issparse(X):
            raise TypeError(
                f"{type(self).__name__} takes no sparse X: make it dense by "
                "X.toarray()."
            )
        if not self._takes_missing:
            assert_all_finite(X, estimator_name=type(self).__name__, input_name="X")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing
        return tags


def _list_values(column, j, is_flat):
    """Return the values of one label: 0 and 1, or whichever two it has."""
    values = np.unique(column)
    if len(values) > 2:
        if is_flat:
            raise ValueError(
                "Only binary classification is supported for a y of one dimension; it "
                f"has {len(values)} classes. Of many labels, y has one column each."
            )
        raise ValueError(
            f"Column {j} of y has {len(values)} values; a label has two, such as 0 "
            "and 1."
        )
    if is_flat:
        return values
    if np.isin(values, [0, 1]).all():
        return np.array([0, 1], dtype=int if values.dtype == bool else values.dtype)
    return np.array([values[0], values[-1]])


def _encode(y, values):
    """Return 1 where a column has the second of its values, otherwise 0."""
    Y = np.zeros(y.shape, np.uint8)
    for j, of_label in enumerate(values):
        unknown = np.setdiff1d(y[:, j], of_label)
        if len(unknown) > 0:
            raise ValueError(
                f"Label {j} of y has the values {unknown.tolist()} that the model has "
                f"not seen; it knows {of_label.tolist()}."
            )
        if of_label[0] != of_label[-1]:
            Y[:, j] = y[:, j] == of_label[1]
    return Y
