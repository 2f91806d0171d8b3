"""Check sample weights, and pass them on."""

from typing import Any

import numpy as np
from sklearn.utils.validation import has_fit_parameter

from manyminds._compat import check_sample_weight

__all__ = ["pass_weights", "read_weights"]


def read_weights(sample_weight: Any, X: Any) -> np.ndarray | None:
    """Return checked sample weights as floats, or None if there are none."""
    if sample_weight is None:
        return None
    sample_weight = check_sample_weight(
        sample_weight, X, dtype=np.float64, ensure_non_negative=True
    )
    if sample_weight.sum() <= 0.0:
        raise ValueError("sample_weight has no positive weight.")
    return sample_weight


def pass_weights(estimator: Any, weight: np.ndarray | None) -> dict[str, np.ndarray]:
    """Return the argument that passes weights to an estimator's ``fit``, if any.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from manyminds.utils.weights import pass_weights
    >>> pass_weights(Ridge(), [1, 2]), pass_weights(KNeighborsClassifier(), [1, 2])
    ({'sample_weight': [1, 2]}, {})
    >>> pass_weights(Ridge(), None)
    {}
    """
    if weight is None or not has_fit_parameter(estimator, "sample_weight"):
        return {}
    return {"sample_weight": weight}
