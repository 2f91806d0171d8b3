"""Project the rows of a table on two dimensions."""

import numpy as np
import pandas as pd
from sklearn.decomposition import PCA

__all__ = ["project_rows"]


def project_rows(X: pd.DataFrame) -> tuple[np.ndarray, tuple[str, str]]:
    """Project rows on the first two principal components of scaled columns.

    Parameters
    ----------
    X : DataFrame
        Numbers and categories, which are one-hot encoded; missing numbers become the
        median.

    Returns
    -------
    placed : ndarray of shape (n_rows, 2)
    axes : tuple of str
        Names of the two axes, with their share of the variance.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.reports.shared.projection import project_rows
    >>> frame = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [2, 4, 6]})
    >>> placed, axes = project_rows(frame)
    >>> axes[0]
    'principal component 1 (100% of the variance)'
    """
    encoded = pd.get_dummies(X, dtype=np.float64)
    values = encoded.fillna(encoded.median()).fillna(0.0).to_numpy(dtype=np.float64)
    values = values - values.mean(axis=0)
    spread = values.std(axis=0)
    values /= np.where(spread > 0.0, spread, 1.0)
    n_components = min(2, *values.shape)
    pca = PCA(n_components, svd_solver="full")
    placed = pca.fit_transform(values)
    names = [
        f"principal component {number} ({share:.0%} of the variance)"
        for number, share in enumerate(pca.explained_variance_ratio_, start=1)
    ]
    if n_components < 2:
        placed, names = np.column_stack([placed, np.zeros(len(placed))]), [names[0], ""]
    return placed, (names[0], names[1])
