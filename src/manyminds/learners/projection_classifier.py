"""Classify two classes by a threshold on one projection."""

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.thresholds import RULES, SCORES, find_threshold
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.weights import read_weights

_CHECKS = {"dtype": np.float64, "accept_sparse": "csr"}


@fill_docstring(**PARAMETERS)
class ProjectionClassifier(ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Base class of two-class learners; a subclass defines ``_project``.

    The first class, of the lower label, is where the projection is high.
    """

    _parameter_constraints = {
        "threshold": [StrOptions(set(RULES))],
        "threshold_score": [StrOptions(set(SCORES))],
    }

    def _read_training_set(self, X, y, sample_weight):
        """Check a training set of two classes; drop samples of weight 0."""
        X, y = validate_data(self, X, y, **_CHECKS)
        check_classification_targets(y)
        weight = read_weights(sample_weight, X)
        weight = np.ones(X.shape[0]) if weight is None else weight
        kept = np.flatnonzero(weight)
        X, y, weight = X[kept], y[kept], weight[kept]
        self.classes_, label = np.unique(y, return_inverse=True)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported by {type(self).__name__}; y "
                f"has {len(self.classes_)} classes. Wrap it in DecisionDAGClassifier."
            )
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs two classes; y has one class."
            )
        self._is_sparse = issparse(X)
        return X, label == 0, weight

    def _set_threshold(self, projections, is_first, weight):
        self.threshold_ = find_threshold(
            projections,
            is_first,
            weight,
            rule=self.threshold,
            score=self.threshold_score,
        )

    def project(self, X):
        """Project samples.

        Parameters
        ----------
        {x_new_sparse}

        Returns
        -------
        projections : ndarray of shape (n_samples,)
            The first class is where they are at least ``threshold_``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **_CHECKS)
        return self._project(X.toarray() if issparse(X) and not self._is_sparse else X)

    def decision_function(self, X):
        """Return the threshold minus the projection of each sample.

        Parameters
        ----------
        {x_new_sparse}

        Returns
        -------
        scores : ndarray of shape (n_samples,)
            Positive for the second class.
        """
        projections = self.project(X)
        return self.threshold_ - projections

    def predict(self, X):
        """Predict the class of each sample.

        {predict_sparse}
        """
        scores = self.decision_function(X)
        return self.classes_[(scores > 0.0).astype(np.intp)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.sparse = True
        return tags


def subtract_means(X, is_first, weight):
    """Return the weighted mean of the first class minus that of the second."""
    contrast = make_contrast(is_first, weight)
    return np.asarray(X.T @ (weight * contrast)).ravel()


def make_contrast(is_first, weight):
    """Return one over the weight of the class for the first, minus that for others."""
    sizes = weight[is_first].sum(), weight[~is_first].sum()
    return np.where(is_first, 1.0 / sizes[0], -1.0 / sizes[1])
