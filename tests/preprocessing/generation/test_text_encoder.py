"""Texts become numbers, whatever they hold."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from manyminds.preprocessing import TextEncoder

WORDS = [f"word{number}" for number in range(60)]


def make_texts(rng, n_rows=80):
    return [" ".join(rng.choice(WORDS, 6)) for _ in range(n_rows)]


def test_few_words_are_their_weights():
    X = pd.DataFrame({"note": ["red wine", "red car", "old red car", "old wine"]})
    made = TextEncoder(columns=["note"]).fit_transform(X)
    expected = TfidfVectorizer(min_df=2, sublinear_tf=True).fit_transform(X["note"])
    assert list(made) == ["note_0", "note_1", "note_2", "note_3"]
    assert_allclose(made, expected.toarray())


def test_many_words_are_components_of_scikit_learn(seed):
    texts = make_texts(np.random.default_rng(seed))
    X = pd.DataFrame({"size": 1.0, "note": pd.Categorical(texts)})
    encoder = TextEncoder(5, random_state=3).fit(X)
    made = encoder.transform(X)
    assert list(made) == ["size", *(f"note_{k}" for k in range(5))]
    weights = TfidfVectorizer(min_df=2, sublinear_tf=True).fit_transform(texts)
    lengths = TruncatedSVD(5, random_state=0).fit(weights).singular_values_
    assert_allclose(encoder.encoders_[1][1].singular_values_, lengths, rtol=1e-2)


def test_text_is_recognized_and_categories_are_left_alone(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"note": make_texts(rng), "hue": rng.choice(["a", "b"], 80)})
    encoder = TextEncoder(4).fit(X)
    assert list(encoder.encoders_) == [0]
    assert list(encoder.transform(X)) == [*(f"note_{k}" for k in range(4)), "hue"]


def test_missing_empty_and_unknown_texts_are_zero(seed):
    X = pd.DataFrame({"note": make_texts(np.random.default_rng(seed))})
    encoder = TextEncoder(4).fit(X)
    new = pd.DataFrame({"note": [None, "", "never heard of", X["note"][0], 3.5]})
    made = encoder.transform(new).to_numpy()
    assert_allclose(made[[0, 1, 2, 4]], 0.0)
    assert_allclose(made[3], encoder.transform(X).to_numpy()[0])
    empty = encoder.transform(pd.DataFrame({"note": [np.nan, np.nan]}))
    assert_allclose(empty, 0.0)


@pytest.mark.parametrize(
    ("texts", "n_made"),
    [(["", "", ""], 0), ([None, None, "!"], 0), (["one text"] * 3, 2), (["a"] * 3, 1)],
)
def test_texts_with_few_words_or_none(texts, n_made):
    X = pd.DataFrame({"note": texts, "size": [1.0, 2.0, 3.0]})
    made = TextEncoder(columns=["note"]).fit_transform(X)
    assert made.shape == (3, n_made + 1)
    assert np.isfinite(made.to_numpy(dtype=float)).all()


def test_columns_that_do_not_exist_are_named():
    with pytest.raises(ValueError, match="columns must name columns of X; got 'note'"):
        TextEncoder(columns=["nite", "nate", "note"][2:]).fit(pd.DataFrame({"a": [1]}))
    with pytest.raises(ValueError, match="columns must be None for a table without"):
        TextEncoder(columns=[0]).fit(np.ones((3, 1)))


def test_a_taken_name_gets_an_underscore():
    X = pd.DataFrame({"note": ["red wine", "old car", "red car"], "note_0": 1.0})
    names = TextEncoder(columns=["note"]).fit(X).get_feature_names_out()
    assert len(set(names)) == len(names) and "note_0_" in names


def test_statistics_that_vary_are_columns():
    X = pd.DataFrame({"note": ["red wine", "Old car", "a red car"], "size": 1.0})
    encoder = TextEncoder(1, columns=["note"], statistics=True).fit(X)
    made = encoder.transform(X)
    kept = ["note_characters", "note_words", "note_capitals"]
    assert list(made) == ["note_0", *kept, "size"]
    assert_allclose(made[kept], [[8, 2, 0], [7, 2, 1 / 7], [9, 3, 0]])
    new = encoder.transform(pd.DataFrame({"note": [None, "1!"], "size": 1.0}))
    assert_allclose(new[kept], [[0, 0, 0], [2, 1, 0]])
