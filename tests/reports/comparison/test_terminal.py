"""A terminal shows the numbers of a comparison, and takes no name for markup."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from manyminds.reports import print_summary, summarize

NASTY = "<script>alert('1')</script> & [red]b"


@pytest.mark.parametrize("n_datasets", [1, 4])
def test_the_terminal_has_the_numbers(seed, n_datasets, make_records):
    records = make_records(seed, n_datasets, failing=True)
    summary = summarize(records, missing={"gone": "no file"})
    console = Console(file=io.StringIO(), width=200)
    print_summary(summary, console)
    text = console.file.getvalue()
    for cell in summary.cells:
        assert f"{cell.mean:.3f} ± {cell.std:.3f}" in text
    assert NASTY in text  # and not taken for the markup of Rich
    assert "rf failed 1 of 5 folds on data 0: ValueError" in text
    assert "gone could not be loaded: no file" in text
    assert ("mean rank" in text) == (n_datasets > 1)


def print_text(summary):
    console = Console(file=io.StringIO(), width=200)
    print_summary(summary, console)
    return console.file.getvalue()


def test_methods_of_one_data_set_stand_by_rank(seed, make_records):
    summary = summarize(make_records(seed, 1, ("rf", "tree", "knn")))
    text = print_text(summary)
    by_rank = sorted(summary.cells, key=lambda cell: cell.rank)
    places = [text.index(f"│ {cell.method}") for cell in by_rank]
    assert places == sorted(places)


def test_a_star_marks_what_is_significantly_worse(make_records):
    records = [
        replace(
            one, values={"accuracy": {"rf": 0.9, "tree": 0.5}[one.method] + i / 1e3}
        )
        for one in make_records(0, 1, ("rf", "tree"))
        for i in [one.fold % 2 * (1 if one.method == "rf" else 2)]
    ]
    text = print_text(summarize(records))
    assert "0.501 ± 0.001*" in text and "0.900 ± 0.001 " in text
    assert "* significantly worse than the best of its data set" in text


def test_a_loss_is_said_to_be_better_when_lower(make_records):
    records = [
        replace(one, values={"rmse": 1.0 + one.fold})
        for one in make_records(0, 1, ("rf",))
    ]
    assert "lower is better" in print_text(summarize(records, "rmse"))


def test_long_errors_are_cut(make_records):
    records = make_records(0, 1, ("rf", "tree"), failing=True)
    records[0] = replace(records[0], error="E" * 500)
    text = "".join(print_text(summarize(records)).split("\n"))
    assert "E" * 160 + " ..." in text and "E" * 161 not in text
