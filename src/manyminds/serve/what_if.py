"""What if: the prediction of one row, its interval, and what each column adds to it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import compress
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets import Column, match_columns
from manyminds.datasets.columns import format_value
from manyminds.experiments.measures import predict_label_scores
from manyminds.persistence import TableModel
from manyminds.serve.contributions import (
    Contributions,
    estimate_contributions,
    merge_small,
    rank_columns,
)
from manyminds.serve.notes import collect_notes
from manyminds.workflows.novelty import describe_novelty

__all__ = [
    "Answer",
    "answer_row",
    "change_cells",
    "find_typical",
    "list_cells",
    "sort_columns",
]

MAX_EXPLAINED = 40  # columns whose contributions are estimated
MAX_RANKED = 1_000  # columns among which those are looked for, in each row
MAX_BARS = 14  # contributions that are shown
MAX_BACKGROUND = 200  # rows that contributions draw from
LEVEL = 0.9


@dataclass(frozen=True)
class Answer:
    """What a model predicts for one row.

    Parameters
    ----------
    prediction : str
        The class, the number, or all labels.
    probabilities : tuple of (str, float)
        Of each class or label, the most probable first.
    interval : tuple of float or None
        Ends of the 90 % interval of a number.
    labels : tuple of str
        Classes of the 90 % set.
    notes : tuple of str
        Warnings, such as about a row unlike those of training.
    explained : str
        What the contributions are of.
    contributions : Contributions or None
    """

    prediction: str
    probabilities: tuple[tuple[str, float], ...]
    interval: tuple[float, float] | None
    labels: tuple[str, ...]
    notes: tuple[str, ...]
    explained: str
    contributions: Contributions | None


def answer_row(
    model: TableModel,
    base: pd.DataFrame,
    changes: Mapping[str, str],
    background: pd.DataFrame | None,
    columns: Sequence[str],
    label: str | None = None,
) -> Answer:
    """Predict one row, with its interval and the contributions of its columns.

    Parameters
    ----------
    model : TableModel
        With names of columns.
    base : DataFrame
        The row before the changes, as the model reads it.
    changes : mapping of str to str
        Text of the columns that are changed; empty text is a missing value.
    background : DataFrame or None
        Rows of training, from which contributions are computed; None: there are none.
    columns : sequence of str
        Columns whose contributions may be estimated, the most important first.
    label : str or None, default=None
        Of many labels, the one whose probability is explained; None: the most probable.

    Returns
    -------
    answer : Answer

    Raises
    ------
    InputError
        If a text is no number where the model needs one.
    """
    with collect_notes() as notes:
        row = change_cells(model, base, changes)
        typed = _TypedModel.of(model)
        made = typed.predict_table(row)
        interval, labels = _cover(typed, row)
        unlike = typed.find_unlike(row)
    if unlike is not None and unlike.unlike.any():
        reason = describe_novelty(unlike).partition(": ")[2]
        notes.append(f"This row is unlike those of training: {reason}")
    shares = _list_probabilities(made)
    if model.task == "multilabel":
        text = _join_labels(model, made)
        explained, predict = _choose_label(model, label or shares[0][0])
    else:
        prediction = made["prediction"].iloc[0]
        text = f"{prediction:.6g}" if model.task == "regression" else str(prediction)
        explained, predict = _choose_output(model, prediction)
    found = None
    if background is not None and len(background):
        rows = _sample(background)
        with collect_notes():
            chosen = _choose_explained(predict, row, rows, columns, changes)
            found = estimate_contributions(predict, row, rows, chosen)
        found = merge_small(found, MAX_BARS)
    return Answer(text, shares, interval, labels, tuple(notes), explained, found)


def change_cells(
    model: TableModel, base: pd.DataFrame, changes: Mapping[str, str]
) -> pd.DataFrame:
    """Return a row with some cells changed; only these are read as text.

    Parameters
    ----------
    model : TableModel
    base : DataFrame
        One row, as the model reads it.
    changes : mapping of str to str
        Names that the model does not know are ignored.

    Returns
    -------
    row : DataFrame
    """
    known = [one for one in model.columns or () if one.name in changes]
    if not known:
        return base
    texts = pd.DataFrame({one.name: [changes[one.name]] for one in known}, dtype=object)
    read = match_columns(texts, known)
    others = base.drop(columns=list(read.columns)).reset_index(drop=True)
    return pd.concat([others, read], axis=1)[list(base.columns)]


def sort_columns(model: TableModel, important: Sequence[str]) -> list[Column]:
    """Return all columns, the most important first.

    Parameters
    ----------
    model : TableModel
    important : sequence of str
        Names, the most important first.

    Returns
    -------
    columns : list of Column
    """
    place = {name: k for k, name in enumerate(important)}
    return sorted(model.columns or (), key=lambda one: place.get(one.name, len(place)))


def find_typical(model: TableModel, rows: pd.DataFrame | None) -> pd.DataFrame:
    """Return a typical row: medians, and the most frequent categories.

    Parameters
    ----------
    model : TableModel
    rows : DataFrame or None
        Of training, as the model reads them; without them, the middle of the ranges
        that the model knows.

    Returns
    -------
    row : DataFrame
        One row, as the model reads it.
    """
    if rows is None:
        cells = {name: [text] for name, text in _find_middle(model).items()}
        with collect_notes():
            typical: pd.DataFrame = model.read_rows(pd.DataFrame(cells, dtype=object))
        return typical
    numbers = rows.select_dtypes("number").median().map(_round).to_frame().T
    others = {
        name: rows[name].mode().reindex([0])
        for name in rows.columns
        if name not in numbers.columns
    }
    pieces = [numbers.reset_index(drop=True), pd.DataFrame(others)]
    return pd.concat([one for one in pieces if one.shape[1]], axis=1)[
        list(rows.columns)
    ]


def list_cells(row: pd.Series) -> dict[str, str]:
    """Return the text of each cell of a row; missing values are empty."""
    cells = {}
    for name, value in row.items():
        if pd.isna(value):
            cells[str(name)] = ""
        elif isinstance(value, float | np.floating):
            cells[str(name)] = format_value(float(value))
        elif isinstance(value, pd.Timestamp) and value == value.normalize():
            cells[str(name)] = f"{value:%Y-%m-%d}"
        else:
            cells[str(name)] = str(value)
    return cells


def _round(value: float) -> float:
    """Round to six digits: the mean of two middle values may have very many."""
    return float(f"{value:.6g}")


def _find_middle(model: TableModel) -> dict[str, str]:
    cells = {one.name: (one.levels or ("",))[0] for one in model.columns or ()}
    check = model.novelty
    if check is not None:
        for k, name in enumerate(check.numeric):
            middle = float(check.ranges[:2, k].mean())
            cells[name] = format_value(float(f"{middle:.4g}"))
    return cells


class _TypedModel(TableModel):
    """A model whose tables have been read already."""

    @classmethod
    def of(cls, model: TableModel) -> "_TypedModel":
        """Return the same model."""
        return cls(**{one.name: getattr(model, one.name) for one in fields(model)})

    def read_rows(self, table: Any) -> Any:
        """Return the table."""
        return table


def _cover(
    model: TableModel, table: pd.DataFrame
) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    """Return the 90 % interval or set, if the model is calibrated."""
    if model.calibration is None:
        return None, ()
    if model.task == "regression":
        low, high = model.predict_interval(table, LEVEL)
        return (float(low[0]), float(high[0])), ()
    chosen = model.predict_set(table, LEVEL)[0]
    return None, tuple(compress([str(one) for one in model.classes], chosen))


def _list_probabilities(made: pd.DataFrame) -> tuple[tuple[str, float], ...]:
    names = [one for one in made.columns if one.startswith("probability ")]
    pairs = [(n.removeprefix("probability "), float(made[n].iloc[0])) for n in names]
    return tuple(sorted(pairs, key=lambda pair: -pair[1]))


def _choose_output(
    model: TableModel, prediction: Any
) -> tuple[str, Callable[[pd.DataFrame], np.ndarray]]:
    """Return the name of the number to explain, and the function that predicts it."""
    estimator = model.estimator
    if model.task == "regression":
        return str(model.target), lambda X: np.ravel(estimator.predict(X))
    if not hasattr(estimator, "predict_proba"):
        return f"share of {prediction}", lambda X: estimator.predict(X) == prediction
    place = list(estimator.classes_).index(prediction)
    name = f"probability of {prediction}"
    return name, lambda X: np.asarray(estimator.predict_proba(X))[:, place]


def _choose_explained(
    predict: Callable[[pd.DataFrame], np.ndarray],
    row: pd.DataFrame,
    rows: pd.DataFrame,
    columns: Sequence[str],
    changes: Mapping[str, str],
) -> list[str]:
    """Return changed columns, then those that matter most in this row."""
    ranked = list(columns)
    if MAX_EXPLAINED < len(columns) <= MAX_RANKED:
        known = set(columns)
        ranked = [one for one in rank_columns(predict, row, rows) if one in known]
    ranked = [*(one for one in ranked if one in changes), *ranked]
    return list(dict.fromkeys(ranked))[:MAX_EXPLAINED]


def _join_labels(model: TableModel, made: pd.DataFrame) -> str:
    chosen = [str(one) for one in model.classes if made[f"prediction {one}"].iloc[0]]
    return ", ".join(chosen) or "none of the labels"


def _choose_label(
    model: TableModel, label: str
) -> tuple[str, Callable[[pd.DataFrame], np.ndarray]]:
    """Return the name of a label's probability, and the function that predicts it."""
    place = [str(one) for one in model.classes].index(label)
    return (
        f"probability of {label}",
        lambda X: predict_label_scores(model.estimator, X)[:, place],
    )


def _sample(rows: pd.DataFrame) -> pd.DataFrame:
    if len(rows) <= MAX_BACKGROUND:
        return rows
    return rows.sample(MAX_BACKGROUND, random_state=0)
