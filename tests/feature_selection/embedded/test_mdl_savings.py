"""Bits that features save in the nodes of a tree, worked by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.feature_selection.embedded.mdl_savings import find_savings
from manyminds.trees.binning import bin_table
from manyminds.trees.mdl_tree import MDLTreeClassifier

Y = np.repeat([0.0, 1.0], 8)
# The class itself, a constant, a cut that leaves 12 and 4, and one that says nothing.
X = np.column_stack([Y, 0.0 * Y, np.arange(16) >= 12, np.arange(16) % 2]).astype(float)


def save(X, y, feature_cost="none", weights=None):
    weights = np.ones(len(y)) if weights is None else weights
    tree = MDLTreeClassifier(feature_cost=feature_cost).fit(X, y, weights).tree_
    return find_savings(tree, bin_table(X), X, y, weights, feature_cost)


def entropy(*counts):
    shares = np.array(counts) / sum(counts)
    return -np.sum(shares * np.log2(shares))


def test_worked_example_of_a_perfect_cut():
    # Of 16 samples, 8 of each class, a perfect cut gains 16 bits. Its place costs
    # log2(15) bits, the classes of its sides log2(3^2 - 2) - 2 * 1, since both sides
    # are pure.
    expected = 16.0 - np.log2(15.0) - np.log2(7.0) + 2.0
    assert_allclose(save(X, Y)[0], expected)


def test_a_side_that_is_not_pure_costs_more():
    # 12 samples, 8 of them of class 0, on one side and 4 of class 1 on the other.
    side = entropy(8, 4)
    gain = 16.0 - 12.0 * side
    cost = np.log2(15.0) + np.log2(7.0) - 2.0 + 2.0 * side
    assert_allclose(save(X, Y)[2], gain - cost)


def test_features_without_a_gain_save_nothing_anywhere():
    assert np.isneginf(save(X, Y)[[1, 3]]).all()


@pytest.mark.parametrize(("feature_cost", "bits"), [("index", 0.0), ("full", 2.0)])
def test_the_first_name_costs_as_many_bits_as_features_need(feature_cost, bits):
    # The root has the first split: one of four features is named by two bits.
    found, free = save(X, Y, feature_cost), save(X, Y)
    assert_allclose(found[[0, 2]], free[[0, 2]] - bits)


def test_order_of_rows_and_names_of_classes_do_not_matter(seed):
    order = np.random.default_rng(seed).permutation(16)
    expected = save(X, Y, "full")
    assert_allclose(save(X[order], Y[order], "full"), expected)
    assert_allclose(save(X, 1.0 - Y, "full"), expected)
    assert_allclose(save(3.0 - 2.0 * X, Y, "full"), expected)


def test_weights_are_repetitions(seed):
    weights = np.random.default_rng(seed).integers(1, 4, 16)
    found = save(X, Y, "full", weights.astype(float))
    long = save(np.repeat(X, weights, axis=0), np.repeat(Y, weights), "full")
    assert_allclose(found, long, atol=1e-9)
