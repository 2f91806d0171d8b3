"""Noise and statements on nets compared with the paper."""

import pytest

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.record import Record
from manyminds.experiments.splits import WholeData
from manyminds.reproductions.bias_variance.plan import EPOCHS, PARTS
from manyminds.reproductions.bias_variance.protocol import (
    ClassPosterior,
    NoiseMeasure,
    load_problem,
    name_value,
)
from manyminds.reproductions.judging.claims import FAILS, HOLDS
from manyminds.reproductions.judging.verdicts import judge

NOISE, ESTIMATED, MANY, TWO, DERMATOLOGY = PARTS


def make_fold(name, n_rows=60):
    data = load_problem(lambda name: pytest.fail("not to be looked for"), name)
    data = Dataset(name, data.X[:n_rows], data.y[:n_rows], "classification")
    return Fold(data, next(WholeData().split(data.y, True)), 7)


def test_noise_is_exact_where_it_can_be():
    measure = NoiseMeasure()
    exact = measure(ClassPosterior(), make_fold("threenorm"))["noise"]
    assert exact == pytest.approx(0.1046, abs=1e-4)
    verdicts = judge(NOISE, [record("threenorm", "Bayes error", {"noise": exact})])
    cells = {cell.dataset: cell for cell in verdicts.cells}
    assert cells["threenorm"].verdict == "differs"  # 10.83 in print
    assert "from a sample" in cells["threenorm"].why
    assert cells["twonorm"].verdict == "not run"
    near = judge(ESTIMATED, [record("glass", "Bayes error", {"noise": 0.383})])
    assert near.cells[0].verdict == "agrees"


def record(dataset, method, values, repeat=0):
    key = f"{dataset} {method} {repeat}"
    return Record(key, dataset, method, repeat, 0, values)


def values_with(level):
    """Values that fall over the epochs, from a level on."""
    return {
        name_value(part, epoch): level * factor - epoch
        for epoch in EPOCHS
        for part, factor in (
            ("error", 1.0), ("variance", 0.8), ("variance_effect", 0.5),
            ("systematic_effect", 0.3), ("bias", 0.4), ("noise", 0.1),
        )
    }  # fmt: skip


def test_noise_that_was_made_to_fit_is_not_counted():
    records = [
        record(f"artificial-multi{i}", "Bayes error", {"noise": 0.2}) for i in (1, 2)
    ]
    verdicts = judge(NOISE, records)
    cells = {cell.dataset: cell for cell in verdicts.cells}
    assert "chosen so that the print comes out" in cells["artificial-multi1"].apart
    assert sum(verdicts.columns[0].counts.values()) == 3  # the norms


def records_of(part, levels, shift=lambda dataset, repeat: 0.0):
    """Records of all runs: the level of a family, and what shifts a run."""
    plan = part.outline()
    return [
        record(
            source.name,
            method.name,
            values_with(
                levels[method.name.split()[0]]
                + (method.name.startswith("single")) * shift(source.name, repeat)
            ),
            repeat,
        )
        for source in plan.datasets
        for method in plan.methods
        for repeat in range(len(plan.splits))
    ]


def test_statements_are_judged_over_sets_sizes_and_runs():
    found = judge(TWO, records_of(TWO, {"single": 90.0, "bagging": 60.0}))
    assert all(claim.text.endswith(" (two classes)") for claim in found.claims)
    claims = {claim.text[: -len(" (two classes)")]: claim for claim in found.claims}
    errs = claims["bagging errs less than a single net"]
    assert (errs.verdict, errs.effect, errs.n) == (HOLDS, 30.0, 12)  # 3 sets, 2 sizes
    same = claims["bagging has the same systematic effect as a single net"]
    assert (same.verdict, same.equal) == (FAILS, True)  # nine points apart
    assert same.effect == pytest.approx(9.0)
    cells = {cell.method: cell for cell in found.cells if cell.dataset == "threenorm"}
    shown = cells["bagging errs less than a single net, 2 nodes, epoch 5"]
    assert (shown.reference, shown.mean, shown.difference) == (85.0, 55.0, -30.0)
    assert all(cell.apart for cell in found.cells)


def test_a_method_without_effect_fulfils_no_statement():
    # Two runs of opposite sign on each set: by the mean of the runs, a former rule let
    # half of the statements agree.
    def shift(dataset, repeat):
        return 0.5 * (-1) ** repeat

    claims = judge(TWO, records_of(TWO, {"single": 60, "bagging": 60}, shift)).claims
    errs = claims[0]
    assert "errs less" in errs.text and errs.effect == pytest.approx(0.0)
    assert errs.verdict == FAILS
    assert [claim.verdict for claim in claims if claim.equal] == [HOLDS]


def test_what_is_lacking_is_told_and_makes_no_claim():
    assert {cell.verdict for cell in judge(TWO, [], quick=True).cells} == {"not run"}
    only = [record("threenorm", "single 2", values_with(90.0))]
    verdicts = judge(TWO, only, quick=True)
    assert "bagging 2: 0 of 1 runs" in verdicts.cells[0].why
    assert not verdicts.claims
    assert DERMATOLOGY.claims is None and "too little for a claim" in DERMATOLOGY.rule
