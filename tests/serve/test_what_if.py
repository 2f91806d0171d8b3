import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import Column, load_dataset
from manyminds.persistence import TableModel, load_model
from manyminds.serve.what_if import (
    _choose_explained,
    answer_row,
    change_cells,
    find_typical,
    list_cells,
    sort_columns,
)
from manyminds.utils.errors import InputError


@pytest.fixture
def line():
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0], "z": [0.0, 0.0, 1.0]})
    fitted = LinearRegression().fit(frame, [1.0, 3.0, 6.0])  # 1 + 2 x + z
    columns = (Column("x"), Column("z"))
    return TableModel(fitted, columns, "y", "regression", (), 2), frame


def test_contributions_of_a_line_by_hand(line):
    model, frame = line
    answer = answer_row(model, frame.iloc[[0]], {"x": "3"}, frame.iloc[[0]], ["x", "z"])
    assert answer.prediction == "7"
    values = {one.column: round(one.value, 9) for one in answer.contributions.columns}
    assert values == {"x": 6.0, "z": 0.0}


def test_only_changed_cells_are_read(line):
    model, frame = line
    row = change_cells(model, frame.iloc[[2]], {"z": "5", "unknown": "x"})
    assert row.to_dict("list") == {"x": [2.0], "z": [5.0]}
    assert change_cells(model, frame, {}) is frame
    with pytest.raises(InputError, match="z"):
        change_cells(model, frame.iloc[[0]], {"z": "much"})


def test_without_rows_there_are_no_contributions(line):
    answer = answer_row(line[0], line[1].iloc[[0]], {"x": "3"}, None, ["x"])
    assert answer.contributions is None and answer.interval is None


def test_classes_have_probabilities_and_a_set(finished):
    model = load_model(finished)
    row = load_dataset("iris").X.iloc[[0]]
    answer = answer_row(model, model.read_rows(row), {}, None, [])
    assert answer.prediction == "Iris-setosa" == answer.probabilities[0][0]
    assert sum(share for _, share in answer.probabilities) == pytest.approx(1.0)
    assert answer.labels == ("Iris-setosa",)
    assert answer.explained == "probability of Iris-setosa"


def test_a_label_of_many_is_explained_by_hand():
    X = pd.DataFrame({"x": [0.0, 1.0, 2.0, 3.0], "z": [0.0, 1.0, 0.0, 1.0]})
    y = np.column_stack([X["x"] > 1, X["z"] > 0]).astype(int)
    fitted = DecisionTreeClassifier(random_state=0).fit(X, y)
    columns, labels = (Column("x"), Column("z")), ("big", "odd")
    model = TableModel(fitted, columns, labels, "multilabel", labels, 2)
    answer = answer_row(model, X.iloc[[3]], {}, X.iloc[[0]], ["x", "z"], "odd")
    assert answer.prediction == "big, odd"
    assert dict(answer.probabilities) == {"big": 1.0, "odd": 1.0}
    values = {one.column: one.value for one in answer.contributions.columns}
    assert answer.explained == "probability of odd" and values == {"z": 1.0, "x": 0.0}
    answer = answer_row(model, X.iloc[[3]], {"x": "0", "z": "0"}, None, [])
    assert answer.prediction == "none of the labels"


def test_the_columns_that_matter_in_a_row_are_explained():
    # Of 50 columns, the last decides; a changed column is explained as well.
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 50)))
    X.columns = [f"x{k}" for k in range(50)]
    fitted = LinearRegression().fit(X, 3 * X["x49"])
    columns = tuple(Column(name) for name in X)
    model = TableModel(fitted, columns, "y", "regression", (), 50)
    answer = answer_row(model, X.iloc[[0]], {"x7": "1"}, X, list(X))
    names = [one.column for one in answer.contributions.columns]
    assert names[0] == "x49"
    chosen = _choose_explained(model.estimator.predict, X.iloc[[0]], X, list(X), {"x7"})
    assert chosen[:2] == ["x7", "x49"] and len(chosen) == 40


def test_important_columns_come_first(line):
    model = line[0]
    assert [one.name for one in sort_columns(model, ["z"])] == ["z", "x"]


def test_a_typical_row_has_medians_and_modes():
    rows = pd.DataFrame(
        {
            "a": [1.0, 2.0, 9.0],
            "b": pd.Categorical(["u", "v", "v"]),
            "c": [np.nan, np.nan, np.nan],
        }
    )
    typical = find_typical(None, rows)
    assert typical["b"].dtype == rows["b"].dtype
    assert list_cells(typical.iloc[0]) == {"a": "2", "b": "v", "c": ""}
    assert list_cells(rows.iloc[0]) == {"a": "1", "b": "u", "c": ""}


def test_without_rows_the_middle_of_the_ranges_is_typical(finished):
    row = find_typical(load_model(finished), None)
    assert row["petallength"].tolist() == [3.95]  # between 1 and 6.9
