"""ARFF is read as Weka means it, and as other readers read it."""

from io import StringIO

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.io.arff import loadarff

from manyminds.datasets.formats.arff import Attribute, read_arff, read_header

HEADER = """% A comment with @data in it
@RELATION 'a toy'

@Attribute size   REAL % in metres
@attribute\t"the count" integer
@ATTRIBUTE 'it''s' numeric
@attribute color {red, 'dark blue' ,"it's",'say \\'hi\\''}
@attribute note string
@attribute day date "yyyy-MM-dd"
@DATA
"""


def test_header():
    text = HEADER.replace("'it''s'", "other")
    attributes, start = read_header(text)
    assert attributes == [
        Attribute("size", "numeric"),
        Attribute("the count", "numeric"),
        Attribute("other", "numeric"),
        Attribute("color", "nominal", ("red", "dark blue", "it's", "say 'hi'")),
        Attribute("note", "text"),
        Attribute("day", "text"),
    ]
    assert text[start:] == ""


def test_worked_example():
    rows = """1.5, 2, -3, 'dark blue', 'two, words', 2020-01-31
% a comment
?,?,?,?,?,?

2e3,7,8, "it's" ,"it's 50%", '2020-02-01'
0,0,0,'say \\'hi\\'',plain,'?'
"""
    frame = read_arff(HEADER.replace("'it''s'", "other") + rows)
    assert_array_equal(frame["size"], [1.5, np.nan, 2000, 0])
    assert_array_equal(frame["the count"], [2, np.nan, 7, 0])
    colors = ["dark blue", np.nan, "it's", "say 'hi'"]
    assert frame["color"].tolist() == colors
    assert frame["color"].cat.categories.tolist() == [
        "red",
        "dark blue",
        "it's",
        "say 'hi'",
    ]
    assert frame["note"].tolist() == ["two, words", None, "it's 50%", "plain"]
    assert frame["day"].tolist() == ["2020-01-31", None, "2020-02-01", "?"]


SHORT = "@relation t\n@attribute a numeric\n@attribute b {x, 'y z', 01, 1}\n@data\n"


@pytest.mark.parametrize(
    "rows",
    [
        "1,x\n2,'y z'\n?,01\n",  # one kind of quotes: by pandas
        '1,x\n2,"y z"\n?,01\n',
        "1 , x \r\n2,'y z' \r\n? , '01'\r\n",
        "1,\"x\"\n2,'y z'\n?,01",  # both kinds: cell by cell
        "1,x\n2,y\\ z\n?,01\n".replace("y\\ z", "'y\\ z'"),
        "% none\n1,x\n\n  \n2,'y z'\n %\n?,01\n",
    ],
)
def test_ways_to_write_the_same_rows(rows):
    frame = read_arff(SHORT + rows)
    assert_array_equal(frame["a"], [1, 2, np.nan])
    assert frame["b"].tolist() == ["x", "y z", "01"]
    assert frame["b"].cat.categories.tolist() == ["x", "y z", "01", "1"]


def test_a_quoted_question_mark_is_a_value():
    header = "@relation t\n@attribute a {'?',x}\n@data\n"
    assert read_arff(header + "'?'\n?\nx\n")["a"].tolist() == ["?", np.nan, "x"]


def test_tabs():
    header = "@relation t\n@attribute a numeric\n@attribute b {x,y}\n@data\n"
    frame = read_arff(header + "1\tx\n2\ty\n")
    assert frame["a"].tolist() == [1, 2]
    assert frame["b"].tolist() == ["x", "y"]


def test_no_rows():
    frame = read_arff(SHORT)
    assert frame.shape == (0, 2)
    assert frame["b"].cat.categories.tolist() == ["x", "y z", "01", "1"]


def test_sparse_rows():
    header = "@relation t\n@attribute a numeric\n@attribute b {x,'y z'}\n"
    header += "@attribute c integer\n@data\n"
    frame = read_arff(header + "{0 1.5, 1 'y z'}\n{}\n{ 2 ?,1 x }\n{2 -3}\n")
    assert_array_equal(frame["a"], [1.5, 0, 0, 0])
    assert frame["b"].tolist() == ["y z", "x", "x", "x"]  # left out: the first value
    assert_array_equal(frame["c"], [0, 0, np.nan, -3])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n", "there is no @data line"),
        ("@relation t\n@data\n1\n", "no @attribute is declared"),
        (
            "@attribute a relational\n@data\n",
            "'a' is declared 'relational'; it must be",
        ),
        ("@attribute a {x,y\n@data\n", "'a' have no closing brace"),
        ("@attribute a\n@data\n", "'a' is declared ''"),
        (SHORT + "1,x\n2\n", "row 2 of the data has 1 cells; .* 2 attributes"),
        (SHORT + "1,x\n2,x,3\n", "row 2 of the data has 3 cells"),
        (SHORT + "1,x,1\n2\n", "row 1 of the data has 3 cells"),
        (SHORT + "1,w\n", "'b' holds 'w', which is not among its declared values"),
        (SHORT + "1,x\nmany,x\n", "row 2 of the data holds 'many' .*'a'.* numeric"),
        (SHORT + "1,'x\n", 'row 1 of the data: cannot read "\'x"'),
        (SHORT + "{0 1}\n{2 1}\n", "row 2 of the data: cannot read '2 1'"),
    ],
)
def test_what_is_wrong_is_named(text, message):
    with pytest.raises(ValueError, match=f"file.arff: .*{message}"):
        read_arff(text, file="file.arff")


def random_arff(seed, n_rows=60, word="'y z'"):
    rng = np.random.default_rng(seed)
    values = {"a": rng.normal(size=n_rows), "b": rng.integers(-5, 5, n_rows)}
    frame = pd.DataFrame(values).astype(object)
    frame["c"] = rng.choice(["x", word, "w"], n_rows)
    frame = frame.mask(rng.random(frame.shape) < 0.1, "?")
    header = "@relation t\n@attribute a real\n@attribute b integer\n"
    header += f"@attribute c {{x,{word},w}}\n@data\n"
    rows = [",".join(map(str, row)) for row in frame.to_numpy().tolist()]
    return header + "\n".join(rows) + "\n"


def test_scipy_reads_the_same(seed):
    text = random_arff(seed, word="y")  # scipy does not take quotes off cells
    ours, (theirs, _) = read_arff(text), loadarff(StringIO(text))
    assert_array_equal(ours["a"], theirs["a"])
    assert_array_equal(ours["b"], theirs["b"])
    texts = [value.decode() for value in theirs["c"]]
    assert ours["c"].astype(object).fillna("?").tolist() == texts


@pytest.mark.parametrize("sparse", [False, True])
def test_liac_arff_reads_the_same(seed, sparse):
    arff = pytest.importorskip("arff")
    text = random_arff(seed)
    if sparse:
        header, _, body = text.partition("@data\n")
        rows = [row.split(",") for row in body.splitlines()]
        pairs = [", ".join(f"{j} {cell}" for j, cell in enumerate(row)) for row in rows]
        text = header + "@data\n" + "\n".join(f"{{{pair}}}" for pair in pairs)
    theirs = arff.loads(text, return_type=arff.LOD if sparse else arff.DENSE)["data"]
    ours = read_arff(text)
    for place, name in enumerate("abc"):
        column = [row[place] for row in theirs]
        missing = [cell is None for cell in column]
        assert ours[name].isna().tolist() == missing
        told = ours[name].dropna().tolist()
        assert told == [cell for cell in column if cell is not None]


def test_both_ways_of_reading_agree(seed):
    # An escape in the last row sends all rows the slow way.
    text = random_arff(seed)
    fast = read_arff(text)
    slow = read_arff(text + "0,0,'y\\ z'\n").iloc[:-1]
    pd.testing.assert_frame_equal(fast, slow)
