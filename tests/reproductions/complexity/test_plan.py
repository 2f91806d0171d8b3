"""The tables on complexity: tables, plans, and iris to the decimals."""

from dataclasses import replace

import numpy as np
import pytest

from manyminds.datasets import load_dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments import open_store
from manyminds.reproductions.complexity.plan import (
    NOT_AT_HAND,
    PARTS,
    REPRODUCTION,
    SETS,
    SINGULAR,
    SMALL,
    TABLES,
)
from manyminds.reproductions.complexity.protocol import (
    load_as_in_thesis,
)
from manyminds.reproductions.published import read_printed_rows
from manyminds.reproductions.reproducing import reproduce

ROOM = "manyminds.reproductions.complexity"

IMBALANCE, BOUNDARY, SUCCESSES, CLAIMS, FORESTS, IRIS, LOCAL, IDENTITY = PARTS


def test_tables_are_complete():
    for probe, successes in (("imbalance", 137), ("linear boundary", 99)):
        assert len(TABLES[probe].cells) == 34 * 5
        table = "mrca_3_4" if probe == "imbalance" else "mrca_3_5"
        assert (
            sum(int(row["success"]) for row in read_printed_rows(ROOM, table))
            == successes
        )
    counts = [
        int(row["successes"])
        for row in read_printed_rows(ROOM, "mrca_3_2")
        if row["probe"] == "imbalance"
    ]
    assert len(counts) == 125 and max(counts) == 264
    assert np.mean(counts) == pytest.approx(243.2, abs=0.05)
    assert set(SMALL) < set(SETS) and set(NOT_AT_HAND) < set(SETS)


def test_iris_comes_out_as_printed(tmp_path):
    store = open_store(str(tmp_path / "records.sqlite"))
    only_iris = replace(REPRODUCTION, parts=(IRIS,))
    (done,) = reproduce(only_iris, load_dataset, store)
    store.close()
    assert not done.outcome.failed
    assert [cell.verdict for cell in done.verdicts.cells] == ["agrees"] * 10
    # The errors were chosen so that this comes out: no evidence.
    assert all(cell.apart.startswith("derived") for cell in done.verdicts.cells)


def test_parts_that_judge_the_same_fits_have_the_same_measure():
    parts = (IMBALANCE, BOUNDARY, SUCCESSES, CLAIMS, FORESTS)
    plans = [part.outline() for part in parts]
    names = {tuple(name for name, _ in plan.measure.complexities) for plan in plans}
    assert len(names) == 1 and len(plans[0]) == 34
    assert len(LOCAL.outline()) == len(IDENTITY.outline()) == len(SMALL)


def test_sets_without_an_inverse_are_known(shared_data):
    find, singular = DataFolder(shared_data).load, set()
    for name in set(SETS) - set(NOT_AT_HAND):
        data = load_as_in_thesis(find, name)
        X = data.X.to_numpy()
        assert not np.isnan(X).any()
        scale = X.std(axis=0)
        Z = (X - X.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
        values = np.linalg.eigvalsh(Z.T @ Z)
        if values[0] < 1e-10 * values[-1]:
            singular.add(name)
        assert name not in SMALL or len(X) <= 1000
    assert singular == set(SINGULAR)
