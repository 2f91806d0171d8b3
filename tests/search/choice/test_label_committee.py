"""A committee averages scores of labels whose thresholds are at one half."""

import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_multilabel_classification

from manyminds.ensemble import (
    MLkNNClassifier,
    MultiLabelForestClassifier,
    center_thresholds,
)
from manyminds.search.choice.label_committee import LabelCommittee


@pytest.fixture
def labeled(seed):
    return make_multilabel_classification(80, n_classes=4, random_state=seed)


def test_it_averages_centered_scores(labeled):
    X, Y = labeled
    members = [MLkNNClassifier(5), MultiLabelForestClassifier(5, random_state=0)]
    model = LabelCommittee(members, [0.25, 0.75], [0.3, 0.6]).fit(X, Y)
    scores = [one.fit(X, Y).predict_proba(X) for one in members]
    expected = 0.25 * center_thresholds(scores[0], 0.3)
    expected += 0.75 * center_thresholds(scores[1], 0.6)
    assert_allclose(model.predict_proba(X), expected)
    assert_array_equal(model.predict(X), expected > 0.5)
    assert_array_equal(model.classes_, [[0, 1]] * 4)


def test_a_committee_of_one_has_another_threshold(labeled):
    X, Y = labeled
    one = MLkNNClassifier(5)
    model = LabelCommittee([one], [1.0], [0.2]).fit(X, Y)
    assert_array_equal(model.predict(X), one.fit(X, Y).predict_proba(X) > 0.2)
    assert not hasattr(model.estimators[0], "classes_") or model.estimators[0] is one
