"""Standardize columns, and refuse those whose sums or squares overflow."""

from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

__all__ = ["fit_standard_scaler", "refuse_overflow"]


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
        If the mean or the variance of a column overflows: scaled cells would be NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.scaling import fit_standard_scaler
    >>> fit_standard_scaler(np.array([[1.0], [3.0]]), None).scale_
    array([1.])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        scaler = StandardScaler().fit(X, sample_weight=sample_weight)
    refuse_overflow(X, scaler.var_)
    return scaler


def refuse_overflow(X: np.ndarray, statistic: np.ndarray) -> None:
    """Raise if a statistic of a column, a mean or a variance, is not finite.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Numbers; NaN is a missing value.
    statistic : ndarray of shape (n_features,)
        What was computed of each column.

    Raises
    ------
    ValueError
        Names the first such column and its greatest value.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.utils.scaling import refuse_overflow
    >>> refuse_overflow(np.array([[1e308], [1e308]]), np.array([np.inf]))
    Traceback (most recent call last):
    ...
    ValueError: Sums over column 0 of X overflow: its values reach 1e+308. Divide it
    by a constant.
    """
    if not np.isfinite(statistic).all():
        column = int(np.flatnonzero(~np.isfinite(statistic))[0])
        raise ValueError(
            f"Sums over column {column} of X overflow: its values reach "
            f"{np.nanmax(np.abs(X[:, column])):.3g}. Divide it by a constant."
        )
