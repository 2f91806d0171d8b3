"""Tables, errors and agreements of the thesis on complexity."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import Dataset, load_dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import WholeData
from manyminds.reproductions.complexity.protocol import (
    CLUSTERERS,
    CLUSTERS,
    Agreements,
    find_errors,
    load_old_iris,
    make_complexity,
    name_configuration,
    name_value,
)


def test_old_iris_differs_in_three_numbers():
    X, _ = load_iris(return_X_y=True)
    differs = load_old_iris(load_dataset).X.to_numpy() != X
    assert_array_equal(np.argwhere(differs), [[34, 3], [37, 1], [37, 2]])


def test_errors_are_those_of_five_folds_in_order(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(25, 2)), np.repeat([0, 1], [20, 5])
    is_error = find_errors(DecisionTreeClassifier(), X, y, 0)
    # The first fold has the first four rows of class 0 and the first of class 1.
    first = np.r_[0:4, 20]
    rest = np.setdiff1d(np.arange(25), first)
    tree = DecisionTreeClassifier(random_state=0).fit(X[rest], y[rest])
    assert_array_equal(is_error[first], tree.predict(X[first]) != y[first])


def test_agreements_have_all_their_names(seed):
    X, y = load_iris(return_X_y=True)
    data = Dataset("iris", pd.DataFrame(X), y, "classification")
    split = next(WholeData().split(y, True))
    name = name_configuration("imbalance")
    measure = Agreements(((name, make_complexity("imbalance")),), n_seeds=2)
    tree = DecisionTreeClassifier(max_depth=2)
    values = measure(tree, Fold(data, split, seed % 1000))
    for clusterer in CLUSTERERS:
        for s in CLUSTERS:
            for i in range(2):
                r = values[name_value(name, clusterer, s, "r", i)]
                n = values[name_value(name, clusterer, s, "clusters", i)]
                assert -1.0 <= r <= 1.0 and 1 <= n <= s
    assert 0.0 < values["error"] < 0.2
    assert 0.5 < values[f"auc of {name}"] <= 1.0
