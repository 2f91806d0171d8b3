"""Decision graphs: the list of candidates, walked one sample at a time."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble import DecisionDAGClassifier
from manyminds.ensemble.graphs.decision_dag import read_order


def table(seed, n_classes=6, n_samples=120):
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % n_classes
    return rng.normal(size=(n_classes, 3))[y] + rng.normal(size=(n_samples, 3)), y


def walk(model, x, order):
    """Predict one sample by the list of the paper, in the words of the paper."""
    members = {tuple(p): m for p, m in zip(model.pairs_, model.estimators_)}
    candidates, path = list(order), []
    while len(candidates) > 1:
        first, last = candidates[0], candidates[-1]
        winner = members[min(first, last), max(first, last)].predict([x])[0]
        loser = last if winner == first else first
        path.append([winner, loser])
        candidates.remove(loser)
    return candidates[0], path


@pytest.mark.parametrize("order", ["sorted", [3, 0, 5, 1, 4, 2]])
def test_graph_is_the_list_of_candidates(seed, order):
    # Item 6 of the acceptance list: C - 1 decisions for each sample.
    X, y = table(seed)
    model = DecisionDAGClassifier(
        DecisionTreeClassifier(max_depth=2), random_state=seed
    )
    model.set_params(class_order=order).fit(X, y)
    new = np.random.default_rng(seed).normal(size=(40, 3))
    predicted, paths = model.predict(new), model.decision_path(new)
    assert paths.shape == (40, 5, 2)
    for x, label, path in zip(new, predicted, paths):
        expected = walk(model, x, range(6) if order == "sorted" else order)
        assert (label, path.tolist()) == expected


class Table(ClassifierMixin, BaseEstimator):
    """A member that knows who beats whom, by a table in the first column of X."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        first, second = self.classes_
        # The sample holds the class that beats all others; elsewhere the higher wins.
        return np.where(X[:, 0] == first, first, second)


def test_a_class_that_beats_all_others_is_returned_in_any_order(seed):
    # Item 6: in a tournament with a champion, whatever else happens.
    rng = np.random.default_rng(seed)
    y = np.arange(7)
    champions = rng.integers(7, size=(50, 1)) * 1.0
    for _ in range(10):
        order = rng.permutation(7)
        model = DecisionDAGClassifier(Table(), class_order=order)
        model.fit(np.zeros((7, 1)), y)
        assert_array_equal(model.predict(champions), champions[:, 0])


def test_without_a_champion_the_order_decides():
    # Rock, paper, scissors: no class beats both others, and the middle one wins.
    class Cycle(Table):
        def predict(self, X):
            first, second = self.classes_
            wins = first if (second - first) % 3 == 2 else second
            return np.full(len(X), wins)

    for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
        model = DecisionDAGClassifier(Cycle(), class_order=order)
        model.fit(np.zeros((3, 1)), [0, 1, 2])
        assert model.predict([[0.0]])[0] == order[1]


def test_number_of_predictions(seed):
    # Each sample is predicted C - 1 times, by no more than C (C - 1) / 2 calls.
    calls = []

    class Counting(DecisionTreeClassifier):
        def predict(self, X):
            calls.append(len(X))
            return super().predict(X)

    X, y = table(seed)
    DecisionDAGClassifier(Counting()).fit(X, y).predict(X)
    assert sum(calls) == 5 * len(X) and len(calls) <= 15


def test_labels_of_the_order():
    labels = np.array(["a", "b", "c"])
    assert_array_equal(read_order("sorted", labels), [0, 1, 2])
    for wrong in (["a", "b"], ["a", "b", "b"], ["a", "b", "x"]):
        with pytest.raises(ValueError, match="class_order must have each of the class"):
            read_order(wrong, labels)


def test_bad_order_is_refused_by_fit(seed):
    X, y = table(seed)
    with pytest.raises(ValueError, match="class_order"):
        DecisionDAGClassifier(class_order=[1, 2]).fit(X, y)
