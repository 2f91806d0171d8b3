"""Decision graphs: a run of the quick plan on one small set."""

import pytest

from manyminds.datasets import load_dataset
from manyminds.experiments import open_store
from manyminds.reproductions.decision_graphs.plan import REPRODUCTION, SETS
from manyminds.reproductions.decision_graphs.protocol import make_methods
from manyminds.reproductions.reproducing import reproduce

PLAN = "manyminds.reproductions.decision_graphs.plan"
FEW = {"DDAG K-TIPCAC", "END", "MCSVM"}


def test_the_last_set_is_the_null_control():
    assert SETS[-1] == "yeast, shuffled" and len(SETS) == 9


@pytest.mark.slow
def test_quick_plan_on_one_small_set(tmp_path, monkeypatch):
    few = {name: one for name, one in make_methods().items() if name in FEW}
    monkeypatch.setattr(f"{PLAN}.QUICK", ("iris",))
    monkeypatch.setattr(f"{PLAN}.make_methods", lambda: few)
    store = open_store(str(tmp_path / "records.sqlite"))
    (done,) = reproduce(REPRODUCTION, load_dataset, store, quick=True)
    store.close()
    assert not done.outcome.missing
    assert all(not record.failed for record in done.outcome.records)
    assert {record.method for record in done.outcome.records} == FEW
    assert all(record.values["weighted_f"] > 0.9 for record in done.outcome.records)
    assert all(claim.verdict == "cannot be told" for claim in done.verdicts.claims)
