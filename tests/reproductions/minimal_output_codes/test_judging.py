"""Claims on minimal codes hold, and fail, where they should."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.experiments.record import Record
from manyminds.reproductions.judging.controls import control
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.minimal_output_codes.judging import (
    EVOLVED,
    claim_growth,
    read_printed,
)
from manyminds.reproductions.minimal_output_codes.plan import (
    FEW_CLASSES,
    MANY_CLASSES,
)


def make_records(part, accuracy, support=None):
    """Records of a plan in which each method has its accuracy, with a little noise."""
    rng, plan, records = np.random.default_rng(0), part.outline(), []
    for source in plan.datasets:
        level = rng.normal(0.0, 3.0)
        for fold in range(len(plan.splits)):
            for method in plan.methods:
                values = {
                    "accuracy": accuracy(source.name, method.name)
                    + level
                    + rng.normal(0.0, 0.1),
                    "columns": 3.0,
                    "support_vectors": (support or {}).get(method.name, 100.0),
                }
                key = f"{source.name} {method.name} {fold}"
                records.append(Record(key, source.name, method.name, 0, fold, values))
    return records


def find(claims, part):
    (found,) = [claim for claim in claims if part in claim.text]
    return found


@pytest.mark.parametrize(
    ("gain", "verdict"),
    [(2.0, "holds"), (0.0, "does not hold"), (-2.0, "does not hold")],
)
def test_gain_of_the_search(gain, verdict):
    def accuracy(dataset, method):
        return 80.0 + gain * (method == EVOLVED)

    claims = judge(FEW_CLASSES, make_records(FEW_CLASSES, accuracy)).claims
    claim = find(claims, "more accurate than the binary")
    assert claim.verdict == verdict and claim.n == 12
    assert_allclose(claim.effect, gain, atol=0.2)


@pytest.mark.parametrize(
    ("loss", "verdict"),
    [(0.3, "holds"), (5.0, "does not hold"), (-5.0, "does not hold")],
)
def test_as_accurate_as_a_longer_code(loss, verdict):
    def accuracy(dataset, method):
        return 80.0 + loss * (method == "One-vs-one")

    claims = judge(FEW_CLASSES, make_records(FEW_CLASSES, accuracy)).claims
    assert find(claims, "as accurate as one-vs-one").verdict == verdict
    assert find(claims, "as accurate as one-vs-all").verdict == "holds"


@pytest.mark.parametrize(("rank", "verdict"), [(1, "holds"), (2, "does not hold")])
def test_rank_is_compared_with_the_best_of_the_others(rank, verdict):
    best = {1: EVOLVED, 2: "One-vs-one"}[rank]

    def accuracy(dataset, method):
        return 80.0 + 5.0 * (method == best) + (method == EVOLVED)

    claims = judge(FEW_CLASSES, make_records(FEW_CLASSES, accuracy)).claims
    claim = find(claims, "better rank")
    assert claim.verdict == verdict
    assert f"evolved minimal {rank:.2f}" in claim.remark
    assert "Friedman" in claim.remark


def test_cost_is_that_of_support_vectors_not_of_columns():
    support = {EVOLVED: 100.0, "One-vs-all": 90.0, "One-vs-one": 300.0}
    records = make_records(FEW_CLASSES, lambda *place: 80.0, support)
    claims = judge(FEW_CLASSES, records).claims
    claim = find(claims, "prediction by one-vs-all costs more")
    assert claim.verdict == "does not hold"
    assert_allclose(claim.effect, -10.0)
    claim = find(claims, "prediction by one-vs-one costs more")
    assert_allclose(claim.effect, 200.0)


def test_printed_accuracies_agree_with_themselves_and_not_if_shuffled():
    printed = read_printed()

    def accuracy(dataset, method):
        value = printed.get((dataset, method))
        return 80.0 if value is None else value.mean

    records = make_records(FEW_CLASSES, accuracy)
    verdicts = judge(FEW_CLASSES, records)
    counted = [cell for cell in verdicts.cells if not cell.apart]
    assert len(counted) == 44 and len(verdicts.cells) == 48
    null = control([(FEW_CLASSES, verdicts.cells)])
    assert null.informative
    # A level of its own for each set moves cells by a few points, not by twenty.
    moved = make_records(FEW_CLASSES, lambda *place: accuracy(*place) - 20.0)
    cells = judge(FEW_CLASSES, moved).cells
    assert not any(cell.verdict == "agrees" for cell in cells)
    assert any(cell.verdict == "differs" for cell in cells)


def test_printed_interval_becomes_the_deviation_of_a_fold():
    # 2.9 is the half-width of a 95 % interval of the mean of ten folds.
    assert_allclose(
        read_printed()["dermatology", "Binary minimal"].std,
        2.9 * np.sqrt(10) / 2.2622,
        rtol=1e-4,
    )


@pytest.mark.parametrize(
    ("gain", "verdict"), [(10.0, "holds"), (-10.0, "does not hold")]
)
def test_many_classes(gain, verdict):
    def accuracy(dataset, method):
        return 50.0 + gain * (method in ("GA minimal", "PBIL minimal"))

    many = make_records(MANY_CLASSES, accuracy)
    claims = judge(MANY_CLASSES, many).claims
    assert len(claims) == 6 and {claim.verdict for claim in claims} == {verdict}
    few = make_records(FEW_CLASSES, lambda *place: 80.0)
    names = FEW_CLASSES.name, MANY_CLASSES.name
    plans = FEW_CLASSES.outline(), MANY_CLASSES.outline()
    (growth,) = claim_growth(*plans, names, dict(zip(names, (few, many))))
    assert growth.verdict == verdict and growth.n == 4
    assert claim_growth(*plans, names, {names[0]: few}) == []


def test_nothing_recorded_is_no_claim():
    for part in (FEW_CLASSES, MANY_CLASSES):
        verdicts = judge(part, [])
        assert verdicts.claims == ()
        assert {cell.verdict for cell in verdicts.cells} == {"not run"}
