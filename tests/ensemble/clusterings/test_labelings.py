import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble.clusterings.labelings import (
    assign_by_affinity,
    coassociation,
    mean_nmi,
    measure_affinity,
    read_labelings,
)


def test_coassociation_worked_by_hand():
    labelings = read_labelings([[0, 0, 1, -1], [5, 5, 5, 7]])
    expected = [[1, 1, 0.5, 0], [1, 1, 0.5, 0], [0.5, 0.5, 1, 0], [0, 0, 0, 1]]
    assert_allclose(coassociation(labelings), expected)


def test_rows_are_divided_among_threads(seed):
    labels = np.random.default_rng(seed).integers(3, size=(9, 50))
    one, two = (coassociation(read_labelings(labels), n_jobs=n) for n in (1, 2))
    assert_array_equal(one, two)
    assert_allclose(one, (labels.T[:, None] == labels.T).mean(axis=2))


def test_partition_agrees_with_itself():
    part = np.array([0, 1, 1, 2])
    one_cluster = np.zeros(4, dtype=int)
    assert_allclose(mean_nmi(part, read_labelings([part, 4 * part])), 1.0)
    assert_allclose(mean_nmi(part, read_labelings([part, one_cluster])), 0.5)


def test_affinity_is_the_mean_coassociation(seed):
    rng = np.random.default_rng(seed)
    labels, part = rng.integers(4, size=(7, 40)), rng.integers(3, size=40)
    part[:3] = [0, 1, 2]
    labelings = read_labelings(labels)
    together = coassociation(labelings)
    score = np.stack([together[:, part == c].mean(axis=1) for c in range(3)], axis=1)
    found = assign_by_affinity(labelings.codes, measure_affinity(part, 3, labelings))
    best = score.max(axis=1)
    assert_allclose(score[np.arange(40), found], best)


@pytest.mark.parametrize("labels", [[0, 1], [[0.5, 1.0]], np.zeros((0, 3), int)])
def test_labels_of_wrong_shape_or_type(labels):
    with pytest.raises(ValueError, match=r"labelings must be integers of shape"):
        read_labelings(labels)


def test_too_many_base_clusters():
    with pytest.raises(ValueError, match="250 clusters at most; one has 300"):
        read_labelings([np.arange(300)])
