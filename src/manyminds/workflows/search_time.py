"""The part of a budget that a search has: what writing its files takes is left."""

from time import monotonic

from manyminds.datasets import Dataset

__all__ = ["estimate_writing_seconds", "leave_time"]

# Measured on two cores; they are kept by all budgets of `benchmarks/search_budget.py`.
WRITING_SECONDS, WRITING_SHARE = 0.9, 0.01  # of the budget, for files and report
SECONDS_WITHOUT_PAGE = 0.3
MAX_TESTED, CELLS_PER_SECOND = 10_000, 500_000  # rows and cells of predictions.csv
COLUMNS_PER_SECOND, ROWS_PER_SECOND = 11_000, 60_000  # of a model file
MAX_ROWS = 50_000  # beyond which models of more rows are not larger
MIN_SECONDS = 1.0  # of a search, however long the table took to read


def leave_time(
    seconds: float | None, started: float, data: Dataset, *, with_page: bool
) -> float | None:
    """Return the seconds of a budget that are left for the search itself.

    Parameters
    ----------
    seconds : float or None
        The whole budget; None for no limit.
    started : float
        When it began, by `time.monotonic`.
    data : Dataset
    with_page : bool
        Whether a report is written.

    Returns
    -------
    seconds : float or None
    """
    if seconds is None:
        return None
    writing = estimate_writing_seconds(seconds, data, with_page=with_page)
    return max(seconds - (monotonic() - started) - writing, MIN_SECONDS)


def estimate_writing_seconds(
    seconds: float, data: Dataset, *, with_page: bool = True
) -> float:
    """Return the seconds that model, tables and report will take.

    Out-of-fold probabilities of many classes are a large file and a long page, and a
    model describes each of its columns.

    Parameters
    ----------
    seconds : float
        The whole budget: a longer search has a longer report.
    data : Dataset
    with_page : bool, default=True
        Whether a report is written.

    Returns
    -------
    seconds : float

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.workflows.search_time import estimate_writing_seconds
    >>> round(estimate_writing_seconds(60.0, load_dataset("iris")), 2)
    1.5
    """
    page = WRITING_SECONDS + WRITING_SHARE * seconds
    cells = min(data.n_samples, MAX_TESTED) * len(data.classes)
    return (
        (page if with_page else SECONDS_WITHOUT_PAGE)
        + cells / CELLS_PER_SECOND
        + data.n_features / COLUMNS_PER_SECOND
        + min(data.n_samples, MAX_ROWS) / ROWS_PER_SECOND
    )
