"""Claims on eye movements, judged by hand-made records."""

import numpy as np
import pytest

from manyminds.experiments.record import Record
from manyminds.preprocessing.fixation_features import FIXATION_FEATURES
from manyminds.reproductions.eye_movements.judging import (
    judge_null,
    judge_readers,
    judge_relevance,
    judge_table,
    read_printed,
)
from manyminds.reproductions.eye_movements.plan import (
    NULL_TRIALS,
    RANKING,
    READERS,
    RELEVANCE,
    REPRODUCTION,
    TRIALS,
)
from manyminds.reproductions.eye_movements.protocol import NULL, SCALED
from manyminds.reproductions.eye_movements.ranking import EQUAL
from manyminds.reproductions.judging.verdicts import judge


def make_records(plan, find_values):
    return [
        Record(
            f"{source.name} {method.name} {k}",
            source.name,
            method.name,
            k,
            0,
            find_values(source.name, method.name, 0.0005 * (-1) ** (i + k)),
        )
        for i, source in enumerate(plan.datasets)
        for method in plan.methods
        for k in range(len(plan.splits))
    ]


def print_again(dataset, method, noise):
    """Return the printed values, and a Q that grows as the thesis says."""
    q = read_printed("q")[method].mean
    return {
        "error": read_printed("error")[method].mean + noise,
        "base_error": read_printed("base_error")[method].mean + noise,
        "q": q + noise,
        "q_early": q + (-0.1 if method == "AdaBoost" else 0.1),
        "majority_error": 0.4257,
    }


def test_the_printed_table_confirms_all_its_claims():
    plan = TRIALS.outline()
    claims = judge_table(plan, make_records(plan, print_again))
    failed = [claim.text for claim in claims if claim.verdict != "holds"]
    assert failed == []


def test_equal_methods_confirm_none():
    def level(dataset, method, noise):
        return dict.fromkeys(print_again(dataset, method, 0.0), 0.4 + noise)

    plan = TRIALS.outline()
    claims = judge_table(plan, make_records(plan, level))
    assert not any(claim.verdict == "holds" for claim in claims)


def test_readers_and_null():
    def find(dataset, method, noise):
        lower = method in ("Local RF", "DIVBOOST W2")
        return {"error": 0.3 - 0.05 * lower + noise, "majority_error": 0.4}

    plan = READERS.outline()
    claims = judge_readers(plan, make_records(plan, find))
    assert [claim.verdict for claim in claims] == ["holds"] * 6
    plan = NULL_TRIALS.outline()
    claims = judge_null(
        plan, make_records(plan, lambda *_: {"error": 0.4, "majority_error": 0.4})
    )
    assert {claim.verdict for claim in claims} == {"does not hold"}


def test_relevance_compares_features_by_their_numbers():
    def find(dataset, method, noise):
        shares = np.full(22, 0.05)
        shares[[0, 1, 2, 3, 15, 17]] = 0.01
        if not dataset.startswith(NULL):
            shares[[19, 20]] = 0.1
        return dict(zip(FIXATION_FEATURES, shares + noise))

    plan = RELEVANCE.outline()
    claims = judge_relevance(plan, make_records(plan, find))
    verdicts = [claim.verdict for claim in claims]
    assert verdicts == ["holds", "holds", "holds", "does not hold"]


@pytest.mark.parametrize("part", REPRODUCTION.parts, ids=lambda part: part.name)
def test_each_part_shows_cells_and_counts_none(part):
    def find(dataset, method, noise):
        shown = print_again(dataset, "RF", noise)
        shown |= dict.fromkeys(FIXATION_FEATURES, 1 / 22)
        return shown | {"auc": 0.8 + 0.05 * (method != EQUAL) + noise}

    verdicts = judge(part, make_records(part.outline(), find))
    assert verdicts.cells and all(cell.apart for cell in verdicts.cells)
    assert all(cell.mean is not None for cell in verdicts.cells)
    empty = judge(part, [])
    assert empty.n_run == 0 and len(empty.cells) == len(verdicts.cells)
    if part is RANKING:
        texts = {claim.verdict for claim in verdicts.claims}
        assert texts == {"holds"}


def test_divboost_and_scaled_rotation_have_printed_values():
    printed = read_printed("error")
    assert printed["DIVBOOST W1"] == printed["DIVBOOST W2"]
    assert printed[SCALED].mean == 0.4088
