import matplotlib
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.ensemble import ConsensusMatrixDisplay, RandomClusterEnsemble

matplotlib.use("agg")


def test_rows_of_a_cluster_are_side_by_side(seed):
    X = np.random.default_rng(seed).normal(size=(60, 3))
    model = RandomClusterEnsemble(n_estimators=20, n_clusters=3, random_state=0).fit(X)
    display = ConsensusMatrixDisplay.from_estimator(model, n_shown=40)
    assert display.matrix.shape == (40, 40)
    assert (np.diff(display.labels) >= 0).all()
    assert_array_equal(display.labels, model.labels_[display.rows])
    assert_allclose(display.matrix, model.consensus_matrix(display.rows))
    assert_array_equal(display.image_.get_array(), display.matrix)
    assert len(display.ax_.lines) == len(np.unique(display.labels))
