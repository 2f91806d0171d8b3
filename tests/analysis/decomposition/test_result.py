"""What a result can tell."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.decomposition import decompose_predictions, decompose_votes
from manyminds.analysis.decomposition.result import join_runs


def test_means_and_summary():
    found = decompose_votes([[0.8, 0.2], [0.4, 0.6]], [[10, 40], [0, 50]])
    assert found.mean["error"] == pytest.approx((0.68 + 0.4) / 2)
    table = found.summarize()
    assert list(table.index)[:2] == ["james", "kohavi_wolpert"]
    assert_allclose(table.sum(axis=1), found.mean["error"])
    assert "error=0.54" in repr(found)
    assert list(found.central) == [1, 1] and list(found.response) == [0, 1]


def test_runs_are_kept_apart():
    one = decompose_votes([[0.8, 0.2]], [[10, 40]])
    other = decompose_votes([[0.8, 0.2]], [[50, 0]])
    both = join_runs([one, other])
    assert list(both.run) == [0, 1]
    assert_allclose(both.run_means["error"], [0.68, 0.2])
    assert both.mean["error"] == pytest.approx(0.44)
    assert both.votes.shape == (2, 2) and len(both.classes) == 2


def test_numbers_have_terms_of_james_only():
    found = decompose_predictions([0.0], [[1.0, 2.0]])
    assert list(found.summarize().index) == ["james"]
    with pytest.raises(ValueError, match="for squared loss"):
        found.terms("breiman")
    with pytest.raises(ValueError, match="kind must be one of"):
        found.terms("nobody")


def test_a_mode_cannot_be_corrected():
    found = decompose_votes([[0.8, 0.2]], [[1, 0]])
    with pytest.raises(ValueError, match="no correction of a mode"):
        found.terms("james", unbiased=True)
    with pytest.raises(ValueError, match="two predictions or more"):
        found.terms("kohavi_wolpert", unbiased=True)
    assert np.isfinite(found.terms("kohavi_wolpert")["variance"]).all()
