"""HOMER: a balanced tree over the labels, and rows that pass few of its nodes."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import BinaryRelevanceClassifier, HOMERClassifier
from manyminds.ensemble.multilabel.homer import balance_clusters

BASE = BinaryRelevanceClassifier(LogisticRegression())


def test_a_root_with_all_labels_is_its_learner(labeled):
    X, Y = labeled
    model = HOMERClassifier(BASE, n_children=4).fit(X, Y)
    assert len(model.groups_) == 1
    assert_array_equal(model.predict(X), BASE.fit(X, Y).predict(X))


def test_groups_divide_their_node(labeled):
    X, Y = labeled
    Y = np.column_stack([Y, Y[:, ::-1], 1 - Y])
    model = HOMERClassifier(BASE, n_children=3, random_state=0).fit(X, Y)
    assert_array_equal(np.sort(np.concatenate(model.groups_[0])), np.arange(12))
    assert [len(group) for group in model.groups_[0]] == [4, 4, 4]
    singles = [g[0] for groups in model.groups_ for g in groups if len(g) == 1]
    assert sorted(singles) == list(range(12))


def test_predictions_are_the_path_of_predicted_groups(labeled):
    X, Y = labeled
    model = HOMERClassifier(BASE, n_children=2, random_state=0).fit(X, Y)
    expected = np.ones_like(Y)
    for groups, learner in zip(model.groups_, model._learners):
        of_groups = learner.predict(X)
        for g, labels in enumerate(groups):
            expected[:, labels] &= of_groups[:, [g]]
    assert_array_equal(model.predict(X), expected)


@pytest.mark.parametrize("n_points, n_clusters", [(7, 3), (12, 4), (5, 2)])
def test_sizes_of_clusters_differ_by_one_at_most(n_points, n_clusters, seed):
    rng = np.random.RandomState(seed)
    cluster = balance_clusters(rng.normal(size=(n_points, 2)), n_clusters, rng)
    sizes = np.bincount(cluster, minlength=n_clusters)
    assert sizes.max() - sizes.min() <= 1


def test_a_learner_of_one_label_is_refused(labeled):
    X, Y = labeled
    with pytest.raises(ValueError, match="learner of many labels"):
        HOMERClassifier(LogisticRegression()).fit(X, Y)
