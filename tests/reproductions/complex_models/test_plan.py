"""The challenge's chains, and a search beside them: parts, claims, plans."""

import pytest

from manyminds.experiments import Record
from manyminds.reproductions.complex_models.plan import (
    CHAIN,
    REPRODUCTION,
    SEARCH,
    WINNER,
)
from manyminds.reproductions.judging.verdicts import judge


def test_every_set_has_a_chain_a_search_and_the_printed_error():
    printed = {}
    for part in REPRODUCTION.parts:
        plan = part.outline()
        assert [method.name for method in plan.methods] == [CHAIN, SEARCH]
        printed |= {place: value.mean for place, value in part.table.cells.items()}
        assert f"{WINNER[plan.datasets[0].name]:g} %" in part.title
    assert printed["arcene", CHAIN] == printed["arcene", SEARCH] == 13.53
    assert printed["madelon", CHAIN] == 7.44
    assert len(printed) == 12


def records_of(loss):
    """Return each part three folds, on which a search errs by so much more."""
    return {
        part.name: [
            Record(f"{part.name}{m}{i}", name, m, 0, i, {"balanced_error": error})
            for m, error in ((CHAIN, 0.1), (SEARCH, 0.1 + loss + 0.001 * k))
            for i in range(3)
        ]
        for k, part in enumerate(REPRODUCTION.parts)
        if (name := part.outline().datasets[0].name)
    }


@pytest.mark.parametrize(
    ("loss", "verdict"), [(-0.01, "holds"), (0.1, "does not hold")]
)
def test_search_is_judged_over_the_data_sets(loss, verdict):
    (claim,) = REPRODUCTION.claims(records_of(loss))
    assert claim.verdict == verdict and claim.n == 6
    assert claim.effect == pytest.approx(2.0 - 100 * loss - 0.25)


def test_only_the_paper_s_chains_on_its_data_are_counted():
    counted = {
        (cell.dataset, cell.method)
        for part in REPRODUCTION.parts
        for cell in judge(part, records_of(0.0)[part.name]).cells
        if not cell.apart
    }
    assert counted == {(name, CHAIN) for name in WINNER if name != "madelon-like"}


@pytest.mark.parametrize("part", REPRODUCTION.parts, ids=lambda part: part.name)
def test_quick_plans_are_one_split(part):
    assert len(part.outline(quick=True)) <= 2
