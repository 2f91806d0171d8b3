"""Separators, decimal marks and encodings are found, or taken as they are declared."""

import warnings

import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import TableError, read_features, read_table


@pytest.fixture
def read(tmp_path):
    def write_and_read(text, written="utf-8", **options):
        path = tmp_path / "t.csv"
        path.write_bytes(text.encode(written))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return read_table(path, **options)

    return write_and_read


def test_decimal_commas_are_numbers(read):
    text = "a;b;c;target\n1,5;-1.234,25;7;2,5\n;2,0e3;8;3\n,25;12;9;4,5\n"
    data = read(text)
    assert_array_equal(data.X["a"], [1.5, float("nan"), 0.25])
    assert data.X["b"].tolist() == [-1234.25, 2000.0, 12.0]
    assert data.X["c"].tolist() == [7, 8, 9]
    assert data.y.tolist() == [2.5, 3.0, 4.5] and data.task == "regression"


def test_decimal_commas_among_rows_to_predict(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;b\n1,5;x\n2;y\n")
    assert read_features(path)["a"].tolist() == [1.5, 2.0]


def test_text_with_commas_stays_text(read):
    data = read("a;b;target\n1,5;1,5,2;x\nnone of 2,5;1,2;y\n", categorical=["b"])
    assert data.categorical == ["a", "b"]
    assert data.X["b"].tolist() == ["1,5,2", "1,2"]


def test_declared_marks_win(read):
    assert read("a;target\n1.234;x\n2.500;y\n").X["a"].tolist() == [1.234, 2.5]
    grouped = read("a;target\n1.234;x\n2.500;y\n12,5;y\n", decimal=",")
    assert grouped.X["a"].tolist() == [1234.0, 2500.0, 12.5]
    assert read("a;target\n1,5;x\n2,5;y\n", decimal=".").categorical == ["a"]
    quoted = read('a,target\n"1,5",x\n"2,5",y\n', decimal=",")
    assert quoted.X["a"].tolist() == [1.5, 2.5]
    assert read("a|target\n1|x\n2|y\n", separator="|").X["a"].tolist() == [1, 2]


def test_doubtful_commas_and_points_are_told(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,target\n"1,234",x\n"2,500",y\n')
    with pytest.warns(UserWarning, match="Column 'a' holds numbers with commas"):
        assert read_table(path).categorical == ["a"]
    path.write_text("a;b;target\n1,5;1.250;x\n2,5;2.750;y\n")
    with pytest.warns(UserWarning, match="'a' holds decimal commas, but column 'b'"):
        assert read_table(path).X["b"].tolist() == [1.25, 2.75]


def test_encodings(read):
    text = "größe,target\n1,ł\n2,ń\n"
    data = read(text, "cp1250", encoding="cp1250")
    assert list(data.X) == ["größe"] and set(data.y) == {"ł", "ń"}
    assert set(read(text, "utf-16", encoding="utf-16").y) == {"ł", "ń"}
    with pytest.raises(TableError, match=r"^t\.csv: the text is not in the encoding"):
        read(text, "cp1250", encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"separator": "::"}, "separator must be one character; got '::'"),
        ({"separator": ",", "decimal": ","}, "decimal must be another character than"),
        ({"decimal": "x"}, "decimal must be '.' or ','; got 'x'"),
        ({"encoding": "klingon"}, "encoding must be one that Python knows"),
        ({"encoding": "hex"}, "encoding must be one that Python knows"),
    ],
)
def test_wrong_declarations_are_named(read, options, message):
    with pytest.raises(ValueError, match=message):
        read("a,target\n1,x\n2,y\n", **options)


def test_other_formats_take_no_declarations(tmp_path):
    path = tmp_path / "t.svm"
    path.write_text("1 1:2\n-1 1:3\n")
    with pytest.raises(ValueError, match=r"decimal is for text files such as \.csv"):
        read_table(path, decimal=",")
