"""Tables of verdicts: one set of rows for the terminal and for the pages."""

import io

from rich.console import Console

from manyminds.cli.reproduce import _to_rich
from manyminds.reproductions.evidence.page import to_markdown
from manyminds.reproductions.judging.cells import AGREES, DIFFERS, NOT_RUN, Cell
from manyminds.reproductions.judging.claims import judge_claim
from manyminds.reproductions.judging.tabulation import (
    tabulate_apart,
    tabulate_cells,
    tabulate_claims,
    tabulate_columns,
    to_plain,
)
from manyminds.reproductions.judging.verdicts import Column, count_verdicts
from manyminds.reproductions.published import Part, Tolerance

PART = Part("toys", "Toys", None, Tolerance(1.0, "so agreed"), reference="print")
CELLS = [
    Cell("a", "tree", AGREES, "", 90.0, 1.5, 90.25, 2.0, 10, 0.25),
    Cell("b", "tree", DIFFERS, "other rows", 0.5, None, 0.25, 0.125, 10, -0.25),
    Cell("c", "tree", NOT_RUN, "no folds are recorded", 0.0625),
    Cell("d", "tree", AGREES, "ours", 1.0, None, 1.0, None, 1, 0.0, apart="derived"),
]


def test_worked_example_of_cells():
    table = tabulate_cells(PART, CELLS)
    heads = ("data set", "method", "print", "ours", "difference", "verdict", "why")
    assert table.heads == heads
    assert table.rows == (
        ("a", "tree", "90.00 ± 1.5", "90.25 ± 2.0", "+0.25", "agrees", ""),
        ("b", "tree", "0.5000", "0.2500 ± 0.125", "-0.25", "differs", "other rows"),
        ("c", "tree", "0.062500", "", "", "not run", "no folds are recorded"),
    )


def test_cells_that_are_no_evidence_have_no_verdict():
    table = tabulate_apart(PART, CELLS)
    assert table.heads[-1] == "why apart"
    assert table.rows == (("d", "tree", "1.0000", "1.0000", "+0.00", "derived; ours"),)


def test_columns_without_counts_and_remarks_are_left_out():
    columns = [
        Column("tree", count_verdicts(CELLS[:3]), 0.125, "p = 0.5"),
        Column("stump", count_verdicts([]), None),
    ]
    table = tabulate_columns(PART, columns)
    assert table.rows == (("tree", "1", "0", "1", "0", "1", "+0.12", "p = 0.5"),)
    assert "mean difference (points)" in table.heads


def test_worked_example_of_claims():
    claim = judge_claim("it helps", [1.8, 2.0, 2.2], unit="points", margin=0.5)
    table = tabulate_claims([to_plain(claim)])
    effect = "+2 (1.5 to 2.5) points"
    assert table.rows == (("it helps", "holds", effect, "3", "0.5", ""),)


def test_terminal_and_page_show_the_same_rows():
    table = tabulate_cells(PART, CELLS)
    page = to_markdown(table)
    console = Console(file=io.StringIO(), width=200)
    console.print(_to_rich(table, ["other rows", "no folds are recorded"]))
    terminal = console.file.getvalue()
    for row in table.rows:
        assert f"| {' | '.join(row)} |" in page
        (line,) = [line for line in terminal.splitlines() if f" {row[0]} " in line]
        assert [entry for entry in row[:-1] if entry not in line] == []
