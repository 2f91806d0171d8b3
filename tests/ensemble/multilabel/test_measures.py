"""Measures against scikit-learn's, and against formulas row by row."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import metrics

from manyminds.ensemble import describe_labels, measure_labels


def draw(seed, n_labels=5):
    rng = np.random.default_rng(seed)
    truth = (rng.uniform(size=(60, n_labels)) < 0.4).astype(int)
    scores = rng.uniform(size=truth.shape).round(1)  # with ties
    return truth, (scores > 0.5).astype(int), scores


def measure_naively(truth, predicted, scores):
    """Compute all measures by their formulas, row by row, with sets."""
    rows = []
    for y, p, s in zip(truth, predicted, scores):
        Y, P = set(np.flatnonzero(y)), set(np.flatnonzero(p))
        both, n_labels = len(Y & P), len(y)
        out = set(range(n_labels)) - Y
        pairs = [(a, b) for a in Y for b in out]
        wrong = sum((s[a] < s[b]) + 0.5 * (s[a] == s[b]) for a, b in pairs)
        place = [int(np.sum(s >= s[a])) for a in range(n_labels)]
        top = [a for a in range(n_labels) if s[a] == max(s)]
        ahead = {a: sum(s[b] >= s[a] for b in Y) for a in Y}
        rows.append(
            {
                "hamming_loss": len(Y ^ P) / n_labels,
                "subset_accuracy": Y == P,
                "jaccard": both / len(Y | P) if Y | P else 1.0,
                "precision": both / len(P) if P else float(not Y),
                "recall": both / len(Y) if Y else float(not P),
                "f1": 2 * both / (len(Y) + len(P)) if Y or P else 1.0,
                "ranking_loss": wrong / len(pairs) if pairs else 0.0,
                "one_error": 1.0 - sum(a in Y for a in top) / len(top),
                "coverage": max((place[a] for a in Y), default=0),
                "average_precision": np.mean([ahead[a] / place[a] for a in Y])
                if Y
                else 1.0,
            }
        )
    return {name: np.mean([row[name] for row in rows]) for name in rows[0]}


def test_naive_twin(seed):
    truth, predicted, scores = draw(seed)
    measures = measure_labels(truth, predicted, scores)
    for name, expected in measure_naively(truth, predicted, scores).items():
        assert_allclose(measures[name], expected, err_msg=name)


def test_the_answers_of_scikit_learn(seed):
    truth, predicted, scores = draw(seed)
    scores += 1e-6 * np.random.default_rng(seed).uniform(size=scores.shape)  # no ties
    truth[:, 0] |= truth.sum(axis=1) == 0  # theirs differ for rows without labels
    m = measure_labels(truth, predicted, scores)
    samples = {"average": "samples", "zero_division": 0}
    assert_allclose(m["hamming_loss"], metrics.hamming_loss(truth, predicted))
    assert_allclose(m["subset_accuracy"], metrics.accuracy_score(truth, predicted))
    assert_allclose(m["jaccard"], metrics.jaccard_score(truth, predicted, **samples))
    assert_allclose(
        m["precision"], metrics.precision_score(truth, predicted, **samples)
    )
    assert_allclose(m["recall"], metrics.recall_score(truth, predicted, **samples))
    assert_allclose(m["f1"], metrics.f1_score(truth, predicted, **samples))
    for average in ("micro", "macro"):
        f1 = metrics.f1_score(truth, predicted, average=average)
        auc = metrics.roc_auc_score(truth, scores, average=average)
        assert_allclose(m[f"{average}_f1"], f1)
        assert_allclose(m[f"{average}_auc"], auc)
    assert_allclose(m["ranking_loss"], metrics.label_ranking_loss(truth, scores))
    assert_allclose(m["coverage"], metrics.coverage_error(truth, scores))
    expected = metrics.label_ranking_average_precision_score(truth, scores)
    assert_allclose(m["average_precision"], expected)


def test_a_perfect_prediction():
    truth = np.array([[1, 0, 0], [0, 1, 1], [0, 0, 0]])
    m = measure_labels(truth, truth, truth.astype(float))
    assert m["hamming_loss"] == m["ranking_loss"] == 0.0
    for name in ("subset_accuracy", "jaccard", "precision", "f1", "micro_auc"):
        assert m[name] == 1.0


def test_statistics_of_labels():
    Y = [[1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]]
    statistics = describe_labels(Y)
    assert statistics["cardinality"] == 1.0
    assert statistics["density"] == pytest.approx(1 / 3)
    assert statistics["n_sets"] == 3
    assert statistics["max_imbalance"] == 3.0


def test_bad_input_raises_clear_errors():
    with pytest.raises(ValueError, match="one column for each label"):
        measure_labels([0, 1], [0, 1])
    with pytest.raises(ValueError, match="must hold 0 and 1 only"):
        measure_labels([[0, 2]], [[0, 1]])
    with pytest.raises(ValueError, match="y_score must have the shape"):
        measure_labels([[0, 1]], y_score=[[0.5]])
    with pytest.raises(ValueError, match="needs y_pred, y_score"):
        measure_labels([[0, 1]])
