"""Minimal output codes: the printed table, the numbers of columns, a small run."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis import friedman_test
from manyminds.ensemble import minimal_code, one_vs_all_code, one_vs_one_code
from manyminds.experiments import open_store
from manyminds.reproductions.judging.cells import NOT_RUN
from manyminds.reproductions.minimal_output_codes.judging import (
    PRINTED_METHODS,
    read_printed,
)
from manyminds.reproductions.minimal_output_codes.plan import FEW, REPRODUCTION
from manyminds.reproductions.published import read_printed_rows
from manyminds.reproductions.reproducing import reproduce

PACKAGE = "manyminds.reproductions.minimal_output_codes"


# Acceptance 8: the Friedman statistic of table 1, and its numbers of classifiers.
def test_printed_table():
    printed = read_printed()
    assert {dataset for dataset, _ in printed} == set(FEW)
    table = np.array([[printed[d, m].mean for m in PRINTED_METHODS] for d in FEW])
    found = friedman_test(table)
    assert_allclose([found.chi2, found.f], [3.975, 1.365], atol=5e-4)


def test_printed_columns_are_those_of_the_codes():
    makers = {
        "Binary minimal": minimal_code,
        "Evolved minimal": minimal_code,
        "One-vs-all": one_vs_all_code,
        "One-vs-one": one_vs_one_code,
    }
    rows = read_printed_rows(PACKAGE, "minimal_codes")
    classes = {
        r["dataset"]: int(r["columns"]) for r in rows if r["method"] == "One-vs-all"
    }
    for row in rows:
        code = makers[row["method"]](classes[row["dataset"]])
        assert code.shape[1] == int(row["columns"])
    means = [
        np.mean([int(row["columns"]) for row in rows if row["method"] == method])
        for method in PRINTED_METHODS
    ]
    assert_allclose(means, [2.7, 2.7, 5.7, 15.9], atol=0.1)


@pytest.mark.slow
def test_quick_plan_on_one_small_set(tmp_path, monkeypatch):
    from manyminds.datasets import load_dataset

    monkeypatch.setattr(f"{PACKAGE}.plan.QUICK", ("iris", "digit-pairs"))
    store = open_store(str(tmp_path / "records.sqlite"))
    few, many = reproduce(REPRODUCTION, load_dataset, store, quick=True)
    store.close()
    for done in (few, many):
        assert not done.outcome.missing
        assert all(not record.failed for record in done.outcome.records)
    run = [cell for cell in few.verdicts.cells if cell.verdict != NOT_RUN]
    assert len(run) == 4 and all(cell.mean > 85.0 for cell in run)
    (cell,) = many.verdicts.cells
    assert cell.method == "Binary minimal" and cell.apart and cell.mean > 5.0
