"""Records in a relational database: SQLite in a file, or PostgreSQL."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from manyminds.experiments.record import PlanState, Record, Slot
from manyminds.utils.databases import (
    StoreError,
    complete_url,
    explain_failures,
    hide_password,
    make_engine,
)

SCHEMA_VERSION = 1
INSERTS: dict[str, Callable[[sql.Table], Any]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
KEYS_AT_ONCE = 500  # below the number of variables that any database takes
TABLES = sql.MetaData()
T = TypeVar("T")


def _text(name: str, **options: Any) -> sql.Column[str]:
    return sql.Column(
        name, sql.Text, nullable=options.pop("nullable", False), **options
    )


RECORDS = sql.Table(
    "manyminds_records",
    TABLES,
    _text("key", primary_key=True),
    _text("dataset"),
    _text("method"),
    sql.Column("repeat", sql.Integer, nullable=False),
    sql.Column("fold", sql.Integer, nullable=False),
    _text("measured"),
    _text("error", nullable=True),
    sql.Column("seconds", sql.Float, nullable=False),
    _text("finished"),
    _text("estimator"),
    _text("fingerprint"),
    _text("versions"),
)
SLOTS = sql.Table(
    "manyminds_slots",
    TABLES,
    _text("plan", primary_key=True),
    _text("dataset", primary_key=True),
    _text("method", primary_key=True),
    sql.Column("repeat", sql.Integer, primary_key=True),
    sql.Column("fold", sql.Integer, primary_key=True),
    _text("key"),
)
CLAIMS = sql.Table(
    "manyminds_claims",
    TABLES,
    _text("key", primary_key=True),
    _text("owner", index=True),
    sql.Column("expires", sql.Float, nullable=False),
)
ABOUT = sql.Table(
    "manyminds_about",
    TABLES,
    _text("name", primary_key=True),
    _text("value"),
)


class SqlStore:
    """Keep records in SQLite or PostgreSQL; see `open_store`.

    Parameters
    ----------
    url : str
        Name of a file, ``sqlite:///file`` or ``postgresql://...``.
    """

    def __init__(self, url: str) -> None:
        self.url = complete_url(url)
        try:
            self._engine = make_engine(self.url)
            _make_tables(self._engine)
        except StoreError:
            raise
        except (SQLAlchemyError, OSError) as error:
            reason = getattr(error, "orig", None) or error
            raise StoreError(f"The store {self} cannot be opened: {reason}") from error
        self._insert = INSERTS[self._engine.dialect.name]

    def __str__(self) -> str:
        return hide_password(self.url)

    def put(self, records: Iterable[Record]) -> None:
        """Keep records. Of a key that is there already, the first record stays."""
        rows = [_to_row(record) for record in records]
        if rows:
            with self._writing() as connection:
                connection.execute(self._insert(RECORDS).on_conflict_do_nothing(), rows)

    def get(self, keys: Iterable[str]) -> dict[str, Record]:
        """Return the records of those of the keys that have one."""
        found = {}
        with self._reading() as connection:
            for part in _portions(keys):
                question = sql.select(RECORDS).where(RECORDS.c.key.in_(part))
                for record in _to_records(connection.execute(question).all()):
                    found[record.key] = record
        return found

    def find(
        self,
        *,
        plan: str | None = None,
        dataset: str | None = None,
        method: str | None = None,
    ) -> list[Record]:
        """List records, of a plan under its own names, in the order of its folds."""
        place = RECORDS.c if plan is None else SLOTS.c
        places = [place.dataset, place.method, place.repeat, place.fold]
        measured = list(RECORDS.c)[5:]
        question = sql.select(RECORDS.c.key, *places, *measured).order_by(*places)
        if plan is not None:
            question = question.join(SLOTS, SLOTS.c.key == RECORDS.c.key)
            question = question.where(SLOTS.c.plan == plan)
        if dataset is not None:
            question = question.where(place.dataset == dataset)
        if method is not None:
            question = question.where(place.method == method)
        with self._reading() as connection:
            return _to_records(connection.execute(question).all())

    def delete(self, keys: Iterable[str]) -> int:
        """Forget the records of these keys, and tell how many there were."""
        count = 0
        with self._writing() as connection:
            for part in _portions(keys):
                gone = connection.execute(
                    sql.delete(RECORDS).where(RECORDS.c.key.in_(part))
                )
                count += gone.rowcount
        return count

    def enrol(self, plan: str, slots: Iterable[Slot]) -> None:
        """Note the places of a plan on some data sets, in place of earlier notes."""
        rows = [{"plan": plan, **vars(slot)} for slot in slots]
        if not rows:
            return
        with self._writing() as connection:
            for part in _portions({row["dataset"] for row in rows}):
                earlier = SLOTS.c.plan == plan, SLOTS.c.dataset.in_(part)
                connection.execute(sql.delete(SLOTS).where(*earlier))
            # Two runners of one plan may note the same at the same time.
            connection.execute(self._insert(SLOTS).on_conflict_do_nothing(), rows)

    def plans(self) -> list[PlanState]:
        """Tell of each plan how many folds it has and how many are recorded."""
        question = (
            sql.select(
                SLOTS.c.plan,
                sql.func.count(),
                sql.func.count(RECORDS.c.key),
                sql.func.count(RECORDS.c.error),
                sql.func.coalesce(sql.func.sum(RECORDS.c.seconds), 0.0),
                sql.func.coalesce(sql.func.max(RECORDS.c.finished), ""),
            )
            .select_from(SLOTS.outerjoin(RECORDS, SLOTS.c.key == RECORDS.c.key))
            .group_by(SLOTS.c.plan)
            .order_by(SLOTS.c.plan)
        )
        with self._reading() as connection:
            return [PlanState(*row) for row in connection.execute(question)]

    def claim(self, keys: Iterable[str], owner: str, seconds: float) -> list[str]:
        """Reserve folds to work on, and tell which of them were free."""
        now = time.time()
        reserve = self._insert(CLAIMS)
        reserve = reserve.on_conflict_do_update(
            index_elements=[CLAIMS.c.key],
            set_={"owner": reserve.excluded.owner, "expires": reserve.excluded.expires},
            where=(CLAIMS.c.expires < now),
        )
        free = []
        with self._writing() as connection:
            for key in keys:
                row = {"key": key, "owner": owner, "expires": now + seconds}
                if connection.execute(reserve, row).rowcount == 1:
                    free.append(key)
            done = self._forget_claims_of_recorded(connection, free)
        return [key for key in free if key not in done]

    def _forget_claims_of_recorded(
        self, connection: Connection, keys: list[str]
    ) -> set[str]:
        # Looked up after the claim was taken: whoever held it before had put the
        # record by then, so that a fold cannot slip through between the two.
        done: set[str] = set()
        for part in _portions(keys):
            question = sql.select(RECORDS.c.key).where(RECORDS.c.key.in_(part))
            done |= set(connection.execute(question).scalars())
        if done:
            connection.execute(sql.delete(CLAIMS).where(CLAIMS.c.key.in_(done)))
        return done

    def renew(self, owner: str, seconds: float) -> None:
        """Let all claims of the owner hold for so many seconds from now on."""
        renewal = sql.update(CLAIMS).where(CLAIMS.c.owner == owner)
        with self._writing() as connection:
            connection.execute(renewal.values(expires=time.time() + seconds))

    def release(self, owner: str) -> None:
        """Return up all claims of the owner."""
        with self._writing() as connection:
            connection.execute(sql.delete(CLAIMS).where(CLAIMS.c.owner == owner))

    def owners(self, keys: Iterable[str]) -> dict[str, str]:
        """Tell who holds which of the keys."""
        found: dict[str, str] = {}
        with self._reading() as connection:
            for part in _portions(keys):
                question = sql.select(CLAIMS.c.key, CLAIMS.c.owner).where(
                    CLAIMS.c.key.in_(part), CLAIMS.c.expires >= time.time()
                )
                found.update(
                    (key, owner) for key, owner in connection.execute(question)
                )
        return found

    def close(self) -> None:
        """Let go of connections and files."""
        self._engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Connect for one transaction; say which disk is full, if one is."""
        with explain_failures(self.url), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Connect without a lock that would make writers wait."""
        with explain_failures(self.url), self._engine.connect() as connection:
            yield connection.execution_options(reads_only=True)


def _make_tables(engine: Engine) -> None:
    """Make what is missing, one process at a time; refuse what is newer than we."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sql.text("SELECT pg_advisory_xact_lock(20150332)"))
        TABLES.create_all(connection)
        note = INSERTS[engine.dialect.name](ABOUT).on_conflict_do_nothing()
        connection.execute(note, {"name": "version", "value": str(SCHEMA_VERSION)})
        question = sql.select(ABOUT.c.value).where(ABOUT.c.name == "version")
        version = connection.execute(question).scalar_one()
    if int(version) != SCHEMA_VERSION:
        raise StoreError(
            f"The store has version {version}; this manyminds reads {SCHEMA_VERSION}."
        )


def _to_row(record: Record) -> dict[str, Any]:
    row = dict(vars(record))
    row["measured"] = json.dumps(dict(row.pop("values")))
    if record.error is not None:
        row["error"] = record.error.replace("\x00", "")  # PostgreSQL takes no zeros
    return row


def _to_records(rows: Sequence[Any]) -> list[Record]:
    """Make records of rows, which come in thousands: what they measured in one go."""
    measured = json.loads(f"[{','.join(row[5] for row in rows)}]")
    return [
        Record(key, dataset, method, repeat, fold, values, *rest)
        for (key, dataset, method, repeat, fold, _, *rest), values in zip(
            rows, measured
        )
    ]


def _portions(keys: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(keys)
    while part := list(islice(rest, KEYS_AT_ONCE)):
        yield part
