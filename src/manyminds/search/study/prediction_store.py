"""Store the out-of-fold predictions of trials, in the database of their study."""

import io
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from sqlalchemy import (
    Column,
    Engine,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    delete,
    insert,
    select,
)

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.study.storage import retry
from manyminds.utils.databases import (
    StoreError,
    complete_url,
    explain_failures,
    make_engine,
    stay_connected,
)

__all__ = [
    "MemoryPredictionStore",
    "PredictionStore",
    "SQLPredictionStore",
    "StoredPredictions",
    "open_prediction_store",
]

_METADATA = MetaData()
_TABLE = Table(
    "manyminds_predictions",
    _METADATA,
    Column("study", String(200), primary_key=True),
    Column("trial", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)


@dataclass(frozen=True, eq=False)
class StoredPredictions:
    """What is stored of a complete trial besides its scores.

    Parameters
    ----------
    predictions : ndarray of shape (n_tested[, n_classes])
        Out of fold, of the rows that are tested.
    selected : list of ndarray of int
        Columns that reached the learner in each fold.
    names : list of str
        Of the columns, if encoding made new ones.
    """

    predictions: np.ndarray
    selected: list[np.ndarray]
    names: list[str]


class PredictionStore(Protocol):
    """The contract of a store of out-of-fold predictions."""

    def write(self, trial: int, evaluation: Evaluation) -> None:
        """Store the predictions of a trial, once and whole."""

    def read(self, trials: list[int]) -> dict[int, StoredPredictions]:
        """Return the predictions of trials; those that have none are left out."""

    def close(self) -> None:
        """Close the database."""


class MemoryPredictionStore:
    """Store predictions as long as the process lives."""

    def __init__(self) -> None:
        self._stored: dict[int, StoredPredictions] = {}

    def write(self, trial: int, evaluation: Evaluation) -> None:
        """Store the predictions of a trial."""
        assert evaluation.predictions is not None
        self._stored[trial] = StoredPredictions(
            evaluation.predictions, evaluation.selected, evaluation.names
        )

    def read(self, trials: list[int]) -> dict[int, StoredPredictions]:
        """Return the predictions of trials; those that have none are left out."""
        return {one: self._stored[one] for one in trials if one in self._stored}

    def close(self) -> None:
        """Do nothing: there is no database."""


class SQLPredictionStore:
    """Store predictions in a database.

    Parameters
    ----------
    url : str
        Database of the study, as SQLAlchemy reads it.
    study : str
        Name of the study.
    """

    def __init__(self, url: str, study: str) -> None:
        self.study = study
        complete = complete_url(url)
        self._engine: Engine = make_engine(complete)
        try:
            with explain_failures(complete):
                retry(lambda: _METADATA.create_all(self._engine))
        except StoreError:
            self._engine.dispose()
            raise
        stay_connected(self._engine)

    def write(self, trial: int, evaluation: Evaluation) -> None:
        """Store the predictions of a trial, once and whole."""
        row = {"study": self.study, "trial": trial}
        here = (_TABLE.c.study == self.study) & (_TABLE.c.trial == trial)
        content = _pack(evaluation)
        with self._engine.begin() as connection:
            connection.execute(delete(_TABLE).where(here))
            connection.execute(insert(_TABLE).values(**row, content=content))

    def read(self, trials: list[int]) -> dict[int, StoredPredictions]:
        """Return the predictions of trials; those that have none are left out."""
        wanted = select(_TABLE.c.trial, _TABLE.c.content).where(
            (_TABLE.c.study == self.study) & _TABLE.c.trial.in_(trials)
        )
        with self._engine.connect() as connection:
            rows = connection.execute(wanted).all()
        return {int(number): _unpack(content) for number, content in rows}

    def close(self) -> None:
        """Close the database."""
        self._engine.dispose()


def open_prediction_store(url: str | None, study: str) -> PredictionStore:
    """Open the store of a study's predictions; None for memory."""
    return MemoryPredictionStore() if url is None else SQLPredictionStore(url, study)


def _pack(evaluation: Evaluation) -> bytes:
    assert evaluation.predictions is not None
    lengths = np.array([len(one) for one in evaluation.selected], dtype=np.int64)
    columns = np.concatenate(evaluation.selected) if len(lengths) else np.empty(0)
    content = io.BytesIO()
    np.savez_compressed(
        content,
        predictions=evaluation.predictions,
        columns=columns.astype(np.int32),
        lengths=lengths,
        names=np.array(evaluation.names, dtype=np.str_),
    )
    return content.getvalue()


def _unpack(content: bytes) -> StoredPredictions:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        ends: Any = np.cumsum(arrays["lengths"])[:-1]
        selected = np.split(arrays["columns"], ends) if len(arrays["lengths"]) else []
        names = [str(name) for name in arrays["names"]]
        return StoredPredictions(arrays["predictions"], selected, names)
