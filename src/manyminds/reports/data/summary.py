"""Summarize a table before a model is fitted: columns, target, complexity."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.linear_model import LinearRegression

from manyminds.analysis import (
    MultiResolutionComplexity,
    correlation_score,
    find_pitfalls,
)
from manyminds.datasets import Dataset, find_identifiers
from manyminds.preprocessing import encode_dates
from manyminds.reports.data.summary_types import (
    ClusterSummary,
    ColumnSummary,
    ComplexitySummary,
    DataSummary,
    HardRow,
    MapPoint,
)
from manyminds.reports.shared.projection import project_rows
from manyminds.reports.shared.table import summarize_target
from manyminds.utils.errors import InputError

MAX_ROWS = 20_000  # above, complexity and scores are those of a sample
MAX_LEVELS = 200  # a category column with more is not one-hot encoded
MANY_LEVELS = 1_000
MAX_ENCODED = 500  # columns after one-hot encoding
N_HARDEST = 10
N_GROUPS = 10  # of the drawn rows, for the error of the mean complexity
MAX_POINTS = 1_000  # rows of the map


def summarize_data(
    data: Dataset,
    *,
    max_rows: int = MAX_ROWS,
    n_hardest: int = N_HARDEST,
    random_state: int = 0,
    on_step: Callable[[str], None] | None = None,
) -> DataSummary:
    """Summarize a table: its columns, its target, and the complexity of its rows.

    Parameters
    ----------
    data : Dataset
    max_rows : int, default=20000
        With more rows, scores and complexity are computed on a random sample.
    n_hardest : int, default=10
        Number of the most complex rows to list.
    random_state : int, default=0
        Seed of the sample.
    on_step : callable, default=None
        Called with the name of each step before it starts.

    Returns
    -------
    summary : DataSummary

    Examples
    --------
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.reports.data.summary import summarize_data
    >>> summary = summarize_data(load_dataset("iris"))
    >>> summary.ranked[0].name
    'petallength'
    >>> summary.target.counts
    {'Iris-setosa': 50, 'Iris-versicolor': 50, 'Iris-virginica': 50}
    >>> round(summary.complexity.by_class["Iris-setosa"], 2)
    0.0
    """
    # Before dates are encoded: consecutive days look like a row counter.
    identifiers = {} if issparse(data.X) else find_identifiers(data.X)
    original, data = data, encode_dates(data)
    if data.n_samples < 2 or data.n_features < 1:
        raise InputError(
            "data must have at least two rows and one column; got "
            f"{data.n_samples} and {data.n_features}."
        )
    if data.task == "classification" and len(data.classes) < 2:
        raise InputError(
            f"data must have at least two classes; got only {data.classes[0]!s}."
        )
    measured = _Measurements(
        data, max_rows, random_state, on_step or (lambda step: None)
    )
    columns = measured.summarize_columns(identifiers)
    measured.on_step("look for pitfalls")
    pitfalls = tuple(find_pitfalls(original))
    score, complexity = measured.score_all(), measured.measure_complexity(n_hardest)
    return DataSummary(
        name=data.name,
        source=data.source,
        n_rows=data.n_samples,
        n_columns=data.n_features,
        n_missing=data.n_missing,
        n_duplicates=measured.count_duplicates(),
        target=summarize_target(data),
        columns=columns,
        score=score,
        complexity=complexity,
        notes=tuple(measured.notes),
        pitfalls=pitfalls,
    )


class _Measurements:
    """A table, the sample of its rows that is measured, and notes."""

    def __init__(
        self,
        data: Dataset,
        max_rows: int,
        random_state: int,
        on_step: Callable[[str], None],
    ) -> None:
        self.data, self.on_step = data, on_step
        self.notes: list[str] = []
        self.rows = np.arange(data.n_samples)
        if data.n_samples > max_rows:
            rng = np.random.default_rng(random_state)
            self.rows = np.sort(rng.choice(self.rows, max_rows, replace=False))
            self.notes.append(
                f"Scores and complexity are those of {max_rows:,} of the "
                f"{data.n_samples:,} rows, drawn at random."
            )
        if issparse(data.X):
            self.notes.append(
                "The table is sparse: columns are counted, but neither scores nor "
                "complexity are computed."
            )
        elif data.task == "multilabel":
            self.notes.append(
                "Scores and complexity are computed for a single target only."
            )
        self.kept: list[str] = []  # columns that have scores and distances
        self.judged = not issparse(data.X) and data.task != "multilabel"

    def summarize_columns(
        self, identifiers: Mapping[str, str]
    ) -> tuple[ColumnSummary, ...]:
        """Summarize each column, and find copies among them."""
        if issparse(self.data.X):
            return ()
        self.on_step("describe columns")
        copies, found = find_copies(self.data.X), []
        for name in self.data.X:
            column, reason = self.data.X[name], identifiers.get(name)
            found.append(self._summarize(column, copies.get(name), reason))
        self._note_columns(found)
        return tuple(found)

    def _summarize(
        self, column: pd.Series, copy_of: str | None, identifier: str | None
    ) -> ColumnSummary:
        n_missing, n_distinct = int(column.isna().sum()), int(column.nunique())
        numeric = not isinstance(column.dtype, pd.CategoricalDtype)
        some = numeric and n_distinct > 0
        notes = _list_column_notes(
            n_missing, n_distinct, len(column), numeric, identifier
        )
        if copy_of is not None and n_distinct > 1:
            notes.append(f"the same as {copy_of}")
        kind = "number" if numeric else "category"
        useful = n_distinct > 1 and not _too_many(kind, n_distinct)
        self.kept += [str(column.name)] if useful else []
        frequent = None if numeric or not n_distinct else str(column.mode().iloc[0])
        return ColumnSummary(
            str(column.name),
            kind,
            n_missing,
            n_distinct,
            float(column.min()) if some else None,
            float(column.mean()) if some else None,
            float(column.max()) if some else None,
            frequent,
            self._score(column.to_frame()) if useful and self.judged else None,
            tuple(notes),
        )

    def _note_columns(self, columns: list[ColumnSummary]) -> None:
        many = [c.name for c in columns if _too_many(c.kind, c.n_distinct)]
        if many:
            self.notes.append(
                f"More than {MAX_LEVELS} categories, left out of scores and "
                f"complexity: {', '.join(many[:5])}{' ...' if len(many) > 5 else ''}."
            )
        idle = [c.name for c in columns if c.n_distinct < 2]
        if idle:
            self.notes.append(
                f"Uninformative columns, with at most one distinct value: "
                f"{', '.join(idle[:5])}{' ...' if len(idle) > 5 else ''}."
            )

    def usable(self) -> pd.DataFrame:
        """Return the sampled rows of the columns that have scores and distances."""
        return self.data.X[self.kept].iloc[self.rows].reset_index(drop=True)

    def score_all(self) -> float | None:
        """Score all columns together."""
        if not self.judged:
            return None
        self.on_step("score the table")
        X = self.usable()
        n_encoded = _count_encoded(X)
        if not n_encoded:
            return None
        if n_encoded > min(MAX_ENCODED, len(X) // 2):
            self.notes.append(
                f"The score of all columns together is not computed: {n_encoded:,} "
                f"encoded columns are too many for it on {len(X):,} rows."
            )
            return None
        return self._score(X, sampled=True)

    def measure_complexity(self, n_hardest: int) -> ComplexitySummary | None:
        """Measure the complexity of the rows, if there are classes."""
        if not self.judged:
            return None
        if self.data.task == "regression":
            self.notes.append(
                "Complexity is defined for classes; the target holds numbers."
            )
            return None
        X, y = self.usable(), self.data.y[self.rows]
        if not X.shape[1]:
            self.notes.append("No column can be used to measure complexity.")
            return None
        self.on_step("measure complexity")
        model = MultiResolutionComplexity(n_jobs=-1).fit(X, y)
        order = np.argsort(-model.mri_, kind="stable")[:n_hardest]
        points, axes = _map_rows(X, y, model.mri_, self.rows, order)
        return ComplexitySummary(
            float(model.mri_.mean()),
            {str(c): float(model.mri_[y == c].mean()) for c in model.classes_},
            tuple(model.radii_.tolist()),
            _summarize_clusters(model),
            tuple(
                HardRow(int(self.rows[i]) + 1, str(y[i]), float(model.mri_[i]))
                for i in order
            ),
            len(X),
            points,
            axes,
            _estimate_error(X, y, self.data.n_samples),
        )

    def count_duplicates(self) -> int:
        """Count the rows that equal an earlier one."""
        if issparse(self.data.X) or self.data.task == "multilabel":
            return 0
        target = pd.Series(self.data.y, name=object())
        return int(pd.concat([self.data.X, target], axis=1).duplicated().sum())

    def _score(self, X: pd.DataFrame, sampled: bool = False) -> float:
        """Return the share of the target's variance that columns explain, adjusted."""
        X = X if sampled else X.iloc[self.rows]
        y = self.data.y[self.rows]
        filled = _fill(X)
        if self.data.task == "classification":
            return correlation_score(filled, y, "adjusted_r2")
        return _adjusted_r2(filled, y)


def find_copies(X: pd.DataFrame) -> dict[str, str]:
    """Find columns that equal an earlier one.

    Parameters
    ----------
    X : DataFrame

    Returns
    -------
    copies : dict of str to str
        Name of each copy, and of the first column with the same values.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.reports.data.summary import find_copies
    >>> find_copies(pd.DataFrame({"a": [1, 2], "b": [2, 1], "c": [1, 2]}))
    {'c': 'a'}
    """
    seen: dict[int, list[str]] = {}
    copies: dict[str, str] = {}
    for name in X:
        values = X[name].astype(object) if X[name].dtype == "category" else X[name]
        key = int(pd.util.hash_pandas_object(values, index=False).sum())
        for earlier in seen.setdefault(key, []):
            if X[name].dtype == X[earlier].dtype and X[name].equals(X[earlier]):
                copies[name] = earlier
                break
        else:
            seen[key].append(name)
    return copies


def _list_column_notes(
    n_missing: int, n_distinct: int, n_rows: int, numeric: bool, identifier: str | None
) -> list[str]:
    """List what is unusual about a column."""
    if n_distinct == 0:
        return ["all missing"]
    notes = ["constant"] if n_distinct == 1 else []
    if n_missing > n_rows / 2:
        notes.append("more than half missing")
    if identifier is not None:
        notes.append(identifier)
    elif not numeric and n_distinct > MANY_LEVELS:
        notes.append("very many categories")
    return notes


def _too_many(kind: str, n_distinct: int) -> bool:
    return kind == "category" and n_distinct > MAX_LEVELS


def _count_encoded(X: pd.DataFrame) -> int:
    """Count the columns after one-hot encoding."""
    categories = [isinstance(dtype, pd.CategoricalDtype) for dtype in X.dtypes]
    return sum(X[c].nunique() if is_one else 1 for c, is_one in zip(X, categories))


def _estimate_error(X: pd.DataFrame, y: np.ndarray, n_rows: int) -> float:
    """Estimate the standard error of the mean complexity of drawn rows.

    The drawn rows are divided into groups, whose mean complexities are compared: rows
    are drawn both as those that are measured and as their neighbors.
    """
    if len(X) == n_rows:
        return 0.0
    order = np.random.default_rng(0).permutation(len(X))
    means = [
        MultiResolutionComplexity(n_jobs=-1).fit(X.iloc[rows], y[rows]).mri_.mean()
        for rows in np.array_split(order, N_GROUPS)
    ]
    missing = 1.0 - len(X) / n_rows
    return float(np.sqrt(missing * np.var(means, ddof=1) / N_GROUPS))


def _map_rows(
    X: pd.DataFrame, y: np.ndarray, mri: np.ndarray, rows: np.ndarray, hardest: Any
) -> tuple[tuple[MapPoint, ...], tuple[str, str]]:
    """Place the hardest rows and a sample of the others in two dimensions."""
    taken = np.arange(len(X))
    if len(X) > MAX_POINTS:
        drawn = np.random.default_rng(0).choice(len(X), MAX_POINTS, replace=False)
        taken = np.union1d(drawn, hardest)
    placed, axes = project_rows(X.iloc[taken])
    points = tuple(
        MapPoint(int(rows[i]) + 1, float(x), float(v), str(y[i]), float(mri[i]))
        for i, (x, v) in zip(taken, placed)
    )
    return points, axes


def _fill(X: pd.DataFrame) -> pd.DataFrame:
    """Fill missing numbers with the column's mean; remove unused categories.

    A column without any value in the sample becomes 0.
    """
    filled = {}
    for name in X:
        if isinstance(X[name].dtype, pd.CategoricalDtype):
            filled[name] = X[name].cat.remove_unused_categories()
        else:
            filled[name] = X[name].fillna(X[name].mean()).fillna(0.0)
    return pd.DataFrame(filled)


def _adjusted_r2(X: pd.DataFrame, y: np.ndarray) -> float:
    """Return the adjusted R2 of a least squares fit, clipped to 0 and 1."""
    encoded = pd.get_dummies(X, drop_first=True, dtype=np.float64)
    model = LinearRegression().fit(encoded, y)
    n_free = len(y) - 1 - model.rank_
    if n_free < 1 or np.ptp(y) == 0.0:
        return 0.0
    adjusted = 1.0 - (1.0 - model.score(encoded, y)) * (len(y) - 1) / n_free
    return float(min(max(adjusted, 0.0), 1.0))


def _summarize_clusters(model: Any) -> tuple[ClusterSummary, ...]:
    found = []
    for label in np.unique(model.labels_):
        profiles = model.profiles_[model.labels_ == label]
        low, high = np.percentile(profiles, [25, 75], axis=0)
        found.append(
            ClusterSummary(
                len(profiles),
                float(model.cluster_mri_[label]),
                tuple(profiles.mean(axis=0).tolist()),
                tuple(low.tolist()),
                tuple(high.tolist()),
            )
        )
    return tuple(found)
