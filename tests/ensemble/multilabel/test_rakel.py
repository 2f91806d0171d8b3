"""RAkEL: draws of labelsets, votes, and the acceptance list of the specification."""

from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import (
    BinaryRelevanceClassifier,
    DisjointRAkELClassifier,
    LabelPowersetClassifier,
    RAkELClassifier,
)
from manyminds.ensemble.multilabel.rakel import draw_subsets
from manyminds.trees import DecisionTreeClassifier

BASE = LogisticRegression(max_iter=500)


def test_acceptance_1_all_labels_in_one_set_is_the_label_powerset(labeled):
    X, Y = labeled
    model = RAkELClassifier(BASE, labelset_size=4, n_estimators=1).fit(X, Y)
    whole = LabelPowersetClassifier(BASE).fit(X, Y)
    assert_array_equal(model.predict(X), whole.predict(X))


def test_acceptance_1_sets_of_one_label_are_binary_relevance(labeled):
    X, Y = labeled
    model = RAkELClassifier(BASE, labelset_size=1, n_estimators=4, random_state=0)
    alone = BinaryRelevanceClassifier(BASE).fit(X, Y)
    assert_array_equal(model.fit(X, Y).predict(X), alone.predict(X))
    soft = model.set_params(voting="soft").fit(X, Y).predict_proba(X)
    assert_allclose(soft, alone.predict_proba(X), atol=1e-12)


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_acceptance_3_scores_are_shares_and_thresholds_monotone(labeled, voting):
    X, Y = labeled
    model = RAkELClassifier(labelset_size=2, voting=voting, random_state=0).fit(X, Y)
    scores = model.predict_proba(X)
    assert scores.min() >= 0.0 and scores.max() <= 1.0
    before = np.ones_like(Y)
    for threshold in (0.0, 0.2, 0.5, 0.8, 1.0):
        labels = model.set_params(threshold=threshold).predict(X)
        assert (labels <= before).all()
        before = labels


def test_acceptance_4_permuted_labels_permute_predictions(labeled):
    # All six pairs of four labels are drawn: the same sets, in another order.
    X, Y = labeled
    order = [2, 0, 3, 1]
    model = RAkELClassifier(BASE, labelset_size=2, n_estimators=6, random_state=0)
    expected = model.fit(X, Y).predict_proba(X)[:, order]
    assert_allclose(model.fit(X, Y[:, order]).predict_proba(X), expected, atol=1e-12)


def test_acceptance_7_pairs_of_labels_beat_binary_relevance_on_xor(entangled):
    # Measured over 60 seeds: always better in subset accuracy, by 0.10 at least.
    X, Y = entangled
    tree = DecisionTreeClassifier(min_samples_leaf=5)
    right = [
        (model.fit(X[:300], Y[:300]).predict(X[300:]) == Y[300:]).all(axis=1).mean()
        for model in (
            RAkELClassifier(tree, labelset_size=2, random_state=0),
            BinaryRelevanceClassifier(tree, random_state=0),
        )
    ]
    assert right[0] > right[1]


def test_naive_votes(labeled):
    X, Y = labeled
    model = RAkELClassifier(BASE, labelset_size=2, n_estimators=4, random_state=1)
    scores = model.fit(X, Y).predict_proba(X)
    votes, n_voters = np.zeros(Y.shape), np.zeros(Y.shape[1])
    for labels in model.labelsets_:
        alone = LabelPowersetClassifier(BASE).fit(X, Y[:, labels])
        votes[:, labels] += alone.predict(X)
        n_voters[labels] += 1
    assert_allclose(scores, votes / np.maximum(n_voters, 1))


@pytest.mark.parametrize("n, size, n_sets", [(6, 3, 12), (6, 3, 20), (40, 3, 80)])
def test_labelsets_are_distinct(n, size, n_sets, seed):
    subsets = draw_subsets(np.random.RandomState(seed), n, size, n_sets)
    assert len({tuple(s) for s in subsets}) == len(subsets) == n_sets
    assert all(len(s) == size and (np.diff(s) > 0).all() for s in subsets)


def test_all_labelsets_are_equally_likely(seed):
    # Each of ten pairs of five labels is drawn 60 times in 300 draws of two; beyond
    # five standard deviations (35) less than once in 100,000 runs.
    rng, counts = np.random.RandomState(seed), np.zeros((5, 5))
    for _ in range(300):
        for a, b in draw_subsets(rng, 5, 2, 2):
            counts[a, b] += 1
    drawn = counts[np.triu_indices(5, 1)]
    assert drawn.sum() == 600
    assert np.abs(drawn - 60).max() < 35


def test_too_many_sets_and_labels_without_a_set(labeled):
    X, Y = labeled
    model = RAkELClassifier(n_estimators=50, random_state=0).fit(X, Y)
    assert len(model.labelsets_) == comb(4, 3)
    with pytest.warns(UserWarning, match="in no labelset"):
        model = RAkELClassifier(n_estimators=1).fit(X, Y)
    missing = np.setdiff1d(np.arange(4), model.labelsets_[0])
    assert_array_equal(model.predict_proba(X)[:, missing], 0.0)


def test_disjoint_sets_are_a_partition(labeled):
    X, Y = labeled
    model = DisjointRAkELClassifier(BASE, labelset_size=3, random_state=0).fit(X, Y)
    assert_array_equal(np.sort(np.concatenate(model.labelsets_)), np.arange(4))
    for labels in model.labelsets_:
        alone = LabelPowersetClassifier(BASE).fit(X, Y[:, labels])
        assert_array_equal(model.predict(X)[:, labels], alone.predict(X))
