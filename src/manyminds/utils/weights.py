"""Check sample weights."""

from typing import Any

import numpy as np

from manyminds._compat import check_sample_weight

__all__ = ["read_weights"]


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
