import numpy as np
from numpy.testing import assert_array_equal
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.metrics import adjusted_rand_score

from manyminds.ensemble.clusterings.labelings import coassociation, read_labelings
from manyminds.ensemble.clusterings.linkage import (
    accumulate_evidence,
    cut_tree,
    link_average,
    number_parts,
)

OPTIONS = {"normalize": "cooccurrence"}


def test_average_linkage_equals_scipy_on_the_dense_matrix(seed):
    rng = np.random.default_rng(seed)
    labelings = read_labelings(rng.integers(3, size=(40, 30)))
    found, preferred = link_average(labelings, [2, 5], **OPTIONS)
    dense = 1.0 - coassociation(labelings)
    tree = linkage(squareform(dense, checks=False), "average")
    assert preferred is None
    for k, part in found.items():
        assert adjusted_rand_score(part, fcluster(tree, k, "maxclust")) == 1.0


def test_ties_are_cut_into_the_number_of_parts():
    tree = linkage(np.zeros((5, 1)))
    assert [len(np.unique(p)) for p in cut_tree(tree, [1, 3, 5]).values()] == [1, 3, 5]


def test_evidence_prefers_the_longest_life():
    # Three groups that are never together, one of them split in half of the runs.
    labels = np.repeat([[0, 0, 1, 1, 2, 2]], 4, axis=0)
    labels[:2, 5] = 3
    found, preferred = accumulate_evidence(read_labelings(labels), [2, 3, 4], **OPTIONS)
    assert preferred == 3
    assert_array_equal(found[3], [0, 0, 1, 1, 2, 2])


def test_parts_are_numbered_by_their_first_rows():
    assert_array_equal(number_parts([7, 2, 7, 0]), [0, 1, 0, 2])
