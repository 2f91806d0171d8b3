"""Tables and lines of a terminal: aligned, and without markup."""

import io

from rich.console import Console

from manyminds.reports.shared.terminal import new_table, print_line


def print_text(value, width=60):
    console = Console(file=io.StringIO(), width=width)
    console.print(value)
    return console.file.getvalue()


def test_a_line_is_no_markup():
    console = Console(file=io.StringIO(), width=60)
    print_line(console, "[red]x[/red] :smile:", style="bold")
    assert console.file.getvalue() == "[red]x[/red] :smile:\n"


def test_columns_are_aligned_right_but_for_the_first():
    table = new_table("name", "rows", "note", left=("note",))
    table.add_row("a", "1", "n")
    assert "│ a    │    1 │ n    │" in print_text(table)


def test_a_title_stands_on_the_left():
    assert print_text(new_table("a wide column", title="T")).startswith("T ")


def test_long_names_are_folded_and_not_cut():
    table = new_table("name")
    table.add_row("abcdefghij" * 5)
    text = "".join(line.strip("│ ") for line in print_text(table, 20).split("\n"))
    assert "abcdefghij" * 5 in text
