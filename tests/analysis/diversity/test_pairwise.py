"""Measures of pairs: by hand, by plain twins, and by scikit-learn and NumPy."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import cohen_kappa_score

from manyminds.analysis.diversity import (
    coincident_errors,
    disagreement,
    double_fault,
    error_correlation,
    kappa,
    output_correlation,
    q_statistic,
)

# Ten samples: 4 both right, 1 only the first, 2 only the second, 3 both wrong.
TRUTH = np.ones(10, dtype=int)
PAIR = np.array([[1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 0, 1, 1, 0, 0, 0]])


def test_worked_example():
    assert_allclose(q_statistic(TRUTH, PAIR), (12 - 2) / (12 + 2))
    assert_allclose(error_correlation(TRUTH, PAIR), 10 / np.sqrt(5 * 5 * 6 * 4))
    assert_allclose(disagreement(TRUTH, PAIR, on="correctness"), 0.3)
    assert_allclose(double_fault(TRUTH, PAIR), 0.3)
    assert_allclose(coincident_errors(TRUTH, PAIR), 6 / 9)
    # By chance they agree on 0.5 * 0.6 + 0.5 * 0.4 of the samples.
    assert_allclose(kappa(TRUTH, PAIR, on="correctness"), (0.7 - 0.5) / 0.5)


def test_q_of_independent_equal_and_opposite_members(seed):
    # Acceptance 1: 0 if and only if the products are equal, 1 for equal imperfect
    # members, -1 if one product is 0 and the other is not.
    a = np.array([1, 1, 1, 0, 0], dtype=bool)
    truth = np.ones(5, dtype=bool)
    assert q_statistic(truth, [a, a]) == 1.0
    assert q_statistic(truth, [a, ~a]) == -1.0
    rng = np.random.default_rng(seed)
    for _ in range(50):
        n11, n10, n01, n00 = rng.integers(0, 4, size=4)
        pair = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], [n11, n10, n01, n00], axis=1)
        if pair.shape[1] == 0:
            continue
        q = q_statistic(np.ones(pair.shape[1]), pair)
        same, split = n11 * n00, n10 * n01
        assert np.isnan(q) == (same + split == 0)
        assert (q == 0.0) == (same == split and same + split > 0)
        assert (q == -1.0) == (same == 0 and split > 0)


def plain_mean(measure, rows):
    return np.mean([measure(a, b) for a, b in combinations(rows, 2)])


def test_other_libraries_answers(draw_votes):
    y, predictions = draw_votes(n_classes=4)
    correct = (predictions == y).astype(float)
    expected = np.corrcoef(correct)[np.triu_indices(len(correct), 1)].mean()
    assert_allclose(error_correlation(y, predictions), expected)
    expected = plain_mean(cohen_kappa_score, predictions)
    assert_allclose(kappa(None, predictions), expected)
    expected = plain_mean(cohen_kappa_score, correct)
    assert_allclose(kappa(y, predictions, on="correctness"), expected)
    expected = plain_mean(lambda a, b: np.mean(a != b), predictions)
    assert_allclose(disagreement(None, predictions), expected)
    expected = plain_mean(lambda a, b: np.mean((a != y) & (b != y)), predictions)
    assert_allclose(double_fault(y, predictions), expected)


def test_two_classes_differ_by_label_where_they_differ_by_being_right(draw_votes):
    y, predictions = draw_votes(n_classes=2)
    assert_allclose(
        disagreement(y, predictions, average=None),
        disagreement(y, predictions, on="correctness", average=None),
    )


def test_averages(draw_votes):
    _, predictions = draw_votes()
    matrix = disagreement(None, predictions, average=None)
    n = len(predictions)
    # The mean Hamming distance of each member from all others.
    expected = [
        np.mean([np.mean(predictions[t] != predictions[u]) for u in range(n) if u != t])
        for t in range(n)
    ]
    assert_allclose(disagreement(None, predictions, average="members"), expected)
    path = disagreement(None, predictions, average="path")
    assert np.isnan(path[0])
    for t in range(2, n + 1):
        assert_allclose(path[t - 1], disagreement(None, predictions[:t]))
    assert_allclose(matrix, matrix.T)


def test_names_and_order_of_labels_do_not_matter(draw_votes, seed):
    y, predictions = draw_votes()
    names = np.array(["pear", "apple", "fig"])
    order = np.random.default_rng(seed).permutation(len(y))
    for measure in (q_statistic, kappa, disagreement):
        expected = measure(y, predictions)
        for kind in (names, names.astype(object), np.array([0.5, -1.0, 7e9])):
            again = measure(kind[y][order], kind[predictions][:, order])
            assert_allclose(again, expected)


def test_where_counts_what_both_answer(draw_votes, seed):
    y, predictions = draw_votes(n_members=4)
    where = np.random.default_rng(seed).random(predictions.shape) < 0.7
    where[:, :3] = True
    for measure in (disagreement, double_fault, kappa):
        matrix = measure(y, predictions, where=where, average=None)
        for t, u in combinations(range(4), 2):
            both = where[t] & where[u]
            alone = measure(y[both], predictions[[t, u]][:, both])
            assert_allclose(matrix[t, u], alone)


def test_pairs_without_a_measure_are_left_out_or_count_as_zero():
    perfect = [1, 1, 1, 1]
    y, predictions = perfect, [perfect, [1, 0, 1, 0], [1, 0, 1, 0], perfect]
    assert q_statistic(y, predictions) == 1.0
    assert_allclose(q_statistic(y, predictions, undefined="zero"), 1 / 6)
    assert_allclose(error_correlation(y, predictions, undefined="zero"), 1 / 6)
    # Pairs with an error: five; one of them shares all its errors.
    assert_allclose(coincident_errors(y, predictions), 1 / 5)
    assert_allclose(coincident_errors(y, predictions, undefined="zero"), 1 / 6)


def test_members_that_always_say_the_same_have_kappa_one():
    assert kappa(None, [["a", "a"], ["a", "a"]]) == 1.0
    assert kappa([0, 0], [[1, 1], [1, 1]], on="correctness") == 1.0


def test_output_correlation_is_pearsons(seed):
    rng = np.random.default_rng(seed)
    outputs = rng.normal(loc=1e4, size=(5, 30))
    found = output_correlation(outputs, average=None)
    assert_allclose(found, np.corrcoef(outputs), atol=1e-9)
    outputs[2] = 0.1  # constant: no correlation
    assert np.isnan(output_correlation(outputs, average=None)[2]).all()
    rest = np.delete(outputs, 2, axis=0)
    assert_allclose(output_correlation(outputs), output_correlation(rest))


def test_choices_that_are_not_there_are_refused():
    with pytest.raises(ValueError, match="on must be one of"):
        kappa(TRUTH, PAIR, on="rows")
    with pytest.raises(ValueError, match="average must be one of"):
        q_statistic(TRUTH, PAIR, average="all")
    with pytest.raises(ValueError, match="undefined must be one of"):
        q_statistic(TRUTH, PAIR, undefined="one")
