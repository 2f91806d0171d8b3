"""SSV trees: full growth, degrees of pruning, and how folds choose one."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold

from manyminds.trees import DecisionTreeClassifier
from manyminds.trees.pruning import prune_cost_complexity
from manyminds.trees.ssv_tree import SSVTreeClassifier, error_gains, last_degrees


def table(seed, n_samples=120, noise=0.7):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 4))
    score = X[:, 0] + (X[:, 1] > 0) + noise * rng.normal(size=n_samples)
    return X, np.digitize(score, [0.0, 1.0])


def naive_pruning(tree, degree):
    """Take off final splits that save no more than the degree, until none is left."""
    left, counts = tree.left.copy(), tree.value * tree.weight[:, None]
    error = (counts.sum(axis=1) - counts.max(axis=1)) / counts[0].sum()
    while True:
        final = [
            n
            for n in np.flatnonzero(left >= 0)
            if left[left[n]] < 0 and left[left[n] + 1] < 0
            if error[n] - error[left[n]] - error[left[n] + 1] <= degree + 1e-9
        ]
        if not final:
            return left
        left[final] = -1


def kept_splits(left):
    """List the splits that are still reached from the root."""
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if left[node] >= 0:
            found.append(node)
            waiting += [left[node], left[node] + 1]
    return sorted(found)


def test_full_tree_learns_all_rows_that_do_not_contradict(seed):  # acceptance 2
    X, y = table(seed)
    for balanced in (False, True):
        tree = SSVTreeClassifier(pruning=None, balanced=balanced).fit(X, y)
        assert tree.score(X, y) == 1.0
        assert tree.degree_ == 0.0
    again = np.vstack([X, X[:1]]), np.append(y, (y[0] + 1) % 3)
    tree = SSVTreeClassifier(pruning=None).fit(*again)
    assert tree.score(*again) == pytest.approx(120 / 121)


def test_full_tree_is_that_of_the_criterion(seed):
    X, y = table(seed)
    ours = SSVTreeClassifier(pruning=None, random_state=0).fit(X, y).tree_
    tree = DecisionTreeClassifier(criterion="ssv", random_state=0, max_bins=65535)
    theirs = tree.fit(X, y).tree_
    assert_array_equal(ours.threshold, theirs.threshold)
    assert_array_equal(ours.value, theirs.value)


@pytest.mark.no_jit
def test_worked_example():
    # In order, classes are a a a a b a b b b. SSV is 31 after the fourth row, and 29 at
    # most elsewhere; that leaves one error of four. To save it, the right side is cut
    # after its second row, by which nothing is saved as yet, and then after its first.
    X, y = np.arange(9.0)[:, None], np.array(list("aaaababbb"))
    tree = SSVTreeClassifier(pruning=None).fit(X, y).tree_
    assert_allclose(tree.threshold[tree.left >= 0], [3.5, 5.5, 4.5])
    assert_allclose(9 * error_gains(tree)[tree.left >= 0], [3, 0, 1], atol=1e-8)
    assert_allclose(9 * last_degrees(tree)[tree.left >= 0], [3, 1, 1], atol=1e-8)


@pytest.mark.no_jit
def test_lexicographic_preference_puts_pairs_first():  # error 2
    X, y = np.arange(10.0)[:, None], np.array(list("cbbbabbbbb"))
    tree = SSVTreeClassifier(pruning=None).fit(X, y).tree_
    assert tree.threshold[0] == 0.5  # 2 * 9 pairs, nothing torn
    tree = SSVTreeClassifier(pruning=None, lexicographic=True).fit(X, y).tree_
    assert tree.threshold[0] == 4.5  # 2 * 10 pairs, three rows torn


@pytest.mark.no_jit
@pytest.mark.parametrize("order", [[0, 1], [1, 0]])
def test_lexicographic_preference_settles_ties_by_what_is_torn(order):
    # Both columns part 8 of 16 pairs; the second tears no row of class 0.
    y = [0] * 4 + [1] * 4
    columns = [[0, 0, 1, 1, 0, 0, 1, 1], [0, 0, 0, 0, 0, 0, 1, 1]]
    X = np.column_stack([columns[j] for j in order])
    tree = SSVTreeClassifier(pruning=None, lexicographic=True).fit(X, y).tree_
    assert order[tree.feature[0]] == 1


def test_two_readings_at_once_are_refused():
    with pytest.raises(ValueError, match="which balanced=True replaces"):
        SSVTreeClassifier(balanced=True, lexicographic=True).fit([[1], [2]], [0, 1])


def test_degrees_are_those_of_the_naive_twin(seed):
    X, y = table(seed)
    tree = SSVTreeClassifier(pruning=None).fit(X, y).tree_
    degrees = last_degrees(tree)
    for degree in np.unique(degrees):
        left = naive_pruning(tree, degree)
        stays = (degrees > degree + 1e-9) & (tree.left >= 0)
        assert_array_equal(kept_splits(left), np.flatnonzero(stays))


@pytest.mark.parametrize("pruning", ["g", "cost_complexity"])
def test_folds_choose_the_degree(seed, pruning):
    # Ties of SSV are drawn: the trees of the folds are drawn once more alike, and each
    # is pruned to each degree by hand.
    X, y = table(seed)
    folds = list(StratifiedKFold(4).split(X, y))
    model = SSVTreeClassifier(pruning=pruning, cv=4, random_state=seed % 2**31)
    trees = model.fit(X, y)._grow(X, y.astype(float), np.ones(len(y)), folds)
    right = np.zeros(len(model.degrees_))
    for t, (train, test) in enumerate(folds, start=1):
        tree = trees.tree(t)
        assert tree.n_samples[0] == len(train)
        assert (tree.labels_by_tree(X[train])[0] == y[train]).all()
        for k, degree in enumerate(model.degrees_):
            if pruning == "g":
                nodes = _end(tree, naive_pruning(tree, degree), X[test])
                label = tree.value[nodes].argmax(axis=1)
            else:
                label = prune_cost_complexity(tree, degree).labels_by_tree(X[test])[0]
            right[k] += np.sum(label == y[test])
    assert_allclose(model.cv_scores_, right / len(y))
    best = np.flatnonzero(right == right.max())[-1]
    assert model.degree_ == model.degrees_[best]


def _end(tree, left, X):
    """Walk each row down until a node that is, or has become, a leaf."""
    nodes = np.zeros(len(X), dtype=int)
    for i, x in enumerate(X):
        while left[nodes[i]] >= 0:
            goes_right = x[tree.feature[nodes[i]]] > tree.threshold[nodes[i]]
            nodes[i] = left[nodes[i]] + goes_right
    return nodes


@pytest.mark.parametrize("pruning", ["g", "cost_complexity"])
def test_noise_is_pruned_away(seed, pruning):
    # Labels are drawn without looking at the rows, nine in ten of one class.
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(200, 3)), (rng.permutation(200) < 20).astype(int)
    full = SSVTreeClassifier(pruning=None).fit(X, y)
    pruned = SSVTreeClassifier(pruning=pruning).fit(X, y)
    assert pruned.get_n_leaves() < full.get_n_leaves() / 2


def test_a_clear_border_stays(seed):
    X, _ = table(seed)
    y = np.where(X[:, 2] > 0.1, "high", "low")
    tree = SSVTreeClassifier().fit(X, y)
    assert tree.get_n_leaves() == 2
    assert_array_equal(tree.predict(X), y)
    assert_allclose(tree.feature_importances_, [0, 0, 1, 0])


def test_pruned_trees_are_smaller_and_no_worse():
    X, y = load_breast_cancer(return_X_y=True)
    full = SSVTreeClassifier(pruning=None, random_state=0).fit(X, y)
    for pruning in ("g", "cost_complexity"):
        model = SSVTreeClassifier(pruning=pruning, random_state=0).fit(X, y)
        assert model.get_n_leaves() <= full.get_n_leaves()
        assert model.cv_scores_.max() >= model.cv_scores_[0]
        assert model.cv_scores_.max() > 0.92


def test_balanced_tree_looks_after_a_rare_class():
    # In the middle, the rare class has three rows of eight: too few for plain shares,
    # enough where a row of it weighs 16 / 4 times as much.
    X = np.array([0.0] * 8 + [1.0] * 8 + [2.0] * 4)[:, None]
    y = np.array([0] * 8 + [0] * 5 + [1] * 3 + [0] * 3 + [1])
    plain = SSVTreeClassifier(pruning=None).fit(X, y)
    fair = SSVTreeClassifier(pruning=None, balanced=True).fit(X, y)
    assert_array_equal(plain.predict([[1.0]]), [0])
    assert_array_equal(fair.predict([[1.0]]), [1])
    assert_allclose(fair.predict_proba([[1.0]]), [[5 / 17, 12 / 17]])


def test_weights_of_whole_numbers_are_rows(seed):
    X, y = table(seed, 60)
    count = np.random.default_rng(seed).integers(0, 3, 60)
    split = [(np.arange(30), np.arange(30, 60)), (np.arange(30, 60), np.arange(30))]
    row = np.repeat(np.arange(60), count)
    again = [
        tuple(np.flatnonzero(np.isin(row, part)) for part in fold) for fold in split
    ]
    weighted = SSVTreeClassifier(cv=split, random_state=0).fit(X, y, count)
    repeated = SSVTreeClassifier(cv=again, random_state=0).fit(X[row], y[row])
    assert_allclose(weighted.degrees_, repeated.degrees_)
    assert_allclose(weighted.cv_scores_, repeated.cv_scores_)
    assert_array_equal(weighted.predict(X), repeated.predict(X))


def test_few_rows_leave_nothing_to_choose():
    tree = SSVTreeClassifier().fit([[0.0], [1.0]], ["a", "b"])
    assert_array_equal(tree.predict([[0.0], [1.0]]), ["a", "b"])
    assert not hasattr(tree, "cv_scores_")


def test_categories_and_gaps(seed):
    import pandas as pd

    rng = np.random.default_rng(seed)
    color = rng.choice(["red", "green", "blue"], size=90)
    frame = pd.DataFrame({"color": pd.Categorical(color), "x": rng.normal(size=90)})
    frame.loc[::7, "x"] = np.nan
    y = np.isin(color, ["red", "blue"])
    tree = SSVTreeClassifier().fit(frame, y)
    assert tree.get_n_leaves() == 2
    assert "color in {blue, red}" in tree.export_rules()


def test_leaves_are_numbered(seed):
    X, y = table(seed)
    tree = SSVTreeClassifier(max_depth=3).fit(X, y)
    assert tree.tree_.is_leaf[tree.apply(X)].all()
    assert tree.get_depth() <= 3
