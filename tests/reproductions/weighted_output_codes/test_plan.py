"""Weighted output codes: the printed tables, and a small run."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.experiments import open_store
from manyminds.reproductions.published import read_published_cells
from manyminds.reproductions.reproducing import reproduce
from manyminds.reproductions.weighted_output_codes import plan, protocol
from manyminds.reproductions.weighted_output_codes.plan import REPRODUCTION
from manyminds.reproductions.weighted_output_codes.protocol import UNITS


def test_means_of_table_3_are_near_those_of_table_2():
    printed = read_published_cells(
        "manyminds.reproductions.weighted_output_codes", "action_units"
    )
    for what, mean in (("error", 8.55), ("AUC", 94.67)):
        single = [printed["both", f"{what} of AU {unit} LBP"].mean for unit in UNITS]
        assert_allclose(np.mean(single), mean, atol=0.01)
        assert_allclose(np.mean(single), printed["both", f"{what} LBP"].mean, atol=0.2)


def find_nothing(name):
    raise LookupError(name)


@pytest.mark.slow
def test_quick_plan_needs_no_data(tmp_path, monkeypatch):
    for room in (plan, protocol):
        monkeypatch.setattr(room, "N_TRAIN", 100)
        monkeypatch.setattr(room, "N_TEST", 80)
    store = open_store(str(tmp_path / "records.sqlite"))
    (done,) = reproduce(REPRODUCTION, find_nothing, store, quick=True)
    store.close()
    assert not done.outcome.missing
    for record in done.outcome.records:
        assert not record.failed
        assert record.values["AUC both"] > 65.0
        assert record.values["error both"] < 30.0
