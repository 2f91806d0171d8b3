"""Standardize by the mean and standard deviation of the whole matrix."""

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import DocLinkMixin
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import GRABCZEWSKI_2006, cite

_CHECKS = {
    "dtype": (np.float64, np.float32),
    "accept_sparse": ("csr", "csc"),
    "ensure_all_finite": "allow-nan",
}
_ROUNDING = 1e-14  # relative standard deviation of equal numbers


@fill_docstring(references=cite(GRABCZEWSKI_2006))
class MatrixScaler(DocLinkMixin, OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Scale all cells of a matrix together to mean 0 and standard deviation 1.

    The means and standard deviations of columns relative to each other do not change.
    This suits columns of one unit, such as word counts [1]_ or pixel intensities: a
    rare word stays rare, unlike after standardizing column by column.

    Parameters
    ----------
    with_mean : bool, default=True
        Whether to subtract the mean; must be False for a sparse matrix.
    with_std : bool, default=True
        Whether to divide by the standard deviation.

    Attributes
    ----------
    mean_ : float
        Mean of all cells that are not missing, including the zeros of a sparse matrix.
    scale_ : float
        Their standard deviation; 1 if they are all equal.
    n_features_in_ : int
        Number of features seen during ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if all of them are strings.

    {references}

    Examples
    --------
    >>> from manyminds.preprocessing import MatrixScaler
    >>> MatrixScaler().fit_transform([[1.0, 3.0], [5.0, 7.0]]).round(2)
    array([[-1.34, -0.45],
           [ 0.45,  1.34]])
    """

    _parameter_constraints = {"with_mean": ["boolean"], "with_std": ["boolean"]}

    def __init__(self, *, with_mean=True, with_std=True):
        self.with_mean = with_mean
        self.with_std = with_std

    def fit(self, X, y=None):
        """Compute the mean and standard deviation of all cells.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Training samples; NaN is a missing value.
        y : object, default=None
            Ignored.

        Returns
        -------
        self : MatrixScaler
            The fitted scaler.
        """
        self._validate_params()
        X = validate_data(self, X, **_CHECKS)
        self._refuse_sparse(X)

        cells, n_cells = (
            (X.data, X.shape[0] * X.shape[1]) if issparse(X) else (X, X.size)
        )
        known = np.isfinite(cells)
        n_cells -= known.size - np.count_nonzero(known)
        unit = _choose_unit(cells, known)
        cells = cells / unit
        mean = float(cells.sum(dtype=np.float64, where=known) / max(n_cells, 1))
        around = np.where(known, cells, mean) - mean
        n_zeros = n_cells - np.count_nonzero(known)
        squares = float(np.vdot(around, around)) + n_zeros * mean**2
        std = float(np.sqrt(squares / max(n_cells, 1)))
        self.mean_ = mean * unit
        self.scale_ = std * unit if std > _ROUNDING * abs(mean) else 1.0
        return self

    def transform(self, X):
        """Standardize a matrix.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples; missing values stay missing.

        Returns
        -------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            A new matrix.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, copy=True, **_CHECKS)
        self._refuse_sparse(X)
        cells = X.data if issparse(X) else X
        if self.with_mean:
            cells -= self.mean_
        if self.with_std:
            cells /= self.scale_
        return X

    def inverse_transform(self, X):
        """Invert the standardization.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Standardized samples.

        Returns
        -------
        X : ndarray or sparse matrix of shape (n_samples, n_features)
            A new matrix, in the original units.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, copy=True, **_CHECKS)
        self._refuse_sparse(X)
        cells = X.data if issparse(X) else X
        if self.with_std:
            cells *= self.scale_
        if self.with_mean:
            cells += self.mean_
        return X

    def _refuse_sparse(self, X):
        if self.with_mean and issparse(X):
            raise ValueError(
                "with_mean must be False for a sparse matrix; got True. Set it to "
                "False, or make X dense."
            )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = not self.with_mean
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _choose_unit(cells, known):
    """Return a power of two near the largest cell: dividing by it is exact.

    Without it, squares of large cells overflow, and those of tiny cells vanish.
    """
    largest = np.abs(cells).max(initial=0.0, where=known)
    return float(np.ldexp(1.0, np.frexp(largest)[1] - 1))
