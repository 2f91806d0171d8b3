import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from manyminds.ensemble.clusterings import graphs
from manyminds.ensemble.clusterings.labelings import read_labelings

METHODS = (
    graphs.partition_rows,
    graphs.partition_clusters,
    graphs.partition_both,
)


@pytest.mark.parametrize("method", METHODS)
def test_noisy_copies_of_a_partition_lead_back_to_it(method, seed):
    # Each label is wrong with probability 0.15 and a cluster is split in two.
    rng = np.random.default_rng(seed)
    truth = np.repeat([0, 1, 2], 20)
    labels = np.where(
        rng.random((30, 60)) < 0.15, rng.integers(3, size=(30, 60)), truth
    )
    labels[::2, :10] = 3
    found, preferred = method(
        read_labelings(labels),
        [2, 3],
        normalize="cooccurrence",
        rng=np.random.RandomState(seed % 2**31),
    )
    assert preferred is None
    assert adjusted_rand_score(found[3], truth) == 1.0


def test_clusters_compared_by_pairs_are_limited(monkeypatch):
    monkeypatch.setattr(graphs, "MAX_NODES", 3)
    with pytest.raises(ValueError, match=r"consensus='mcla' compares .* there are 4"):
        graphs.partition_clusters(read_labelings([[0, 1], [0, 1]]), [2], rng=None)
