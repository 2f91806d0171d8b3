"""Sets with unequal classes, and F-scores by class from pooled folds."""

from dataclasses import replace

import numpy as np
from numpy.testing import assert_allclose
from sklearn.dummy import DummyClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier

from manyminds.datasets import load_dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.decision_graphs.protocol import (
    SHUFFLED,
    PerClassMeasures,
    keep_classes,
    load_unequal,
    make_methods,
)


def measure(data, estimator, seed=3):
    rows = np.arange(data.n_samples)
    fold = Fold(data, Split(0, 0, rows, rows[:0]), seed)
    return PerClassMeasures()(estimator, fold)


def test_f_scores_are_those_of_the_pooled_predictions():
    data = load_dataset("iris")
    model = KNeighborsClassifier(15)
    found = measure(data, model)
    folds = StratifiedKFold(5, shuffle=True, random_state=3)
    guess = cross_val_predict(model, data.X, data.y, cv=folds)
    expected = f1_score(data.y, guess, average=None)
    named = [value for name, value in found.items() if name.startswith("F of ")]
    assert_allclose(named, expected)
    assert_allclose(found["weighted_f"], expected.mean())  # 50 of each class
    assert_allclose(found["recall"], np.mean(guess == data.y))
    assert found["given_up"] == 0.0


def test_a_class_never_predicted_is_given_up():
    data = load_dataset("iris")
    data = data.take(np.flatnonzero(np.arange(150) % 5 < 3 + 2 * (data.y == data.y[0])))
    found = measure(data, DummyClassifier(strategy="most_frequent"))
    assert found["given_up"] == 2.0


def test_small_classes_are_left_out_of_a_draw():
    y = np.repeat(np.arange(4), [3000, 400, 20, 4])
    rows = keep_classes(y)
    kept, counts = np.unique(y[rows], return_counts=True)
    assert len(rows) <= 1000 and 3 not in kept and counts.min() >= 5


def test_numbers_become_classes_and_labels_are_shuffled():
    data = load_dataset("iris")
    rings = replace(data, y=np.repeat([1.0, 2.0, 3.0], 50), task="regression")
    loaded = load_unequal(lambda name: rings, "iris")
    assert loaded.task == "classification" and loaded.y.dtype.kind == "i"
    shuffled = load_unequal(lambda name: data, f"iris{SHUFFLED}")
    assert shuffled.name == "iris, shuffled"
    assert sorted(shuffled.y) == sorted(data.y) and list(shuffled.y) != list(data.y)


def test_methods_are_those_of_the_paper_and_two_more():
    names = {"DDAG K-TIPCAC", "DDAG K-TIPCAC, as printed", "MCSVM", "END", "RF"}
    assert set(make_methods()) == {*names, "SVM, balanced"}
