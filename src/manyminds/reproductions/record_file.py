"""The records of a reproduction in one small file, to be judged again anywhere."""

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from manyminds.experiments.record import Record
from manyminds.utils.errors import InputError

FORMAT = 1
DIGITS = 7  # significant ones that are kept of a measured value
# What a file that was damaged, or edited by hand, raises when it is read.
_DAMAGE = (
    gzip.BadGzipFile, EOFError, zlib.error, ValueError, TypeError, KeyError,
    IndexError, AttributeError, ZeroDivisionError, RecursionError,
)  # fmt: skip


class RecordFile:
    """Records as `encode_records` wrote them, found by plan as in a store.

    Parameters
    ----------
    path : path
        Of the file; if there is none, there are no records.

    Raises
    ------
    InputError
        If the file is damaged, or of another version.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._groups: list[tuple[list[str], list[Record]]] = []
        if not Path(path).exists():
            return
        with _name_damage(path):
            text = gzip.decompress(Path(path).read_bytes()).decode()
            head, *lines = text.split("\n")  # not at other ends of lines, in texts
            version = json.loads(head)["format"]
        if version != FORMAT:
            raise InputError(
                f"{path} has records in format {version!r}; this version reads format "
                f"{FORMAT}."
            )
        for number, line in enumerate(lines, start=2):
            with _name_damage(path, number):
                group = json.loads(line)
                self._groups.append((list(group["plans"]), _read_group(group)))

    def find(self, *, plan: str) -> list[Record]:
        """Return the records of a plan."""
        return [
            record
            for plans, records in self._groups
            if plan in plans
            for record in records
        ]


@contextmanager
def _name_damage(
    path: str | os.PathLike[str], line: int | None = None
) -> Iterator[None]:
    """Raise an error that names file and line for any other."""
    try:
        yield
    except _DAMAGE as error:
        where = f" in line {line}" if line else ""
        raise InputError(
            f"{path} is damaged{where} ({type(error).__name__}: {error}). Restore it, "
            "or delete it and take a store with the records."
        ) from error


def encode_records(found: Mapping[str, Sequence[Record]]) -> bytes:
    """Return the records of some plans as the bytes of a file for `RecordFile`.

    The same records produce the same bytes. Records that several plans share are
    written once. Measured values have seven digits; keys are left out.

    Parameters
    ----------
    found : mapping of str to sequence of Record
        Records by the name of their plan.

    Returns
    -------
    content : bytes
        Lines of JSON, compressed.
    """
    groups: dict[tuple[str, ...], dict[str, Any]] = {}
    for plan, records in found.items():
        for mine in _group_by_method(records):
            keys = tuple(record.key for record in mine)
            if keys not in groups:
                groups[keys] = {"plans": [], **_write_group(mine)}
            groups[keys]["plans"].append(plan)
    lines = [json.dumps({"format": FORMAT})]
    lines += [_to_line(group) for group in groups.values()]
    return gzip.compress("\n".join(lines).encode(), mtime=0)


def _group_by_method(records: Iterable[Record]) -> list[list[Record]]:
    """Return the records of each data set and method, in the order of the folds."""
    groups: dict[tuple[str, ...], list[Record]] = {}
    for record in sorted(records, key=lambda one: (one.repeat, one.fold)):
        shared = record.dataset, record.method, record.estimator, record.versions
        groups.setdefault((*shared, record.fingerprint), []).append(record)
    return [groups[shared] for shared in sorted(groups)]


def _write_group(records: Sequence[Record]) -> dict[str, Any]:
    first = records[0]
    names = sorted({name for record in records for name in record.values})
    return {
        "dataset": first.dataset,
        "method": first.method,
        "estimator": first.estimator,
        "fingerprint": first.fingerprint,
        "versions": first.versions,
        "days": sorted({record.finished[:10] for record in records}),
        "seconds": _round(sum(record.seconds for record in records)),
        "metrics": names,
        "folds": [[record.repeat, record.fold] for record in records],
        "values": [
            [_round(record.values.get(name)) for record in records] for name in names
        ],
        "errors": {str(i): one.error for i, one in enumerate(records) if one.failed},
    }


def _read_group(group: Mapping[str, Any]) -> list[Record]:
    """Return the records of a group; the seconds are shared out evenly."""
    days, n = group["days"], len(group["folds"])
    records = []
    for i, (repeat, fold) in enumerate(group["folds"]):
        measured = zip(group["metrics"], (column[i] for column in group["values"]))
        values = {
            _check(name, str): float(_check(value, int | float))
            for name, value in measured
            if value is not None
        }
        records.append(
            Record(
                f"{group['plans'][0]}/{group['dataset']}/{group['method']}/{i}",
                _check(group["dataset"], str),
                _check(group["method"], str),
                _check(repeat, int),
                _check(fold, int),
                values,
                _check(group["errors"].get(str(i)), str | None),
                group["seconds"] / n,
                _check(days[0] if i == 0 else days[-1], str),
                _check(group["estimator"], str),
                _check(group["fingerprint"], str),
                _check(group["versions"], str),
            )
        )
    return records


def _check(value: Any, kind: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {getattr(kind, '__name__', kind)}")
    return value


def _round(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")


def _to_line(group: Mapping[str, Any]) -> str:
    return json.dumps(group, ensure_ascii=False, separators=(",", ":"))
