"""Pages of evidence: summaries in plain values, tables and paragraphs in Markdown."""

import json

from manyminds.experiments.record import Record
from manyminds.reproductions.evidence.page import (
    format_control,
    join,
    make_page,
    summarize,
    to_markdown,
)
from manyminds.reproductions.judging.cells import AGREES, DIFFERS, Cell
from manyminds.reproductions.judging.claims import judge_claim
from manyminds.reproductions.judging.tabulation import Table
from manyminds.reproductions.judging.verdicts import Verdicts
from manyminds.reproductions.published import Part, Reproduction, Tolerance
from manyminds.reproductions.reproducing import StoredPart

PART = Part("toys", "All toys", None, Tolerance(1.0, "children shout"))
RECORD = Record(
    "k", "a", "tree", 0, 0, {"accuracy": 1.0}, seconds=60.0, finished="2024-02-03T10",
    estimator="Tree()", versions="x 1",
)  # fmt: skip


def make_cells(n_cells, apart=""):
    """Return cells that agree, but for the last; their printed values are far apart."""
    return tuple(
        Cell(
            f"set {i}",
            "tree",
            DIFFERS if i == n_cells - 1 else AGREES,
            reference=10.0 * i,
            mean=10.0 * i,
            n=1,
            difference=0.0,
            margin=0.0,
            apart=apart,
        )
        for i in range(n_cells)
    )


def store_part(cells, claims=(), records=(RECORD,), part=PART):
    verdicts = Verdicts(part.name, False, tuple(cells), (), "All in all.", claims)
    return StoredPart(part, 8, list(records), verdicts)


def write(*parts):
    toys = Reproduction("toys", "Toys", "A. Child", "That toys last.", 3.0, 0.5, 8)
    return make_page(toys, parts, summarize(parts))


def test_cells_of_a_table_stay_in_their_place():
    table = Table(("a", "b"), (("x | y", "one\ntwo   three"), ("", "z")))
    assert to_markdown(table).splitlines() == [
        "| a | b |",
        "| --- | --- |",
        "| x \\| y | one two three |",
        "|  | z |",
    ]


def test_paragraphs_have_one_blank_line_between_them():
    assert join("one\n\n", "", "two") == "one\n\ntwo\n"


def test_summary_counts_what_is_evidence_and_has_records():
    shown = store_part(make_cells(2, apart="derived"))
    not_run = store_part(make_cells(5), records=())
    found = summarize([store_part(make_cells(4)), shown, not_run])
    assert found["counts"]["agrees"] == 3 and found["counts"]["differs"] == 1
    assert sum(found["counts"].values()) == 4 and found["apart"] == 2
    assert found["control"]["n_cells"] == 4
    assert json.loads(json.dumps(found)) == found  # plain values alone


def test_summary_without_cells_and_claims_has_no_controls():
    found = summarize([store_part(())])
    assert found["control"] is None and found["claims"] == []
    assert found["claims_controlled"] == 0 and found["claims_null_share"] is None


def test_claims_come_with_their_rule_and_control():
    claim = judge_claim("it helps", [1.8, 2.0, 2.2], unit="points", margin=0.5)
    page = write(store_part(make_cells(4), (claim,)))
    assert "| it helps | holds | +2 (1.5 to 2.5) points | 3 | 0.5 |" in page
    assert "A claim *holds* if" in page and "% of 1 claims hold." in page
    assert "## Claims" not in write(store_part(make_cells(4)))


def test_a_part_without_records_is_not_run_yet():
    page = write(store_part(make_cells(4), records=()))
    assert "## toys\n\nAll toys.\n\n**Not run yet.**\n" in page
    assert "Null control" not in page and "minutes of one core" not in page


def test_the_run_of_a_part_is_described():
    page = write(store_part(make_cells(4)))
    assert "1 of 8 folds in 1 repetitions on 1 data sets, 2024-02-03, 1.0 min" in page
    assert "- tree: `Tree()`" in page and "with x 1." in page


def test_control_in_one_line():
    text = format_control({"share": 93.6, "null_share": 12.4})
    assert text == "94 % agree, null 12 %"
