"""A summary of a search is plain values that its folder stores and gives back."""

from dataclasses import FrozenInstanceError, replace

import pytest

from manyminds.reports.search.summary_types import (
    Diversity,
    MemberRow,
    SearchDetails,
    SearchSummary,
)
from manyminds.reports.shared.plain import from_plain, to_plain


def test_a_summary_comes_back_from_plain_values(summary):
    known = replace(summary, importance=summary.importance[:1])
    assert from_plain(SearchSummary, to_plain(known)) == known


def test_what_is_undefined_stays_undefined(summary):
    bare = replace(summary, stability=None, n_selectable=None, importance=())
    again = from_plain(SearchSummary, to_plain(bare))
    assert again.stability is None and again.n_selectable is None
    spread = from_plain(SearchSummary, to_plain(summary)).importance[1].std
    assert spread != spread  # JSON has no NaN, which is stored as null


def test_details_come_back_from_plain_values(details):
    members = (MemberRow("nb", 0.5), MemberRow("lda", 0.5))
    diversity = Diversity(members, (0.8, 0.7), 0.9, ((0.0, 0.5), (0.5, 0.0)), ())
    whole = replace(details, trace=details.trace[:3], diversity=diversity)
    assert from_plain(SearchDetails, to_plain(whole)) == whole


def test_a_missing_field_is_not_made_up(summary):
    plain = to_plain(summary)
    del plain["metric"]
    with pytest.raises(KeyError, match="metric"):
        from_plain(SearchSummary, plain)


def test_results_cannot_be_changed(summary):
    with pytest.raises(FrozenInstanceError):
        summary.metric = "rmse"
