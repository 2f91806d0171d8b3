"""Rows without a target are read as those with one, and matched to known columns."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import from_frame, read_table
from manyminds.datasets.features import (
    Column,
    describe_columns,
    match_columns,
    read_features,
)


def test_a_table_is_read_as_it_was_with_its_target(tmp_path, seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "zone": [f"{i:02d}" for i in rng.integers(0, 9, 40)],
            "size": rng.normal(size=40),
            "hue": rng.choice(["red", "blue", "?"], 40),
            "class": rng.permutation(["a", "b"] * 20),
        }
    )
    frame.to_csv(tmp_path / "all.csv", index=False)
    data = read_table(tmp_path / "all.csv", categorical=["zone"])
    columns = describe_columns(data.X)
    frame.drop(columns="class").to_csv(tmp_path / "new.csv", index=False)
    found = match_columns(read_features(tmp_path / "new.csv", columns), columns)
    pd.testing.assert_frame_equal(found, data.X)


@pytest.mark.parametrize("ending", ["csv", "tsv", "csv.gz", "parquet", "arff", "svm"])
def test_formats(tmp_path, ending):
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
        read_features(tmp_path / "new.xlsx")


def test_declared_order_of_categories_is_kept():
    X = pd.DataFrame({"size": pd.Categorical(["S", "L"], ["S", "M", "L"], True)})
    [column] = describe_columns(X)
    assert column == Column("size", ("S", "M", "L"), True)
    found = match_columns(pd.DataFrame({"size": ["M", None]}), [column])["size"]
    assert found.cat.ordered and found.cat.categories.tolist() == ["S", "M", "L"]
    assert found.cat.codes.tolist() == [1, -1]


def test_dates_are_known_again_in_any_form():
    X = from_frame(pd.DataFrame({"day": ["2024-01-31", "?"], "target": [0.5, 1.5]})).X
    known = describe_columns(X)
    assert known == (Column("day", is_date=True),)
    for day in ("2024-01-31", pd.Timestamp("2024-01-31"), "2024-01-31T00:00Z"):
        made = match_columns(pd.DataFrame({"day": [day, None]}), known)
        pd.testing.assert_frame_equal(made, X)
    with pytest.raises(ValueError, match=r"'day' must hold dates .*got 'soon'"):
        match_columns(pd.DataFrame({"day": ["soon"]}), known)


@pytest.mark.parametrize("cell", [np.inf, "inf"])
def test_infinite_numbers_are_refused_as_in_training(cell):
    with pytest.raises(ValueError, match=r"Column 'a' holds 1 infinite value"):
        match_columns(pd.DataFrame({"a": [cell]}), [Column("a")])
