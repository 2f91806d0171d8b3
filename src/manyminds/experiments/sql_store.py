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
    check_is_there,
    complete_url,
    explain_failures,
    explain_opening,
    hide_password,
    make_engine,
    stay_connected,
)

SCHEMA_VERSION = 1
INSERTS: dict[str, Callable[[sql.Table], Any]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
CHUNK_SIZE = 500  # below the number of variables that any database takes
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
    """Store records in SQLite or PostgreSQL; see `open_store`.

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
            raise StoreError(explain_opening(self.url, error)) from error
        stay_connected(self._engine)
        self._insert = INSERTS[self._engine.dialect.name]

    def __str__(self) -> str:
        return hide_password(self.url)

    def put(self, records: Iterable[Record]) -> None:
        """Store records. Of a key that exists already, the first record stays."""
        rows = [_to_row(record) for record in records]
        if rows:
            with self._writing() as connection:
                connection.execute(self._insert(RECORDS).on_conflict_do_nothing(), rows)

    def get(self, keys: Iterable[str]) -> dict[str, Record]:
        """Return the records of those of the keys that have one."""
        found = {}
        with self._reading() as connection:
            for chunk in _chunks(keys):
                query = sql.select(RECORDS).where(RECORDS.c.key.in_(chunk))
                for record in _to_records(connection.execute(query).all()):
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
        query = sql.select(RECORDS.c.key, *places, *measured).order_by(*places)
        if plan is not None:
            query = query.join(SLOTS, SLOTS.c.key == RECORDS.c.key)
            query = query.where(SLOTS.c.plan == plan)
        if dataset is not None:
            query = query.where(place.dataset == dataset)
        if method is not None:
            query = query.where(place.method == method)
        with self._reading() as connection:
            return _to_records(connection.execute(query).all())

    def delete(self, keys: Iterable[str]) -> int:
        """Delete the records of these keys; return how many there were."""
        count = 0
        with self._writing() as connection:
            for chunk in _chunks(keys):
                gone = connection.execute(
                    sql.delete(RECORDS).where(RECORDS.c.key.in_(chunk))
                )
                count += gone.rowcount
        return count

    def enroll(self, plan: str, slots: Iterable[Slot]) -> None:
        """Register the slots of a plan on some data sets; they replace earlier ones."""
        rows = [{"plan": plan, **vars(slot)} for slot in slots]
        if not rows:
            return
        with self._writing() as connection:
            for chunk in _chunks({row["dataset"] for row in rows}):
                earlier = SLOTS.c.plan == plan, SLOTS.c.dataset.in_(chunk)
                connection.execute(sql.delete(SLOTS).where(*earlier))
            # Two runners of one plan may note the same at the same time.
            connection.execute(self._insert(SLOTS).on_conflict_do_nothing(), rows)

    def plans(self) -> list[PlanState]:
        """Return of each plan how many folds it has and how many are recorded."""
        query = (
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
            return [PlanState(*row) for row in connection.execute(query)]

    def claim(self, keys: Iterable[str], owner: str, seconds: float) -> list[str]:
        """Reserve folds to compute; return those that were free."""
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
            done = self._drop_claims_of_recorded(connection, free)
        return [key for key in free if key not in done]

    def _drop_claims_of_recorded(
        self, connection: Connection, keys: list[str]
    ) -> set[str]:
        # Looked up after the claim was taken: whoever held it before had put the
        # record by then, so that a fold cannot slip through between the two.
        done: set[str] = set()
        for chunk in _chunks(keys):
            query = sql.select(RECORDS.c.key).where(RECORDS.c.key.in_(chunk))
            done |= set(connection.execute(query).scalars())
        if done:
            connection.execute(sql.delete(CLAIMS).where(CLAIMS.c.key.in_(done)))
        return done

    def renew(self, owner: str, seconds: float) -> None:
        """Extend all claims of the owner to so many seconds from now."""
        renewal = sql.update(CLAIMS).where(CLAIMS.c.owner == owner)
        with self._writing() as connection:
            connection.execute(renewal.values(expires=time.time() + seconds))

    def release(self, owner: str) -> None:
        """Release all claims of the owner."""
        with self._writing() as connection:
            connection.execute(sql.delete(CLAIMS).where(CLAIMS.c.owner == owner))

    def owners(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the owners of the keys that are claimed."""
        found: dict[str, str] = {}
        with self._reading() as connection:
            for chunk in _chunks(keys):
                query = sql.select(CLAIMS.c.key, CLAIMS.c.owner).where(
                    CLAIMS.c.key.in_(chunk), CLAIMS.c.expires >= time.time()
                )
                found.update((key, owner) for key, owner in connection.execute(query))
        return found

    def close(self) -> None:
        """Close connections and files."""
        self._engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Connect for one transaction; explain failures, such as a full disk."""
        with explain_failures(self.url):
            check_is_there(self.url)
            with self._engine.begin() as connection:
                yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        """Connect without a lock that would make writers wait."""
        with explain_failures(self.url), self._engine.connect() as connection:
            yield connection.execution_options(reads_only=True)


def _make_tables(engine: Engine) -> None:
    """Create missing tables, one process at a time; reject a newer schema."""
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sql.text("SELECT pg_advisory_xact_lock(20150332)"))
        TABLES.create_all(connection)
        note = INSERTS[engine.dialect.name](ABOUT).on_conflict_do_nothing()
        connection.execute(note, {"name": "version", "value": str(SCHEMA_VERSION)})
        query = sql.select(ABOUT.c.value).where(ABOUT.c.name == "version")
        version = connection.execute(query).scalar_one()
    if version != str(SCHEMA_VERSION):
        raise StoreError(
            f"The store {hide_password(engine.url)} has version {version}; this "
            f"manyminds reads {SCHEMA_VERSION}. Name another store, or install the "
            "version of manyminds that made it."
        )


def _to_row(record: Record) -> dict[str, Any]:
    row = dict(vars(record))
    row["measured"] = json.dumps(dict(row.pop("values")))
    if record.error is not None:
        row["error"] = record.error.replace("\x00", "")  # PostgreSQL takes no NUL
    return row


def _to_records(rows: Sequence[Any]) -> list[Record]:
    """Return the records of rows; thousands of values are decoded at once."""
    measured = json.loads(f"[{','.join(row[5] for row in rows)}]")
    return [
        Record(key, dataset, method, repeat, fold, values, *rest)
        for (key, dataset, method, repeat, fold, _, *rest), values in zip(
            rows, measured
        )
    ]


def _chunks(keys: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(keys)
    while chunk := list(islice(rest, CHUNK_SIZE)):
        yield chunk
