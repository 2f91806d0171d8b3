"""Tables are matched to the columns that a model was fitted on."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import (
    Column,
    describe_columns,
    from_frame,
    match_columns,
    read_features,
    read_table,
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


def test_free_text_has_no_fixed_categories(recwarn):
    texts = [f"remark {place} of many" for place in range(30)]
    frame = pd.DataFrame(
        {"note": pd.Categorical(texts), "hue": pd.Categorical(["a"] * 30)}
    )
    columns = describe_columns(frame)
    assert columns == (Column("note", is_text=True), Column("hue", ("a",)))
    assert not columns[0].is_numeric
    new = pd.DataFrame({"note": ["another remark", None], "hue": ["a", "a"]})
    assert match_columns(new, columns)["note"].iloc[0] == "another remark"
    assert match_columns(new, columns)["note"].isna().tolist() == [False, True]
    assert not len(recwarn)


@pytest.mark.parametrize("cell", [np.inf, "inf"])
def test_infinite_numbers_are_refused_as_in_training(cell):
    with pytest.raises(ValueError, match=r"Column 'a' holds 1 infinite value"):
        match_columns(pd.DataFrame({"a": [cell]}), [Column("a")])


@pytest.mark.parametrize("cells", [["true", "?", "False"], [True, None, False]])
def test_booleans_of_a_column_of_numbers(cells):
    frame = pd.DataFrame({"flag": pd.Series(cells, dtype=object)})
    found = match_columns(frame, [Column("flag")])["flag"]
    assert found.tolist()[::2] == [1.0, 0.0] and np.isnan(found[1])
    frame.loc[1, "flag"] = 3
    with pytest.raises(ValueError, match="'flag' holds numbers in the model, but text"):
        match_columns(frame, [Column("flag")])


@pytest.mark.parametrize(
    "cells", [[1, 0, None], [1.0, 0.0, None], ["1", "0", ""], ["TRUE", "false", "?"]]
)
def test_categories_of_truth_may_be_bits(cells, recwarn):
    frame = pd.DataFrame({"flag": pd.Series(cells, dtype=object)})
    found = match_columns(frame, [Column("flag", ("False", "True"))])["flag"]
    assert found.cat.codes.tolist() == [1, 0, -1]
    assert not recwarn
    frame.loc[0, "flag"] = 2
    with pytest.warns(UserWarning, match="never seen: '2'"):
        found = match_columns(frame, [Column("flag", ("False", "True"))])["flag"]
    assert found.cat.codes.tolist() == [-1, 0, -1]


def test_known_levels_are_not_missing():
    # As a table on disk has them, which is not read by our readers.
    levels = (" Bonn", "?")
    frame = pd.DataFrame({"town": ["?", " Bonn", "", "Bonn"]})
    found = match_columns(frame, [Column("town", levels)])["town"]
    assert found.cat.codes.tolist() == [1, 0, -1, 0]
