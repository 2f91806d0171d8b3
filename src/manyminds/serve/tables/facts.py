"""Facts on the columns of a table: types, missing values, what is suspicious."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from manyminds.analysis import Pitfall, find_pitfalls
from manyminds.datasets import Dataset, find_identifiers
from manyminds.datasets.texts import is_free_text
from manyminds.reports.data.summary import find_copies
from manyminds.reports.shared.formatting import format_number
from manyminds.reports.shared.table import TargetSummary, summarize_target
from manyminds.serve.cache import stamp
from manyminds.serve.state import ServeState
from manyminds.serve.tables.declarations import read_declared
from manyminds.serve.tables.rows import open_rows
from manyminds.serve.tables.sample import TableSample, read_sample
from manyminds.serve.tables.source import TableSource
from manyminds.serve.wording import describe_message
from manyminds.utils.errors import InputWarning

__all__ = [
    "ColumnFacts",
    "SampleFacts",
    "choose_default_target",
    "find_facts",
    "knows_facts",
    "list_declared",
    "split_target",
]

USUAL_TARGETS = ("target", "class", "label")
MAX_JUDGED = 2_000  # columns among which suspicious ones are looked for


@dataclass(frozen=True)
class ColumnFacts:
    """What a page shows of a column.

    Parameters
    ----------
    name : str
    kind : {"number", "category", "date", "text", "left out"}
    declared : str
        Key of `manyminds.serve.tables.declarations.KINDS`.
    n_missing, n_distinct : int
    values : str
        Range, or the most frequent value.
    notes : list of str
        What is suspicious.
    """

    name: str
    kind: str
    declared: str
    n_missing: int = 0
    n_distinct: int = 0
    values: str = ""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class SampleFacts:
    """What a page shows of a table and its target.

    Parameters
    ----------
    n_rows, n_sampled : int
        Rows of the table, and those that were looked at.
    is_whole : bool
    is_start : bool
        Whether the file has more rows, which are not counted.
    columns : list of ColumnFacts
    target : TargetSummary
    target_name, task : str
    notes : list of str
        Warnings and pitfalls, one sentence each.
    """

    n_rows: int
    n_sampled: int
    is_whole: bool
    is_start: bool
    columns: list[ColumnFacts]
    target: TargetSummary
    target_name: str
    task: str
    notes: list[str]


def choose_default_target(state: ServeState, source: TableSource) -> str:
    """Return the declared target, the column with a usual name, or the last one."""
    names = open_rows(state, source).names
    declared = read_declared(source.schema).get("target")
    if isinstance(declared, str) and declared in names:
        return declared
    usual = [name for name in names if name.lower() in USUAL_TARGETS]
    return usual[0] if len(usual) == 1 else names[-1] if names else ""


def split_target(target: str, task: str | None) -> list[str]:
    """Return the names of all columns to predict; several only of many labels."""
    if task == "multilabel":
        return [name.strip() for name in target.split(",")]
    return [target]


def find_facts(
    state: ServeState, source: TableSource, target: str | None, task: str | None = None
) -> SampleFacts:
    """Return the facts on a table and its target; they are cached.

    Parameters
    ----------
    state : ServeState
    source : TableSource
    target : str or None
        Column to predict.
    task : str or None, default=None
        None infers it.

    Returns
    -------
    facts : SampleFacts
    """
    return state.summaries.get(
        _make_key(source, target, task),
        lambda: _make_facts(read_sample(state, source, target, task), source),
    )


def knows_facts(
    state: ServeState, source: TableSource, target: str | None, task: str | None = None
) -> bool:
    """Return whether facts are in the cache."""
    return _make_key(source, target, task) in state.summaries


def _make_key(source: TableSource, target: str | None, task: str | None) -> Any:
    files = [one for one in (source.path, source.schema) if one is not None]
    return ("facts", source.ref, target, task, *stamp(*files))


def _make_facts(sample: TableSample, source: TableSource) -> SampleFacts:
    data = sample.data
    declared = list_declared(source)
    is_judged = data.n_features <= MAX_JUDGED
    pitfalls = find_pitfalls(data) if is_judged else []
    columns = [] if issparse(data.X) else _list_columns(data, declared, pitfalls)
    notes = [*sample.notes, *(_advise(one) for one in pitfalls if not one.column)]
    if not is_judged:
        notes.append(
            f"Identifiers, copies and leaks are looked for in up to {MAX_JUDGED:,} "
            "columns; this table has more."
        )
    left_out = [name for name, kind in declared.items() if kind == "drop"]
    columns += [ColumnFacts(name, "left out", "drop") for name in left_out]
    return SampleFacts(
        n_rows=sample.n_rows,
        n_sampled=data.n_samples,
        is_whole=sample.is_whole,
        is_start=sample.is_start,
        columns=columns,
        target=summarize_target(data),
        target_name=data.target_name,
        task=data.task,
        notes=notes,
    )


def _advise(pitfall: Pitfall) -> str:
    return describe_message(InputWarning(*pitfall.pieces))


def list_declared(source: TableSource) -> dict[str, str]:
    """Return the type of each column that a person has declared."""
    content = read_declared(source.schema)
    found: dict[str, str] = {}
    for key, kind in (("numeric", "number"), ("categorical", "category")):
        names = content.get(key, [])
        found |= {} if names == "all" else dict.fromkeys(names, kind)
    return found | dict.fromkeys(content.get("drop", []), "drop")


def _list_columns(
    data: Dataset, declared: dict[str, str], pitfalls: list[Pitfall]
) -> list[ColumnFacts]:
    X = data.X
    is_judged = X.shape[1] <= MAX_JUDGED
    identifiers = find_identifiers(X) if is_judged else {}
    copies = find_copies(X) if is_judged else {}
    warned: dict[str, list[str]] = {}
    for pitfall in pitfalls:
        if pitfall.column and pitfall.kind != "identifier":
            kinds = {"leak": "leaks the target", "groups": "groups of rows"}
            kinds |= {"order": "order of rows"}
            text = f"{kinds.get(pitfall.kind, pitfall.kind)}: {pitfall.evidence}"
            warned.setdefault(pitfall.column, []).append(text)
    found = []
    for name in X:
        notes = list(warned.get(name, []))
        if name in identifiers:
            notes.append(identifiers[name])
        if name in copies:
            notes.append(f"the same as {copies[name]}")
        found.append(_describe(X[name], declared.get(name, "auto"), notes))
    return found


def _describe(column: pd.Series, declared: str, notes: list[str]) -> ColumnFacts:
    n_missing, n_distinct = int(column.isna().sum()), int(column.nunique())
    if n_distinct < 2:
        notes.insert(0, "constant" if n_distinct else "all missing")
    elif n_missing > len(column) / 2:
        notes.append("more than half missing")
    kind, values = _show_values(column, n_distinct)
    return ColumnFacts(
        str(column.name), kind, declared, n_missing, n_distinct, values, notes
    )


def _show_values(column: pd.Series, n_distinct: int) -> tuple[str, str]:
    """Return the type of a column, and its range or its most frequent value."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        kind = "text" if is_free_text(column) else "category"
        if not n_distinct:
            return kind, ""
        codes: Any = column.cat.codes.to_numpy()
        counts = np.bincount(codes[codes >= 0])
        return kind, f"mostly {column.cat.categories[int(counts.argmax())]}"
    if column.dtype.kind == "M":
        ends = (column.min(), column.max())
        return "date", f"{ends[0]:%Y-%m-%d} to {ends[1]:%Y-%m-%d}" if n_distinct else ""
    if not n_distinct:
        return "number", ""
    low, high = float(column.min()), float(column.max())
    return "number", f"{format_number(low)} to {format_number(high)}"
