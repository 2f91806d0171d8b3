"""Sentences on a selection say what its numbers say."""

from dataclasses import replace
from math import nan

from manyminds.reports import SelectionSummary
from manyminds.reports.selection.terminal import describe_selection

SUMMARY = SelectionSummary(
    n_columns=13,
    n_kept=5,
    n_kept_beyond_null=2,
    n_resamples=50,
    n_permutations=10,
    stability=0.81,
    stability_interval=(0.36, 1.0),
    null_stability=0.08,
    null_interval=(-0.22, 0.38),
    max_null_frequency=0.98,
)


def test_a_stable_selection():
    first, second, third, fourth = describe_selection(SUMMARY)
    assert first.startswith("5 of 13 columns are kept")
    assert "Stability 0.81 (95 % interval 0.36 to 1.00)" in second
    assert "more stable than a selection on noise" in third
    assert "above 98%; 2 of the 5" in fourth


def test_a_selection_no_better_than_noise():
    lines = describe_selection(replace(SUMMARY, stability=0.3))
    assert "no more stable" in lines[2]


def test_without_permuted_targets_and_with_a_bound():
    alone = replace(SUMMARY, null_interval=(nan, nan), expected_false_selections=0.87)
    lines = describe_selection(alone)
    assert len(lines) == 3 and lines[-1].endswith("at most 0.87.")


def test_undefined_stability():
    lines = describe_selection(replace(SUMMARY, stability=nan))
    assert lines[1].endswith("stability is undefined.")
