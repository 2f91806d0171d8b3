"""Texts that look the same are one, and none can steer a terminal."""

import pytest

from manyminds.datasets import from_frame, read_table
from manyminds.utils.text import format_count, hint_at, one_spelling, printable


@pytest.mark.parametrize("sign", ["\x1b", "\x07", "\x9b", "\u202e", "\ud800", "\uffff"])
def test_control_characters_are_shown_in_letters(sign):
    shown = printable(f"a{sign}b")
    assert shown.isprintable() and shown != "ab"


def test_other_text_stays_as_it_is():
    for text in ("größe", "大きさ", "a b", "50 %", "\U0001f600"):
        assert printable(text) == one_spelling(text) == text
    assert printable("a\nb\tc", keep="\n") == "a\nb\\tc"


def test_two_spellings_are_one_name_and_one_class(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("cafe\u0301,target\n1,e\u0301\n2,\u00e9\n3,b\n", encoding="utf-8")
    data = read_table(path, target="target")
    assert list(data.X) == ["caf\u00e9"]
    assert data.classes.tolist() == ["b", "\u00e9"]
    assert read_table(path, target="target", drop=["caf\u00e9"]).n_features == 0
    assert read_table(path, target="cafe\u0301").n_features == 1


def test_names_that_differ_in_spelling_only_are_refused():
    import pandas as pd

    frame = pd.DataFrame([[1, 2, 3]], columns=["\u00e9", "e\u0301", "target"])
    with pytest.raises(ValueError, match="different names"):
        from_frame(frame)


def test_counts_have_the_noun_in_singular_or_plural():
    numbers = [format_count(n, "row") for n in (0, 1, 1_200)]
    assert numbers == ["0 rows", "1 row", "1,200 rows"]
    assert format_count(3, "class", "es") == "3 classes"


def test_hints_name_what_is_close_or_all():
    assert hint_at("forrest", ["forest", "tree"]) == "did you mean 'forest'?"
    assert hint_at("qqq", ["forest", "tree"]) == "known are forest, tree."
