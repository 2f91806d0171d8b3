import math

import pytest

from manyminds.serve.results import (
    TraceRow,
    list_best,
    list_stamps,
    parse_command,
    read_finished,
)
from manyminds.utils.errors import InputError, MissingFileError


def test_commands_are_parsed():
    command = "manyminds search 'my data.csv' --target 'a b' --drop x --no-committee"
    data, options = parse_command(command)
    assert data == "my data.csv"
    assert options == {"target": "a b", "drop": ["x"], "no_committee": True}


def test_no_command_has_no_table():
    assert parse_command("") == ("", {})


@pytest.mark.parametrize(
    ("higher_is_better", "expected"),
    [
        (True, [(0.0, 0.5), (2.0, 0.7), (4.0, 0.7)]),
        (False, [(0.0, 0.5), (3.0, 0.1), (4.0, 0.1)]),
    ],
)
def test_the_best_score_never_gets_worse(higher_is_better, expected):
    states = ["complete", "pruned", "complete", "complete", "failed"]
    scores = [0.5, 0.9, 0.7, 0.1, math.nan]
    trace = [
        TraceRow(9 - k, float(k), state, score, 0.0, "p", "")
        for k, (state, score) in enumerate(zip(states, scores))
    ]
    steps = list_best(trace, higher_is_better)
    assert [(one.second, one.best) for one in steps] == expected


def test_an_unfinished_search_is_an_error(tmp_path):
    with pytest.raises(MissingFileError):
        read_finished(tmp_path)
    (tmp_path / "search.json").write_text('{"state": "running", "identity": {}}')
    with pytest.raises(InputError, match="not finished"):
        read_finished(tmp_path)


def test_stamps_change_with_the_files(tmp_path):
    assert list_stamps(tmp_path) == ()
    (tmp_path / "search.json").write_text("{}")
    before = list_stamps(tmp_path)
    (tmp_path / "search.json").write_text("{ }")
    assert list_stamps(tmp_path) != before


def test_a_finished_search_is_read(finished):
    search = read_finished(finished)
    assert search.summary.task == "classification"
    assert search.classes.n_rows == search.summary.n_tested == 150
    assert sum(map(sum, search.classes.errors.counts)) == 150
    seconds = [row.second for row in search.trace]
    assert seconds == sorted(seconds) and seconds
