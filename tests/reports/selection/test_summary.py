"""Frequencies of a selection are listed, and compared with permuted targets."""

from math import isnan

import numpy as np
import pytest

from manyminds.feature_selection.stability import null_interval
from manyminds.reports.selection.summary import list_frequencies, summarize_selection

COLUMNS = ["a", "b", "c"]


@pytest.fixture
def alone(selector):
    """Return the selector without permuted targets."""
    selector.null_frequencies_ = np.empty((0, 3))
    selector.null_stability_ = np.empty(0)
    return selector


def test_columns_stand_by_rank(selector):
    found = list_frequencies(selector, COLUMNS)
    assert found["column"].tolist() == ["c", "a", "b"]
    assert found["frequency"].tolist() == [1.0, 0.75, 0.25]
    assert found["null_frequency"].tolist() == [0.5, 0.5, 0.5]
    assert found["rank"].tolist() == [1, 2, 3]
    assert found["kept"].tolist() == [True, True, False]


def test_a_column_must_be_above_every_permuted_one(selector):
    # The highest frequency with a permuted target is 0.75, which "a" only equals.
    found = list_frequencies(selector, COLUMNS)
    assert found["beyond_null"].tolist() == [True, False, False]
    summary = summarize_selection(selector, found)
    assert summary.n_kept_beyond_null == 1
    assert summary.max_null_frequency == 0.75


def test_the_summary_has_the_numbers_of_the_selector(selector):
    summary = summarize_selection(selector, list_frequencies(selector, COLUMNS))
    assert (summary.n_columns, summary.n_kept) == (3, 2)
    assert (summary.n_resamples, summary.n_permutations) == (4, 2)
    assert (summary.stability, summary.null_stability) == (0.5, 0.25)
    assert summary.stability_interval == (0.25, 0.75)
    assert summary.null_interval == tuple(null_interval(selector.null_stability_))
    assert isnan(summary.expected_false_selections)


def test_without_permuted_targets_nothing_is_compared(alone):
    found = list_frequencies(alone, COLUMNS)
    assert found["null_frequency"].isna().all() and found["beyond_null"].isna().all()
    summary = summarize_selection(alone, found)
    assert summary.n_permutations == 0 and summary.null_stability is None
    assert summary.n_kept_beyond_null is None and summary.max_null_frequency is None
    assert all(isnan(end) for end in summary.null_interval)
