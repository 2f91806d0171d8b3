"""Pages escape text and miss nothing; files are written whole."""

import pytest
from jinja2 import UndefinedError

from manyminds.reports.shared.pages import make_environment, write_files


def test_text_is_escaped_and_names_must_be_defined():
    environment = make_environment({"share": "{:.0%}".format})
    page = environment.from_string("{{ name }} {{ 0.5 | share }}")
    assert page.render(name="<b>\x1b") == r"&lt;b&gt;\x1b 50%"
    with pytest.raises(UndefinedError):
        page.render()


def test_files_of_text_and_bytes(tmp_path):
    paths = write_files(tmp_path / "new" / "one", {"a.txt": "ä", "b.bin": b"\x00"})
    assert [path.name for path in paths] == ["a.txt", "b.bin"]
    assert paths[0].read_text(encoding="utf-8") == "ä"
    assert paths[1].read_bytes() == b"\x00"
