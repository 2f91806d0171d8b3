"""Mean correlations agree with NumPy's and SciPy's over all pairs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import spearmanr

from manyminds.feature_selection.stability import (
    kuncheva_stability,
    pearson_stability,
    rankings,
    spearman_stability,
)


def test_worked_example():
    # Correlations 1, -1 and -1.
    rows = [[1, 2, 3], [2, 4, 6], [3, 2, 1]]
    assert_allclose(pearson_stability(rows), -1 / 3)
    assert_allclose(spearman_stability(rows), -1 / 3)


@pytest.mark.parametrize("cells", [10, 2**22])
def test_means_over_pairs(seed, cells, monkeypatch):
    monkeypatch.setattr(rankings, "_BLOCK_CELLS", cells)
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 9, size=(7, 20)) * 1e6 + 1e9  # with ties, far from zero
    scores[:, 0] = 0.0
    pairs = np.triu_indices(7, k=1)
    assert_allclose(pearson_stability(scores), np.corrcoef(scores)[pairs].mean())
    expected = spearmanr(scores.T).statistic[pairs].mean()
    assert_allclose(spearman_stability(scores), expected)


def test_for_masks_of_one_size_it_is_kuncheva_s_index(seed):
    rng = np.random.default_rng(seed)
    masks = np.array([rng.permutation(20) < 6 for _ in range(8)])
    assert_allclose(pearson_stability(masks), kuncheva_stability(masks))
    assert_allclose(spearman_stability(masks), kuncheva_stability(masks))


def test_constant_rows_have_no_correlation():
    assert np.isnan(pearson_stability([[1, 1, 1], [1, 2, 3]]))
    assert np.isnan(spearman_stability([[1, 1, 1], [1, 2, 3]]))


@pytest.mark.parametrize(
    ("scores", "says"),
    [
        ([1, 2], "shape"),
        ([[1, 2]], "two rows"),
        ([["a"], ["b"]], "numbers"),
        ([[1, np.nan], [1, 2]], "finite"),
    ],
)
def test_wrong_scores_are_refused(scores, says):
    for measure in (pearson_stability, spearman_stability):
        with pytest.raises(ValueError, match=says):
            measure(scores)
