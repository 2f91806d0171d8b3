"""ML-kNN against a twin that follows the paper's formulas label by label."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import from_arrays
from manyminds.ensemble import MLkNNClassifier
from manyminds.ensemble.multilabel import ml_knn
from manyminds.persistence import load_model, save_model


def score_naively(X, Y, x, k, s):
    """Return the posterior of each label for one row."""
    distance = ((X[:, None] - X) ** 2).sum(axis=2)
    np.fill_diagonal(distance, np.inf)
    near = np.argsort(distance, axis=1, kind="stable")[:, :k]
    near_x = np.argsort(((X - x) ** 2).sum(axis=1), kind="stable")[:k]
    scores = []
    for y in Y.T:
        prior = (s + y.sum()) / (2 * s + len(y))
        counts = y[near].sum(axis=1)
        with_label = [np.sum((counts == j) & (y == 1)) for j in range(k + 1)]
        without = [np.sum((counts == j) & (y == 0)) for j in range(k + 1)]
        c = y[near_x].sum()
        has = prior * (s + with_label[c]) / (s * (k + 1) + sum(with_label))
        has_not = (1 - prior) * (s + without[c]) / (s * (k + 1) + sum(without))
        scores.append(has / (has + has_not))
    return scores


def test_naive_twin(seed):
    rng = np.random.default_rng(seed)
    X, new = rng.normal(size=(60, 3)), rng.normal(size=(15, 3))
    Y = (X[:, :2] + rng.normal(size=(60, 2)) > 0.5).astype(int)
    for k, s in ((5, 1.0), (3, 0.2)):
        model = MLkNNClassifier(n_neighbors=k, smoothing=s).fit(X, Y)
        expected = [score_naively(X, Y, x, k, s) for x in new]
        assert_allclose(model.predict_proba(new), expected)


def test_blocks_do_not_change_the_counts(labeled, monkeypatch):
    X, Y = labeled
    expected = MLkNNClassifier().fit(X, Y).predict_proba(X)
    monkeypatch.setattr(ml_knn, "_BLOCK_CELLS", 100)
    assert_allclose(MLkNNClassifier().fit(X, Y).predict_proba(X), expected)


def test_fewer_rows_than_neighbors(labeled):
    X, Y = labeled
    model = MLkNNClassifier(n_neighbors=10).fit(X[:4], Y[:4])
    assert model.predict_proba(X).shape == Y.shape


@pytest.mark.parametrize("n_columns", [2, 6])
def test_model_files(tmp_path, labeled, n_columns):
    # Of few columns, neighbors are found by a tree, which is grown anew.
    X, Y = labeled
    X = pd.DataFrame(X).iloc[:, :n_columns]
    model = MLkNNClassifier().fit(X, Y)
    data = from_arrays(X, pd.DataFrame(Y).add_prefix("y"))
    save_model(tmp_path / "model.skops", model, data)
    made = load_model(tmp_path / "model.skops").estimator
    assert_array_equal(made.predict_proba(X), model.predict_proba(X))
