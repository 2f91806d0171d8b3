"""Standardize columns, and refuse those whose squares overflow."""

from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

__all__ = ["fit_standard_scaler"]


def fit_standard_scaler(X: Any, sample_weight: np.ndarray | None) -> StandardScaler:
    """Return a fitted scaler of the columns.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Finite numbers.
    sample_weight : ndarray of shape (n_samples,) or None
        Weights of the samples.

    Returns
    -------
    scaler : StandardScaler

    Raises
    ------
    ValueError
        If the variance of a column overflows: scaled cells would be NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.scaling import fit_standard_scaler
    >>> fit_standard_scaler(np.array([[1.0], [3.0]]), None).scale_
    array([1.])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        scaler = StandardScaler().fit(X, sample_weight=sample_weight)
    if not np.isfinite(scaler.var_).all():
        column = int(np.flatnonzero(~np.isfinite(scaler.var_))[0])
        raise ValueError(
            f"The variance of column {column} of X overflows: its values reach "
            f"{np.abs(X[:, column]).max():.3g}. Divide it by a constant."
        )
    return scaler
