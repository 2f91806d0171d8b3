"""Principal components without the digits that rounding errors decide."""

from numbers import Integral

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.decomposition import PCA
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin, Interval, StrOptions

# Components are rounded to 2^-30, 1e-9, of what they can be at most: a million times
# their rounding errors.
_BITS = 30
_SMALLEST = -1000  # power of two: units below it are no normal numbers


class RoundedPCA(
    DocLinkMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    """Transform samples to principal components, rounded to nine digits.

    Samples of few different values, such as one-hot columns, have many equal
    components, which scikit-learn's `~sklearn.decomposition.PCA` returns with rounding
    errors: they depend on the processor, on the number of samples that are transformed
    together, and on the place of a sample among them. A tree puts thresholds between
    such numbers, so that its predictions depend on these, too. Here, equal components
    are equal, and a model that is converted to ONNX predicts the same.

    Each component is rounded to a multiple of a power of two, about 1e-9 of the
    largest absolute sum of its terms. So is one that only consists of rounding errors,
    as of a column that is the sum of two others: it becomes 0.

    Parameters
    ----------
    n_components : int or None, default=None
        Number of components to keep; None: all, the smaller of the numbers of samples
        and of features.
    svd_solver : {"auto", "full", "covariance_eigh", "arpack", "randomized"}, \
            default="auto"
        How `~sklearn.decomposition.PCA` finds them.
    random_state : int, RandomState instance or None, default=None
        Used by the solvers "arpack" and "randomized".

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        Directions of the largest variance, the largest first.
    mean_ : ndarray of shape (n_features,)
        Mean of each feature.
    explained_variance_ratio_ : ndarray of shape (n_components,)
        Share of the variance that each component explains.
    unit_ : ndarray of shape (n_components,)
        Power of two to a multiple of which each component is rounded.
    n_features_in_ : int
        Number of features seen during ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if all of them are strings.

    See Also
    --------
    sklearn.decomposition.PCA : With all digits, and with whitening.

    Examples
    --------
    The third column is the sum of the others: two components have all there is.

    >>> import numpy as np
    >>> from manyminds.preprocessing import RoundedPCA
    >>> X = np.random.default_rng(0).integers(2, size=(100, 2))
    >>> X = np.column_stack([X, X.sum(axis=1)])
    >>> Z = RoundedPCA().fit_transform(X)
    >>> [len(np.unique(column)) for column in Z.T]
    [4, 4, 1]

    Without rounding, the third one is there, and a tree may split by it.

    >>> from sklearn.decomposition import PCA
    >>> len(np.unique(PCA().fit_transform(X)[:, 2])) > 1
    True
    """

    _parameter_constraints = {
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
        "svd_solver": [
            StrOptions({"auto", "full", "covariance_eigh", "arpack", "randomized"})
        ],
        "random_state": ["random_state"],
    }

    def __init__(self, n_components=None, *, svd_solver="auto", random_state=None):
        self.n_components = n_components
        self.svd_solver = svd_solver
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the principal components of X.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Training samples: finite numbers.
        y : object, default=None
            Ignored.

        Returns
        -------
        self : RoundedPCA
            The fitted transformer.
        """
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)

        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            pca = PCA(
                self.n_components,
                svd_solver=self.svd_solver,
                random_state=self.random_state,
            ).fit(X)
            largest = np.abs(X - pca.mean_).max(axis=0) @ np.abs(pca.components_.T)
        _check_finite(largest, pca.explained_variance_)
        self.components_, self.mean_ = pca.components_, pca.mean_
        self.explained_variance_ratio_ = np.nan_to_num(pca.explained_variance_ratio_)
        power = np.frexp(largest)[1] - _BITS
        self.unit_ = np.ldexp(1.0, np.maximum(power, _SMALLEST))
        return self

    def transform(self, X):
        """Transform samples to principal components.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples: finite numbers.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_components)
            Multiples of ``unit_``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        Z = (X - self.mean_) @ self.components_.T
        Z /= self.unit_
        np.rint(Z, out=Z)
        Z *= self.unit_
        return Z + 0.0  # no -0

    @property
    def _n_features_out(self):
        return len(self.components_)


def _check_finite(*numbers):
    """Raise if products of columns overflow."""
    if not all(np.isfinite(one).all() for one in numbers):
        raise ValueError(
            "Products of the columns of X overflow: scale its columns before."
        )
