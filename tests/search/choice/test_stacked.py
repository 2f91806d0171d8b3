"""Stacked models read a table and what other models predict for it."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from manyminds.search.choice.stacked import (
    StackedClassifier,
    StackedRegressor,
    append_predictions,
    count_appended,
    predict_members,
)
from manyminds.search.choice.vote import VoteClassifier, VoteRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
NUMBERS = X[:, 0] * X[:, 1] + 0.1 * RNG.normal(size=80)
CLASSES = np.array(["a", "b", "c"])[np.digitize(NUMBERS, [-0.3, 0.3])]


class Counting(LinearRegression):
    """Count calls of predict."""

    n_calls = 0

    def predict(self, X):
        type(self).n_calls += 1
        return super().predict(X)


def test_worked_example():
    table = append_predictions([[7.0], [8.0]], [np.array([1.0, 2.0])])
    assert_array_equal(table, [[7.0, 1.0], [8.0, 2.0]])
    two = append_predictions([[7.0]], [np.array([[0.25, 0.75]])])
    assert_array_equal(two, [[7.0, 0.75]])  # the first class is one minus the second
    three = append_predictions([[7.0]], [np.array([[0.25, 0.5, 0.25]])])
    assert_array_equal(three, [[7.0, 0.25, 0.5, 0.25]])


@pytest.mark.parametrize(("n_classes", "n"), [(0, 1), (2, 1), (3, 3), (26, 26)])
def test_columns_are_counted(n_classes, n):
    made = np.full((4, n_classes), 0.5) if n_classes else np.zeros(4)
    assert append_predictions(np.zeros((4, 2)), [made]).shape == (4, 2 + n)
    assert count_appended(n_classes) == n


def test_frames_keep_their_columns_and_index():
    frame = pd.DataFrame(
        {"prediction": ["u", "v"], "prediction_ 1": [0.5, 1.5]}, index=[7, 3]
    ).astype({"prediction": "category"})
    table = append_predictions(frame, [np.array([1.0, 2.0]), np.array([3.0, 4.0])])
    assert table.index.tolist() == [7, 3] and table.columns.is_unique
    pd.testing.assert_frame_equal(table[frame.columns], frame)
    assert table.iloc[:, 2:].to_numpy().tolist() == [[1.0, 3.0], [2.0, 4.0]]


def test_columns_at_prediction_are_those_of_training():
    frame = pd.DataFrame({"x": [0.1, 0.2]})
    made = [np.array([0.3, 0.7])]
    names = [append_predictions(part, made[:1]).columns for part in (frame, frame)]
    assert_array_equal(*names)
    # Stored probabilities are of single precision.
    exact = np.array([[1 / 3, 1 / 3, 1 / 3]])
    assert_array_equal(
        append_predictions([[0.0]], [exact]),
        append_predictions([[0.0]], [exact.astype(np.float32)]),
    )


def test_classes_are_predicted_from_columns_and_probabilities():
    inputs = [GaussianNB().fit(X, CLASSES), LogisticRegression().fit(X, CLASSES)]
    table = np.hstack([X, *(one.predict_proba(X) for one in inputs)])
    learner = DecisionTreeClassifier(max_depth=3, random_state=0).fit(table, CLASSES)
    model = StackedClassifier.of_fitted(inputs, learner, CLASSES)
    assert_array_equal(model.classes_, ["a", "b", "c"])
    assert_allclose(model.predict_proba(X), learner.predict_proba(table), atol=1e-6)
    assert_array_equal(model.predict(X), learner.predict(table))
    assert model.n_features_in_ == 3


def test_an_input_may_lack_a_class():
    some = CLASSES != "b"
    inputs = [GaussianNB().fit(X[some], CLASSES[some])]
    made = np.zeros((80, 3))
    made[:, [0, 2]] = inputs[0].predict_proba(X)
    learner = LogisticRegression().fit(append_predictions(X, [made]), CLASSES)
    model = StackedClassifier.of_fitted(inputs, learner, CLASSES)
    assert model.predict_proba(X).shape == (80, 3)


def test_numbers_are_predicted_from_columns_and_numbers():
    first = LinearRegression().fit(X, NUMBERS)
    table = np.column_stack([X, first.predict(X)])
    learner = DecisionTreeRegressor(max_depth=3, random_state=0).fit(table, NUMBERS)
    model = StackedRegressor.of_fitted([first], learner, NUMBERS)
    assert_array_equal(model.predict(X), learner.predict(table))


def make_stack(first, seed):
    table = np.column_stack([X, first.predict(X)])
    learner = DecisionTreeRegressor(max_depth=2, random_state=seed).fit(table, NUMBERS)
    return StackedRegressor.of_fitted([first], learner, NUMBERS)


def test_inputs_of_several_members_predict_once():
    first = Counting().fit(X, NUMBERS)
    members = [make_stack(first, 0), first, make_stack(first, 1)]
    vote = VoteRegressor.of_fitted(members, NUMBERS, [0.5, 0.25, 0.25])
    naive = sum(w * m.predict(X) for w, m in zip(vote.weights, members))
    Counting.n_calls = 0
    assert_allclose(vote.predict(X), naive)
    assert Counting.n_calls == 1


def test_a_vote_of_stacked_classifiers():
    inputs = [GaussianNB().fit(X, CLASSES)]
    table = append_predictions(X, [inputs[0].predict_proba(X)])
    learner = DecisionTreeClassifier(max_depth=3, random_state=0).fit(table, CLASSES)
    stack = StackedClassifier.of_fitted(inputs, learner, CLASSES)
    vote = VoteClassifier.of_fitted([stack, inputs[0]], CLASSES, [0.75, 0.25])
    naive = 0.75 * stack.predict_proba(X) + 0.25 * inputs[0].predict_proba(X)
    assert_allclose(vote.predict_proba(X), naive)


def test_members_without_stacked_models_are_not_kept_in_memory():
    members, seen = [object(), object()], []

    def predict(model):
        seen.append(model)
        return np.zeros(1)

    made = predict_members([*members, members[0]], predict)
    next(made)
    assert seen == members[:1]  # one after the other
    list(made)
    assert seen == [*members, members[0]]
