"""DDAG K-TIPCAC: its steps, and what the paper claims of it."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from manyminds.ensemble import DDAGKTIPCACClassifier, DecisionDAGClassifier
from manyminds.learners import FisherSubspace, KernelTIPCACClassifier


def table(seed, n_classes=5, n_samples=100):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    centers = 2.0 * rng.normal(size=(n_classes, 8))
    return centers[y] + rng.normal(size=(n_samples, 8)), np.array(list("edcba"))[y]


def test_steps_are_those_of_the_paper(seed):
    # Item 6 of the acceptance list: 5 classes, 4 dimensions, 10 members.
    X, y = table(seed)
    model = DDAGKTIPCACClassifier(KernelTIPCACClassifier(width=50.0), n_components=3)
    model.fit(X, y)
    assert model.subspace_.basis_.shape == (8, 4) and len(model.estimators_) == 10
    steps = make_pipeline(
        FisherSubspace(3), DecisionDAGClassifier(KernelTIPCACClassifier(width=50.0))
    ).fit(X, y)
    new = np.random.default_rng(seed).normal(size=(60, 8))
    assert_array_equal(model.predict(new), steps.predict(new))
    path = steps[-1].decision_path(steps[0].transform(new))
    assert_array_equal(model.decision_path(new), path)


def test_order_and_scale(seed):
    X, y = table(seed)
    model = DDAGKTIPCACClassifier(class_order=list("caebd"), scale="standard")
    model.fit(X * np.geomspace(1e-3, 1e3, 8), y)
    assert_array_equal(model.graph_.class_order_, [2, 0, 4, 1, 3])
    assert_allclose(model.scaler_.scale_, (X * np.geomspace(1e-3, 1e3, 8)).std(axis=0))
    assert model.score(X * np.geomspace(1e-3, 1e3, 8), y) > 0.9


def per_class_f(model, X, y, seed):
    cv = StratifiedKFold(5, shuffle=True, random_state=seed % 2**32)
    predicted = cross_val_predict(model, X, y, cv=cv)
    one_by_one = f1_score(y, predicted, average=None, zero_division=0.0)
    return one_by_one, f1_score(y, predicted, average="weighted", zero_division=0.0)


@pytest.mark.slow
def test_small_classes_are_not_given_up(seed, shared_data):
    # Item 7 of the acceptance list, on 1,484 proteins of ten locations (5 to 463 each).
    # Over eight seeds of the folds, the machine gives up 0.9 classes on average, the
    # forest 1.0, and this method 0.1. Its weighted F is 0.594 against 0.580 and 0.602
    # (standard deviations 0.006 to 0.008): the claim does not hold against the forest.
    yeast = pd.read_csv(shared_data / "yeast.csv.gz")
    X, y = yeast.iloc[:, :-1].to_numpy(), yeast.iloc[:, -1].astype(str).to_numpy()
    models = [
        DDAGKTIPCACClassifier(KernelTIPCACClassifier(variance=0.8)),
        make_pipeline(StandardScaler(), SVC(C=10.0)),
        RandomForestClassifier(50, random_state=0),
    ]
    zeros, weighted = [], []
    for model in models:
        one_by_one, mean = per_class_f(model, X, y, seed)
        zeros.append(np.sum(one_by_one == 0.0))
        weighted.append(mean)
    assert zeros[0] <= zeros[1] + 1 and zeros[0] <= zeros[2]
    assert weighted[0] > weighted[1] - 0.02
    assert weighted[0] > weighted[2] - 0.05
