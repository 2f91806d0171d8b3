"""One call says what the single functions say."""

import pickle

import numpy as np
import pytest

from manyminds.analysis import (
    compare_methods,
    critical_difference,
    friedman_test,
    nemenyi_test,
    pairwise_wilcoxon,
    rank_methods,
    win_tie_loss,
)


@pytest.mark.parametrize("higher_is_better", [True, False])
@pytest.mark.parametrize("tolerance", [0.0, 0.1])
def test_parts_are_those_of_the_single_functions(seed, higher_is_better, tolerance):
    scores = np.random.default_rng(seed).integers(0, 10, (12, 4)) / 10
    direction = {"higher_is_better": higher_is_better}
    found = compare_methods(scores, tolerance=tolerance, **direction)
    assert found.ranks == rank_methods(scores, **direction)
    assert found.friedman == friedman_test(scores, **direction)
    assert found.critical_difference == critical_difference(scores, **direction)
    assert found.p_values == nemenyi_test(scores, **direction).p_values
    for i in range(4):
        for j in range(4):
            counts = win_tie_loss(
                scores[:, i], scores[:, j], tolerance=tolerance, **direction
            )
            assert found.wins[i][j] == counts.wins
            assert found.ties[i][j] == counts.ties
            assert found.wins[j][i] == counts.losses


def test_tables_and_text_of_the_example_of_demsar(c45_variants):
    found = compare_methods(c45_variants, alpha=0.10)
    assert found.win_tie_loss_table().loc["C4.5+m", "C4.5"] == "10/2/2"
    assert found.win_tie_loss_table().loc["C4.5", "C4.5"] == ""
    table = found.p_value_table()
    assert table.loc["C4.5", "C4.5+m"] < 0.10 < table.loc["C4.5", "C4.5+cf"]
    text = str(found)
    assert text.startswith("4 methods on 14 data sets")
    assert "C4.5+m+cf  mean rank 1.96" in text
    assert "Critical difference: 1.118" in text
    assert text.endswith("  C4.5+m+cf, C4.5+m, C4.5+cf\n  C4.5+cf, C4.5")


def test_signed_ranks_as_post_hoc_test(seed):
    scores = np.random.default_rng(seed).random((12, 4))
    found = compare_methods(scores, test="wilcoxon-holm")
    assert found.p_values == pairwise_wilcoxon(scores).adjusted_p_values
    assert "Critical difference" not in str(found)
    assert "wilcoxon-holm" in str(found)


def test_no_groups_are_told_as_none():
    assert str(compare_methods(np.tile([3, 2, 1], (50, 1)))).endswith("  none")


def test_results_are_plain_values(seed):
    found = compare_methods(np.random.default_rng(seed).random((6, 3)))
    assert pickle.loads(pickle.dumps(found)) == found
    assert isinstance(found.wins[0][1], int)
    assert isinstance(found.p_values[0][1], float)
    with pytest.raises(AttributeError, match="cannot assign"):
        found.names = ()
    assert hash(found) == hash(pickle.loads(pickle.dumps(found)))


def test_missing_scores_are_dropped_everywhere(seed):
    scores = np.random.default_rng(seed).random((8, 3))
    holed = np.vstack([scores, [np.nan, 0.5, 0.5]])
    assert compare_methods(holed, missing="drop") == compare_methods(scores)
    with pytest.raises(ValueError, match="tolerance must be a number of 0 or more"):
        compare_methods(scores, tolerance=-1)
