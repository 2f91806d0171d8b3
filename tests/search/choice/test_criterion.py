"""The criterion of mean less standard deviation, by hand and within a search."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier

from manyminds.search.choice.criterion import (
    choose_by_mean_minus_std,
    mean_minus_std,
)

SCORES = [[0.9, 0.5], [0.7, 0.6], [0.68, 0.68]]


def test_worked_example():
    assert_allclose(mean_minus_std(SCORES), [0.5, 0.6, 0.68])
    assert_allclose(mean_minus_std(SCORES, 2.0), [0.3, 0.55, 0.68])
    assert mean_minus_std(SCORES[0], 0.5) == pytest.approx(0.6)


def test_a_larger_alpha_prefers_steady_models():
    assert choose_by_mean_minus_std(SCORES, 0.0) == 0
    assert choose_by_mean_minus_std(SCORES) == 2
    named = {"wild": SCORES[0], "steady": [0.68, 0.68, 0.68]}
    assert choose_by_mean_minus_std(named) == "steady"
    assert choose_by_mean_minus_std(named, 0.0) == "wild"


def test_models_that_failed_come_last():
    assert choose_by_mean_minus_std([[np.nan, 0.9], [0.1, 0.2]]) == 1
    assert choose_by_mean_minus_std([[np.nan, 0.9]]) == 0


def test_equals_go_to_the_first():
    assert choose_by_mean_minus_std([[0.5, 0.5], [0.5, 0.5]]) == 0


def test_serves_a_search_as_refit():
    X, y = load_iris(return_X_y=True)
    grid = {"n_neighbors": [1, 5, 15, 60]}
    search = GridSearchCV(
        KNeighborsClassifier(), grid, refit=choose_by_mean_minus_std
    ).fit(X, y)
    results = search.cv_results_
    folds = np.column_stack([results[f"split{k}_test_score"] for k in range(5)])
    assert search.best_index_ == mean_minus_std(folds).argmax()


def test_says_what_is_wrong():
    with pytest.raises(ValueError, match="alpha must be at least 0; got -1"):
        mean_minus_std(SCORES, -1)
    with pytest.raises(ValueError, match="scores must have shape"):
        mean_minus_std([[]])
    with pytest.raises(ValueError, match="results has no models"):
        choose_by_mean_minus_std({})
