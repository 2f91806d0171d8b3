"""The claims on nets: training, codes, protocol, judging, and the trends."""

import numpy as np
import pytest

from manyminds.analysis.decomposition import bias_variance_of_problem
from manyminds.datasets import Dataset
from manyminds.datasets.folder import DataFolder
from manyminds.datasets.generators import make_artificial_multi2, make_threenorm
from manyminds.experiments.measures import Fold
from manyminds.experiments.record import Record
from manyminds.experiments.splits import WholeData
from manyminds.reproductions.bias_variance.nets import (
    NetClassifier,
)
from manyminds.reproductions.bias_variance.plan import EPOCHS, PARTS
from manyminds.reproductions.bias_variance.protocol import (
    ClassPosterior,
    NoiseMeasure,
    load_problem,
    name_value,
)
from manyminds.reproductions.bias_variance.statements import (
    find_best_epoch,
    list_statements,
)
from manyminds.reproductions.judging.claims import FAILS, HOLDS
from manyminds.reproductions.judging.verdicts import judge

NOISE, ESTIMATED, MANY, TWO, DERMATOLOGY = PARTS


def measure_nets(make, family, n_hidden, epoch, n_members, n_predictors, seed):
    """Measure nets as the paper did, but fewer of them: it has 50 of 50."""
    return bias_variance_of_problem(
        NetClassifier(family, n_hidden, (epoch,), n_members), make, n_test=1000,
        n_predictors=n_predictors, n_runs=1, random_state=seed,
    ).mean  # fmt: skip


def test_trends_of_nine_classes(seed):
    # Item 8 of the acceptance list. Measured over 10 seeds, with 15 nets instead of 30,
    # errors were 57.6 to 61.5, 39.1 to 45.9 and 32.7 to 36.6 %, and the least distances
    # of single nets from bags 14, 13 and 1.9 points in error, variance and its effect.
    single, bagging, code = (
        measure_nets(make_artificial_multi2, family, 2, 5, 30, 20, seed)
        for family in ("single", "bagging", "ECOC")
    )
    assert single["error"] > bagging["error"] + 0.05
    assert bagging["error"] > code["error"]
    for ensemble in (bagging, code):
        assert ensemble["variance_effect"] < single["variance_effect"]
        assert ensemble["variance"] < single["variance"]


def test_strong_nets_err_alike_in_the_end(seed):
    # Item 8: measured over 10 seeds, 1.2 to 2.7 points apart.
    bagging, code = (
        measure_nets(make_artificial_multi2, family, 16, 15, 15, 5, seed)
        for family in ("bagging", "ECOC")
    )
    assert abs(bagging["error"] - code["error"]) < 0.06


def test_trends_of_two_classes(seed):
    # Item 8, second half. Measured over 10 seeds, systematic effects were at most 0.7
    # points apart, and variance effects 1.1 points or more.
    single, bagging = (
        measure_nets(make_threenorm, family, 2, 15, 15, 20, seed)
        for family in ("single", "bagging")
    )
    gap = bagging["systematic_effect"] - single["systematic_effect"]
    assert abs(gap) < 0.02
    assert bagging["variance_effect"] < single["variance_effect"]


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


def test_an_epoch_is_chosen_in_the_other_runs():
    # The least effect of each run is at an epoch of its own, where the other is 1: the
    # least of all would be negative by selection alone.
    names = [method.name for method in MANY.outline().methods]
    statement = next(
        one for one in list_statements(names, EPOCHS) if "negative" in one.kind
    )
    first = dict.fromkeys(EPOCHS, 1.0) | {1: -2.0}
    second = dict.fromkeys(EPOCHS, 1.0) | {15: -2.0}

    def reader(values):
        return lambda method, part, epoch: values[epoch]

    assert statement.measure(reader(first), reader(second)) == -1.0
    assert statement.low(reader(first)) == -2.0
    assert np.isnan(statement.measure(reader(first), None))


def test_statements_cover_what_the_paper_says():
    methods = [method.name for method in MANY.outline().methods]
    statements = list(list_statements(methods, EPOCHS))
    texts = [statement.text for statement in statements]
    assert len(texts) == len(set(texts))
    assert len({statement.kind for statement in statements}) == 19
    for words in (
        "ECOC errs less than bagging, 2 nodes",
        "bagging and ECOC of strong nets err alike in the end, 16 nodes",
        "the variance effect of bagging is negative at some epoch, 4 nodes",
        "the variance effect of weak single nets rises from epoch 1 to 2, 2 nodes",
    ):
        assert any(text.startswith(words) for text in texts)


def test_best_epoch_is_the_first_within_a_point():
    errors = dict(zip((1, 2, 3, 5), (40.0, 30.9, 30.0, 32.0)))
    assert find_best_epoch(lambda m, part, e: errors[e], "x", (1, 2, 3, 5)) == 2.0


def test_real_tables_are_as_the_paper_has_them(shared_data):
    find = DataFolder(shared_data).load
    shapes = {
        name: load_problem(find, name).X.shape
        for name in ("glass", "dermatology", "segment", "yeast")
    }
    assert shapes == {
        "glass": (214, 9),
        "dermatology": (358, 34),
        "segment": (2310, 19),
        "yeast": (1484, 8),
    }
