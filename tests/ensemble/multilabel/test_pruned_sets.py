"""Pruned sets: rare sets give way to their frequent subsets."""

import numpy as np
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression

from manyminds.ensemble import LabelPowersetClassifier, PrunedSetsClassifier
from manyminds.ensemble.multilabel.pruned_sets import prune_sets


def prune_naively(Y, max_rare, max_subsets):
    """Prune row by row, as the paper describes it."""
    rows = [tuple(row) for row in Y.tolist()]
    counts = {labels: rows.count(labels) for labels in rows}
    kept = []
    for i, labels in enumerate(rows):
        if counts[labels] > max_rare:
            kept.append((i, labels))
            continue
        subsets = [
            other
            for other, count in counts.items()
            if count > max_rare
            and 0 < sum(other)
            and all(a <= b for a, b in zip(other, labels))
        ]
        subsets.sort(key=lambda one: (-sum(one), -counts[one]))
        if len({(sum(s), counts[s]) for s in subsets}) == len(subsets):  # no ties
            kept += [(i, one) for one in subsets[:max_subsets]]
    return kept


def test_naive_twin(seed):
    rng = np.random.default_rng(seed)
    n_checked = 0
    for _ in range(20):
        Y = (rng.uniform(size=(60, 4)) < [0.6, 0.4, 0.3, 0.1]).astype(np.uint8)
        rows, labels = prune_sets(Y, 3, 2)
        found = sorted(zip(rows.tolist(), map(tuple, labels.tolist())))
        expected = sorted(prune_naively(Y, 3, 2))
        with_ties = {row for row, _ in found} - {row for row, _ in expected}
        n_checked += len(expected)
        assert [one for one in found if one[0] not in with_ties] == expected
    assert n_checked > 500


def test_without_pruning_it_is_the_label_powerset(labeled):
    X, Y = labeled
    pruned = PrunedSetsClassifier(LogisticRegression(), max_rare=0).fit(X, Y)
    whole = LabelPowersetClassifier(LogisticRegression()).fit(X, Y)
    assert_array_equal(pruned.predict_proba(X), whole.predict_proba(X))


def test_rare_sets_are_no_classes(labeled):
    X, Y = labeled
    model = PrunedSetsClassifier(max_rare=4, random_state=0).fit(X, Y)
    sets, counts = np.unique(Y, axis=0, return_counts=True)
    expected = {tuple(s) for s in sets[counts > 4].tolist()}
    assert {tuple(s) for s in model.label_sets_.tolist()} == expected


def test_if_all_sets_are_rare_the_most_frequent_ones_stay():
    Y = np.eye(4, dtype=np.uint8)
    rows, labels = prune_sets(Y, 5, 2)
    assert_array_equal(labels, Y[rows])
    assert len(rows) == 4
