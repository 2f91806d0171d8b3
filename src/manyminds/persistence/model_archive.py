"""Read the archive of a model file within size limits, and only trusted types."""

import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from manyminds.persistence.model_names import restore_names
from manyminds.persistence.model_trees import check_trees
from manyminds.persistence.trusted_types import find_refused, list_nodes
from manyminds.utils.errors import (
    InputError,
    MissingPackageError,
    Parameter,
    PythonHint,
)
from manyminds.utils.text import printable

__all__ = [
    "FACTS",
    "FORMAT",
    "ModelFileError",
    "UntrustedTypesError",
    "load_estimator",
    "read_facts",
    "reading",
    "require_skops",
    "shorten",
]

FACTS = "manyminds.json"  # in the archive, next to the estimator
SCHEMA = "schema.json"  # of skops: the description of the objects
FORMAT = 1
# Small files may expand to this size, as arrays of zeros do.
MAX_FREE_BYTES = 128_000_000
MAX_RATIO = 100  # of expanded bytes to bytes of the file, beyond that
MAX_BYTES = 8_000_000_000
# Text takes memory by its length, and by its values: up to 250 bytes for each, however
# short. A pipeline for 100,000 columns has three millions; a vote of three of these has
# 0.4 to a byte of the file, and text 24 times as long as the file. Forests have less.
MAX_FREE_TEXT = 96_000_000
MAX_TEXT_RATIO = 30
MAX_FREE_VALUES = 6_000_000
MAX_VALUE_RATIO = 0.5  # values to bytes of the file, beyond that
VALUES = (b",", b"[", b"{")  # before, or between, the values of JSON
CHUNK = 1 << 20  # bytes of text that are read at once
MAX_SHOWN = 10  # names of types in a message
MAX_NAME = 100  # characters of each
PART_NAME = re.compile(r"[A-Za-z0-9_-]+\.(json|npy|npz|bin)")
ARCHIVE = (b"PK\x03\x04", b"PK\x05\x06")  # first bytes of a zip archive


class ModelFileError(InputError):
    """A model file is damaged, too large or of a newer version."""


class UntrustedTypesError(ModelFileError):
    """A model file contains types that are not trusted.

    Parameters
    ----------
    file : str
    names : sequence of str
        Full names of the types.
    """

    def __init__(self, file: str, names: Sequence[str]) -> None:
        self.file, self.names = file, list(names)
        shown = [shorten(name) for name in self.names[:MAX_SHOWN]]
        n_more = len(self.names) - len(shown)
        more = f" and {n_more} more" if n_more else ""
        super().__init__(
            f"{file} holds types that are not trusted: {', '.join(shown)}{more}. If "
            "you know where the file is from, name them with ",
            Parameter("trusted"),
            PythonHint(f"={shown!r}"),
            ".",
        )


def shorten(text: Any) -> str:
    """Return a text of a file as a message can show it: printable, and not long."""
    return printable(str(text)[:MAX_NAME])


@contextmanager
def reading(file: str) -> Iterator[None]:
    """Raise `ModelFileError` for any error while a file is read.

    Parameters
    ----------
    file : str
        Name of the file.
    """
    try:
        yield
    except ModelFileError:
        raise
    except MemoryError as error:
        raise ModelFileError(
            f"{file} needs more memory than is available, or it is damaged."
        ) from error
    except Exception as error:  # libraries raise anything on invalid bytes
        reason = printable(f"{type(error).__name__}: {error}"[:200].rstrip())
        raise ModelFileError(
            f"{file} is no model file of manyminds, or it is damaged ({reason})."
        ) from error


def require_skops() -> Any:
    """Import skops, which model files need."""
    try:
        import skops.io
    except ImportError as error:
        raise MissingPackageError(
            "Model files need skops: pip install skops."
        ) from error
    return skops.io


def read_facts(content: bytes, file: str) -> dict[str, Any]:
    """Read the JSON part of a model file: columns, target, versions.

    Parameters
    ----------
    content : bytes
        Of the whole file.
    file : str
        Its name.

    Returns
    -------
    facts : dict
    """
    with zipfile.ZipFile(BytesIO(content)) as archive:
        _check_parts(archive, len(content), file)
        facts = json.loads(archive.read(FACTS))
    if facts["format"] > FORMAT:
        version = shorten(facts["versions"].get("manyminds"))
        raise ModelFileError(
            f"{file} was written by a newer manyminds ({version}): upgrade to load it."
        )
    return facts


def load_estimator(content: bytes, trusted: Sequence[str], file: str) -> Any:
    """Load the estimator of a file whose facts have been read.

    Parameters
    ----------
    content : bytes
        Of the whole file.
    trusted : sequence of str
        Full names of types that may be loaded, other than ours and scikit-learn's.
    file : str
        Its name.

    Returns
    -------
    estimator : estimator
    """
    io = require_skops()
    with zipfile.ZipFile(BytesIO(content)) as archive:
        schema = json.loads(archive.read(SCHEMA))
        _check_uses(archive, schema, len(content), file)
    found = io.get_untrusted_types(data=content)  # creates no object of them
    refused = [one for one in find_refused(found, schema) if one not in trusted]
    if refused:
        raise UntrustedTypesError(file, refused)
    estimator = io.loads(content, trusted=found)
    check_trees(estimator)
    restore_names(estimator)
    return estimator


def _check_parts(archive: zipfile.ZipFile, n_bytes: int, file: str) -> None:
    """Check names and declared sizes; zipfile reads no more than declared."""
    total = 0
    for part in archive.infolist():
        if not PART_NAME.fullmatch(part.filename):  # a path, to somewhere else perhaps
            raise ModelFileError(
                f"{file} is damaged or forged: it holds a part called "
                f"{shorten(part.filename)!r}."
            )
        total += part.file_size
        most = max(MAX_FREE_TEXT, MAX_TEXT_RATIO * n_bytes)
        if part.filename.endswith(".json") and part.file_size > most:
            raise _too_large(file, n_bytes, part.file_size)
    _check_total(total, n_bytes, file)
    _check_values(archive, n_bytes, file)
    for part in archive.infolist():  # sparse matrices are archives within the archive
        with archive.open(part) as stream:
            if stream.read(4) not in ARCHIVE:
                continue
        with zipfile.ZipFile(BytesIO(archive.read(part))) as inner:
            total += sum(one.file_size for one in inner.infolist())
        _check_total(total, n_bytes, file)


def _check_values(archive: zipfile.ZipFile, n_bytes: int, file: str) -> None:
    """Count the values of all text, about, before it is parsed; refuse too many."""
    n_values = 0
    for name in (FACTS, SCHEMA):
        with archive.open(name) as stream:
            while text := stream.read(CHUNK):
                n_values += sum(text.count(one) for one in VALUES)
    if n_values > max(MAX_FREE_VALUES, MAX_VALUE_RATIO * n_bytes):
        raise ModelFileError(
            f"{file} has {n_bytes:,} bytes and {n_values:,} values in its text: no "
            "model file of manyminds does."
        )


def _check_uses(archive: zipfile.ZipFile, schema: Any, n_bytes: int, file: str) -> None:
    """Check the total size if objects share a member, which is read for each."""
    sizes = {part.filename: part.file_size for part in archive.infolist()}
    seen, total = set(), 0
    for node in list_nodes(schema):
        if isinstance(node.get("file"), str):
            known = node.get("__id__") in seen
            seen.add(node.get("__id__"))
            total += 0 if known else sizes.get(node["file"], 0)
    _check_total(total, n_bytes, file)


def _check_total(total: int, n_bytes: int, file: str) -> None:
    if total > min(MAX_BYTES, max(MAX_FREE_BYTES, MAX_RATIO * n_bytes)):
        raise _too_large(file, n_bytes, total)


def _too_large(file: str, n_bytes: int, total: int) -> ModelFileError:
    return ModelFileError(
        f"{file} has {n_bytes:,} bytes and would expand to {total:,} bytes: no model "
        "file of manyminds does."
    )
