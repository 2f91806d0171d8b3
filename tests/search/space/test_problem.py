"""The problem of a search: what a table and its target are like."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris

from manyminds.search import Problem, UninformativeTableError
from manyminds.search.space.problem import check_informative


def test_a_problem_knows_its_table():
    X, y = load_iris(return_X_y=True)
    problem = Problem.of(X, y, "classification")
    assert (problem.n_samples, problem.n_features, problem.n_classes) == (150, 4, 3)
    assert problem.is_balanced and not problem.has_missing and not problem.sparse


def test_columns_of_a_frame_are_counted():
    X = pd.DataFrame(
        {
            "size": np.arange(40.0),
            "hue": pd.Categorical(["red"] * 25 + ["blue"] * 11 + ["rare"] * 4),
            "gap": pd.Categorical(["a"] * 20 + [None] * 20),
        }
    )
    problem = Problem.of(X, np.arange(40) % 2, "classification", "auc")
    assert (problem.n_features, problem.n_categorical) == (3, 2)
    assert problem.n_encoded == 1 + 3 + 2  # missing is a level, too
    assert problem.levels == (2, 2)  # the rare one may be missing in a fold
    assert problem.n_numbers == 1 and problem.has_missing
    assert problem.metric == "auc" and not problem.sparse


def test_free_text_is_no_category():
    texts = [f"remark {place} of many" for place in range(40)]
    X = pd.DataFrame({"note": pd.Categorical(texts), "size": np.arange(40.0)})
    problem = Problem.of(X, np.arange(40) % 2, "classification")
    assert problem.texts == ("note",) and problem.n_categorical == 0
    assert problem.scores_texts
    assert problem.n_encoded == problem.n_numbers == 10 + 1 + 1  # and a score
    many = Problem.of(X, np.arange(40) % 4, "classification")
    assert many.n_encoded == 10 + 4 + 1
    assert Problem.of(X, np.arange(40.0), "regression").n_encoded == 10 + 1 + 1
    labels = np.column_stack([np.arange(40) % 2, np.arange(40) % 3 == 0])
    assert Problem.of(X, labels, "multilabel").n_encoded == 10 + 1


def test_numbers_have_no_classes():
    problem = Problem.of(np.eye(4), np.arange(4.0), "regression")
    assert problem.n_classes == problem.smallest_class == 0
    assert problem.is_balanced and problem.n_encoded == 4


def test_columns_that_are_nearly_constant_are_not_counted():
    # Where values are missing, ten others than the median must be there.
    X = np.full((40, 3), np.nan)
    X[:, 0] = np.arange(40)
    X[:20, 1] = [0.0] * 11 + [1.0] * 9
    X[:21, 2] = [0.0] * 11 + [1.0] * 10
    assert Problem.of(X, np.zeros(40), "regression").n_numbers == 2


def test_dates_are_encoded_before_they_are_counted():
    X = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=30), "x": 1.0})
    problem = Problem.of(X, np.arange(30.0), "regression")
    assert problem.n_features == 2 and problem.n_dates == 1 and problem.n_encoded > 2


@pytest.mark.parametrize("missing", [False, True])
def test_sparse_tables(missing):
    X = csr_array(np.diag([1.0, 2.0, np.nan if missing else 3.0]))
    problem = Problem.of(X, np.array([0, 1, 1]), "classification")
    assert problem.sparse and problem.has_missing is missing and problem.n_numbers == 3


@pytest.mark.parametrize(
    ("smallest", "is_balanced"), [(20, True), (19, False), (30, True)]
)
def test_two_thirds_of_an_equal_share_are_balanced(smallest, is_balanced):
    problem = Problem("classification", 60, 2, n_classes=2, smallest_class=smallest)
    assert problem.is_balanced is is_balanced


@pytest.mark.parametrize(
    "X",
    [
        np.full((4, 2), 3.0),
        np.full((4, 2), np.nan),
        csr_array((4, 2)),
        pd.DataFrame({"one": pd.Categorical(["a"] * 4), "two": [2.0] * 4}),
    ],
    ids=["constant", "missing", "sparse", "frame"],
)
def test_a_table_that_does_not_vary_is_refused(X):
    with pytest.raises(UninformativeTableError, match="each of its 2 columns is"):
        check_informative(X)


def test_one_column_that_varies_is_enough():
    check_informative(np.array([[1.0, 0.0], [1.0, 1.0]]))
    days = pd.DataFrame({"day": pd.date_range("2024-01-01", periods=4)})
    check_informative(days)


def test_constant_columns_do_not_count():
    X = np.column_stack([np.arange(20.0), np.zeros(20), np.ones(20)])
    problem = Problem.of(X, np.arange(20) % 2, "classification")
    assert (problem.n_constant, problem.n_encoded, problem.n_numbers) == (2, 1, 1)
    X[0, 0] = np.nan  # cleaning drops them in each fold
    assert Problem.of(X, np.arange(20) % 2, "classification").n_constant == 0
    frame = pd.DataFrame({"a": [1.0] * 20, "b": pd.Categorical(["x", "y"] * 10)})
    problem = Problem.of(frame, np.arange(20.0), "regression")
    assert (problem.n_constant, problem.n_encoded) == (1, 2)
