"""Pages of HTML from templates, and files written whole or not at all."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manyminds.utils.files import write_atomically
from manyminds.utils.text import printable

if TYPE_CHECKING:
    from jinja2 import Environment


def make_environment(
    filters: dict[str, Any], package: str = "manyminds.reports"
) -> "Environment":
    """Return an environment that escapes text and raises for undefined names."""
    # Here, as a search starts without it, and needs it for the report only.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_make_printable,
    )
    environment.filters |= filters
    return environment


def _make_printable(value: Any) -> Any:
    """Escape control characters of names; figures are escaped already."""
    is_plain = isinstance(value, str) and not hasattr(value, "__html__")
    return printable(value, keep="\n\t") if is_plain else value


def write_files(
    folder: str | os.PathLike[str], content: Mapping[str, str | bytes]
) -> list[Path]:
    """Write files into a folder, each whole or not at all.

    Parameters
    ----------
    folder : path
        Created if it does not exist.
    content : mapping of str to str or bytes
        Name and content of each file.

    Returns
    -------
    paths : list of Path
        In the order of ``content``.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in content.items():
        encoded = text.encode() if isinstance(text, str) else text
        write_atomically(folder / name, encoded)
    return [folder / name for name in content]
