"""Hybrid forests and the slides: the printed table and the plans."""

import numpy as np
import pytest

from manyminds.experiments import Record
from manyminds.reproductions.anticipative_hybrid_forests.plan import (
    ABSENT,
    LARGE,
    REPRODUCTION,
    SMALL,
    TABLE,
)
from manyminds.reproductions.anticipative_hybrid_forests.protocol import (
    HYBRID,
)
from manyminds.reproductions.judging.claims import FAILS
from manyminds.reproductions.judging.verdicts import judge

SMALL_TABLE, LARGE_TABLE, SMALL_PEERS, LARGE_PEERS = REPRODUCTION.parts


def records_of(part, values):
    """Return each data set and method its folds; ``values(method, fold)`` or None."""
    plan = part.outline()
    places = [
        (r, f)
        for r in range(plan.splits.n_repeats)
        for f in range(plan.splits.n_splits)
    ]
    return [
        Record(
            f"{source.name}{method.name}{i}",
            source.name,
            method.name,
            *place,
            {"accuracy": values(method.name, i)},
        )
        for source in plan.datasets
        for method in plan.methods
        for i, place in enumerate(places)
        if values(method.name, i) is not None
    ]


def test_printed_table():
    # Means that the table's own columns add up to, without pen digits.
    means = {}
    for (_, method), cell in TABLE.cells.items():
        means.setdefault(method, []).append(cell.mean)
    assert {method: len(column) for method, column in means.items()} == dict.fromkeys(
        ["SVM", "OP-ELM", "BP", "k-NN", "ELM", "DT", "HERF", "AHERF"], 15
    )
    assert np.mean(means["BP"]) == pytest.approx(82.25, abs=0.005)
    # With 99.92 and 99.24 for pen digits, the means of all sixteen sets.
    assert (sum(means["HERF"]) + 99.92) / 16 == pytest.approx(91.02, abs=0.005)
    assert (sum(means["AHERF"]) + 99.24) / 16 == pytest.approx(89.72, abs=0.005)


def test_sets_and_methods_have_their_places():
    assert set(LARGE) | set(SMALL) == {dataset for dataset, _ in TABLE.cells}
    printed = {method for _, method in TABLE.cells}
    for part in (SMALL_TABLE, LARGE_TABLE):
        names = {method.name for method in part.outline().methods}
        assert names == printed - {"BP"}
    for part in (SMALL_PEERS, LARGE_PEERS):
        assert HYBRID in {method.name for method in part.outline().methods}
    assert set(ABSENT) == set(SMALL_TABLE.absent) == {"soybean-small"}


def test_cells_of_the_slides_are_judged():
    found = judge(SMALL_TABLE, records_of(SMALL_TABLE, lambda method, i: 0.96))
    verdicts = {(cell.dataset, cell.method): cell.verdict for cell in found.cells}
    assert verdicts["iris", "AHERF"] == "agrees"
    # 23 points away, but of two repetitions nobody can say how far they scatter.
    assert verdicts["monks-2", "AHERF"] == "undecided"
    assert {claim.effect for claim in found.claims} == {0.0}
    assert {claim.verdict for claim in found.claims} == {FAILS}
    assert ("iris", "BP") not in verdicts
