"""Tables of records agree with plain loops over the records."""

import math
import statistics

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from manyminds.experiments import Record
from manyminds.experiments.summaries import (
    fold_scores,
    list_scores,
    pivot,
    tabulate,
)

HAND_MADE = [
    Record("1", "wine", "tree", 0, 0, {"accuracy": 0.8, "auc": 0.9}, seconds=1.0),
    Record("2", "wine", "tree", 0, 1, {"accuracy": 0.6, "auc": 0.7}, seconds=2.0),
    Record("3", "wine", "rf", 0, 0, {"accuracy": 0.9, "auc": 1.0}, seconds=3.0),
    Record("4", "wine", "rf", 0, 1, error="ValueError: no", seconds=5.0),
    Record("5", "iris", "tree", 0, 0, {"accuracy": 1.0, "auc": math.nan}),
    Record("6", "iris", "rf", 0, 0, error="ValueError: no"),
]


def draw_records(seed):
    """Draw records in random order, some of them failed."""
    rng = np.random.default_rng(seed)
    places = [
        (f"d{d}", f"m{m}", repeat, fold)
        for d in range(3)
        for m in range(4)
        for repeat in range(2)
        for fold in range(5)
    ]
    records = []
    for key in rng.permutation(len(places)):
        failed = rng.random() < 0.2
        values = {} if failed else {"rmse": float(rng.normal())}
        error = "ValueError: bad" if failed else None
        seconds = float(rng.random())
        records.append(Record(str(key), *places[key], values, error, seconds))
    return records


def test_worked_example():
    table = tabulate(HAND_MADE, "accuracy").set_index(["dataset", "method"])
    assert list(table.index) == [
        ("wine", "tree"),
        ("wine", "rf"),
        ("iris", "tree"),
        ("iris", "rf"),
    ]
    assert table["n"].tolist() == [2, 1, 1, 0]
    assert table["n_failed"].tolist() == [0, 1, 0, 1]
    assert_allclose(table["mean"], [0.7, 0.9, 1.0, np.nan])
    assert_allclose(table["std"], [0.02**0.5, np.nan, np.nan, np.nan])
    assert_allclose(table["seconds"], [1.5, 4.0, 0.0, 0.0])


def test_a_score_that_is_no_number_is_no_score():
    table = tabulate(HAND_MADE, "auc").set_index(["dataset", "method"])
    assert table.loc[("iris", "tree"), "n_failed"] == 1
    assert table.loc[("iris", "tree"), "n"] == 0


def test_pivot_keeps_the_order_and_shows_gaps():
    means = pivot(HAND_MADE, "accuracy")
    assert list(means.index) == ["wine", "iris"]
    assert list(means.columns) == ["tree", "rf"]
    assert_allclose(means, [[0.7, 0.9], [1.0, np.nan]])


def test_folds_are_those_that_all_methods_have():
    scores = fold_scores(HAND_MADE, "accuracy", "wine")
    assert scores.index.tolist() == [(0, 0)]
    assert scores.loc[(0, 0)].to_dict() == {"tree": 0.8, "rf": 0.9}
    assert len(fold_scores(HAND_MADE, "accuracy", "iris")) == 0


def test_tables_agree_with_plain_loops(seed):
    records = draw_records(seed)
    for row in tabulate(records, "rmse").itertuples():
        place = (row.dataset, row.method)
        own = [r for r in records if (r.dataset, r.method) == place]
        values = [r.values["rmse"] for r in own if not r.failed]
        assert row.n == len(values)
        assert row.n_failed == len(own) - len(values)
        assert_allclose(row.seconds, statistics.mean(r.seconds for r in own))
        assert_allclose(row.mean, statistics.mean(values) if values else np.nan)
        deviation = statistics.stdev(values) if len(values) > 1 else np.nan
        assert_allclose(row.std, deviation)
        assert_allclose(pivot(records, "rmse").loc[place], row.mean)


def test_fold_scores_agree_with_plain_loops(seed):
    records = draw_records(seed)
    scores = fold_scores(records, "rmse", "d1")
    found = {
        (r.repeat, r.fold, r.method): r.values["rmse"]
        for r in records
        if r.dataset == "d1" and not r.failed
    }
    methods = [f"m{m}" for m in range(4)]
    shared = [
        (repeat, fold)
        for repeat in range(2)
        for fold in range(5)
        if all((repeat, fold, method) in found for method in methods)
    ]
    assert scores.index.tolist() == shared
    for repeat, fold in shared:
        for method in methods:
            assert scores.loc[(repeat, fold), method] == found[repeat, fold, method]


def test_all_scores_in_one_table():
    table = list_scores(HAND_MADE)
    assert list(table) == [
        "dataset",
        "method",
        "repeat",
        "fold",
        "accuracy",
        "auc",
        "seconds",
        "error",
    ]
    assert table["error"].tolist().count("ValueError: no") == 2
    assert_allclose(table["accuracy"][:3], [0.8, 0.6, 0.9])
    assert pd.isna(table["accuracy"][3])


def test_what_was_not_measured_is_refused():
    with pytest.raises(ValueError, match=r"\(accuracy, auc\); got 'rmse'"):
        tabulate(HAND_MADE, "rmse")
    with pytest.raises(ValueError, match="records is empty"):
        pivot([], "rmse")
    with pytest.raises(ValueError, match="dataset is one that has records; got 'x'"):
        fold_scores(HAND_MADE, "accuracy", "x")


def test_where_everything_failed_there_are_no_scores():
    failed = [Record("1", "wine", "rf", 0, 0, error="ValueError: no")]
    assert tabulate(failed, "accuracy")["n"].tolist() == [0]
    assert len(fold_scores(failed, "accuracy", "wine")) == 0
