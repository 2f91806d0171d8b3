"""Runs, measures and models of the paper on random cluster ensembles."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import adjusted_rand_score, rand_score

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.feature_selection import RCESelector
from manyminds.reproductions.random_cluster_ensembles.protocol import (
    AllFeatures,
    ClusterMeasures,
    ConsensusClassifier,
    ForestOfBestGenes,
    GeneMeasures,
    RandomFeatures,
    Runs,
    read_numbers,
)


def _two_groups(n_columns=6):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, n_columns))
    X[:, :3] += 8.0 * y[:, None]
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(n_columns)])
    target = np.array(["a", "b"])[y]
    return Dataset("groups", frame, target, task="classification")


def test_all_rows_in_each_run():
    runs = list(Runs(3).split(np.zeros(5), stratified=True))
    assert [run.repeat for run in runs] == [0, 1, 2]
    assert_array_equal(runs[1].train, np.arange(5))
    assert_array_equal(runs[1].test, np.arange(5))


def test_missing_numbers_become_medians():
    frame = pd.DataFrame({"a": [1.0, 3.0, np.nan], "b": pd.Categorical([2, 2, 5])})
    assert_allclose(read_numbers(frame), [[1, 2], [3, 2], [2, 5]])


def test_clusters_are_compared_with_classes():
    data = _two_groups(3)
    fold = Fold(data, next(Runs(1).split(data.y, True)), seed=0)
    found = ClusterMeasures()(AllFeatures(), fold)
    assert found == {"rand": 1.0, "adjusted_rand": 1.0, "n_features": 3.0}
    some = ClusterMeasures()(RCESelector(n_estimators=20, random_state=0), fold)
    assert some["n_features"] <= 3.0
    assert rand_score([0, 1], [1, 0]) == adjusted_rand_score([0, 1], [1, 0]) == 1.0


def test_control_has_as_many_features():
    X = _two_groups().X.to_numpy()
    control = RandomFeatures(20, random_state=0).fit(X)
    model = RCESelector(n_estimators=20, random_state=0).fit(X)
    assert control.get_support().sum() == model.support_.sum()


def test_classes_of_clusters_and_of_forests():
    data = _two_groups(20)
    fold = Fold(data, next(Runs(1).split(data.y, True)), seed=0)
    for model in (
        ConsensusClassifier(0.2, 15, random_state=0),
        ForestOfBestGenes(0.1, 15, random_state=0),
    ):
        assert GeneMeasures()(model, fold)["accuracy"] > 0.9
    assert len(model.kept_) == 2
