"""The reproductions by name."""

import subprocess
import sys

import pytest

from manyminds.reproductions import get_reproduction, list_reproductions

DESCRIPTIONS = list_reproductions()


@pytest.fixture(params=[one.name for one in DESCRIPTIONS])
def reproduction(request):
    return get_reproduction(request.param)


@pytest.mark.parametrize("quick", [False, True])
def test_every_plan_can_be_outlined_without_data(reproduction, quick):
    for part in reproduction.parts:
        plan = part.outline(quick)
        assert plan.name == part.name + (" (quick)" if quick else "")
        assert part.table is not None or part.judge is not None
        sets = {source.name for source in plan.datasets}
        noted = [note if isinstance(note, str) else note[0] for note in part.notes]
        assert quick or sets >= {*noted, *part.absent}


def test_a_description_agrees_with_its_plan(reproduction):
    (described,) = [one for one in DESCRIPTIONS if one.name == reproduction.name]
    assert {**vars(reproduction), **vars(described)} == vars(reproduction)
    assert described.n_folds == sum(len(part.outline()) for part in reproduction.parts)
    for part in reproduction.parts:  # by this the listing counts what is recorded
        assert part.name.partition(":")[0] == reproduction.name


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
    parts = [part for one in DESCRIPTIONS for part in get_reproduction(one.name).parts]
    names = [part.name for part in parts]
    assert len(set(names)) == len(names)


def test_an_unknown_name_is_reported_with_the_nearest_one():
    with pytest.raises(ValueError, match="did you mean 'forests-against-scikit-learn'"):
        get_reproduction("forest-against-scikit-learn")
    with pytest.raises(ValueError, match="known are anticipative-hybrid"):
        get_reproduction("xyz")


@pytest.mark.parametrize(
    "code",
    [
        "from manyminds.reproductions import list_reproductions; list_reproductions()",
        "from manyminds.cli.main import main; main(['reproduce', '--store', 'none'])",
    ],
)
def test_a_listing_imports_no_estimator_and_reads_no_table(code, tmp_path):
    watch = (
        "import builtins, sys\n"
        "opened, open_file = [], builtins.open\n"
        "sys.addaudithook(lambda event, args: opened.append(str(args[0]))"
        " if event == 'open' else None)\n"
        f"try:\n    {code}\nexcept SystemExit as end:\n    assert not end.code\n"
        "rooms = {name.rpartition('.')[0] for name in sys.modules}\n"
        "assert not [name for name in sys.modules if name.startswith('sklearn.')]\n"
        "assert not rooms & {'manyminds.ensemble', 'manyminds.experiments'}, rooms\n"
        "assert not [name for name in sys.modules if name.endswith('.plan')]\n"
        "assert not [name for name in opened if name.endswith('.csv')]\n"
    )
    subprocess.run([sys.executable, "-c", watch], check=True, cwd=tmp_path)


def test_public_names_are_imported_when_they_are_used():
    import manyminds.reproductions as room

    for name in room.__all__:
        assert getattr(room, name).__name__ == name
    assert set(room.__all__) <= set(dir(room))
    with pytest.raises(AttributeError, match="no attribute 'recall'"):
        _ = room.recall
