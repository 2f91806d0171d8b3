"""Read the predictions of members: checks, encoded labels, blocks of samples."""

import numpy as np
import pandas as pd
from sklearn.utils import column_or_1d

# Values of a block: 32 MB as float32, with far fewer rows than the 2**24 up to which
# float32 counts are exact.
BLOCK_VALUES = 2**23


def read_predictions(predictions, *, min_members=2):
    """Return predictions as an array of shape (n_members, n_samples); refuse NaN."""
    predictions = _as_array(predictions)
    if predictions.ndim != 2 or predictions.shape[1] == 0:
        raise ValueError(
            "predictions must have shape (n_members, n_samples), with one sample or "
            f"more; got {predictions.shape}."
        )
    if len(predictions) < min_members:
        raise ValueError(
            f"predictions must have {min_members} member(s) or more; "
            f"got {len(predictions)}."
        )
    _refuse_missing("predictions", predictions)
    return predictions


def read_pair(y, predictions, *, min_members=2):
    """Return the true labels, and predictions of the same samples."""
    predictions = read_predictions(predictions, min_members=min_members)
    y = column_or_1d(_as_array(y))
    if len(y) != predictions.shape[1]:
        raise ValueError(
            "y must have one label for each of the "
            f"{predictions.shape[1]} columns of predictions; got {len(y)}."
        )
    _refuse_missing("y", y)
    is_text = [values.dtype.kind in "OUS" for values in (y, predictions)]
    if is_text[0] != is_text[1]:
        raise ValueError(
            "y and predictions must have labels of the same type; got dtypes "
            f"{y.dtype} and {predictions.dtype}."
        )
    return y, predictions


def read_correct(y, predictions, *, min_members=2):
    """Return a mask of correct predictions, of shape (n_members, n_samples)."""
    y, predictions = read_pair(y, predictions, min_members=min_members)
    return predictions == y


def read_where(where, shape):
    """Check the mask of predictions that count; None if all do."""
    if where is None:
        return None
    where = np.asarray(where)
    if where.dtype != bool or where.shape != shape:
        raise ValueError(
            f"where must be of bool and of the shape of predictions, {shape}; got "
            f"{where.dtype} of shape {where.shape}."
        )
    return where


def _as_array(values):
    values = np.asarray(values)
    # searchsorted does not support NumPy's StringDType.
    return values.astype(object) if values.dtype.kind == "T" else values


def _refuse_missing(name, values):
    if values.dtype.kind in "fcOmM" and pd.isna(values).any():
        raise ValueError(f"{name} must not have missing values; got NaN or None.")


def encode_labels(predictions, y=None):
    """Encode labels by their positions among all classes, in sorted order.

    Parameters
    ----------
    predictions : ndarray of shape (n_members, n_samples)
    y : ndarray of shape (n_samples,), default=None

    Returns
    -------
    classes : ndarray of shape (n_classes,)
    codes : ndarray of shape (n_members, n_samples)
        Of the smallest unsigned dtype.
    y_codes : ndarray of shape (n_samples,), or None
    """
    known = np.unique(predictions[0] if y is None else y)
    classes, codes = _encode_rows(predictions, known)
    if len(classes) > len(known):
        # Some labels are not in y; encode again with all of them.
        classes, codes = _encode_rows(predictions, classes)
    return classes, codes, None if y is None else np.searchsorted(classes, y)


def _encode_rows(predictions, classes):
    """Encode labels row by row; return all classes, and codes valid if none is new."""
    codes = np.empty(predictions.shape, dtype=np.min_scalar_type(len(classes)))
    for row, out in zip(predictions, codes):
        place, labels = None, row
        if row.dtype.kind == "O":  # hashing is faster than comparing Python objects
            place, labels = pd.factorize(row)
        code = np.searchsorted(classes, labels).clip(max=len(classes) - 1)
        is_new = classes[code] != labels
        if is_new.any():
            classes = np.union1d(classes, labels[is_new])
        out[:] = code if place is None else code[place]
    return classes, codes


def row_blocks(n_members, n_samples, *, n_values=BLOCK_VALUES):
    """Split the samples into slices of about ``n_values`` predictions each."""
    step = max(1, n_values // n_members)
    return [slice(i, i + step) for i in range(0, n_samples, step)]
