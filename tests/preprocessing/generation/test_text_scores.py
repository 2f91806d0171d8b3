"""Scores of texts; in training, of other rows only."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import Ridge

from manyminds.preprocessing import TextScores

WORDS = [f"word{number}" for number in range(60)]


def make_texts(rng, n_rows=120, n_words=6):
    return [" ".join(rng.choice(WORDS, n_words)) for _ in range(n_rows)]


def predict_naively(texts, y, new):
    """Return what ridge regression on the dense tf-idf of words and pairs predicts."""
    counter = CountVectorizer(ngram_range=(1, 2), min_df=2).fit(texts)
    tfidf = TfidfTransformer(sublinear_tf=True).fit(counter.transform(texts))
    weigh = lambda one: tfidf.transform(counter.transform(one)).toarray()  # noqa: E731
    return Ridge(1.0, solver="cholesky").fit(weigh(texts), y).predict(weigh(new))


def assert_nearly_equal(found, expected):
    """Compare up to hashing: some of 600 terms share one of 262,144 numbers.

    Measured over 200 draws: correlations from 0.985 on, and means up to 0.06 standard
    deviations apart.
    """
    assert np.corrcoef(found, expected)[0, 1] > 0.95
    assert_allclose(found.mean(), expected.mean(), atol=0.2 * expected.std())


def test_scores_are_those_of_a_ridge_regression(seed):
    rng = np.random.default_rng(seed)
    texts, new = make_texts(rng), make_texts(rng)
    y = np.array([text.count("1") for text in texts]) + rng.normal(size=120)
    made = TextScores().fit(pd.DataFrame({"note": texts}), y)
    found = made.transform(pd.DataFrame({"note": new}))["score by note"]
    expected = predict_naively(texts, y, new)
    assert_nearly_equal(found.to_numpy(), expected)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_score_of_a_row_does_not_use_its_own_target(task, seed):
    rng = np.random.default_rng(seed)
    X, y = pd.DataFrame({"note": make_texts(rng)}), rng.integers(2, size=120)
    scores = TextScores(task=task)
    made = scores.fit_transform(X, y)["score by note"].to_numpy()
    if task == "regression":  # folds do not depend on the target
        for row in range(3):
            changed = y.copy()
            changed[row] += 10
            other = scores.fit_transform(X, changed)["score by note"].to_numpy()
            assert other[row] == made[row]
            assert (other != made).mean() > 0.5
    fitted = scores.fit(X, y).transform(X)["score by note"]
    assert not np.allclose(fitted, made)


def test_cross_fitting_is_that_of_a_naive_twin(seed):
    # Each row is predicted by a model of the rows that its fold leaves. Which rows are
    # a fold is seen by changing a target: the scores of its fold stay.
    rng = np.random.default_rng(seed)
    X, y = pd.DataFrame({"note": make_texts(rng)}), rng.normal(size=120)
    made = TextScores().fit_transform(X, y)["score by note"].to_numpy()
    other = TextScores().fit_transform(X, y + 9.0 * (np.arange(120) == 7))
    inside = (other["score by note"] == made).to_numpy()
    assert inside.sum() == 24 and inside[7]

    counter = CountVectorizer(ngram_range=(1, 2), min_df=2)
    counts = counter.fit_transform(X["note"])
    weights = TfidfTransformer(sublinear_tf=True).fit_transform(counts).toarray()
    ridge = Ridge(1.0, solver="cholesky").fit(weights[~inside], y[~inside])
    expected = ridge.predict(weights[inside])
    assert_nearly_equal(made[inside], expected)


def test_noise_does_not_leak(seed):
    # Scores of all rows correlate with a random target by 0.9 or more. Out of fold, a
    # correct build passes 4.5 standard errors less than once in 100,000 runs.
    rng = np.random.default_rng(seed)
    X, y = pd.DataFrame({"note": make_texts(rng, 400)}), rng.normal(size=400)
    scores = TextScores().fit(X, y)
    leaked = scores.transform(X)["score by note"]
    made = scores.fit_transform(X, y)["score by note"]
    assert np.corrcoef(leaked, y)[0, 1] > 0.6
    assert np.corrcoef(made, y)[0, 1] * np.sqrt(400) < norm.isf(1e-5)


def test_a_score_for_each_of_several_classes(seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(["ant", "bee", "cow"], 150)
    X = pd.DataFrame(
        {"note": [f"{text} of an {a}" for text, a in zip(make_texts(rng, 150), y)]}
    )
    made = TextScores().fit_transform(X, y)
    assert list(made)[1:] == [f"score by note of class {k}" for k in range(3)]
    assert_allclose(made.iloc[:, 1:].sum(axis=1), 1.0, atol=0.05)
    assert (
        np.array(["ant", "bee", "cow"])[made.iloc[:, 1:].to_numpy().argmax(1)] == y
    ).all()


def test_rare_classes_of_many_have_no_score(seed):
    y = np.repeat(np.arange(25), 8)[: 25 * 8 - 5]
    X = pd.DataFrame({"note": make_texts(np.random.default_rng(seed), len(y))})
    scores = TextScores(columns=["note"]).fit(X, y)
    assert_array_equal(scores.outputs_, np.arange(20))  # equally frequent: the first
    assert scores.fit_transform(X, y).shape == (len(y), 21)


def test_missing_and_unknown_texts_have_the_same_score(seed):
    rng = np.random.default_rng(seed)
    X, y = pd.DataFrame({"note": make_texts(rng)}), rng.normal(size=120)
    X.loc[3, "note"] = None
    scores = TextScores().fit(X, y)
    new = pd.DataFrame({"note": [None, "", "never heard of", 3.5]})
    made = scores.transform(new)["score by note"]
    assert made.nunique() == 1 and np.isfinite(made).all()
    assert np.isfinite(scores.fit_transform(X, y)["score by note"]).all()


@pytest.mark.parametrize("texts", [["", None, "!"] * 4, [None] * 12])
def test_columns_without_words_have_no_score(texts):
    X = pd.DataFrame({"note": texts, "size": np.arange(12.0)})
    scores = TextScores(columns=["note"]).fit(X, [0, 1] * 6)
    assert scores.models_ == {} and scores.transform(X) is X


def test_one_class_has_no_score(seed):
    X = pd.DataFrame({"note": make_texts(np.random.default_rng(seed))})
    assert list(TextScores().fit_transform(X, [1] * 120)) == ["note"]


def test_words_of_one_text_count_where_there_are_no_others():
    X = pd.DataFrame({"note": ["red wine", "old car", "new bus", "big ship"]})
    scores = TextScores(columns=["note"]).fit(X, [0, 1, 0, 1])
    assert len(scores.models_[0][0]) == 12
    assert_array_equal(scores.transform(X)["score by note"].round(), [0, 1, 0, 1])


def test_the_most_frequent_terms_count(seed):
    rng = np.random.default_rng(seed)
    texts = ["wine " + text for text in make_texts(rng)]
    X, y = pd.DataFrame({"note": texts}), rng.normal(size=120)
    wine = pd.DataFrame({"note": ["wine"] * 120})
    terms = TextScores(max_terms=1).fit(X, y).models_[0][0]
    only = TextScores(columns=["note"], max_length=1).fit(wine, y)
    assert_array_equal(terms, only.models_[0][0])


def test_the_score_of_a_row_does_not_use_its_own_group(seed):
    # Each group has its own word, which tells its target and nothing about others.
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(30), 6)
    X = pd.DataFrame({"text": [f"word{code} and more" for code in groups]})
    y = rng.normal(size=30)[groups]
    plain = TextScores(columns=["text"]).fit_transform(X, y)["score by text"]
    made = TextScores(columns=["text"]).fit_transform(X, y, groups=groups)
    assert np.corrcoef(plain, y)[0, 1] > 0.9
    assert np.corrcoef(made["score by text"], y)[0, 1] < 0.5
