"""What is true of single trees as estimators."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn import tree as theirs
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris

from manyminds.trees import DecisionTreeClassifier, DecisionTreeRegressor


def test_thresholds_and_leaves_are_scikit_learn_s():
    X, y = load_iris(return_X_y=True)
    ours = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    other = theirs.DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    assert ours.get_n_leaves() == other.get_n_leaves()
    assert ours.get_depth() == other.get_depth()
    assert_allclose(ours.predict_proba(X), other.predict_proba(X))


def test_ssv_tree_learns_all_rows_that_do_not_contradict():
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(criterion="ssv", max_bins=1000, random_state=0)
    assert tree.fit(X, y).score(X, y) == 1.0
    with np.errstate(over="ignore"):
        squeezed = np.sign(X) * np.log1p(np.abs(X))  # monotone: the same tree
    assert_array_equal(
        tree.fit(squeezed, y).tree_.feature,
        DecisionTreeClassifier(criterion="ssv", max_bins=1000, random_state=0)
        .fit(X, y)
        .tree_.feature,
    )


def test_cost_complexity_path_is_scikit_learn_s(seed):
    # Regression targets of many digits: no ties that lead the two trees apart.
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(150, 3)), rng.normal(size=150)
    ours = DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(X, y)
    other = theirs.DecisionTreeRegressor(random_state=0).cost_complexity_pruning_path(
        X, y
    )
    assert_allclose(ours.ccp_alphas, other.ccp_alphas, atol=1e-12)
    assert_allclose(ours.impurities, other.impurities, atol=1e-12)
    alpha = other.ccp_alphas[len(other.ccp_alphas) // 2]
    pruned = DecisionTreeRegressor(ccp_alpha=alpha, random_state=0).fit(X, y)
    full = DecisionTreeRegressor(random_state=0).fit(X, y)
    assert 1 < pruned.get_n_leaves() < full.get_n_leaves()


@pytest.mark.parametrize("balanced", [False, True])
def test_reduced_error_pruning_helps_on_the_rows_it_uses(balanced):
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier(random_state=0).fit(X[::2], y[::2])
    n_leaves, score = tree.get_n_leaves(), tree.score(X[1::2], y[1::2])
    tree.prune_reduced_error(X[1::2], y[1::2], balanced=balanced)
    assert tree.get_n_leaves() < n_leaves
    if not balanced:
        assert tree.score(X[1::2], y[1::2]) >= score


def test_balanced_pruning_is_for_classes():
    X, y = load_diabetes(return_X_y=True)
    tree = DecisionTreeRegressor(max_depth=3).fit(X, y)
    with pytest.raises(ValueError, match="balanced=True is for classification"):
        tree.prune_reduced_error(X, y, balanced=True)
    assert tree.prune_reduced_error(X, y, backfit=True) is tree


@pytest.mark.slow
def test_surrogate_of_a_copied_column_is_the_copy():
    X, y = load_iris(return_X_y=True)
    X = np.column_stack([X, -X[:, 2], -X[:, 3]])
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    surrogates = tree.surrogate_splits(X, all_features=True)
    splits = tree.tree_.feature[surrogates.node]
    copy = {2: 4, 3: 5, 4: 2, 5: 3}
    for feature, other, flipped, association in zip(
        splits, surrogates.feature, surrogates.flipped, surrogates.association
    ):
        if feature in copy:
            assert association == 1.0
            assert other == copy[feature] or not flipped
    assert surrogates.association_by_feature.shape == (len(splits), 6)


def test_unknown_labels_at_pruning_are_named():
    X, y = load_iris(return_X_y=True)
    tree = DecisionTreeClassifier().fit(X[:100], y[:100])
    with pytest.raises(ValueError, match=r"labels \[2\] that the model has not seen"):
        tree.prune_reduced_error(X, y)


def test_the_threshold_lies_in_the_middle_of_a_wide_gap(seed):
    # Far more values than bins, and none of them between 0.3 and 0.7.
    x = np.random.default_rng(seed).uniform(0.0, 0.6, size=4000)
    y = x > 0.3
    x[y] += 0.4
    tree = DecisionTreeClassifier(max_depth=1).fit(x[:, None], y)
    middle = (x[~y].max() + x[y].min()) / 2
    assert_allclose(tree.tree_.threshold[0], middle, rtol=1e-12)
