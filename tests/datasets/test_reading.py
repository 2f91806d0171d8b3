"""One table in many formats is one data set."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.datasets import Column, TableError, errors, from_frame, match_columns
from manyminds.datasets.formats import text_format
from manyminds.datasets.reading import iterate_features, read_features, read_table


def table(seed, n_rows=40):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n_rows, 3)), columns=["a", "b", "c"])
    frame["whole"] = rng.integers(0, 9, n_rows)
    frame["color"] = rng.choice(["red", "dark blue", "grün"], n_rows)
    frame["flag"] = rng.random(n_rows) < 0.5
    frame.loc[2:4, ["a", "color"]] = None
    frame["class"] = np.resize(["yes", "no"], n_rows)
    return frame


def as_arff(frame):
    lines = ["@relation t"]
    for name in frame.columns:
        kind = "string" if name in ("color", "flag", "class") else "numeric"
        lines.append(f"@attribute {name} {kind}")
    body = frame.to_csv(index=False, header=False, na_rep="?", sep=",")
    return "\n".join([*lines, "@data", body])


def write(frame, path):
    if path.name == "t.parquet":
        pytest.importorskip("pyarrow")
        frame.to_parquet(path)
    elif ".arff" in path.name:
        content = as_arff(frame).encode()
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    else:
        separator = {".tsv": "\t", ".txt": ";"}.get(path.suffixes[0], ",")
        frame.to_csv(path, index=False, sep=separator)
    return path


NAMES = ["t.csv", "t.csv.gz", "t.tsv", "t.txt", "t.txt.gz", "t.parquet", "t.arff"]


@pytest.mark.parametrize("name", [*NAMES, "t.arff.gz"])
def test_the_format_does_not_matter(tmp_path, seed, name):
    frame = table(seed)
    data = read_table(write(frame, tmp_path / name))
    assert data.name == "t"
    assert data.source == f"file {name}"
    assert str(tmp_path) not in data.describe()
    assert data.categorical == ["color", "flag"]
    assert data.fingerprint == from_frame(frame).fingerprint


def test_schema_beside_the_table(tmp_path):
    (tmp_path / "t.csv").write_text("id,code,size,y\n1,01,-,5\n2,1,2,6\n3,1,2,7\n")
    schema = {"categorical": ["code"], "target": "y", "drop": ["id"], "missing": ["-"]}
    (tmp_path / "t.schema.json").write_text(json.dumps(schema))
    data = read_table(tmp_path / "t.csv")
    assert data.X["code"].tolist() == ["01", "1", "1"]
    assert_array_equal(data.X["size"], [np.nan, 2, 2])
    assert data.task == "regression"
    assert read_table(tmp_path / "t.csv", task="classification").y.tolist() == [5, 6, 7]
    given = read_table(tmp_path / "t.csv", schema={"target": "code"})
    assert list(given.X.columns) == ["id", "size", "y"]


def test_schema_by_a_path(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n2,3\n")
    (tmp_path / "other.json").write_text('{"target": "a", "categorical": "all"}')
    data = read_table(tmp_path / "t.csv", schema=tmp_path / "other.json", name="mine")
    assert (data.name, data.categorical) == ("mine", ["b"])


def test_missing_values_and_missing_targets(tmp_path):
    (tmp_path / "t.csv").write_text("a,target\n-,x\n1,NA\n2,y\n")
    options = {"missing_values": ["-", "NA"]}
    with pytest.raises(ValueError, match="target is missing in 1 of 3 rows"):
        read_table(tmp_path / "t.csv", **options)
    data = read_table(tmp_path / "t.csv", drop_missing_target=True, **options)
    assert_array_equal(data.X["a"], [np.nan, 2])
    assert data.y.tolist() == ["x", "y"]


def test_several_labels(tmp_path):
    (tmp_path / "t.csv").write_text("a,p,q\n1,0,1\n2,1,1\n")
    data = read_table(tmp_path / "t.csv", target=["p", "q"])
    assert data.task == "multilabel"
    assert_array_equal(data.y, [[0, 1], [1, 1]])


def test_the_last_attribute_of_arff_is_the_target(tmp_path):
    header = "@relation t\n@attribute a {x,y}\n@attribute b numeric\n"
    (tmp_path / "t.arff").write_text(header + "@data\nx,1\ny,2.5\n")
    data = read_table(tmp_path / "t.arff")
    assert data.task == "regression"
    assert list(data.X.columns) == ["a"]
    assert read_table(tmp_path / "t.arff", target="a").y.tolist() == ["x", "y"]
    named = header.replace(" a ", " Class ")
    (tmp_path / "u.arff").write_text(named + "@data\nx,1\ny,2.5\n")
    assert read_table(tmp_path / "u.arff").y.tolist() == ["x", "y"]


def test_in_arff_only_its_own_mark_is_missing(tmp_path):
    text = "@relation t\n@attribute a {None,x}\n@attribute b numeric\n"
    text += "@attribute y {p,q}\n@data\nNone,-1,p\nx,?,q\n?,2,q\n"
    (tmp_path / "t.arff").write_text(text)
    data = read_table(tmp_path / "t.arff")
    assert data.X["a"].tolist() == ["None", "x", np.nan]
    assert_array_equal(data.X["b"], [-1, np.nan, 2])
    marked = read_table(tmp_path / "t.arff", missing_values=["-1"])
    assert_array_equal(marked.X["b"], [np.nan, np.nan, 2])


def test_svmlight(tmp_path):
    (tmp_path / "t.svm").write_text("1 1:0.5 3:2\n-1 2:1\n")
    data = read_table(tmp_path / "t.svm", n_features=5)
    assert data.X.shape == (2, 5)
    assert data.y.tolist() == [1, -1]
    for options in ({"target": 0}, {"categorical": ["a"]}, {"drop": ["a"]}):
        with pytest.raises(ValueError, match="svmlight file has columns of numbers"):
            read_table(tmp_path / "t.svm", **options)


@pytest.mark.parametrize("name", ["t.ods", "t", "t.gz", "t.parquet.gz", "t.xlsx.gz"])
def test_unknown_endings(tmp_path, name):
    (tmp_path / name).write_text("")
    with pytest.raises(ValueError, match=r"path must end in one of \.csv, .*got 't"):
        read_table(tmp_path / name)


def test_wrong_arguments(tmp_path):
    with pytest.raises(FileNotFoundError, match="path must be a file"):
        read_table(tmp_path / "nothing.csv")
    (tmp_path / "t.csv").write_text("a,target\n1,2\n")
    with pytest.raises(ValueError, match="n_features is for svmlight"):
        read_table(tmp_path / "t.csv", n_features=3)


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "parquet", "arff", "svm"])
def test_formats_of_samples_to_predict(tmp_path, ending):
    path = tmp_path / f"new.{ending}"
    frame = pd.DataFrame({"x": [1.5, 2.5], "hue": ["red", "blue"]})
    if ending == "parquet":
        frame.to_parquet(path)
    elif ending == "arff":
        path.write_text(
            "@relation new\n@attribute x numeric\n@attribute hue {blue, red}\n@data\n"
            "1.5,red\n2.5,blue\n"
        )
    elif ending == "svm":
        path.write_text("0 1:1.5\n0 2:2.5\n")
        found = read_features(path, n_features=3)
        assert found.toarray().tolist() == [[1.5, 0, 0], [0, 2.5, 0]]
        return
    else:
        frame.to_csv(path, index=False, sep="\t" if ending == "tsv" else ",")
    columns = [Column("hue", ("blue", "red")), Column("x")]
    found = match_columns(read_features(path, columns), columns)
    assert found["x"].tolist() == [1.5, 2.5]
    assert found["hue"].tolist() == ["red", "blue"]


def test_marks_of_missing_values(tmp_path):
    (tmp_path / "new.csv").write_text("x,hue\n-9,red\n1,none\n")
    (tmp_path / "new.schema.json").write_text('{"missing": ["-9", "none"]}')
    columns = [Column("x"), Column("hue", ("red",))]
    found = match_columns(read_features(tmp_path / "new.csv", columns), columns)
    assert found.isna().to_numpy().tolist() == [[True, False], [False, True]]
    pd.DataFrame({"x": [-9.0, 1.0]}).to_parquet(tmp_path / "new.parquet")
    read = read_features(tmp_path / "new.parquet", missing_values=["-9"])
    assert read["x"].isna().tolist() == [True, False]


@pytest.mark.parametrize(
    "text, said",
    [
        ("", "the file is empty"),
        ("x,hue\n", "no rows"),
        ("x,x\n1,2\n", "different names"),
        ("x,hue\n1,red,3\n", "more cells than the 2"),
    ],
)
def test_bad_files_are_told(tmp_path, text, said):
    (tmp_path / "new.csv").write_text(text)
    with pytest.raises(ValueError, match=said):
        read_features(tmp_path / "new.csv")


def test_no_file_and_no_format(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is none at"):
        read_features(tmp_path / "new.csv")
    with pytest.raises(ValueError, match="path must end in one of"):
        read_features(tmp_path / "new.ods")


@pytest.mark.parametrize("read", [read_features, iterate_features])
def test_a_file_that_would_fill_the_memory_is_refused(tmp_path, monkeypatch, read):
    for module in (errors, text_format):
        monkeypatch.setattr(module, "MAX_FREE_BYTES", 1_000_000)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a\n" + b"1\n" * 2_000_000))
    with pytest.raises(TableError, match="would expand to"):
        next(iter(read(path)))


def test_batches_of_parquet_that_would_fill_the_memory_are_refused(
    tmp_path, monkeypatch
):
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(errors, "MAX_FREE_BYTES", 1_000_000)
    path = tmp_path / "bomb.parquet"
    pd.DataFrame({"a": np.zeros(1_000_000)}).to_parquet(path)
    with pytest.raises(TableError, match="would expand to 8,000,000 bytes"):
        next(iterate_features(path, n_rows=1_000_000))
    assert len(next(iterate_features(path, n_rows=100_000))) == 100_000
