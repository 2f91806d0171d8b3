import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import normalized_mutual_info_score

from manyminds.kernels.coassociation import average_nmi, fill_distances


@pytest.mark.no_jit
@pytest.mark.parametrize("by_pair", [True, False])
def test_distances_equal_counting(by_pair, seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=(6, 16), dtype=np.uint8)
    drawn = rng.random((6, 16)) < 0.6
    left = np.where(drawn, codes, 254).astype(np.uint8).view(np.uint64)
    right = np.where(drawn, codes, 255).astype(np.uint8).view(np.uint64)
    bits = np.zeros((6, 8), dtype=np.uint8)
    bits[:, :2] = np.packbits(drawn, axis=1)
    bits = bits.view(np.uint64) if by_pair else np.zeros((6, 0), np.uint64)
    distances = np.full(15, np.nan)
    for first, last in ((0, 2), (2, 6)):
        fill_distances(left, right, bits, first, last, 16, distances)
    expected = []
    for i in range(6):
        for j in range(i + 1, 6):
            both = drawn[i] & drawn[j]
            together = (both & (codes[i] == codes[j])).sum()
            expected.append(1 - together / (max(1, both.sum()) if by_pair else 16))
    assert_allclose(distances, expected)


@pytest.mark.no_jit
def test_average_mutual_information_equals_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=(4, 30)).astype(np.uint8)
    codes[0] = 0  # one cluster: no entropy
    codes[:, rng.random(30) < 0.2] = 255
    part = rng.integers(4, size=30).astype(np.int32)
    found = average_nmi(part, codes, np.full(4, 3), 255)
    each = [
        normalized_mutual_info_score(
            part[code != 255], code[code != 255], average_method="geometric"
        )
        for code in codes[1:]
    ]
    assert_allclose(found, sum(each) / 4)
