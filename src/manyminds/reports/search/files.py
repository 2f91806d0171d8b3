"""Write the files of a search: model, tables and page, each whole or not at all."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manyminds.datasets import Dataset
from manyminds.persistence.model_file import check_model, save_model
from manyminds.reports.search.folder import (
    CARD,
    MODEL,
    REPORT,
    SearchIdentity,
    write_result,
)
from manyminds.reports.search.model_card import (
    ModelCard,
    make_model_card,
    render_model_card,
)
from manyminds.reports.search.page import render_search_page
from manyminds.reports.search.summary import name_best
from manyminds.reports.search.summary_types import SearchDetails, SearchSummary
from manyminds.reports.shared.pages import write_files
from manyminds.reports.shared.plain import to_plain
from manyminds.search.choice.class_weights import decide_by
from manyminds.search.evaluation.folds import list_tested, place_tests


def write_search(
    folder: str | os.PathLike[str],
    search: Any,
    data: Dataset,
    identity: SearchIdentity,
    summary: SearchSummary,
    details: SearchDetails | None,
) -> list[Path]:
    """Write model, tables, result, card and page, each whole or not at all.

    Parameters
    ----------
    folder : path
        Created by `open_search_folder`.
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset
    identity : SearchIdentity
    summary : SearchSummary
    details : SearchDetails or None
        None for no page.

    Returns
    -------
    paths : list of Path
    """
    written = [write_model(folder, search, data, identity, summary.command)]
    written += write_tables(folder, search, data)
    written.append(write_result(folder, identity, summary))
    card = make_model_card(search, data, summary)
    written.append(write_card(folder, card))
    if details is not None:
        written.append(write_page(folder, summary, details, card))
    return written


def write_model(
    folder: str | os.PathLike[str],
    search: Any,
    data: Dataset,
    identity: SearchIdentity,
    command: str,
) -> Path:
    """Write the model of a search, and check that the file can be used.

    Neither summary nor report is needed, so that their failure cannot lose the model.

    Parameters
    ----------
    folder, search, data, identity
        See `write_search`.
    command : str
        The command that ran the search.

    Returns
    -------
    path : Path

    Raises
    ------
    ModelFileError
        If the file cannot be loaded, or predicts other values than the model.
    """
    members = search.weights_ if search.committee_ is not None else []
    about = {
        "metric": search.metric_,
        "honest_score": search.honest_score_,
        "best": name_best(search),
        "members": [
            {"pipeline": pipeline, "weight": share} for pipeline, share in members
        ],
        "command": command,
    }
    path = Path(folder) / MODEL
    save_model(
        path,
        search.model_,
        data,
        about=to_plain(about),
        target=identity.target,
        calibration=search.calibration_,
    )
    check_model(path, search.model_, data)
    return path


def write_tables(
    folder: str | os.PathLike[str], search: Any, data: Dataset
) -> list[Path]:
    """Write leaderboard, trace, selection, importance and predictions as CSV."""
    tables = {
        "leaderboard.csv": search.leaderboard_,
        "trace.csv": search.trace_,
        "selection.csv": search.selection_,
        "importance.csv": search.importance_,
        "predictions.csv": list_predictions(search, data),
    }
    content = {name: table.to_csv(index=False) for name, table in tables.items()}
    return write_files(folder, content)


def write_card(folder: str | os.PathLike[str], card: ModelCard) -> Path:
    """Write the card of the model."""
    return write_files(folder, {CARD: render_model_card(card)})[0]


def write_page(
    folder: str | os.PathLike[str],
    summary: SearchSummary,
    details: SearchDetails,
    card: ModelCard | None = None,
) -> Path:
    """Write the report."""
    page = render_search_page(summary, details, card=card, folder=str(folder))
    return write_files(folder, {REPORT: page})[0]


def list_predictions(search: Any, data: Dataset) -> pd.DataFrame:
    """List the out-of-fold predictions, one for each row that was tested.

    Parameters
    ----------
    search : ComplexModelSearchClassifier or ComplexModelSearchRegressor
        Fitted on the table and target of ``data``.
    data : Dataset

    Returns
    -------
    predictions : DataFrame
        ``row`` from 1, ``target``, ``prediction``, ``probability <class>`` for each
        class, ``fold`` from 1. Of many labels, ``target <label>``,
        ``prediction <label>`` and ``probability <label>`` for each.
    """
    tested = list_tested(search.folds_)
    predictions = search.oof_predictions_[tested]
    fold = np.zeros(len(tested), dtype=np.int64)
    for number, (_, places) in enumerate(place_tests(search.folds_), start=1):
        fold[places] = number
    columns: dict[str, Any] = {"row": tested + 1}
    if data.task == "multilabel":
        y = data.y.iloc[tested]
        columns |= {f"target {name}": has.to_numpy() for name, has in y.items()}
        names, chosen = list(data.y.columns), (predictions > 0.5).astype(int)
        columns |= {f"prediction {one}": chosen[:, j] for j, one in enumerate(names)}
        for place, name in enumerate(names):
            columns[f"probability {name}"] = predictions[:, place]
        return pd.DataFrame(columns | {"fold": fold})
    columns["target"] = np.asarray(data.y)[tested]
    if data.task == "classification":
        decided = decide_by(predictions, search.class_weights_)
        columns["prediction"] = search.classes_[decided.argmax(axis=1)]
        for place, label in enumerate(search.classes_):
            columns[f"probability {label}"] = predictions[:, place]
    else:
        columns["prediction"] = predictions
    return pd.DataFrame(columns | {"fold": fold})
