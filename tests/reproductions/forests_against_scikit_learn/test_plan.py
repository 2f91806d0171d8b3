"""Our forests against scikit-learn's: the plans."""

import numpy as np
import pytest

from manyminds.datasets import Dataset
from manyminds.datasets.bundled import load_dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments import open_store
from manyminds.reproductions import get_reproduction
from manyminds.reproductions.forests_against_scikit_learn.plan import (
    MAX_ROWS,
    NAME,
    RAW_SETS,
    SETS,
)
from manyminds.reproductions.reproducing import reproduce

CLASSIFICATION, REGRESSION, RAW_CLASSES, RAW_NUMBERS = get_reproduction(NAME).parts


@pytest.mark.slow
def test_quick_run_on_bundled_sets(tmp_path):
    store = open_store(str(tmp_path / "records.sqlite"))
    parts = reproduce(get_reproduction(NAME), load_dataset, store, quick=True)
    store.close()
    first = parts[0]
    assert sorted(first.outcome.missing) == ["glass", "hepatitis"]
    assert not first.outcome.failed
    run = [cell for cell in first.verdicts.cells if cell.verdict != "not run"]
    assert len(run) == 4 and all(cell.n == 2 for cell in run)
    assert all(cell.mean > 85 and cell.reference > 85 for cell in run)
    assert parts[1].verdicts.n_run == 0


def test_rows_of_large_sets_are_drawn_always_the_same():
    import pandas as pd

    X = pd.DataFrame({"x": np.arange(10000.0)})
    large = Dataset("iris", X, np.arange(10000) % 2, "classification")
    source = CLASSIFICATION.make_plan(lambda name: large, False).datasets[0]
    first, second = source.load(), source.load()
    assert first.n_samples == MAX_ROWS
    assert first.fingerprint == second.fingerprint
    assert first.X["x"].is_monotonic_increasing and first.X["x"].is_unique


def test_raw_sets_are_those_with_categories_or_gaps(shared_data):
    folder = DataFolder(shared_data)
    for task, names in SETS.items():
        tables = [folder.load(name) for name in names]
        assert {data.task for data in tables} == {task}
        raw = [data.name for data in tables if data.categorical or data.n_missing]
        assert raw == list(RAW_SETS[task])
