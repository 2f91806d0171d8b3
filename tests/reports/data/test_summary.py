"""A summary of a table says what the table is, and shows what is odd about it."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.linear_model import LinearRegression

from manyminds.analysis import MultiResolutionComplexity, correlation_score
from manyminds.datasets import Dataset, from_frame
from manyminds.reports.data.page import render_data_page
from manyminds.reports.data.summary import find_copies, summarize_data


def draw_data(seed, n_rows=80):
    """Draw two classes that one column tells apart and others do not."""
    rng = np.random.default_rng(seed)
    kind = rng.permutation(np.arange(n_rows) % 2)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows) + 4 * kind,
            "noise": rng.normal(size=n_rows),
            "hue": rng.choice(["red", "blue"], n_rows),
            "class": np.array(["cat", "dog"])[kind],
        }
    )
    return from_frame(frame, name="animals")


def column(summary, name):
    [found] = [one for one in summary.columns if one.name == name]
    return found


def test_worked_example():
    frame = pd.DataFrame(
        {
            "x": [0.0, 0.0, 1.0, 1.0, np.nan],
            "flat": [7.0] * 5,
            "void": [np.nan] * 5,
            "copy": [0.0, 0.0, 1.0, 1.0, np.nan],
            "hue": ["red", "red", "blue", None, "red"],
            "class": ["a", "a", "b", "b", "b"],
        }
    )
    summary = summarize_data(from_frame(frame))
    assert (summary.n_rows, summary.n_columns, summary.n_missing) == (5, 5, 8)
    x = column(summary, "x")
    assert (x.kind, x.n_missing, x.n_distinct) == ("number", 1, 2)
    assert (x.low, x.mean, x.high, x.notes) == (0.0, 0.5, 1.0, ())
    assert column(summary, "flat").notes == ("constant",)
    assert column(summary, "void").notes == ("all missing",)
    assert column(summary, "void").low is None
    assert column(summary, "copy").notes == ("the same as x",)
    hue = column(summary, "hue")
    assert (hue.kind, hue.n_distinct, hue.most_frequent) == ("category", 2, "red")
    assert summary.target.counts == {"b": 3, "a": 2}
    assert summary.n_duplicates == 1  # the second row repeats the first
    assert any("flat, void" in note for note in summary.notes)


def test_scores_are_those_of_the_correlation_score(seed):
    data = draw_data(seed)
    summary = summarize_data(data)
    for name in data.X:
        expected = correlation_score(data.X[[name]], data.y, "adjusted_r2")
        assert column(summary, name).score == expected
    assert summary.score == correlation_score(data.X, data.y, "adjusted_r2")
    assert summary.ranked[0].name == "size"  # four deviations apart


def test_scores_of_numbers_are_those_of_least_squares(seed):
    data = draw_data(seed)
    y = np.random.default_rng(seed + 1).normal(size=80) + data.X["size"].to_numpy()
    data = Dataset("numbers", data.X, y, "regression")
    summary = summarize_data(data)
    X = data.X.assign(hue=(data.X["hue"] == "red").astype(float))
    for names, found in [
        (["size"], column(summary, "size").score),
        (["hue"], column(summary, "hue").score),
        (["size", "noise", "hue"], summary.score),
    ]:
        share = LinearRegression().fit(X[names], y).score(X[names], y)
        assert_allclose(found, max(1 - (1 - share) * 79 / (79 - len(names)), 0.0))
    assert summary.complexity is None
    assert any("Complexity is defined for classes" in note for note in summary.notes)
    assert_allclose(summary.target.quantiles["median"], np.median(y))
    assert sum(summary.target.heights) == 80 and len(summary.target.edges) == 21


def test_complexity_is_that_of_the_rows(seed):
    data = draw_data(seed)
    found = summarize_data(data, n_hardest=3).complexity
    model = MultiResolutionComplexity().fit(data.X, data.y)
    assert found.mri == model.mri_.mean()
    assert found.by_class["cat"] == model.mri_[data.y == "cat"].mean()
    assert sum(cluster.n_rows for cluster in found.clusters) == 80
    assert list(found.radii) == model.radii_.tolist()
    hardest = np.argsort(-model.mri_, kind="stable")[:3]
    assert [one.row for one in found.hardest] == [int(i) + 1 for i in hardest]
    assert found.hardest[0].label == data.y[hardest[0]]
    assert found.hardest[0].mri == model.mri_.max()


def test_a_mislabeled_row_is_the_hardest(seed):
    rng = np.random.default_rng(seed)
    kind = np.arange(100) % 2
    X = pd.DataFrame({"x": kind + 0.01 * rng.normal(size=100)})
    wrong = int(rng.integers(100))
    kind[wrong] = 1 - kind[wrong]
    found = summarize_data(Dataset("flip", X, kind, "classification")).complexity
    assert found.hardest[0].row == wrong + 1


def test_large_tables_are_sampled(seed):
    data = draw_data(seed, n_rows=300)
    summary = summarize_data(data, max_rows=100, random_state=seed)
    assert summary.n_rows == 300 and summary.complexity.n_rows == 100
    assert any("100 of the 300 rows" in note for note in summary.notes)
    mri = {one.row: one for one in summary.complexity.hardest}
    for row, one in mri.items():
        assert data.y[row - 1] == one.label


def test_counters_of_the_rows_are_pointed_out(seed):
    data = draw_data(seed)
    order = np.random.default_rng(seed).permutation(80) + 1.0
    data = Dataset("counted", data.X.assign(row=order), data.y, "classification")
    summary = summarize_data(data)
    assert column(summary, "row").notes == ("a counter of the rows",)
    assert column(summary, "size").notes == ()
    assert [(one.kind, one.column) for one in summary.pitfalls] == [
        ("identifier", "row")
    ]


def test_very_many_categories_are_told_and_left_out(seed):
    rng = np.random.default_rng(seed)
    data = draw_data(seed, n_rows=400)
    names = pd.Categorical([f"no. {i}" for i in rng.permutation(400)])
    data = Dataset("named", data.X.assign(name=names), data.y, "classification")
    summary = summarize_data(data)
    found = column(summary, "name")
    assert found.score is None and found.n_distinct == 400
    assert found.notes == ("a different text in each row",)
    assert any("name" in note and "200 categories" in note for note in summary.notes)
    plain = Dataset("plain", data.X[["size", "noise", "hue"]], data.y, data.task)
    without = summarize_data(plain)
    assert summary.complexity == without.complexity and summary.score == without.score


@pytest.mark.slow
def test_more_columns_than_rows(seed):
    X = np.random.default_rng(seed).normal(size=(20, 50))
    X = pd.DataFrame(X, columns=[f"x{i}" for i in range(50)])
    summary = summarize_data(Dataset("wide", X, np.arange(20) % 2, "classification"))
    assert summary.score is None
    assert any("50 encoded columns are too many" in note for note in summary.notes)
    assert len(summary.ranked) == 50 and summary.complexity is not None


def test_sparse_tables_and_several_labels(seed):
    X = csr_array(np.eye(6))
    summary = summarize_data(Dataset("thin", X, np.arange(6) % 2, "classification"))
    assert summary.columns == () and summary.complexity is None
    assert any("sparse" in note for note in summary.notes)
    assert "thin" in render_data_page(summary)
    data = draw_data(seed)
    labels = pd.DataFrame({"a": [1] * 80, "b": [0, 1] * 40})
    summary = summarize_data(Dataset("several", data.X, labels, "multilabel"))
    assert summary.target.counts == {"a": 80, "b": 40}
    assert summary.score is None and summary.complexity is None
    assert "several" in render_data_page(summary)


def test_nothing_to_tell_is_an_error(seed):
    data = draw_data(seed)
    one = Dataset("one", data.X, np.array(["cat"] * 80, dtype=object), data.task)
    with pytest.raises(ValueError, match="at least two classes; got only cat"):
        summarize_data(one)
    with pytest.raises(ValueError, match="two rows and one column"):
        summarize_data(data.take([0]))


def test_no_usable_column():
    X = pd.DataFrame({"flat": [1.0] * 6})
    summary = summarize_data(Dataset("flat", X, np.arange(6) % 2, "classification"))
    assert summary.score is None and summary.complexity is None
    assert any("No column" in note for note in summary.notes)
    assert "constant" in render_data_page(summary)


def test_copies_are_told_from_lookalikes():
    X = pd.DataFrame({"a": [1.0, 2.0, np.nan], "b": [2.0, 1.0, np.nan]})
    X = X.assign(c=X["a"], hue=pd.Categorical(["1", "2", None]))
    X = X.assign(tint=X["hue"], d=X["a"])
    assert find_copies(X) == {"c": "a", "d": "a", "tint": "hue"}


def test_steps_are_told(seed):
    steps = []
    summarize_data(draw_data(seed), on_step=steps.append)
    assert steps == [
        "describe columns",
        "look for pitfalls",
        "score the table",
        "measure complexity",
    ]


def test_days_in_a_row_are_no_counter():
    n = 40
    days = pd.date_range("2024-01-01", periods=n)
    frame = pd.DataFrame(
        {"when": days, "row": np.arange(n), "y": ["a", "b"] * (n // 2)}
    )
    data = from_frame(frame, target="y")
    notes = {one.name: one.notes for one in summarize_data(data).columns}
    assert any("counter" in note for note in notes["row"])
    assert not any("counter" in note for note in notes["when_days"])
