"""Weights of words, queries of topics, scores of documents."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import roc_auc_score

from manyminds.datasets import make_reading_sessions
from manyminds.preprocessing import learn_topic_queries, score_documents, weigh_words


def test_item_1_a_word_of_all_documents_weighs_nothing(seed):
    counts = np.random.default_rng(seed).integers(1, 9, size=(20, 3))
    counts[:5, 1] = 0
    weights = weigh_words(counts).toarray()
    assert_allclose(weights[:, [0, 2]], 0.0)
    assert_allclose(weights[:, 1], counts[:, 1] * np.log(20 / 15))


def test_weights_are_scikit_learns_less_the_counts(seed):
    # Its idf without smoothing is ours plus 1.
    counts = csr_matrix(np.random.default_rng(seed).poisson(0.5, size=(30, 8)))
    theirs = TfidfTransformer(norm=None, smooth_idf=False).fit_transform(counts)
    kept = np.flatnonzero(counts.sum(axis=0))
    found = weigh_words(counts) + counts.astype(float)
    assert_allclose(found.toarray()[:, kept], theirs.toarray()[:, kept])


def test_scores_by_hand():
    # Of three documents two have each word: all idf are log(3 / 2), which cancels.
    counts = np.array([[3, 4, 0], [0, 1, 0], [1, 0, 0]])
    scores = score_documents(counts, terms=[0, 0, 1], scores=[1.0, 0.0, 0.2])
    assert_allclose(scores, [0.6 * 0.5 + 0.8 * 0.2, 0.2, 0.5])


def test_order_of_views_and_length_of_documents_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    counts, terms = rng.poisson(0.7, size=(12, 9)), rng.integers(9, size=30)
    scores, order = rng.normal(size=30), rng.permutation(30)
    expected = score_documents(counts, terms, scores)
    found = score_documents(csr_matrix(5 * counts), terms[order], scores[order])
    assert_allclose(found, expected, atol=1e-12)


def test_queries_find_the_documents_of_their_topics(seed):
    study = make_reading_sessions(1, n_topics=6, random_state=seed)
    topics = np.array(study.topic_names)[study.document_topics]
    is_even = np.arange(60) % 2 == 0
    queries = learn_topic_queries(study.counts[is_even], topics[is_even])
    assert queries.shape == (6, len(study.vocabulary))
    terms = np.arange(len(study.vocabulary))
    for topic, query in zip(sorted(study.topic_names), queries):
        scores = score_documents(study.counts, terms, query)
        # Over 100 draws the smallest of the six areas was always 1.
        assert roc_auc_score(topics[~is_even] == topic, scores[~is_even]) > 0.95


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: weigh_words([[-1.0, 2.0]]), "counts must be 0 or more"),
        (
            lambda: score_documents([[1, 2]], [2], [0.5]),
            "terms must be integers from 0",
        ),
        (lambda: score_documents([[1, 2]], [0.5], [0.5]), "terms must be integers"),
        (lambda: score_documents([[1, 2]], [0, 1], [0.5]), "inconsistent numbers"),
        (lambda: learn_topic_queries([[1, 2]], [0]), "topics must have two topics"),
        (lambda: learn_topic_queries([[1], [2]], [0]), "inconsistent numbers"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(ValueError, match=message):
        call()
