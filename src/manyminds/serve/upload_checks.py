"""Check that an uploaded file is the table that its name promises."""

import gzip
import zipfile
import zlib
from pathlib import Path

from manyminds.datasets.reading import SUFFIXES
from manyminds.serve.rendering import format_size
from manyminds.utils.errors import InputError

__all__ = ["check_content", "check_suffix"]

N_FIRST = 65_536  # bytes at the start of a text that are looked at
BLOCK = 1 << 20
# The first bytes of files that are no text, whatever their name.
BINARY = {
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "gzipped",
    b"%PDF": "a PDF",
    b"\x7fELF": "a program",
    b"MZ\x90": "a program",
    b"\x89PNG": "an image",
    b"\x80\x04\x95": "a pickle, which is never loaded",
}
PARTS_OF_XLSX = ("[Content_Types].xml", "xl/workbook.xml")


def check_suffix(name: str) -> None:
    """Raise unless the suffix of a file is that of a table.

    Examples
    --------
    >>> from manyminds.serve.upload_checks import check_suffix
    >>> check_suffix("model.pkl")
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.InputError: A table ends in .csv, .tsv, .txt, .parquet,
    .xlsx, .arff, .svm, .libsvm or .svmlight, text also in .gz; got 'model.pkl'.
    """
    if _format_of(name) is None:
        *most, last = SUFFIXES
        raise InputError(
            f"A table ends in {', '.join(most)} or {last}, text also in .gz; got "
            f"{name!r}."
        )


def check_content(path: Path, name: str, limit: int) -> None:
    """Raise unless the content of a file is of the format that its name promises.

    Parameters
    ----------
    path : Path
    name : str
        As the visitor calls it.
    limit : int
        Bytes that the file may have, compressed or not: a small file that unpacks to
        more is refused.
    """
    format_ = _format_of(name)
    with open(path, "rb") as file:
        first = file.read(N_FIRST)
    if not first:
        raise InputError(f"{name} is empty.")
    if format_ == "parquet":
        _check_parquet(path, name, first, limit)
    elif format_ == "xlsx":
        _check_xlsx(path, name, limit)
    elif name.lower().endswith(".gz"):
        _check_text(_unpack(path, name, limit), name)
    else:
        _check_text(first, name)


def _format_of(name: str) -> str | None:
    plain = name.lower().removesuffix(".gz")
    format_ = SUFFIXES.get("." + plain.rpartition(".")[2])
    packed = plain != name.lower()
    return None if packed and format_ in ("parquet", "xlsx") else format_


def _check_text(first: bytes, name: str) -> None:
    for sign, what in BINARY.items():
        if first.startswith(sign):
            raise InputError(f"{name} is {what}, not the text that its name promises.")
    has_mark = first.startswith((b"\xff\xfe", b"\xfe\xff"))  # of UTF-16
    if b"\x00" in first and not has_mark:
        raise InputError(f"{name} holds binary data, not text.")


def _unpack(path: Path, name: str, limit: int) -> bytes:
    """Return the first bytes of a gzipped file; raise if it unpacks to too much."""
    n_bytes, first = 0, b""
    try:
        with gzip.open(path, "rb") as file:
            while block := file.read(BLOCK):
                first = first or block[:N_FIRST]
                n_bytes += len(block)
                if n_bytes > limit:
                    raise InputError(
                        f"{name} unpacks to more than {format_size(limit)}, the limit "
                        "of uploads."
                    )
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name} is not gzipped, or damaged.") from error
    return first


def _check_parquet(path: Path, name: str, first: bytes, limit: int) -> None:
    with open(path, "rb") as file:
        file.seek(-4, 2)
        last = file.read()
    if not first.startswith(b"PAR1") or last != b"PAR1":
        raise InputError(f"{name} is not Parquet, or damaged.")
    try:
        from pyarrow.parquet import read_metadata
    except ImportError:
        return
    try:
        found = read_metadata(path)
        groups = [found.row_group(place) for place in range(found.num_row_groups)]
        n_bytes = sum(group.total_byte_size for group in groups)
    except Exception as error:
        raise InputError(f"{name} is not Parquet, or damaged.") from error
    if n_bytes > limit:
        raise InputError(
            f"{name} unpacks to more than {format_size(limit)}, the limit of uploads."
        )


def _check_xlsx(path: Path, name: str, limit: int) -> None:
    try:
        with zipfile.ZipFile(path) as archive:
            parts = {one.filename: one.file_size for one in archive.infolist()}
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise InputError(f"{name} is not a spreadsheet, or damaged.") from error
    if not set(PARTS_OF_XLSX) <= set(parts):
        raise InputError(f"{name} is not a spreadsheet of the format XLSX.")
    if sum(parts.values()) > limit:
        raise InputError(
            f"{name} unpacks to more than {format_size(limit)}, the limit of uploads."
        )
