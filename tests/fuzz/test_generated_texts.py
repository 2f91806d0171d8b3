"""Readers answer texts and bytes that Hypothesis makes up."""

import json
from string import printable

import pytest

hypothesis = pytest.importorskip("hypothesis", reason="it makes up the texts")
from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from manyminds.datasets import read_features, read_table  # noqa: E402
from manyminds.utils.errors import UserError  # noqa: E402

CELLS = st.one_of(
    st.sampled_from(["", "?", "nan", "1", "-1", "1e400", "0.1", "1,5", "01", "True"]),
    st.text(max_size=6),
    st.floats().map(repr),
    st.integers().map(str),
    st.datetimes().map(str),
)
NAMES = st.sampled_from(["a", "b", "target", "class", "label", "A", " ", "'x y'"])
ENDS = st.sampled_from(["\n", "\r\n", "\r", "\n\n"])
TYPES = st.sampled_from(
    [
        "numeric",
        "real",
        "string",
        "date",
        "{x,y}",
        "{'x', \"y z\"}",
        "{}",
        "{,}",
        "what",
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["categorical", "numeric", "target", "task", "drop", "missing", "other"]
)


@st.composite
def delimited(draw):
    separator, end = draw(st.sampled_from([",", ";", "\t"])), draw(ENDS)
    names = draw(st.lists(NAMES | st.text(max_size=4), min_size=1, max_size=4))
    rows = draw(st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=5))
    quote = draw(st.sampled_from(["", '"']))
    lines = [names, *rows]
    return end.join(separator.join(f"{quote}{c}{quote}" for c in row) for row in lines)


@st.composite
def arff(draw):
    names = draw(st.lists(NAMES, min_size=1, max_size=4))
    header = [f"@attribute {name} {draw(TYPES)}" for name in names]
    if draw(st.booleans()):
        cells = st.tuples(st.integers(-1, 4), CELLS).map(
            lambda one: f"{one[0]} {one[1]}"
        )
        row = st.lists(cells, max_size=4).map(lambda some: "{" + ", ".join(some) + "}")
    else:
        cells = CELLS | st.sampled_from(["x", "y", "'x'", '"y z"'])
        row = st.lists(cells, min_size=1, max_size=5).map(",".join)
    end = draw(ENDS)
    return end.join(["@relation r", *header, "@data", *draw(st.lists(row, max_size=5))])


@st.composite
def svmlight(draw):
    pair = st.tuples(st.integers(-1, 2**33) | st.integers(0, 5), CELLS)
    pairs = st.lists(pair.map(lambda one: f"{one[0]}:{one[1]}"), max_size=4)
    row = st.tuples(CELLS, pairs).map(lambda one: " ".join([one[0], *one[1]]))
    return draw(ENDS).join(draw(st.lists(row, max_size=5)))


SCHEMAS = st.dictionaries(KEYS, JSON, max_size=4) | JSON


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("texts")


def answer(path, names=None):
    """Read a file with its target and without: a table, or one line that names it."""
    for read in (read_table, read_features):
        try:
            read(path)
        except UserError as error:
            text = str(error)
            assert "\n" not in text and len(text) < 1_500
            assert any(name in text for name in names or [path.name])
            assert "it may be damaged:" not in text, text


def write(path, text):
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    return path


@given(delimited() | st.text(printable))
def test_delimited(folder, text):
    for name in ("t.csv", "t.tsv"):
        answer(write(folder / name, text))


@given(arff())
def test_arff(folder, text):
    answer(write(folder / "t.arff", text))


@given(svmlight())
def test_svmlight(folder, text):
    answer(write(folder / "t.svm", text))


@given(st.binary())
@pytest.mark.parametrize(
    "name", ["b.csv", "b.arff", "b.svm", "b.csv.gz", "b.parquet", "b.xlsx"]
)
def test_bytes(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    answer(path)


@given(SCHEMAS)
def test_schemas(folder, schema):
    path = write(folder / "s.csv", "a,b,target\n1,x,0\n2,y,1\n3,x,1\n")
    write(folder / "s.schema.json", json.dumps(schema))
    answer(path, [path.name, "s.schema.json"])
