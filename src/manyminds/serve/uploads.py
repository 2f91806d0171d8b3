"""Receive a file: streamed to disk, limited, checked, and complete or not at all."""

import os
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request

from manyminds.serve.folder import ServedFolder, clean_name
from manyminds.serve.rendering import format_size
from manyminds.serve.state import get_state
from manyminds.serve.upload_checks import check_content, check_suffix
from manyminds.utils.errors import InputError

__all__ = ["Upload", "receive_upload", "remove_partial_uploads"]

BATCH = 1_000_000  # bytes that are written at once
MAX_FIELD = 64_000  # bytes of a form field that is not a file
MAX_HEADERS = 16_000  # bytes of the headers of a part
MAX_PARTS = 50
OLD_SECONDS = 86_400.0  # after which a partial upload is one of a killed server
OVERHEAD = 1_000_000  # bytes of a form besides its file


@dataclass
class Upload:
    """A file that has arrived and passed all checks.

    Parameters
    ----------
    path : Path
        Temporary; whoever takes the upload moves or removes it.
    name : str
        As the visitor calls it, without anything unsafe.
    fields : dict of str to str
        The other fields of the form.
    """

    path: Path
    name: str
    fields: dict[str, str] = field(default_factory=dict)

    def move(self, target: Path) -> Path:
        """Move the file to where it belongs, in one step."""
        os.replace(self.path, target)
        return target

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)


async def receive_upload(request: Request) -> Upload:
    """Receive the file of a form of type multipart.

    Parameters
    ----------
    request : Request

    Returns
    -------
    upload : Upload

    Raises
    ------
    HTTPException
        If the file is larger than the limit (413).
    InputError
        If there is no file, or its suffix or its content is not that of a table.
    """
    state = get_state(request)
    limit = state.upload_limit
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data" or b"boundary" not in options:
        raise InputError("The form has no file.")
    if int(request.headers.get("content-length", 0)) > limit + OVERHEAD:
        raise _too_large(limit)
    path = state.folder.make_hidden("uploads") / f"{secrets.token_hex(8)}.part"
    try:
        with open(path, "xb") as file:
            form = _Form(options[b"boundary"], file, limit)
            async for chunk in request.stream():
                form.parse(chunk)
                if form.n_waiting >= BATCH:
                    await run_in_threadpool(form.flush)
            await run_in_threadpool(form.finish)
        await run_in_threadpool(check_content, path, form.name, limit)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Upload(path, form.name, form.fields)


def remove_partial_uploads(folder: ServedFolder) -> None:
    """Remove what uploads to servers that were killed have left."""
    for path in (folder.hidden / "uploads").glob("*.part"):
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > OLD_SECONDS:
                path.unlink()


class _Form:
    """Parse a form; the first file goes to disk, texts are kept."""

    def __init__(self, boundary: bytes, file: BinaryIO, limit: int) -> None:
        self.file, self.limit = file, limit
        self.name = ""
        self.fields: dict[str, str] = {}
        self.n_waiting = 0
        self._waiting: list[bytes] = []
        self._n_file = self._n_headers = self._n_parts = 0
        self._headers: dict[bytes, bytes] = {}
        self._header: list[bytes] = [b"", b""]
        self._field, self._text, self._is_file, self._ended = "", b"", False, False
        callbacks: Any = {
            "on_part_begin": self._begin_part,
            "on_header_field": lambda data, a, b: self._add_header(0, data[a:b]),
            "on_header_value": lambda data, a, b: self._add_header(1, data[a:b]),
            "on_header_end": self._end_header,
            "on_headers_finished": self._end_headers,
            "on_part_data": self._add_data,
            "on_part_end": self._end_part,
            "on_end": self._end,
        }
        self._parser = MultipartParser(boundary, callbacks)

    def parse(self, chunk: bytes) -> None:
        """Parse a piece of the form."""
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise InputError("The form is damaged.") from error

    def flush(self) -> None:
        """Write what waits to disk."""
        waiting, self._waiting, self.n_waiting = self._waiting, [], 0
        for piece in waiting:
            self.file.write(piece)

    def finish(self) -> None:
        """Write the rest; raise if the form ended early or had no file."""
        self.flush()
        self.file.flush()
        os.fsync(self.file.fileno())
        if not self._ended:
            raise InputError("The upload ended early; send the file again.")
        if not self.name:
            raise InputError("Choose a file first.")

    def _begin_part(self) -> None:
        self._n_parts += 1
        if self._n_parts > MAX_PARTS:
            raise InputError("The form has too many fields.")
        self._headers, self._header, self._n_headers = {}, [b"", b""], 0
        self._field, self._text, self._is_file = "", b"", False

    def _add_header(self, place: int, data: bytes) -> None:
        self._header[place] += data
        self._n_headers += len(data)
        if self._n_headers > MAX_HEADERS:
            raise InputError("The form is damaged.")

    def _end_header(self) -> None:
        self._headers[self._header[0].lower()] = self._header[1]
        self._header = [b"", b""]

    def _end_headers(self) -> None:
        _, options = parse_options_header(
            self._headers.get(b"content-disposition", b"")
        )
        self._field = options.get(b"name", b"").decode("utf-8", "replace")
        given = options.get(b"filename")
        if given is None:
            return
        if not given:
            raise InputError("Choose a file first.")
        if self.name:
            raise InputError("Send one file at a time.")
        self.name, self._is_file = clean_name(given.decode("utf-8", "replace")), True
        check_suffix(self.name)

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._n_file += end - start
            if self._n_file > self.limit:
                raise _too_large(self.limit)
            self._waiting.append(data[start:end])
            self.n_waiting += end - start
            return
        self._text += data[start:end]
        if len(self._text) > MAX_FIELD:
            raise InputError("A field of the form is too long.")

    def _end_part(self) -> None:
        if not self._is_file:
            self.fields[self._field] = self._text.decode("utf-8", "replace")

    def _end(self) -> None:
        self._ended = True


def _too_large(limit: int) -> HTTPException:
    sentence = f"The file is larger than {format_size(limit)}, the limit of uploads."
    return HTTPException(413, sentence)
