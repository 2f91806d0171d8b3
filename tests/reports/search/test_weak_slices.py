"""Slices on which predictions are worse are found, and others are not."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from manyminds.datasets import Dataset, from_arrays
from manyminds.reports.search.weak_slices import find_weak_slices, measure_losses

N = 400


def make_search(made, classes=None):
    """Return what is read of a fitted search: out-of-fold predictions and folds."""
    half = len(made) // 2
    rows = np.arange(len(made))
    return SimpleNamespace(
        oof_predictions_=made,
        classes_=classes,
        class_weights_=None,
        folds_=[(None, rows[:half]), (None, rows[half:])],
    )


def make_frame(seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.uniform(0, 100, N),
            "town": pd.Categorical(rng.choice(["Bonn", "Köln", "Trier"], N)),
            "weight": np.where(rng.random(N) < 0.3, np.nan, rng.normal(size=N)),
        }
    )


def predict_classes(y, wrong):
    codes = (y == "b") ^ wrong
    return np.column_stack([~codes, codes]).astype(np.float64)


@pytest.mark.parametrize(
    ("condition", "find"),
    [
        ("town = Köln", lambda X: X["town"] == "Köln"),
        ("weight is missing", lambda X: X["weight"].isna()),
        ("age > ", lambda X: X["age"] > X["age"].quantile(0.75)),
    ],
)
def test_a_bad_slice_comes_first(condition, find, seed):
    X, rng = make_frame(seed), np.random.default_rng(seed)
    data = from_arrays(X, rng.choice(["a", "b"], N))
    wrong = find(X).to_numpy() & (rng.random(N) < 0.8)
    search = make_search(predict_classes(data.y, wrong), np.array(["a", "b"]))
    first = find_weak_slices(search, data)[0]
    assert first.condition.startswith(condition)
    assert first.loss > 0.6 and first.elsewhere == 0.0 and first.p_value < 0.001


def test_a_bad_class_is_found(seed):
    data = from_arrays(make_frame(seed), np.repeat(["a", "b"], N // 2))
    made = predict_classes(data.y, data.y == "b")
    weak = find_weak_slices(make_search(made, np.array(["a", "b"])), data)
    assert weak[0].condition == "class b" and weak[0].loss == 1.0


def test_random_errors_make_no_slices():
    # Bonferroni's bound: at most one table in twenty has a false slice. Of 20, more
    # than 5 have one less than once in 1,000 runs.
    n_false = 0
    for seed in range(20):
        X, rng = make_frame(seed), np.random.default_rng(seed)
        data = from_arrays(X, rng.choice(["a", "b"], N))
        made = predict_classes(data.y, rng.random(N) < 0.2)
        search = make_search(made, np.array(["a", "b"]))
        n_false += bool(find_weak_slices(search, data))
    assert n_false <= 5


def test_numbers_are_compared_by_absolute_errors(seed):
    X, rng = make_frame(seed), np.random.default_rng(seed)
    y = rng.normal(size=N)
    data = from_arrays(X, y, task="regression")
    search = make_search(y + np.where(X["town"] == "Bonn", 5.0, 0.1))
    assert_allclose(measure_losses(search, data, np.arange(N)).min(), 0.1)
    weak = find_weak_slices(search, data)
    assert [one.condition for one in weak] == ["town = Bonn"]
    assert_allclose([weak[0].loss, weak[0].elsewhere], [5.0, 0.1])


def test_labels_are_compared_by_wrong_ones(seed):
    X, rng = make_frame(seed), np.random.default_rng(seed)
    y = pd.DataFrame(rng.integers(0, 2, (N, 2)), columns=["x", "z"])
    data = Dataset("toy", X, y, "multilabel")
    wrong = (X["town"] == "Bonn").to_numpy()
    made = y.to_numpy() ^ np.column_stack([wrong, np.zeros(N, bool)])
    weak = find_weak_slices(make_search(made.astype(float)), data)
    assert weak[0].condition == "town = Bonn" and weak[0].loss == 0.5


def test_small_sparse_and_constant_tables():
    tiny = from_arrays(np.arange(6.0)[:, None], ["a", "b"] * 3)
    made = predict_classes(tiny.y, np.array([True] * 3 + [False] * 3))
    search = make_search(made, np.array(["a", "b"]))
    assert find_weak_slices(search, tiny) == ()
    y = np.repeat(["a", "b"], N // 2)
    search = make_search(predict_classes(y, np.zeros(N, bool)), np.array(["a", "b"]))
    sparse = Dataset("toy", csr_array(np.eye(N)), y, "classification")
    assert find_weak_slices(search, sparse) == ()
    constant = from_arrays(np.ones((N, 1)), y)
    assert find_weak_slices(search, constant) == ()
