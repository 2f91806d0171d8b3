"""A summary of a table ranks its columns, and is plain values."""

from dataclasses import FrozenInstanceError, replace

import pytest

from manyminds.reports.data.summary_types import DataSummary
from manyminds.reports.shared.plain import from_plain, to_plain


def test_columns_are_ranked_by_score(summary):
    assert [one.name for one in summary.ranked] == ["size", "noise"]
    assert replace(summary, columns=()).ranked == ()


def test_ties_keep_the_order_of_the_table(summary):
    one = replace(summary.columns[0], score=0.0)
    tied = tuple(replace(one, name=name) for name in "bca")
    ranked = replace(summary, columns=tied).ranked
    assert [one.name for one in ranked] == ["b", "c", "a"]  # 0 is a score, too


def test_a_summary_comes_back_from_plain_values(summary):
    assert from_plain(DataSummary, to_plain(summary)) == summary
    bare = replace(summary, score=None, complexity=None)
    assert from_plain(DataSummary, to_plain(bare)) == bare


def test_results_cannot_be_changed(summary):
    with pytest.raises(FrozenInstanceError):
        summary.n_rows = 3
