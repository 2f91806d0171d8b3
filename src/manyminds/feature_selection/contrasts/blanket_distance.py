"""How far a selection is from the true Markov blanket."""

import numpy as np


def blanket_distance(selected, blanket, n_features):
    r"""Compute the distance of a selection from the true Markov blanket.

    With the share of the blanket that is selected (sensitivity) and the share of the
    other features that is not (specificity), the distance [1]_ is

    .. math:: \sqrt{(1 - \text{sensitivity})^2 + (1 - \text{specificity})^2}

    Parameters
    ----------
    selected : array-like of int or of bool
        Positions or mask of the selected features.
    blanket : array-like of int or of bool
        Positions or mask of the features of the blanket; at least one.
    n_features : int
        Number of candidate features, without the target.

    Returns
    -------
    distance : float
        0 if exactly the blanket is selected, 1 if nothing or everything is, and the
        square root of 2 if everything else is. If all features are in the blanket, the
        specificity is 1.

    References
    ----------
    .. [1] Tsamardinos, Aliferis and Statnikov, "Time and sample efficient discovery of
       Markov blankets and direct causal relations", KDD, 2003.

    Examples
    --------
    >>> from manyminds.feature_selection import blanket_distance
    >>> blanket_distance([0, 1, 2], blanket=[0, 1], n_features=8)
    0.16666666666666666
    >>> blanket_distance([], blanket=[0, 1], n_features=8)
    1.0
    """
    selected = _read_mask("selected", selected, n_features)
    blanket = _read_mask("blanket", blanket, n_features)
    if not blanket.any():
        raise ValueError("blanket must have at least one feature; got none.")
    missed = 1.0 - selected[blanket].mean()
    added = 0.0 if blanket.all() else selected[~blanket].mean()
    return float(np.hypot(missed, added))


def _read_mask(name, features, n_features):
    """Return a mask of features from a mask or positions."""
    features = np.asarray(features)
    mask = np.zeros(n_features, dtype=bool)
    if features.dtype == bool:
        if features.shape != (n_features,):
            raise ValueError(
                f"{name} as a mask must have shape ({n_features},); it has shape "
                f"{features.shape}."
            )
        return features
    if features.size and (features.dtype.kind not in "iu" or features.ndim != 1):
        raise ValueError(f"{name} must be a mask or positions; got {features!r}.")
    if features.size and not 0 <= features.min() <= features.max() < n_features:
        raise ValueError(
            f"{name} must lie between 0 and {n_features - 1}; got {features.tolist()}."
        )
    mask[features.astype(np.intp)] = True
    return mask
