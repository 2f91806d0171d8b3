"""The Fisher subspace of many classes: the span of partially whitened class means."""

from numbers import Integral

import numpy as np
from scipy.linalg import svd
from scipy.sparse import csr_array, issparse
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.learners._parameters import PARAMETERS
from manyminds.learners.partial_whitening import fit_whitening
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BRUBAKER_2008, ROZZA_2010, cite
from manyminds.utils.weights import read_weights

_CHECKS = {"dtype": np.float64, "accept_sparse": "csr"}
_MIN_LENGTH = 1e-9  # of a singular value of the means, relative to the largest


@fill_docstring(**PARAMETERS, references=cite(ROZZA_2010, BRUBAKER_2008))
class FisherSubspace(
    DocLinkMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    r"""Project samples on the span of the class means after partial whitening.

    The :math:`C` class means of centered samples span :math:`C - 1` dimensions at
    most, since their weighted sum is zero. With the partial whitening :math:`W_D` of
    `TIPCACClassifier` and an orthonormal basis :math:`F` of the span of
    :math:`W_D \mu_1, \dots, W_D \mu_C`, a sample :math:`x` becomes [1]_

    .. math:: z = F^T W_D (x - \bar x).

    Parameters
    ----------
    {whitened}

    Attributes
    ----------
    {classes}
    mean_ : ndarray of shape (n_features,)
        Mean of the training samples.
    basis_ : ndarray of shape (n_features, n_dimensions)
        :math:`F`, at most one column fewer than there are classes: the columns along
        which the whitened means differ most come first.
    components_ : ndarray of shape (n_dimensions, n_features)
        :math:`F^T W_D`.
    n_components_ : int
        Number of whitened components, at most the rank of the centered samples.
    {n_features_in}

    Notes
    -----
    Labels of all classes are used: fit it within each fold of a cross-validation, as a
    pipeline does. A weight of two is equivalent to two samples.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.learners import FisherSubspace
    >>> X, y = load_wine(return_X_y=True)
    >>> FisherSubspace().fit_transform(X, y).shape
    (178, 2)
    """

    _parameter_constraints = {
        "n_components": [
            Interval(Integral, 1, None, closed="left"),
            StrOptions({"log2"}),
            None,
        ],
    }

    def __init__(self, n_components="log2"):
        self.n_components = n_components

    def fit(self, X, y, sample_weight=None):
        """Whiten the samples and find the span of their class means.

        {fit_sparse_classes}
        """
        self._validate_params()
        X, y = validate_data(self, X, y, **_CHECKS)
        check_classification_targets(y)
        weight = read_weights(sample_weight, X)
        weight = np.ones(X.shape[0]) if weight is None else weight
        kept = np.flatnonzero(weight)
        X, y, weight = X[kept], y[kept], weight[kept]
        self.classes_, label = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("FisherSubspace needs two classes; y has one class.")

        whitening = fit_whitening(X, weight, self.n_components)
        means = _average_by_class(X, label, weight) - whitening.mean
        self.basis_ = _span(whitening.apply(means.T))
        self.components_ = whitening.apply(self.basis_).T
        self.mean_ = whitening.mean
        self.n_components_ = len(whitening.singular_values)
        return self

    def transform(self, X):
        """Project samples on the subspace.

        Parameters
        ----------
        {x_new_sparse}

        Returns
        -------
        Z : ndarray of shape (n_samples, n_dimensions)
            Their coordinates.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **_CHECKS)
        return X @ self.components_.T - self.components_ @ self.mean_

    @property
    def _n_features_out(self):
        return len(self.components_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


def _average_by_class(X, label, weight):
    """Return the weighted mean of each class: (n_classes, n_features)."""
    share = weight / np.bincount(label, weights=weight)[label]
    means = csr_array((share, (label, np.arange(len(label))))) @ X
    return means.toarray() if issparse(means) else means


def _span(columns):
    """Return an orthonormal basis of the span of the columns, the longest first."""
    left, length, _ = svd(columns, full_matrices=False)
    n_kept = np.count_nonzero(length > _MIN_LENGTH * length[0])
    return left[:, : min(max(n_kept, 1), columns.shape[1] - 1)]
