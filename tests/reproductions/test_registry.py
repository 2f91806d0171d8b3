"""The reproductions by name."""

import pytest

from manyminds.reproductions import get_reproduction, list_reproductions


@pytest.mark.parametrize("reproduction", list_reproductions(), ids=lambda one: one.name)
@pytest.mark.parametrize("quick", [False, True])
def test_every_plan_can_be_outlined_without_data(reproduction, quick):
    for part in reproduction.parts:
        plan = part.outline(quick)
        assert plan.name == part.name + (" (quick)" if quick else "")
        assert plan.name.startswith(reproduction.name)
        assert part.table is not None or part.judge is not None
        sets = {source.name for source in plan.datasets}
        noted = [note if isinstance(note, str) else note[0] for note in part.notes]
        assert quick or sets >= {*noted, *part.absent}


@pytest.mark.parametrize("reproduction", list_reproductions(), ids=lambda one: one.name)
def test_quick_is_a_small_part_of_the_whole(reproduction):
    n_full = n_quick = 0
    for part in reproduction.parts:
        full, quick = part.outline(), part.outline(quick=True)
        names = {source.name for source in full.datasets}
        assert {source.name for source in quick.datasets} <= names
        n_full, n_quick = n_full + len(full), n_quick + len(quick)
    assert 5 * n_quick <= n_full
    assert 4 * reproduction.quick_minutes <= reproduction.minutes


def test_names_are_unique():
    names = [part.name for one in list_reproductions() for part in one.parts]
    assert len(set(names)) == len(names)


def test_unknown_name_is_told_with_the_nearest_one():
    with pytest.raises(ValueError, match="did you mean 'forests-against-scikit-learn'"):
        get_reproduction("forest-against-scikit-learn")
    with pytest.raises(ValueError, match="known are anticipative-hybrid"):
        get_reproduction("xyz")
