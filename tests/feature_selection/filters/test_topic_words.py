"""Topic words: items of the acceptance list, a naive twin, ties, published lists."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import make_reading_sessions
from manyminds.feature_selection import TopicWordSelector


def draw(seed, n_rows=40, n_words=12, n_topics=3):
    rng = np.random.default_rng(seed)
    y = np.arange(n_rows) % n_topics
    rate = rng.gamma(0.5, size=(n_topics, n_words))
    return rng.poisson(rate[y]), y


def find_gain_naively(x, is_topic):
    """Return the largest information gain of any threshold, in bits."""

    def entropy(labels):
        p = np.mean(labels)
        return -sum(q * np.log2(q) for q in (p, 1.0 - p) if q > 0.0)

    best = 0.0
    for threshold in np.unique(x)[:-1]:
        low = x <= threshold
        parts = [is_topic[low], is_topic[~low]]
        rest = sum(len(one) / len(x) * entropy(one) for one in parts)
        best = max(best, entropy(is_topic) - rest)
    return best


def test_item_1_a_word_of_all_documents_gains_nothing(seed):
    X, y = draw(seed)
    X[:, 4] = 1 + 5 * (y == 1)  # in all documents, and a perfect split
    assert_allclose(TopicWordSelector().fit(X, y).gains_[:, 4], 0.0)
    perfect = TopicWordSelector(idf=False).fit(X, y).gains_[1, 4]
    assert perfect == pytest.approx(find_gain_naively(X[:, 4], y == 1))


@pytest.mark.parametrize("idf", [True, False])
def test_naive_twin(seed, idf):
    X, y = draw(seed)
    gains = TopicWordSelector(idf=idf).fit(csr_array(X), y).gains_
    n_with = (X > 0).sum(axis=0)
    weights = X * np.log(len(X) / np.maximum(n_with, 1)) if idf else X
    expected = [
        [find_gain_naively(column, y == topic) for column in weights.T]
        for topic in range(3)
    ]
    assert_allclose(gains, expected, atol=1e-12)


def test_gain_is_that_of_a_stump(seed):
    X, y = draw(seed)
    gains = TopicWordSelector(idf=False).fit(X, y).gains_
    for topic in range(3):
        stump = DecisionTreeClassifier(max_depth=1, criterion="entropy")
        tree = stump.fit(X[:, [0]], y == topic).tree_
        rest = tree.impurity[1:] @ tree.n_node_samples[1:] / len(X)
        left = tree.impurity[0] - rest if tree.node_count > 1 else 0.0
        assert gains[topic, 0] == pytest.approx(left, abs=1e-12)


def test_item_2_each_topic_has_its_words_by_decreasing_gain(seed):
    X, y = draw(seed)
    for n_words, n_found in ((5, 5), (100, 12)):
        selector = TopicWordSelector(n_words).fit(X, y)
        assert selector.topic_words_.shape == (3, n_found)
        for gains, words in zip(selector.gains_, selector.topic_words_):
            assert len(set(words)) == n_found
            assert (np.diff(gains[words]) <= 1e-9).all()
            others = np.setdiff1d(np.arange(12), words)
            assert gains[others].max(initial=0.0) <= gains[words[-1]] + 1e-9
        assert set(np.flatnonzero(selector.support_)) == set(
            selector.topic_words_.ravel()
        )


def test_item_2_monotone_transforms_do_not_matter(seed):
    X, y = draw(seed)
    expected = TopicWordSelector(idf=False).fit(X, y).gains_
    for transform in (np.sqrt, np.square, lambda x: np.expm1(0.3 * x)):
        found = TopicWordSelector(idf=False).fit(transform(X), y).gains_
        assert_allclose(found, expected, atol=1e-12)
    # The weights of tf-idf are such a transform, except for words of all documents.
    rare = (X == 0).any(axis=0)
    weighted = TopicWordSelector().fit(X, y).gains_
    assert_allclose(weighted[:, rare], expected[:, rare], atol=1e-12)


def test_ties_go_to_the_larger_mean_then_to_the_alphabet():
    X = pd.DataFrame({"pear": [1, 0, 0], "fig": [1, 0, 0], "apple": [2, 0, 0]})
    selector = TopicWordSelector().fit(X, ["fruit", "x", "x"])
    assert_array_equal(X.columns[selector.topic_words_[0]], ["apple", "fig", "pear"])
    unnamed = TopicWordSelector().fit(X.to_numpy(), ["fruit", "x", "x"])
    assert unnamed.topic_words_[0].tolist() == [2, 0, 1]


def test_words_of_the_published_lists_are_found():
    # Documents are made of the published lists.
    study = make_reading_sessions(1, n_documents_per_topic=20, random_state=0)
    selector = TopicWordSelector().fit(study.counts, study.document_topics)
    found = set(study.vocabulary[selector.topic_words_[1]])
    assert {"dinosaur", "species", "cretaceous", "fossil", "lizard"} <= found
    film = study.vocabulary[selector.topic_words_[7]]
    assert {"film", "movie", "filmmakers"} <= set(film)


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0], [-1.0]], [0, 1], "Negative values"),
        ([[1.0], [1.0]], [0, 0], "y must have two classes or more"),
    ],
)
def test_bad_input(X, y, message):
    with pytest.raises(ValueError, match=message):
        TopicWordSelector().fit(X, y)
