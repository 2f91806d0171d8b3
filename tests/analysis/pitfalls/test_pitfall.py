"""A pitfall is one sentence, in words of Python or of the shell."""

from manyminds.analysis import Pitfall
from manyminds.utils.errors import InputWarning


def test_sentences():
    one = Pitfall("identifier", "my id", "my id counts", "use {} then", "drop", True)
    assert one.message == "my id counts; use drop=['my id'] then."
    assert one.command == "my id counts; use --drop 'my id' then."
    shown = InputWarning(*one.pieces).describe({"drop": "--drop"})
    assert shown == "my id counts; use --drop then."


def test_sentences_without_a_column_or_a_parameter():
    rows = Pitfall("order", "", "rows drift", "name a column with {}", "time", False)
    assert rows.message == "rows drift; name a column with time."
    assert rows.command == "rows drift; name a column with --time."
    copies = Pitfall("repeats", "", "rows repeat", "remove them", "", True)
    assert copies.message == copies.command == "rows repeat; remove them."
    assert copies.pieces == ("rows repeat; remove them.",)


def test_groups_are_named_without_a_list():
    one = Pitfall("groups", "who", "who", "use {}", "group", True)
    assert one.message == "who; use group='who'."
