"""Comparisons of encodings: means over folds, ranking, agreement and figure."""

import matplotlib
import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from manyminds.analysis.correlation import (
    EncodingComparison,
    RankingWarning,
    correlation_score,
)

matplotlib.use("agg")
CLASSIFIERS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def draw(seed):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(90) % 3)
    X = rng.normal(size=(90, 6))
    X[:, :2] += 2.0 * np.c_[y, -y]
    return X, np.array(["a", "b", "c"])[y]


@pytest.mark.slow
def test_subsets_are_scored_on_training_parts_and_tested_on_test_parts(seed):
    X, y = draw(seed)
    subsets = [[0, 1], [0, 3], [4, 5], [1, 2]]
    found = EncodingComparison.from_subsets(X, y, subsets, classifiers=CLASSIFIERS)
    folds = list(StratifiedKFold(5).split(X, y))
    for i, one in enumerate(subsets):
        scores = [correlation_score(X[train][:, one], y[train]) for train, _ in folds]
        assert_allclose(found.scores[i], np.mean(scores), atol=1e-10)
        for name, model in CLASSIFIERS.items():
            accuracy = cross_val_score(model, X[:, one], y, cv=5).mean()
            assert_allclose(found.errors[name][i], 1 - accuracy)
    assert found.names[0] == "0, 1"
    assert found.table.index[-1] == "4, 5"  # two columns of noise
    assert_array_equal(found.n_columns, 2)


def test_encoders_are_fitted_to_training_rows(seed):
    X, y = draw(seed)
    encoders = {"raw": None, "two": PCA(2), "given": X[:, :1]}
    found = EncodingComparison.from_encoders(
        encoders, X, y, classifiers={"bayes": GaussianNB()}, method="r2"
    )
    scores, errors = [], []
    for train, test in StratifiedKFold(5).split(X, y):
        pca = PCA(2).fit(X[train])
        scores.append(correlation_score(pca.transform(X[train]), y[train]))
        model = GaussianNB().fit(pca.transform(X[train]), y[train])
        errors.append(1 - model.score(pca.transform(X[test]), y[test]))
    assert_allclose(found.scores[1], np.mean(scores), atol=1e-10)
    assert_allclose(found.errors["bayes"][1], np.mean(errors))
    assert_array_equal(found.n_columns, [6, 2, 1])
    assert_array_equal(found.table.columns, ["n_columns", "score", "bayes"])


def test_frames_with_categories_and_sparse_encodings(seed):
    X, y = draw(seed)
    hue = pd.Categorical(np.where(X[:, 0] > 0, "red", "blue"))
    frame = pd.DataFrame({"size": X[:, 1], "hue": hue})
    encoders = {"frame": None, "indicators": OneHotEncoder(handle_unknown="ignore")}
    found = EncodingComparison.from_encoders(
        encoders, frame[["hue"]], y, method="r2", min_range=0.0
    )
    assert_allclose(found.scores[0], found.scores[1], atol=1e-10)
    found = EncodingComparison.from_subsets(frame, y, [[0], [1]], min_range=0.0)
    alone = correlation_score(frame, y)
    assert found.scores.max() < alone + 0.2


@pytest.mark.slow
def test_jobs_and_seeds(seed):
    X, y = draw(seed)
    tree = {"tree": DecisionTreeClassifier(max_features=1)}
    options = {"classifiers": tree, "random_state": seed}
    encoders = {"bins": KBinsDiscretizer(3), "raw": None}
    found = []
    for n_jobs in (1, 2):
        with parallel_config("threading", n_jobs=n_jobs):
            subsets = EncodingComparison.from_subsets(X, y, [[0, 1], [2, 3]], **options)
            encoded = EncodingComparison.from_encoders(
                encoders, X, y, method="thesis_uncertainty", **options
            )
        found.append([subsets.table, encoded.table])
    for one, two in zip(*found):
        assert_array_equal(one, two)


def test_scores_alone_warn_when_they_are_close():
    X, y = load_iris(return_X_y=True)
    with pytest.warns(RankingWarning):
        found = EncodingComparison.from_subsets(X, y, [[2], [3]])
    assert 0.0 < found.score_range_ < 0.4
    assert found.agreement().empty
    with pytest.raises(ValueError, match="plot needs errors"):
        found.plot()


def test_figure_shows_points_lines_and_names():
    comparison = EncodingComparison(
        ["a", "b", "c"], [0.1, 0.5, 0.8], {"one": [0.3, 0.2, 0.1], "two": [0.4] * 3}
    )
    assert comparison.plot() is comparison
    ax = comparison.ax_
    assert comparison.figure_ is ax.figure
    assert [text.get_text() for text in ax.texts] == ["a", "b", "c"]
    assert_allclose(ax.collections[0].get_offsets()[:, 1], [0.3, 0.2, 0.1])
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["one (r = -1.00)", "two"]
    again = comparison.plot(ax=ax)
    assert again.ax_ is ax
    matplotlib.pyplot.close(comparison.figure_)


def test_errors_say_what_is_wrong(seed):
    X, y = draw(seed)
    with pytest.raises(ValueError, match="one value for each of the 2 names"):
        EncodingComparison(["a", "b"], [0.1], {"c": [0.1, 0.2]})
    with pytest.raises(ValueError, match="a table of 90 rows; got 3 rows"):
        EncodingComparison.from_encoders({"short": X[:3]}, X, y)
