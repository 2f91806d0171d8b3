import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression

from manyminds.datasets import Dataset
from manyminds.persistence import load_model, save_model
from manyminds.search.choice.fold_vote import FoldVoteClassifier, FoldVoteRegressor


def make_folds_of_models(kind, X, y):
    fold = np.arange(len(y)) % 3
    return [kind().fit(X[fold != k], y[fold != k]) for k in range(3)]


@pytest.fixture
def table(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    return X, (X[:, 0] + rng.normal(size=60) > 0).astype(int)


def test_probabilities_are_means_over_folds_of_original_classes(table, tmp_path):
    X, codes = table
    models = make_folds_of_models(LogisticRegression, X, codes)
    names = np.array(["no", "yes"])[codes]
    vote = FoldVoteClassifier.of_fitted(models, names, True)
    expected = np.mean([one.predict_proba(X) for one in models], axis=0)
    frame = pd.DataFrame(X, columns=["a", "b"])
    np.testing.assert_allclose(vote.predict_proba(frame), expected)
    decided = np.array(["no", "yes"])[expected.argmax(axis=1)]
    assert (vote.predict(frame) == decided).all()
    data = Dataset("toy", frame, names, "classification")
    save_model(tmp_path / "model.skops", vote, data)
    again = load_model(tmp_path / "model.skops")
    np.testing.assert_allclose(again.estimator.predict_proba(frame), expected)


def test_a_fold_without_a_class_gives_it_no_probability(table):
    X, codes = table
    model = LogisticRegression().fit(X, codes)  # of two of three classes
    vote = FoldVoteClassifier.of_fitted([model], np.append(codes, 2), True)
    made = vote.predict_proba(X)
    assert made.shape == (60, 3) and (made[:, 2] == 0).all()


def test_numbers_are_means_over_folds(table):
    X, _ = table
    models = make_folds_of_models(LinearRegression, X, X[:, 1] ** 2)
    vote = FoldVoteRegressor.of_fitted(models, X[:, 1], True)
    expected = np.mean([one.predict(X) for one in models], axis=0)
    np.testing.assert_allclose(vote.predict(X), expected)


def test_another_fit_is_to_all_rows(table):
    X, codes = table
    names = np.array(["no", "yes"])[codes]
    vote = FoldVoteClassifier([LogisticRegression()], True).fit(X, names)
    expected = LogisticRegression().fit(X, names).predict_proba(X)
    np.testing.assert_allclose(vote.predict_proba(X), expected)
