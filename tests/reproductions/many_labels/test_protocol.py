"""The protocol: learners, Mulan's test sets, measures, peers."""

from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import make_multilabel_classification

from manyminds.datasets import Dataset
from manyminds.ensemble import MultiLabelForestClassifier
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.many_labels.protocol import (
    TRAINING_ROWS,
    LabelMeasures,
    MulanSplit,
    Multilearn,
    make_learners,
    make_pairs,
)

needs_peer = pytest.mark.skipif(
    find_spec("skmultilearn") is None, reason="scikit-multilearn-ng is not installed"
)


@pytest.fixture
def fold(seed):
    X, Y = make_multilabel_classification(60, 5, n_classes=3, random_state=seed)
    frame = pd.DataFrame(X, columns=list("abcde"))
    data = Dataset("toy", frame, pd.DataFrame(Y, columns=list("xyz")), "multilabel")
    return Fold(data, Split(0, 0, np.arange(40), np.arange(40, 60)), seed)


def test_the_test_set_is_the_rest():
    for n_rows, n_train in TRAINING_ROWS.values():
        (split,) = MulanSplit().split(np.zeros((n_rows, 2)), stratified=False)
        assert_array_equal(split.train, np.arange(n_train))
        assert_array_equal(split.test, np.arange(n_train, n_rows))


def test_measures_are_those_of_labels_and_the_time(fold):
    found = LabelMeasures()(MultiLabelForestClassifier(5, random_state=0), fold)
    assert found["seconds"] > 0.0
    assert {"subset_accuracy", "hamming_loss", "ranking_loss"} <= set(found)


@pytest.mark.slow
def test_every_learner_can_be_measured(fold):
    for name, learner in make_learners().items():
        found = LabelMeasures()(learner, fold)
        assert 0.0 <= found["hamming_loss"] <= 1.0, name


def test_peers_need_not_be_installed(fold, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "skmultilearn", None)
    with pytest.raises(ImportError):
        LabelMeasures()(Multilearn("MLkNN"), fold)


@needs_peer
@pytest.mark.parametrize("name", make_pairs())
def test_peers_can_be_measured(fold, name):
    found = LabelMeasures()(make_pairs()[name][1], fold)
    assert 0.0 <= found["hamming_loss"] <= 1.0
