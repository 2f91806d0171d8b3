"""Project the rows of a table on a map, with their complexity."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.metrics import roc_auc_score

from manyminds.analysis import MultiResolutionComplexity
from manyminds.datasets import Dataset
from manyminds.preprocessing import encode_dates
from manyminds.reports.search.summary_types import ComplexityMap
from manyminds.reports.shared.projection import project_rows

MAX_ROWS = 3_000
MAX_COLUMNS = 200
MAX_LEVELS = 50  # a category column with more is left out of distances


def map_complexity(
    data: Dataset,
    wrong: np.ndarray,
    favorites: Sequence[str] = (),
    *,
    rows: np.ndarray | None = None,
    max_rows: int = MAX_ROWS,
    max_columns: int = MAX_COLUMNS,
    seed: int = 0,
) -> ComplexityMap | None:
    """Measure the complexity of rows, and compare it with where errors were made.

    Parameters
    ----------
    data : Dataset
        With classes.
    wrong : ndarray of bool of shape (n_tested,)
        Which of the tested rows were misclassified.
    favorites : sequence of str, default=()
        Columns to prefer if there are too many.
    rows : ndarray of int of shape (n_tested,), default=None
        Positions of the tested rows; None: all rows.
    max_rows, max_columns : int, default=3000, 200
        With more, rows are sampled, and columns are chosen by variance.
    seed : int, default=0
        Seed of the sample of rows.

    Returns
    -------
    found : ComplexityMap or None
        None if fewer than two rows, or no column, can be used.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.reports.search.complexity_map import map_complexity
    >>> found = map_complexity(load_dataset("iris"), np.zeros(150, dtype=bool))
    >>> len(found.mri), found.area is None
    (150, True)
    """
    rows = np.arange(data.n_samples) if rows is None else rows
    errors = np.asarray(wrong, dtype=bool)
    if len(rows) > max_rows:
        rng = np.random.default_rng(seed)
        places = np.sort(rng.choice(len(rows), max_rows, replace=False))
        rows, errors = rows[places], errors[places]
    X = _take_columns(data, rows, favorites, max_columns)
    y = data.y[rows]
    if X is None or len(rows) < 2 or len(np.unique(y)) < 2:
        return None
    model = MultiResolutionComplexity().fit(X, y)
    projected, axes = project_rows(X)
    area = None
    if errors.any() and not errors.all():
        area = float(roc_auc_score(errors, model.mri_))
    return ComplexityMap(
        x=tuple(projected[:, 0].tolist()),
        y=tuple(projected[:, 1].tolist()),
        mri=tuple(model.mri_.tolist()),
        wrong=tuple(errors.tolist()),
        axes=axes,
        area=area,
        note=_describe_sample(data, len(rows), X.shape[1]),
    )


def _take_columns(
    data: Dataset, rows: np.ndarray, favorites: Sequence[str], max_columns: int
) -> pd.DataFrame | None:
    """Return a dense table of the rows, with the columns that distances use."""
    if issparse(data.X):
        return _take_sparse(data, rows, favorites, max_columns)
    X = encode_dates(data).X.iloc[rows].reset_index(drop=True)
    if X.shape[1] > max_columns:
        known = set(X.columns)
        first = [name for name in favorites if name in known][:max_columns]
        taken = first if first else _rank_by_spread(X, max_columns)
        X = X[[name for name in X.columns if name in set(taken)]]
    kinds = X.dtypes
    kept = []
    for name in X:
        is_category = isinstance(kinds[name], pd.CategoricalDtype)
        n_distinct = X[name].nunique()
        if n_distinct > 1 and not (is_category and n_distinct > MAX_LEVELS):
            kept.append(name)
    return X[kept] if kept else None


def _take_sparse(
    data: Dataset, rows: np.ndarray, favorites: Sequence[str], max_columns: int
) -> pd.DataFrame | None:
    X = data.X[rows].tocsc()
    mean = np.asarray(X.mean(axis=0)).ravel()
    variance = np.asarray(X.multiply(X).mean(axis=0)).ravel() - mean**2
    places = [int(name[1:]) for name in favorites[:max_columns] if name[1:].isdigit()]
    if not places:
        places = np.argsort(-variance, kind="stable")[:max_columns].tolist()
    kept = sorted(place for place in places if variance[place] > 0.0)
    if not kept:
        return None
    return pd.DataFrame(X[:, kept].toarray(), columns=[f"x{place}" for place in kept])


def _rank_by_spread(X: pd.DataFrame, max_columns: int) -> list[str]:
    numbers = X.select_dtypes("number")
    if not numbers.shape[1]:
        return list(X.columns[:max_columns])
    # Relative spread, because columns have different units.
    values = numbers.to_numpy()
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = np.nanstd(values, axis=0) / (np.nanmax(np.abs(values), axis=0))
    order = np.argsort(-np.nan_to_num(spread, nan=-1.0), kind="stable")[:max_columns]
    return [str(numbers.columns[place]) for place in order]


def _describe_sample(data: Dataset, n_rows: int, n_columns: int) -> str:
    sampled = []
    if n_rows < data.n_samples:
        sampled.append(f"{n_rows:,} of the {data.n_samples:,} rows, sampled at random")
    if n_columns < data.n_features:
        sampled.append(f"{n_columns:,} of the {data.n_features:,} columns")
    return " and ".join(sampled)
