"""Forests of Local Trees against their competitors: printed tables and plans."""

from dataclasses import replace

import numpy as np
import pytest

from manyminds.datasets.bundled import load_dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments import open_store
from manyminds.reproductions.local_trees_against_forests.judging import (
    COMPETITORS,
    FLAT,
    PRINTED_COUNTS,
    PRINTED_MARKS,
)
from manyminds.reproductions.local_trees_against_forests.plan import (
    ABLATION,
    ACCURACIES,
    COUNTS,
    NAMES_OF_ROWS,
    REPRODUCTION,
    SMALL_SETS,
)
from manyminds.reproductions.published import read_printed_rows
from manyminds.reproductions.reproducing import reproduce

ROOM = "manyminds.reproductions"


def test_printed_counts_are_those_of_36_sets():
    rows = read_printed_rows(f"{ROOM}.local_trees_against_forests", "flt_4_2")
    assert len(rows) == 3 * 18
    assert all(sum(int(r[k]) for k in ("wins", "ties", "losses")) == 36 for r in rows)
    assert len(PRINTED_COUNTS) == 3 * 6


@pytest.mark.parametrize(("leaves", "method"), [("50", "FLT r=50"), ("", "FLT r=inf")])
def test_printed_counts_are_those_of_the_printed_marks(leaves, method):
    # Two tables of the thesis, one from the other.
    marks = [mark for (_, one), mark in PRINTED_MARKS.items() if one == method]
    for k, competitor in enumerate(COMPETITORS):
        (row,) = (
            row
            for row in read_printed_rows(
                f"{ROOM}.local_trees_against_forests", "flt_4_2"
            )
            if row["competitor"] == competitor
            and (row["max_features"], row["subsample"]) == ("0.3", "1.0")
            and row["max_leaf_nodes"] == leaves
        )
        counted = ["".join(m[k] for m in marks).count(kind) for kind in "-=+"]
        assert counted == [int(row[kind]) for kind in ("wins", "ties", "losses")]


def test_ordinary_imputation_is_tried_on_enough_sets():
    at_hand = set(SMALL_SETS) - set(ABLATION.absent)
    assert len(at_hand) >= 20
    forest = next(m for m in ABLATION.outline().methods if m.name == FLAT).estimator
    assert forest[0].fit([[1.0], [3.0]]).transform([[np.nan]]).item() == 2.0
    assert forest[1].precision == 0.0


def test_parts_have_the_methods_of_the_thesis():
    forests = {m.name: m.estimator for m in ACCURACIES.outline().methods}
    assert [forests[f"FLT r={r}"].max_leaf_nodes for r in (50, 100, "inf")] == [
        *(50, 100, None)
    ]
    for part in (ACCURACIES, NAMES_OF_ROWS, COUNTS, ABLATION):
        assert set(COMPETITORS) <= {method.name for method in part.outline().methods}
    counted = {m.name: m.estimator for m in COUNTS.outline().methods}
    assert counted["FLT 10% of features, 50% of rows, r=inf"].subsample == 0.5
    assert {place[0] for place in PRINTED_COUNTS} <= set(counted)


@pytest.mark.slow
def test_quick_run_on_bundled_sets(tmp_path):
    store = open_store(str(tmp_path / "records.sqlite"))
    part = ABLATION
    only = replace(REPRODUCTION, parts=(part,))
    (done,) = reproduce(only, load_dataset, store, quick=True)
    store.close()
    assert not done.outcome.failed
    run = {c.dataset for c in done.verdicts.cells if c.verdict != "not run"}
    assert run == {"balance-scale", "iris"}
    for cell in done.verdicts.cells:
        # One repetition scatters by about a point; six would be five deviations.
        assert cell.difference is None or abs(cell.difference) < 6


def test_names_of_rows_are_left_out_of_the_ablation(shared_data):
    sources = ABLATION.make_plan(DataFolder(shared_data).load, False).datasets
    zoo = next(source for source in sources if source.name == "zoo").load()
    assert zoo.n_features == 16
