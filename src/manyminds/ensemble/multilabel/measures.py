"""Measures of predicted sets of labels and of ranked labels; statistics of labels."""

import numpy as np
from scipy.stats import rankdata
from sklearn.utils.validation import check_consistent_length


def measure_labels(y_true, y_pred=None, y_score=None):
    """Compute all usual measures of predictions of many labels.

    Of predictions: Hamming loss, subset accuracy, then Jaccard index, precision, recall
    and F1 of each row's labels, averaged over rows, and F1 over all pairs of a row and
    a label (micro) or averaged over labels (macro). Of scores: AUC, likewise micro and
    macro, and of each row's ranking the ranking loss, one-error, coverage and average
    precision. Where a quotient is 0 / 0, it counts as 1 if nothing was to be found: a
    row without labels and without predicted ones is right. Labels that all rows have,
    or none, have no AUC and are left out of the mean; so are rows with all labels or
    none out of the ranking loss, where they count as 0.

    Parameters
    ----------
    y_true : array-like of shape (n_samples, n_labels)
        1 if a row has a label, otherwise 0.
    y_pred : array-like of shape (n_samples, n_labels), default=None
        Predicted labels.
    y_score : array-like of shape (n_samples, n_labels), default=None
        Scores of labels; the higher, the more likely.

    Returns
    -------
    measures : dict of str to float
        ``hamming_loss``, ``subset_accuracy``, ``jaccard``, ``precision``, ``recall``,
        ``f1``, ``micro_f1``, ``macro_f1`` of predictions; ``micro_auc``, ``macro_auc``,
        ``ranking_loss``, ``one_error``, ``coverage``, ``average_precision`` of scores.

    Examples
    --------
    >>> from manyminds.ensemble import measure_labels
    >>> measures = measure_labels([[1, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 0, 1]])
    >>> round(measures["hamming_loss"], 3), measures["jaccard"]
    (0.167, 0.75)
    """
    truth = _read(y_true, "y_true") == 1
    if y_pred is None and y_score is None:
        raise ValueError("measure_labels needs y_pred, y_score, or both.")
    measures = {}
    if y_pred is not None:
        predicted = _read(y_pred, "y_pred") == 1
        _check_shapes(truth, predicted, "y_pred")
        measures |= _measure_sets(truth, predicted)
    if y_score is not None:
        scores = np.asarray(y_score, dtype=np.float64)
        _check_shapes(truth, scores, "y_score")
        measures |= _measure_scores(truth, scores)
    return {name: float(value) for name, value in measures.items()}


def describe_labels(y):
    """Compute how many labels there are, and how they are distributed over rows.

    Parameters
    ----------
    y : array-like of shape (n_samples, n_labels)
        1 if a row has a label, otherwise 0.

    Returns
    -------
    statistics : dict of str to float
        ``n_samples``, ``n_labels``, ``cardinality``: mean number of labels of a row,
        ``density``: cardinality / number of labels, ``n_sets``: number of distinct sets
        of labels, ``set_share``: n_sets / n_samples, ``max_imbalance``: how many rows
        have the most frequent label for each that has the rarest one.

    Examples
    --------
    >>> from manyminds.ensemble import describe_labels
    >>> describe_labels([[1, 1], [0, 1], [0, 1], [0, 0]])["cardinality"]
    1.0
    """
    Y = _read(y, "y")
    n_samples, n_labels = Y.shape
    counts, n_sets = Y.sum(axis=0, dtype=np.int64), len(np.unique(Y, axis=0))
    present = counts[counts > 0]
    return {
        "n_samples": n_samples,
        "n_labels": n_labels,
        "cardinality": float(Y.sum() / n_samples),
        "density": float(Y.mean()),
        "n_sets": n_sets,
        "set_share": n_sets / n_samples,
        "max_imbalance": float(present.max() / present.min()) if len(present) else 1.0,
    }


# ---------------------------------------------------------------- predictions


def _measure_sets(truth, predicted):
    of_rows = measure_row_sets(truth, predicted)
    both = (truth & predicted).sum(axis=0)
    n_both = truth.sum(axis=0) + predicted.sum(axis=0)
    return {name: np.mean(values) for name, values in of_rows.items()} | {
        "micro_f1": divide_or_one(2 * both.sum(), n_both.sum()),
        "macro_f1": np.mean(divide_or_one(2 * both, n_both)),
    }


def measure_row_sets(truth, predicted):
    """Measure the predicted labels of each row.

    Parameters
    ----------
    truth, predicted : ndarray of bool of shape (n_samples, n_labels)
        Whether a row has a label.

    Returns
    -------
    measures : dict of str to ndarray of shape (n_samples,)
        Their means are those of `measure_labels`.
    """
    both = (truth & predicted).sum(axis=1)
    n_true, n_predicted = truth.sum(axis=1), predicted.sum(axis=1)
    return {
        "hamming_loss": (truth != predicted).mean(axis=1),
        "subset_accuracy": (truth == predicted).all(axis=1).astype(np.float64),
        "jaccard": divide_or_one(both, n_true + n_predicted - both),
        "precision": divide_or_one(both, n_predicted, n_true == 0),
        "recall": divide_or_one(both, n_true, n_predicted == 0),
        "f1": divide_or_one(2 * both, n_true + n_predicted),
    }


def divide_or_one(part, whole, if_empty=True):
    """Divide; 0 / 0 is 1 where ``if_empty``, otherwise 0."""
    part, whole = np.asarray(part, dtype=float), np.asarray(whole)
    share = np.broadcast_to(np.asarray(if_empty, dtype=float), part.shape).copy()
    return np.divide(part, whole, out=share, where=whole > 0)


# ---------------------------------------------------------------- scores


def _measure_scores(truth, scores):
    of_rows = measure_row_scores(truth, scores)
    return {
        "micro_auc": _area(truth.ravel(), scores.ravel()),
        "macro_auc": _mean_area(truth, scores),
    } | {name: np.mean(values) for name, values in of_rows.items()}


def measure_row_scores(truth, scores):
    """Measure the ranking of the labels of each row.

    Parameters
    ----------
    truth : ndarray of bool of shape (n_samples, n_labels)
        Whether a row has a label.
    scores : ndarray of shape (n_samples, n_labels)
        Scores of labels.

    Returns
    -------
    measures : dict of str to ndarray of shape (n_samples,)
        Their means are those of `measure_labels`.
    """
    n_true, n_labels = truth.sum(axis=1), truth.shape[1]
    # Among equal scores, the worst place: a tie is no merit.
    place = rankdata(-scores, method="max", axis=1)
    ordered = np.where(truth, place, 0.0).max(axis=1)
    top = scores == scores.max(axis=1, keepdims=True)
    found = rankdata(np.where(truth, -scores, np.inf), method="max", axis=1)
    precision = np.where(truth, found / place, 0.0).sum(axis=1)
    has_both = (n_true > 0) & (n_true < n_labels)
    hits = divide_or_one((top & truth).sum(axis=1), top.sum(axis=1))
    return {
        "ranking_loss": np.where(has_both, _misorder(truth, scores), 0.0),
        "one_error": 1.0 - hits,
        "coverage": ordered,
        "average_precision": divide_or_one(precision, n_true),
    }


def _misorder(truth, scores):
    """Return each row's share of wrongly ordered pairs of labels it has and has not."""
    n_true = truth.sum(axis=1)
    n_pairs = n_true * (truth.shape[1] - n_true)
    among_all = rankdata(scores, axis=1)
    sums = np.where(truth, among_all, 0.0).sum(axis=1)
    right = sums - n_true * (n_true + 1) / 2.0
    return 1.0 - divide_or_one(right, n_pairs)


def _area(truth, scores):
    """Return the area under the ROC curve; NaN if there is only one class."""
    n_true = truth.sum()
    n_pairs = n_true * (len(truth) - n_true)
    if n_pairs == 0:
        return np.nan
    return (rankdata(scores)[truth].sum() - n_true * (n_true + 1) / 2.0) / n_pairs


def _mean_area(truth, scores):
    areas = [_area(has, of_label) for has, of_label in zip(truth.T, scores.T)]
    known = [area for area in areas if not np.isnan(area)]
    return np.mean(known) if known else np.nan


# ---------------------------------------------------------------- checks


def _read(y, name):
    """Return labels as an array of 0 and 1."""
    y = np.asarray(y.toarray() if hasattr(y, "toarray") else y)
    if y.ndim != 2:
        raise ValueError(f"{name} must have one column for each label; got {y.shape}.")
    if not np.isin(y, [0, 1]).all():
        raise ValueError(f"{name} must hold 0 and 1 only.")
    return y


def _check_shapes(truth, other, name):
    check_consistent_length(truth, other)
    if other.shape != truth.shape:
        raise ValueError(
            f"{name} must have the shape {truth.shape} of y_true; got {other.shape}."
        )
