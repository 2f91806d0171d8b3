"""Rows of the table of classes: those with the lowest recall if there are many."""

from dataclasses import dataclass

from manyminds.reports.search.summary_types import ClassErrors

__all__ = ["ClassRow", "list_classes"]


@dataclass(frozen=True)
class ClassRow:
    """A class, its tested rows, and how well they are predicted out of fold.

    Parameters
    ----------
    label : str
    n_rows : int
    share : float
        Of the tested rows.
    recall, precision : float
        NaN for the recall of a class without tested rows, and for the precision of one
        that is never predicted.
    """

    label: str
    n_rows: int
    share: float
    recall: float
    precision: float


def list_classes(errors: ClassErrors, max_shown: int) -> tuple[ClassRow, ...]:
    """List the classes in their order, or those with the lowest recall if too many.

    Parameters
    ----------
    errors : ClassErrors
    max_shown : int

    Returns
    -------
    rows : tuple of ClassRow
        Of classes with the same recall, those with the most rows come first.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.reports.search.class_rows import list_classes
    >>> from manyminds.reports.search.prediction_errors import measure_class_errors
    >>> made = np.array([[0.9, 0.1], [0.2, 0.8], [0.4, 0.6]])
    >>> errors = measure_class_errors(made, np.array([0, 1, 0]), np.array(["a", "b"]))
    >>> [(row.label, row.recall) for row in list_classes(errors, 1)]
    [('a', 0.5)]
    """
    counts = [sum(row) for row in errors.counts]
    total = max(sum(counts), 1)
    rows = [
        ClassRow(label, n, n / total, recall, precision)
        for label, n, recall, precision in zip(
            errors.labels, counts, errors.recalls, errors.precisions
        )
    ]
    if len(rows) > max_shown:  # those without tested rows come last
        rows.sort(key=lambda row: (not row.n_rows, row.recall, -row.n_rows))
    return tuple(rows[:max_shown])
