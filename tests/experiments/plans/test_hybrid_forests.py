"""Hybrid forests and the slides: the printed table, the plans, the judge of peers."""

import numpy as np
import pandas as pd
import pytest

from manyminds.analysis import corrected_resampled_ttest
from manyminds.datasets import Dataset
from manyminds.experiments import Record
from manyminds.experiments.judging import judge
from manyminds.experiments.plans.hybrid_forests import (
    ABSENT,
    HYBRID,
    LARGE,
    REPRODUCTION,
    SMALL,
    TABLE,
    _load,
)

SMALL_TABLE, LARGE_TABLE, SMALL_PEERS, LARGE_PEERS = REPRODUCTION.parts


def records_of(part, values):
    """Give each data set and method its folds; ``values(method, fold)`` or None."""
    plan = part.outline()
    places = [
        (r, f)
        for r in range(plan.splits.n_repeats)
        for f in range(plan.splits.n_splits)
    ]
    return [
        Record(
            f"{source.name}{method.name}{i}",
            source.name,
            method.name,
            *place,
            {"accuracy": values(method.name, i)},
        )
        for source in plan.datasets
        for method in plan.methods
        for i, place in enumerate(places)
        if values(method.name, i) is not None
    ]


def test_printed_table():
    # Means that the table's own columns add up to, without pen digits.
    means = {}
    for (_, method), cell in TABLE.cells.items():
        means.setdefault(method, []).append(cell.mean)
    assert {method: len(column) for method, column in means.items()} == dict.fromkeys(
        ["SVM", "OP-ELM", "BP", "k-NN", "ELM", "DT", "HERF", "AHERF"], 15
    )
    assert np.mean(means["BP"]) == pytest.approx(82.25, abs=0.005)
    # With 99.92 and 99.24 for pen digits, the means of all sixteen sets.
    assert (sum(means["HERF"]) + 99.92) / 16 == pytest.approx(91.02, abs=0.005)
    assert (sum(means["AHERF"]) + 99.24) / 16 == pytest.approx(89.72, abs=0.005)


def test_sets_and_methods_have_their_places():
    assert set(LARGE) | set(SMALL) == {dataset for dataset, _ in TABLE.cells}
    printed = {method for _, method in TABLE.cells}
    for part in (SMALL_TABLE, LARGE_TABLE):
        names = {method.name for method in part.outline().methods}
        assert names == printed - {"BP"}
    for part in (SMALL_PEERS, LARGE_PEERS):
        assert HYBRID in {method.name for method in part.outline().methods}
    assert set(ABSENT) == set(SMALL_TABLE.absent) == {"soybean-small"}


def test_cells_of_the_slides_are_judged():
    found = judge(SMALL_TABLE, records_of(SMALL_TABLE, lambda method, i: 0.96))
    verdicts = {(cell.dataset, cell.method): cell.verdict for cell in found.cells}
    assert verdicts["iris", "AHERF"] == "agrees"
    assert verdicts["monks-2", "AHERF"] == "differs"
    assert ("iris", "BP") not in verdicts


def test_judge_of_peers_worked_by_hand():
    # Ahead, a little behind, behind by chance, behind for sure.
    scatter = np.tile([0.1, -0.1], 10)
    level = {
        HYBRID: lambda i: 0.80,
        "HERF": lambda i: 0.70,
        "Rotation Forest": lambda i: 0.804,
        "Random Forest": lambda i: 0.81 + scatter[i],
        "HistGradientBoosting": lambda i: 0.90 + scatter[i] / 100,
    }

    def values(method, i):
        return level[method](i) if method in level else None

    found = judge(SMALL_PEERS, records_of(SMALL_PEERS, values))
    first = {cell.method: cell for cell in found.cells if cell.dataset == "iris"}
    assert first["HERF"].verdict == "agrees"
    assert first["HERF"].difference == pytest.approx(10.0)
    assert first["Rotation Forest"].verdict == "agrees"
    assert first["Random Forest"].verdict == "agrees within chance"
    assert first["HistGradientBoosting"].verdict == "differs"
    assert first["AHERF, 70 % of rows"].verdict == "not run"
    remarks = {column.method: column.remark for column in found.columns}
    n_sets = len(SMALL)
    assert f"ahead on {n_sets} sets, behind on 0" in remarks["HERF"]
    # The test that made these verdicts, with the share of rows of ten folds.
    test = corrected_resampled_ttest(
        np.full(20, 80.0), 81.0 + 100 * scatter, test_share=0.1
    )
    assert test.p_value > 0.01


def test_loaded_rows_are_complete_and_categories_numbers():
    X = pd.DataFrame(
        {
            "size": [1.0, np.nan, 3.0],
            "kind": pd.Categorical(["2", "1", "4"], categories=["1", "2", "4"]),
        }
    )
    data = Dataset("toy", X, np.array([1, 2, 1]), "classification")
    loaded = _load(lambda name: data, "toy")
    assert loaded.X.to_numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert loaded.y.tolist() == [1, 1]


def test_sets_of_the_folder_have_the_sizes_of_the_slides(shared_data):
    from manyminds.datasets.folder import DataFolder

    data = _load(DataFolder(shared_data).load, "breast-w")
    assert data.X.shape == (683, 9)  # as in the slides
    assert _load(DataFolder(shared_data).load, "hayes-roth").X.shape == (160, 4)
