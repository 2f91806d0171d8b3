"""Keep out-of-fold predictions beside the study, in the same database."""

import io
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

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
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from manyminds.search.evaluation.evaluating import Evaluation
from manyminds.utils.databases import (
    StoreError,
    complete_url,
    explain_failures,
    hide_password,
    make_engine,
)

try:
    import fcntl
except ImportError:  # on Windows, processes that share a file may do a trial twice
    fcntl = None  # type: ignore[assignment]

__all__ = [
    "Kept",
    "PredictionStore",
    "explain_storage",
    "lock_study",
    "open_predictions",
    "try_again",
]

HOPELESS = ("readonly", "full", "not a database")  # what no second attempt mends
_METADATA = MetaData()
_TABLE = Table(
    "manyminds_predictions",
    _METADATA,
    Column("study", String(200), primary_key=True),
    Column("trial", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)


class Kept:
    """What is kept of a trial beside its scores.

    Parameters
    ----------
    predictions : ndarray of shape (n_samples[, n_classes])
    selected : list of ndarray of int
        Columns that reached the learner in each fold.
    names : list of str
        Of the columns, if encoding made new ones.
    """

    def __init__(
        self, predictions: np.ndarray, selected: list[np.ndarray], names: list[str]
    ) -> None:
        self.predictions, self.selected, self.names = predictions, selected, names


def try_again(make: Callable[[], Any], n_times: int = 6) -> Any:
    """Do something again if a database refuses it.

    Processes that start together on an empty database find that a table is missing, and
    all make it; all but one are refused, and find it there the next time.
    """
    for attempt in range(n_times - 1):
        try:
            return make()
        except DBAPIError as error:
            if any(word in str(error.orig) for word in HOPELESS):
                raise
            time.sleep(0.3 * 2**attempt)
    return make()


class MemoryPredictions:
    """Keep what trials predicted, as long as the process lives."""

    def __init__(self) -> None:
        self._kept: dict[int, Kept] = {}

    def write(self, trial: int, found: Evaluation) -> None:
        """Keep what a trial predicted."""
        assert found.predictions is not None
        self._kept[trial] = Kept(found.predictions, found.selected, found.names)

    def read(self, trials: list[int]) -> dict[int, Kept]:
        """Return what trials predicted."""
        return {number: self._kept[number] for number in trials if number in self._kept}

    def close(self) -> None:
        """Do nothing: there is no database."""


@contextmanager
def lock_study(url: str | None) -> Iterator[bool]:
    """Keep other processes of this machine out while a trial is taken.

    Gives whether they are kept out.

    Optuna lets two processes take the same trial from a SQLite file, which cannot lock
    a row; a database with a server can, and needs nothing here. The lock ends with the
    process, however that ends.
    """
    complete = None if url is None else complete_url(url)
    if complete is None or complete.get_backend_name() != "sqlite" or fcntl is None:
        yield False
        return
    with explain_failures(complete):
        file = open(f"{complete.database}.lock", "w")
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield True


@contextmanager
def explain_storage(url: str | None) -> Iterator[None]:
    """Turn what Optuna and SQL say of a full disk or a lost folder into a sentence.

    Parameters
    ----------
    url : str or None
        Of the study's database; None: memory, which does not fail.
    """
    if url is None:
        yield
        return
    from optuna.exceptions import StorageInternalError

    with explain_failures(complete_url(url)):
        try:
            yield
        except StorageInternalError as error:  # of Optuna; the database's is within
            cause = error.__cause__ or error.__context__
            raise (
                cause
                if isinstance(cause, SQLAlchemyError)
                else StoreError(f"The storage {hide_password(url)} failed: {error}")
            ) from error


class PredictionStore:
    """Write and read what trials predicted.

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
                try_again(lambda: _METADATA.create_all(self._engine))
        except StoreError:
            self._engine.dispose()
            raise

    def write(self, trial: int, found: Evaluation) -> None:
        """Keep what a trial predicted, once and whole."""
        lengths = np.array([len(one) for one in found.selected], dtype=np.int64)
        columns = np.concatenate(found.selected) if len(lengths) else np.empty(0)
        content = io.BytesIO()
        np.savez_compressed(
            content,
            predictions=found.predictions,
            columns=columns.astype(np.int32),
            lengths=lengths,
            names=np.array(found.names, dtype=np.str_),
        )
        row = {"study": self.study, "trial": trial}
        here = (_TABLE.c.study == self.study) & (_TABLE.c.trial == trial)
        with self._engine.begin() as connection:
            connection.execute(delete(_TABLE).where(here))
            values = {**row, "content": content.getvalue()}
            connection.execute(insert(_TABLE).values(**values))

    def read(self, trials: list[int]) -> dict[int, Kept]:
        """Read what trials predicted; those of which nothing is kept are left out."""
        wanted = select(_TABLE.c.trial, _TABLE.c.content).where(
            (_TABLE.c.study == self.study) & _TABLE.c.trial.in_(trials)
        )
        with self._engine.connect() as connection:
            rows = connection.execute(wanted).all()
        return {int(number): _unpack(content) for number, content in rows}

    def close(self) -> None:
        """Let the database go."""
        self._engine.dispose()


def open_predictions(
    url: str | None, study: str
) -> PredictionStore | MemoryPredictions:
    """Open the place where a study's predictions are kept; None: memory."""
    return MemoryPredictions() if url is None else PredictionStore(url, study)


def _unpack(content: bytes) -> Kept:
    with np.load(io.BytesIO(content), allow_pickle=False) as parts:
        ends: Any = np.cumsum(parts["lengths"])[:-1]
        selected = np.split(parts["columns"], ends) if len(parts["lengths"]) else []
        names = [str(name) for name in parts["names"]]
        return Kept(parts["predictions"], selected, names)
