"""Null controls: shuffled print does not agree, unless the rule cannot fail."""

import numpy as np
import pytest

from manyminds.reproductions.judging.cells import (
    AGREES,
    DIFFERS,
    Cell,
    judge_difference,
)
from manyminds.reproductions.judging.controls import control
from manyminds.reproductions.published import Part, Tolerance


def make_part(points=1.0, name="part", **options):
    return Part(name, "", None, Tolerance(points, ""), **options)


def make_cells(part, printed, ours, method="tree", margin=0.0, apart=""):
    return [
        Cell(
            f"set {i}",
            method,
            judge_difference(b - a, part.tolerance, margin),
            reference=a,
            mean=b,
            difference=b - a,
            margin=margin,
            apart=apart,
        )
        for i, (a, b) in enumerate(zip(printed, ours))
    ]


def test_faithful_cells_are_informative(seed):
    rng, part = np.random.default_rng(seed), make_part()
    printed = np.linspace(50.0, 99.0, 20)
    found = control([(part, make_cells(part, printed, printed + rng.uniform(-1, 1)))])
    assert found.share == 100.0 and found.informative
    assert found.null_share < 20.0  # a value stays in its place once in 20


def test_band_that_is_too_wide_is_not_informative(seed):
    rng, part = np.random.default_rng(seed), make_part(10.0)
    printed = rng.uniform(70.0, 80.0, 20)
    found = control([(part, make_cells(part, printed, printed))])
    assert found.share == found.null_share == 100.0
    assert not found.informative


def test_shuffle_is_judged_as_the_cells_are():
    # Two of three values are alike: a draw leaves 1 or 3 of the cells in agreement.
    part = make_part(0.5)
    cells = make_cells(part, [1.0, 1.0, 5.0], [1.0, 1.0, 5.0])
    found = control([(part, cells)])
    assert found.share == 100.0 == pytest.approx(found.null_high)
    # 5 stays with chance 1/3 (3 agree); else 1 of 3 agrees: 5/9 in the mean.
    assert found.null_share == pytest.approx(100 * 5 / 9, abs=8.0)


def test_cells_apart_and_not_run_are_left_out():
    part = make_part()
    cells = make_cells(part, [1.0, 2.0, 3.0], [1.0, 2.0, 3.0], apart="derived")
    assert control([(part, cells)]) is None
    missing = [Cell("set", "tree", "not run", reference=1.0)] * 5
    assert control([(part, missing)]) is None


def test_lone_cells_are_shuffled_together_over_the_parts():
    parts = [make_part(name=f"part {i}") for i in range(4)]
    judged = [
        (part, make_cells(part, [10.0 * i], [10.0 * i], f"method {i}"))
        for i, part in enumerate(parts)
    ]
    assert control(judged[:2]) is None
    found = control(judged)
    assert found.n_cells == 4 and found.share == 100.0 and found.null_share < 50.0


def test_part_may_bring_its_own_control():
    def toss(part, cells, rng):
        return [AGREES if one > 0.5 else DIFFERS for one in rng.random(len(cells))]

    part = make_part(control=toss)
    cells = make_cells(part, np.arange(100.0), np.arange(100.0))
    found = control([(part, cells)])
    assert found.n_cells == 100 and 45.0 < found.null_share < 55.0
