"""Read selections of features: masks, lists of positions, sparse matrices."""

import numpy as np
from scipy.sparse import csr_array, issparse

from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
def read_selections(selections, n_features=None):
    """Convert selections in any supported form into a binary matrix.

    Parameters
    ----------
    {selections}

    Returns
    -------
    selections : ndarray of bool, or CSR array, of shape (n_selections, n_features)
        Mask of each selection; two selections or more.
    """
    if issparse(selections):
        matrix = _read_sparse(selections)
    elif n_features is None or _is_mask(selections):
        matrix = _read_masks(selections)
    else:
        matrix = _read_positions(selections, n_features)
    if n_features is not None and matrix.shape[1] != n_features:
        raise ValueError(
            f"n_features={n_features}, but selections has {matrix.shape[1]} columns."
        )
    if matrix.shape[0] < 2 or matrix.shape[1] < 1:
        raise ValueError(
            "selections must hold two selections or more of one feature or more; it "
            f"has shape {matrix.shape}."
        )
    return matrix


def count_by_feature(selections):
    """Count the selections that include each feature."""
    return np.asarray(selections.sum(axis=0)).astype(np.int64).ravel()


def count_by_selection(selections):
    """Count the features of each selection."""
    if issparse(selections):
        return np.diff(selections.indptr).astype(np.int64)
    return np.count_nonzero(selections, axis=1)


def sum_over_selected(selections, values):
    """Sum, for each selection, the values of its features."""
    if issparse(selections):
        return selections @ values
    # A matrix product would first convert all masks to floats.
    return np.einsum("ij,j->i", selections, values)


def _is_mask(selections):
    return isinstance(selections, np.ndarray) and selections.dtype == bool


def _read_sparse(selections):
    matrix = csr_array(selections, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    if not np.all(matrix.data == 1):
        raise ValueError("A sparse selections must store ones (or True) only.")
    matrix.data = np.ones(len(matrix.data), dtype=np.int64)
    return matrix


def _read_masks(selections):
    try:
        masks = np.asarray(selections)
    except ValueError as error:  # lists of several lengths
        raise ValueError(_SUPPORTED_FORMS) from error
    if masks.ndim != 2 or masks.dtype.kind not in "biuf":
        raise ValueError(f"{_SUPPORTED_FORMS} Got an array of shape {masks.shape}.")
    if masks.dtype != bool:
        if not np.all((masks == 0) | (masks == 1)):
            raise ValueError(f"{_SUPPORTED_FORMS} Got numbers other than 0 and 1.")
        masks = masks != 0
    return masks


_SUPPORTED_FORMS = (
    "selections must be an array of shape (n_selections, n_features) with True for "
    "each feature that is selected, or lists of positions together with n_features."
)


def _read_positions(selections, n_features):
    rows = [np.asarray(row).ravel() for row in selections]
    for i, row in enumerate(rows):
        if row.size == 0:
            continue
        if row.dtype.kind not in "iu" or row.min() < 0 or row.max() >= n_features:
            raise ValueError(
                f"selections[{i}] must hold positions between 0 and {n_features - 1}; "
                f"got {row.tolist()}."
            )
        if len(np.unique(row)) < len(row):
            raise ValueError(f"selections[{i}] holds a position twice: {row.tolist()}.")
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.concatenate([*rows, np.empty(0)]).astype(np.int64)
    ones = np.ones(len(columns), dtype=np.int64)
    return csr_array((ones, columns, ends), shape=(len(rows), n_features))
