"""Rows of text by number are those that Python's csv module reads."""

import csv
import io

import numpy as np
import pytest

from manyminds.serve.tables import text_rows
from manyminds.serve.tables.text_rows import index_rows
from manyminds.utils.errors import InputError


def read_naively(text):
    rows = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    return [row for row in rows if row][1:]


@pytest.fixture
def index(tmp_path, monkeypatch):
    def make(text, step=3, block=16, encoding="utf-8"):
        monkeypatch.setattr(text_rows, "STEP", step)
        monkeypatch.setattr(text_rows, "BLOCK", block)
        path = tmp_path / "t.csv"
        path.write_bytes(text.encode(encoding))
        return index_rows(path, scan=True)

    return make


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3,4\n",
        "a,b\n1,2\n3,4",
        "a,b\r\n1,2\r\n\r\n3,4\r\n",
        'a,b\n"x\ny",1\n\n"he said ""no""",2\n"",\n',
        'a,"b\nc"\n1,2\n',
        "\n\na,b\n1,2\n",
        "a,b\n",
        "a,b",
        '"a","b"\n"1\n\n\n2","3"\n"4","5"',
    ],
)
def test_small_texts(index, text):
    found = index(text)
    expected = read_naively(text)
    assert found.n_rows == len(expected)
    assert found.read(0, 99) == expected
    for start in range(len(expected)):
        assert found.read(start, 1) == [expected[start]]


def test_random_texts(index, seed):
    # Cells of letters, commas, quotes and line ends, quoted as csv quotes them.
    rng = np.random.default_rng(seed)
    letters = np.array(list('ab,"\n x'))
    for _ in range(30):
        content = io.StringIO()
        writer = csv.writer(content, lineterminator=rng.choice(["\n", "\r\n"]))
        writer.writerow(["one", "two"])
        for _ in range(rng.integers(0, 40)):
            cells = ["".join(rng.choice(letters, rng.integers(0, 6))) for _ in "ab"]
            writer.writerow([cell.strip() or "0" for cell in cells])
        text = content.getvalue()
        found, expected = index(text), read_naively(text)
        assert found.n_rows == len(expected)
        start = int(rng.integers(0, len(expected) + 2))
        assert found.read(start, 7) == expected[start : start + 7]


def test_a_row_far_below_is_read_from_a_known_place(index):
    text = "n,square\n" + "".join(f"{k},{k * k}\n" for k in range(5_000))
    found = index(text, step=100, block=1 << 12)
    assert found.n_rows == 5_000 and len(found.places) == 51
    assert found.read(4_321, 2) == [["4321", str(4321**2)], ["4322", str(4322**2)]]
    assert found.read(5_000, 5) == [] and found.read(10**9, 5) == []


def test_blocks_are_whole_rows_spread_over_the_file(index):
    text = "n\n" + "".join(f"{k}\n" for k in range(5_000))
    blocks = list(index(text, step=100, block=1 << 12).read_blocks(1_000))
    numbers = [int(line) for block in blocks for line in block.split()]
    assert len(numbers) == 1_000 and numbers[0] == 0 and numbers[-1] == 4_999
    assert len(set(numbers)) == 1_000
    whole = b"".join(index(text).read_blocks(10_000))
    assert whole == text.encode()[2:]


def test_rows_of_very_many_cells_have_more_known_places(tmp_path):
    path = tmp_path / "wide.csv"
    names = ",".join(f"x{k}" for k in range(10_000))
    row = ",".join("0" for _ in range(10_000))
    path.write_text("\n".join([names, *[row] * 120]))
    found = index_rows(path, scan=True)
    assert found.step == 50 and found.n_rows == 120 and len(found.names) == 10_000


def test_encodings_marks_and_separators(index):
    assert index("größe;b\n1;2\n", encoding="latin-1").names == ["größe", "b"]
    found = index("\ufeffgröße\tb\nä\t2\n")
    assert found.names == ["größe", "b"] and found.read(0, 1) == [["ä", "2"]]


def test_without_a_scan_the_start_is_known(tmp_path):
    (tmp_path / "t.csv").write_text("a\n1\n2\n")
    found = index_rows(tmp_path / "t.csv", scan=False)
    assert found.n_rows is None and found.read(1, 5) == [["2"]]


@pytest.fixture
def usual_limit():
    """Set Python's limit of a cell, which other libraries raise for good."""
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


@pytest.mark.usefixtures("usual_limit")
def test_a_cell_that_is_too_long_is_an_error_of_the_user(index):
    with pytest.raises(InputError, match="cannot be split"):
        index("a\n" + "x" * 200_000 + "\n", block=1 << 20).read(0, 1)
