import pickle
import tracemalloc

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier

from manyminds.trees import structure
from manyminds.trees.structure import Trees

# Before scikit-learn 1.8 they went right where predictions went left.
PATHS_OF_MISSING = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 8)
QUESTIONS = ("apply", "mean_value", "values_by_tree", "labels_by_tree")


def small_tree():
    """Column 0 at most 1, or missing: class 1; or else column 2 decides."""
    return Trees(
        feature=np.array([0, -1, 2, -1, -1], dtype=np.int32),
        threshold=np.array([1.0, np.nan, -3.0, np.nan, np.nan]),
        left=np.array([1, -1, 3, -1, -1], dtype=np.int32),
        missing_left=np.array([True, False, False, True, True]),
        category_set=np.full(5, -1, dtype=np.int32),
        category_sets=np.zeros((0, 1), dtype=np.uint64),
        impurity=np.array([0.5, 0.0, 0.375, 0.0, 0.5]),
        weight=np.array([8.0, 4.0, 4.0, 2.0, 2.0]),
        n_samples=np.array([4, 2, 2, 1, 1], dtype=np.int32),
        value=np.array([[0.5, 0.5], [0, 1], [0.75, 0.25], [1, 0], [0.5, 0.5]]),
        starts=np.array([0, 5]),
        n_features=3,
        max_categories=0,
    )


def random_tree(rng, *, n_splits, n_words=0, n_values=3):
    """Four columns; with ``n_words`` the last two are categories."""
    feature, threshold, left, sets = [-1], [np.nan], [-1], [-1]
    words = np.zeros((n_splits, n_words), dtype=np.uint64)
    for s in range(n_splits):
        leaf = rng.choice(np.flatnonzero(np.array(left) < 0))
        feature[leaf], left[leaf] = rng.integers(4), len(left)
        if n_words and feature[leaf] >= 2:
            sets[leaf] = s
            words[s] = rng.integers(2**64, size=n_words, dtype=np.uint64)
        else:
            threshold[leaf] = np.inf if rng.random() < 0.1 else rng.normal()
        for column, empty in zip(
            (feature, threshold, left, sets), (-1, np.nan, -1, -1)
        ):
            column += [empty, empty]
    n_nodes = len(left)
    is_pure = rng.random(n_nodes)[:, np.newaxis] < 0.5
    share = rng.dirichlet(np.ones(n_values), n_nodes)
    return Trees(
        feature=np.array(feature, dtype=np.int32),
        threshold=np.array(threshold),
        left=np.array(left, dtype=np.int32),
        missing_left=rng.random(n_nodes) < 0.5,  # in leaves too, where it means nothing
        category_set=np.array(sets, dtype=np.int32),
        category_sets=words,
        impurity=rng.random(n_nodes),
        weight=1 + rng.random(n_nodes),
        n_samples=np.ones(n_nodes, dtype=np.int32),
        value=np.where(is_pure, np.eye(n_values)[share.argmax(axis=1)], share),
        starts=np.array([0, n_nodes]),
        n_features=4,
        max_categories=64 * n_words,
    )


def random_trees(rng, n_words=0):
    sizes = [0, 1, 5, 0, 30, 12]
    parts = [random_tree(rng, n_splits=n, n_words=n_words) for n in sizes]
    return Trees.concatenate(parts)


def random_rows(rng, n_rows, n_words=0, missing=0.0):
    X = rng.normal(size=(n_rows, 4))
    if n_words:
        X[:, 2:] = rng.integers(64 * n_words, size=(n_rows, 2))
    X[rng.random(X.shape) < missing] = np.nan
    X[rng.random(n_rows) < 0.1, 0] = np.inf
    return X


def naive_leaf(trees, t, x):
    """Walk one row down one tree, step by step."""
    k = 0
    while trees.left[i := trees.starts[t] + k] >= 0:
        a = x[trees.feature[i]]
        if np.isnan(a):
            goes_left = trees.missing_left[i]
        elif trees.category_set[i] >= 0:
            word, bit = divmod(int(a), 64)
            goes_left = int(trees.category_sets[trees.category_set[i], word]) >> bit & 1
        else:
            goes_left = a <= trees.threshold[i]
        k = trees.left[i] if goes_left else trees.left[i] + 1
    return k


def naive_leaves(trees, X):
    leaves = [[naive_leaf(trees, t, x) for t in range(trees.n_trees)] for x in X]
    return np.array(leaves)


@pytest.mark.no_jit
def test_worked_example():
    tree = small_tree()
    X = np.array([[1.0, 0, 9], [1.1, 0, -3], [2.0, 0, 0], [np.nan, 0, 0]])
    assert_array_equal(tree.apply(X), [[1], [3], [4], [1]])
    assert_array_equal(tree.mean_value(X), [[0, 1], [1, 0], [0.5, 0.5], [0, 1]])
    assert_array_equal(tree.labels_by_tree(X), [[1, 0, 0, 1]])  # 0 is first of a tie
    assert_array_equal(tree.values_by_tree(X)[0], tree.mean_value(X))
    assert_array_equal(
        tree.decision_path(X).toarray(),
        [[1, 1, 0, 0, 0], [1, 0, 1, 1, 0], [1, 0, 1, 0, 1], [1, 1, 0, 0, 0]],
    )
    assert tree.n_trees == 1 and tree.n_values == 2
    assert_array_equal(tree.node_counts, [5])
    assert_array_equal(tree.right, [2, -1, 4, -1, -1])
    assert_array_equal(tree.parent, [-1, 0, 0, 2, 2])
    assert_array_equal(tree.depth, [0, 1, 1, 2, 2])
    assert_array_equal(tree.is_leaf, [False, True, False, True, True])
    assert (*tree.max_depth, *tree.n_leaves) == (2, 3)
    # The root takes 8 * 0.5 to 4 * 0.375, the other split that to 2 * 0.5.
    assert_allclose(tree.feature_importances(), [[2.5 / 3, 0, 0.5 / 3]])
    assert repr(tree) == "<Trees: 1 trees, 5 nodes>"


@pytest.mark.no_jit
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("n_words", [0, 1, 3])
def test_rows_arrive_where_a_naive_walker_takes_them(seed, n_words, missing):
    rng = np.random.default_rng(seed)
    trees = random_trees(rng, n_words)
    X = random_rows(rng, 150, n_words, missing)  # more than one batch
    leaves = naive_leaves(trees, X)
    assert_array_equal(trees.apply(X), leaves)
    values = trees.value[leaves + trees.starts[:-1]].transpose(1, 0, 2)
    assert_array_equal(trees.values_by_tree(X), values)
    assert_array_equal(trees.labels_by_tree(X), values.argmax(axis=2))
    assert_allclose(trees.mean_value(X), values.mean(axis=0), rtol=1e-14)


@pytest.mark.no_jit
def test_left_out_mean_takes_only_the_trees_that_did_not_draw_the_row(
    seed, monkeypatch
):
    rng = np.random.default_rng(seed)
    trees, X = random_trees(rng), random_rows(rng, 20)
    counts = rng.poisson(1, size=(6, 20))
    counts[:, 3], counts[:, 4] = 1, 0
    values = np.ma.array(trees.values_by_tree(X))
    values[counts > 0] = np.ma.masked
    expected = values.mean(axis=0).filled(np.nan)
    for n_counts in (40, 1, 10_000):  # two trees at a time, one, all
        monkeypatch.setattr(structure, "_BLOCK_COUNTS", n_counts)
        mean, n_left_out = trees.left_out_mean(X, counts.__getitem__)
        assert_allclose(mean, expected, rtol=1e-14)
        assert_array_equal(n_left_out, (counts == 0).sum(axis=0))
    assert np.isnan(mean[3]).all() and n_left_out[4] == 6


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.01])
def test_neither_threads_nor_blocks_matter(seed, monkeypatch, missing):
    rng = np.random.default_rng(seed)
    trees, X = random_trees(rng), random_rows(rng, 1000, missing=missing)
    counts = rng.integers(2, size=(6, 1000))

    def ask(n_jobs):
        answers = [getattr(trees, name)(X, n_jobs=n_jobs) for name in QUESTIONS]
        answers += [trees.decision_path(X, n_jobs=n_jobs).toarray()]
        return [*answers, *trees.left_out_mean(X, counts.__getitem__, n_jobs=n_jobs)]

    expected = ask(1)
    monkeypatch.setattr(structure, "_SERIAL_LEAVES", 0)
    for n_values, n_leaves in ((1, 1 << 18), (1 << 17, 300), (2000, 1)):
        monkeypatch.setattr(structure, "_BLOCK_VALUES", n_values)
        monkeypatch.setattr(structure, "_BLOCK_LEAVES", n_leaves)
        for n_jobs in (1, 2, 3):
            for answer, first_answer in zip(ask(n_jobs), expected):
                assert_array_equal(answer, first_answer)


@pytest.mark.parametrize("n_rows", [0, 1, 2, 5, 1000])
@pytest.mark.parametrize("n_threads", [1, 2, 3])
def test_blocks_cover_all_rows_once(n_rows, n_threads):
    blocks = structure._row_blocks(n_rows, 1000, n_threads)
    rows = [i for block in blocks for i in range(n_rows)[block]]
    assert rows == list(range(n_rows))
    assert all(block.start < block.stop for block in blocks)
    assert n_rows < n_threads or len(blocks) % n_threads == 0


def sibling_order(tree):
    """List scikit-learn's nodes such that siblings are neighbors, parents first."""
    order = [0]
    for k in order:
        if tree.children_left[k] >= 0:
            order += [tree.children_left[k], tree.children_right[k]]
    return np.array(order)


def from_sklearn(tree):
    order = sibling_order(tree)
    new_number = np.argsort(order)
    is_leaf = tree.children_left[order] < 0
    left = np.where(is_leaf, -1, new_number[tree.children_left[order]])
    return Trees(
        feature=np.where(is_leaf, -1, tree.feature[order]).astype(np.int32),
        threshold=np.where(is_leaf, np.nan, tree.threshold[order]),
        left=left.astype(np.int32),
        missing_left=tree.missing_go_to_left[order].astype(bool),
        category_set=np.full(len(order), -1, dtype=np.int32),
        category_sets=np.zeros((0, 0), dtype=np.uint64),
        impurity=tree.impurity[order],
        weight=tree.weighted_n_node_samples[order],
        n_samples=tree.n_node_samples[order].astype(np.int32),
        value=np.ascontiguousarray(tree.value[order, 0]),
        starts=np.array([0, len(order)]),
        n_features=tree.n_features,
        max_categories=0,
    )


@pytest.fixture(params=["classes", "mixed leaves", "targets", "missing values"])
def grown(request, seed):
    """A forest of scikit-learn, the same as Trees, and rows; one tree is a leaf."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 5)).astype(np.float32).astype(np.float64)
    y = X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=300)
    settings = {"n_estimators": 8, "random_state": seed}
    if request.param == "missing values":
        X[rng.random(X.shape) < 0.1] = np.nan
    if request.param == "targets":
        forest = ExtraTreesRegressor(**settings).fit(X, y)
    else:
        leaf = 5 if request.param == "mixed leaves" else 1
        forest = RandomForestClassifier(**settings, min_samples_leaf=leaf)
        forest.fit(X, np.digitize(y, [-1, 1]))
    stump = forest.estimators_[0]
    stump.max_depth, stump.min_samples_leaf = 1, 300
    y = np.digitize(y, [-1, 1]) if hasattr(forest, "classes_") else y
    stump.fit(X, y)
    trees = Trees.concatenate([from_sklearn(e.tree_) for e in forest.estimators_])
    return forest, trees, X


def test_answers_are_those_of_scikit_learn(grown):
    forest, trees, X = grown
    ask = getattr(forest, "predict_proba", forest.predict)
    assert_allclose(trees.mean_value(X), ask(X).reshape(len(X), -1), rtol=1e-12)
    assert_array_equal(trees.max_depth, [e.get_depth() for e in forest.estimators_])
    assert_array_equal(trees.n_leaves, [e.get_n_leaves() for e in forest.estimators_])
    assert trees.n_leaves[0] == 1
    assert_allclose(
        trees.feature_importances(),
        [e.feature_importances_ for e in forest.estimators_],
        atol=1e-12,
    )


def test_leaves_and_paths_are_those_of_scikit_learn(grown):
    forest, trees, X = grown
    orders = [sibling_order(e.tree_) for e in forest.estimators_]
    leaves = trees.apply(X)
    ours = [order[leaves[:, t]] for t, order in enumerate(orders)]
    assert_array_equal(np.transpose(ours), forest.apply(X))

    indicator, n_nodes_ptr = forest.decision_path(X)
    assert_array_equal(trees.starts, n_nodes_ptr)
    columns = np.concatenate(
        [order + start for order, start in zip(orders, n_nodes_ptr)]
    )
    path = trees.decision_path(X)
    assert path.format == "csr" and path.has_sorted_indices
    compared = PATHS_OF_MISSING | ~np.isnan(X).any(axis=1)
    assert (path[compared] != indicator[compared][:, columns]).nnz == 0


def test_trees_can_be_taken_out_and_put_together(seed):
    rng = np.random.default_rng(seed)
    parts = [random_trees(rng, n_words) for n_words in (2, 0, 3)]
    trees = Trees.concatenate(parts)
    assert trees.n_trees == 18
    assert trees.max_categories == 192
    assert trees.category_sets.shape[1] == 3
    assert trees.category_set.dtype == trees.left.dtype == np.int32
    assert trees.starts.dtype == np.int64
    X = random_rows(rng, 50, n_words=2, missing=0.1)
    leaves = trees.apply(X)
    assert_array_equal(leaves, np.hstack([part.apply(X) for part in parts]))
    for t in (0, 4, -1):
        tree = trees.tree(t)
        assert np.shares_memory(tree.value, trees.value)
        assert_array_equal(tree.apply(X)[:, 0], leaves[:, t])
    for chosen in ([3, 17, 3], np.arange(18), np.array([], dtype=int), slice(2, 5)):
        numbers = np.arange(18)[chosen]
        some = trees.select(numbers)
        assert some.n_trees == len(numbers)
        assert_array_equal(some.apply(X), leaves[:, numbers])
    with pytest.raises(IndexError):
        trees.tree(18)


def test_pickle_holds_the_arrays_and_nothing_else(seed):
    rng = np.random.default_rng(seed)
    trees, X = random_trees(rng, n_words=1), random_rows(rng, 30, n_words=1)
    before = pickle.dumps(trees)
    answers = [getattr(trees, name)(X) for name in QUESTIONS]
    assert len(pickle.dumps(trees)) == len(before)
    again = pickle.loads(before)
    for name, answer in zip(QUESTIONS, answers):
        assert_array_equal(getattr(again, name)(X), answer)
    assert len(pickle.dumps(trees.tree(1))) < len(before)


@pytest.mark.parametrize("change", ["read-only", "float32", "Fortran order", "frame"])
def test_rows_may_come_in_other_forms(change):
    X = np.array([[1.0, 0, 9], [1.5, 0, -3], [2.0, 0, 0]])
    if change == "read-only":
        X.flags.writeable = False
    elif change == "float32":
        X = X.astype(np.float32)
    elif change == "Fortran order":
        X = np.asfortranarray(X)
    else:
        X = pytest.importorskip("pandas").DataFrame(X)
    assert_array_equal(small_tree().apply(X), [[1], [3], [4]])


def test_no_rows():
    X = np.empty((0, 3))
    tree = small_tree()
    assert tree.apply(X).shape == (0, 1)
    assert tree.mean_value(X).shape == (0, 2)
    assert tree.values_by_tree(X).shape == (1, 0, 2)
    assert tree.decision_path(X).shape == (0, 5)
    mean, n_left_out = tree.left_out_mean(X, lambda trees: np.zeros((1, 0)))
    assert mean.shape == (0, 2) and n_left_out.shape == (0,)


def test_memory_does_not_grow_with_rows_times_trees():
    trees = small_tree().select(np.zeros(400, dtype=int))
    X = np.zeros((10_000, 3))
    trees.mean_value(X[:10])  # compiled and packed
    tracemalloc.start()
    trees.mean_value(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3e6  # leaves alone, at four bytes each, would be 16e6
