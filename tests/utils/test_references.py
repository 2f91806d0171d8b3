from manyminds.utils import references
from manyminds.utils.references import cite


def test_works_are_numbered_in_order():
    lines = cite("First, 1990", "Second, 1991").splitlines()
    assert lines[2:] == [".. [1] First, 1990.", ".. [2] Second, 1991."]


def test_long_entries_are_indented_below_their_number():
    first, *rest = cite("word " * 40).splitlines()[2:]
    assert first.startswith(".. [1] word") and rest
    assert all(line.startswith("   word") and len(line) <= 84 for line in rest)


def test_every_work_has_a_year_and_no_final_period():
    works = [getattr(references, name) for name in references.__all__ if name.isupper()]
    assert works
    for work in works:
        assert any(part.strip(",")[:2] in ("19", "20") for part in work.split()), work
        assert not work.endswith("."), work
