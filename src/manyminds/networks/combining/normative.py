"""Normative residuals: how far a measurement is from what is normal for a subject."""

from numbers import Real

import numpy as np
from scipy.stats import t
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from manyminds._compat import DocLinkMixin, Interval, check_feature_names_in
from manyminds.utils.weights import read_weights


class NormativeResidualTransformer(TransformerMixin, DocLinkMixin, BaseEstimator):
    r"""Replace measurements by their distance from a regression on controls.

    Each measurement is regressed on covariates, such as age and the size of the organ,
    among controls only. A row's value becomes its residual divided by the distance of
    the prediction limit [1]_: -1 lies on the lower limit of what is normal,

    .. math::

       z = \frac{y - \hat y}{t_{n-p} \, s \sqrt{1 + x^\top (X^\top X)^{-1} x}}

    Parameters
    ----------
    covariates : list of int or of str, default=()
        Columns to regress on; they are left out of the output.
    control_class : label, default=None
        Class of the controls if ``y`` is passed to ``fit``; None: the first of the
        sorted classes. Without ``y`` all rows are controls.
    level : float, default=0.95
        Level of the prediction interval.
    log : bool, default=False
        Whether to take logarithms of the measurements first, as for areas.

    Attributes
    ----------
    coefficients_ : ndarray of shape (n_covariates + 1, n_measurements)
        Intercept and slopes of each regression.
    scales_ : ndarray of shape (n_measurements,)
        Standard deviation of the residuals of the controls.
    n_features_in_ : int
        Number of columns of the training set.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if they are strings.

    References
    ----------
    .. [1] Garway-Heath, "Moorfields regression analysis", The Essential HRT Primer,
       2005.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import NormativeResidualTransformer
    >>> rng = np.random.default_rng(0)
    >>> age = rng.uniform(40, 80, size=500)
    >>> area = 3.0 - 0.02 * age + 0.1 * rng.normal(size=500)
    >>> transformer = NormativeResidualTransformer([0])
    >>> z = transformer.fit_transform(np.column_stack([age, area]))
    >>> print(np.mean(np.abs(z) > 1.0).round(2))
    0.05
    """

    _parameter_constraints = {
        "covariates": ["array-like"],
        "control_class": "no_validation",
        "level": [Interval(Real, 0.0, 1.0, closed="neither")],
        "log": ["boolean"],
    }

    def __init__(self, covariates=(), *, control_class=None, level=0.95, log=False):
        self.covariates = covariates
        self.control_class = control_class
        self.level = level
        self.log = log

    def fit(self, X, y=None, sample_weight=None):
        """Regress the measurements of the controls on the covariates.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Covariates and measurements.
        y : array-like of shape (n_samples,), default=None
            Classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights; a weight of 2 counts as two rows.

        Returns
        -------
        self : NormativeResidualTransformer
        """
        self._validate_params()
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        weight = read_weights(sample_weight, X)
        weight = np.ones(len(X)) if weight is None else weight
        rows = (weight > 0.0) & self._find_controls(X, y)
        self._find_columns()

        left, right = self._split(X[rows])
        root = np.sqrt(weight[rows])[:, None]
        self.coefficients_ = np.linalg.lstsq(root * left, root * right, rcond=None)[0]
        self._inverse = np.linalg.pinv(left.T @ (weight[rows, None] * left))
        rest = weight[rows] @ (right - left @ self.coefficients_) ** 2
        n_free = max(weight[rows].sum() - left.shape[1], 1.0)
        self.scales_ = np.sqrt(rest / n_free)
        self._quantile = t.ppf(0.5 + 0.5 * self.level, n_free)
        return self

    def _find_controls(self, X, y):
        """Return the mask of the controls."""
        if y is None:
            return np.ones(len(X), dtype=bool)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if len(y) != len(X):
            raise ValueError(f"y must have {len(X)} classes; got {len(y)}.")
        control = np.unique(y)[0] if self.control_class is None else self.control_class
        mask = y == control
        if not np.any(mask):
            raise ValueError(f"control_class is {control!r}, which no row of y has.")
        return mask

    def _find_columns(self):
        """Set the positions of covariates and measurements."""
        names = getattr(self, "feature_names_in_", np.arange(self.n_features_in_))
        places = []
        for one in self.covariates:
            found = np.flatnonzero(names == one) if isinstance(one, str) else [one]
            if len(found) == 0 or not 0 <= found[0] < self.n_features_in_:
                raise ValueError(f"covariates has {one!r}, which is no column of X.")
            places.append(int(found[0]))
        self._covariates = places
        self._measurements = np.delete(np.arange(self.n_features_in_), places)
        if len(self._measurements) == 0:
            raise ValueError("covariates must leave a column of X to measure; got all.")

    def _split(self, X):
        """Return the rows of the regressions, and the measurements."""
        left = np.column_stack([np.ones(len(X)), X[:, self._covariates]])
        right = X[:, self._measurements]
        if self.log:
            if (right <= 0.0).any():
                raise ValueError("log=True needs positive measurements in X.")
            right = np.log(right)
        return left, right

    def transform(self, X):
        """Return the residuals in units of the prediction limit.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Covariates and measurements.

        Returns
        -------
        Z : ndarray of shape (n_samples, n_measurements)
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        left, right = self._split(X)
        spread = np.sqrt(1.0 + ((left @ self._inverse) * left).sum(axis=1))
        limit = self._quantile * spread[:, None] * self.scales_
        rest = right - left @ self.coefficients_
        return np.divide(rest, limit, out=np.zeros_like(rest), where=limit > 0.0)

    def get_feature_names_out(self, input_features=None):
        """Return the names of the measurements.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names of the input columns.

        Returns
        -------
        names : ndarray of shape (n_measurements,)
        """
        check_is_fitted(self)
        names = check_feature_names_in(self, input_features)
        return names[self._measurements]
