"""Random oracles: the printed table, the methods and the plan."""

import numpy as np
from numpy.testing import assert_allclose

from manyminds.analysis import rank_methods, sign_test
from manyminds.datasets.folder import DataFolder
from manyminds.experiments import open_store
from manyminds.reproductions.judging.cells import NOT_RUN
from manyminds.reproductions.random_oracles_for_regression.judging import (
    ORACLE,
    PRINTED,
    PRINTED_SETS,
    name_without,
)
from manyminds.reproductions.random_oracles_for_regression.plan import (
    REPRODUCTION,
    make_configurations,
    make_methods,
)
from manyminds.reproductions.reproducing import reproduce

CONFIGURATIONS = list(make_configurations())
PRINTED_CONFIGURATIONS = [name for what, name in PRINTED if what == "benefit"]


# Acceptance 7: the arithmetic of table 2.
def test_printed_table_adds_up():
    ranks = []
    for name in PRINTED_CONFIGURATIONS:
        mine, other, benefit, wins, ties, losses = (
            PRINTED[column, name].mean
            for column in (
                *("rank with oracle", "rank without oracle", "benefit"),
                *("wins", "ties", "losses"),
            )
        )
        assert_allclose(other - mine, benefit, atol=0.0101)
        assert wins + ties + losses == PRINTED_SETS
        ranks += [mine] if name == "Randomization (U)" else [mine, other]
    simple = [name for name in make_methods() if name not in CONFIGURATIONS]
    simple = [name for name in simple if not name.endswith(ORACLE)]
    assert len(simple) == 7
    ranks += [PRINTED["rank without oracle", name].mean for name in simple]
    assert len(PRINTED_CONFIGURATIONS) == 24 and len(ranks) == 54
    assert_allclose(np.mean(ranks), 27.5, atol=0.01)


def test_rank_helpers_reproduce_the_arithmetic():
    scores = np.random.default_rng(0).normal(size=(61, 54))
    assert_allclose(np.mean(rank_methods(scores).average_ranks), 27.5)
    assert_allclose(sign_test(38, 0, 23).critical_score, 38.15, atol=0.005)
    assert sign_test(38, 2, 21).significant and not sign_test(38, 0, 23).significant
    n_significant = sum(
        sign_test(
            *(int(PRINTED[one, name].mean) for one in ("wins", "ties", "losses"))
        ).significant
        for name in PRINTED_CONFIGURATIONS
    )
    assert n_significant == 21


def test_every_configuration_has_its_oracle():
    methods, plain = make_methods(), make_configurations()
    assert len(CONFIGURATIONS) == 16 and len(methods) == 38
    assert set(CONFIGURATIONS) <= set(PRINTED_CONFIGURATIONS)
    for name in CONFIGURATIONS:
        with_oracle = methods[name + ORACLE]
        assert type(with_oracle.estimator).__name__ == "RandomOracleRegressor"
        other = with_oracle.get_params(deep=False)
        inside = other.pop("estimator").estimator
        params = plain[name].get_params(deep=False)
        assert repr(inside) == repr(params.pop("estimator"))
        assert other == params
        assert name_without(name) in methods


def test_quick_plan_on_one_small_set(shared_data, tmp_path, monkeypatch):
    room = "manyminds.reproductions.random_oracles_for_regression.plan"
    few = ("Bagging (U)", "Iterated Bagging 5x20 (P)")
    some = {name: model for name, model in make_configurations().items() if name in few}
    monkeypatch.setattr(f"{room}.QUICK", ("detroit",))
    monkeypatch.setattr(f"{room}.make_configurations", lambda: some)
    store = open_store(str(tmp_path / "records.sqlite"))
    (done,) = reproduce(REPRODUCTION, DataFolder(shared_data).load, store, quick=True)
    store.close()
    assert not done.outcome.missing
    assert all(not record.failed for record in done.outcome.records)
    run = [cell for cell in done.verdicts.cells if cell.verdict != NOT_RUN]
    assert [cell.dataset for cell in run] == ["detroit"] * len(few)
