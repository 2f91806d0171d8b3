"""mRMR and its ensembles against naive twins written from the formulas."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csc_matrix
from sklearn.datasets import load_breast_cancer
from sklearn.feature_selection import f_classif, f_regression
from sklearn.metrics import mutual_info_score

from manyminds.feature_selection.base import assign_folds
from manyminds.feature_selection.filters.mrmr import MRMRSelector, combine_votes
from manyminds.feature_selection.filters.mrmr_cost import count_passes

MEASURES = ["pearson", "f", "mutual_information"]


# ---------------------------------------------------------------- naive twins


def naive_relevance(X, y, measure):
    if measure == "f":
        return f_classif(X, y)[0]
    return np.array([naive_association(x, y, measure) for x in X.T])


def naive_association(x, z, measure):
    if measure == "mutual_information":
        joint = np.histogram2d(x, z, bins=(range(5), range(5)))[0] / len(x)
        alone = np.outer(joint.sum(axis=1), joint.sum(axis=0))
        seen = joint > 0.0
        return (joint[seen] * np.log2(joint[seen] / alone[seen])).sum()
    return abs(np.corrcoef(x, z)[0, 1])


def naive_mrmr(X, y, k, measure, criterion="quotient"):
    """The search as the paper prints it, every association when it is asked for."""
    redundancy = "pearson" if measure == "f" else measure
    relevance, selected = naive_relevance(X, y, measure), []
    while len(selected) < k:
        scores = relevance.copy()
        if selected:
            mean = np.array(
                [
                    np.mean(
                        [naive_association(x, X[:, s], redundancy) for s in selected]
                    )
                    for x in X.T
                ]
            )
            is_quotient = criterion == "quotient"
            scores = relevance / mean if is_quotient else relevance - mean
        scores[selected] = -np.inf
        selected.append(int(np.argmax(scores)))
    return selected


def naive_vote(members, relevance, k):
    votes, ranks = {}, {}
    for member in members:
        for rank, feature in enumerate(member):
            votes[feature] = votes.get(feature, 0) + 1
            ranks.setdefault(feature, []).append(rank)
    keys = {f: (-votes[f], np.mean(ranks[f]), -relevance[f], f) for f in votes}
    return sorted(votes, key=keys.get)[:k]


def draw(rng, n_samples=60, n_features=12, measure="f"):
    """Columns that go together, more or less, and with two classes."""
    hidden = rng.normal(size=(n_samples, 4))
    X = hidden @ rng.normal(size=(4, n_features))
    X += rng.normal(size=X.shape)
    y = (hidden[:, 0] + 0.5 * rng.normal(size=n_samples) > 0).astype(int)
    if measure == "mutual_information":
        X = np.digitize(X, [-1.5, 0.0, 1.5]).astype(float)
    return X, y


def make(measure, k=5, **options):
    redundancy = "pearson" if measure == "f" else measure
    return MRMRSelector(
        k, relevance=measure, redundancy=redundancy, discretize=None, **options
    )


# ---------------------------------------------------------------- one search


def test_worked_example():
    # Relevances by correlation: column 0 and its copy 1 have 1, column 2 has 0.5. After
    # column 0 its copy scores 1 / 1, and column 2, which has 0.5 with it, 0.5 / 0.5: a
    # tie, and the first of them goes first. In the difference form 0 and 0, likewise.
    # Column 3 has 0.5 with y, and 0.5 with column 2 as well; the third place asks
    # 0.5 / mean(0.5, 0.5) = 1 of column 2 and of column 3: the first again.
    y = np.array([1.0, 1.0, -1.0, -1.0, 0.5, -0.5])
    z = np.array([1.0, -1.0, 1.0, -1.0, 0.0, 0.0])
    z -= z @ y / (y @ y) * y
    z *= np.sqrt((y @ y) / (z @ z))
    X = np.column_stack([y, y, y / 2 + np.sqrt(0.75) * z, y / 2 + np.sqrt(0.75) * z])
    for criterion in "quotient", "difference":
        selector = MRMRSelector(4, criterion=criterion).fit(X, y)
        assert_allclose(selector.scores_, [1.0, 1.0, 0.5, 0.5])
        assert_array_equal(selector.selected_, [0, 1, 2, 3])


@pytest.mark.parametrize("criterion", ["quotient", "difference"])
@pytest.mark.parametrize("measure", MEASURES)
def test_plain_search_is_the_naive_one(seed, measure, criterion):
    X, y = draw(np.random.default_rng(seed), measure=measure)
    selector = make(measure, 8, criterion=criterion).fit(X, y)
    expected = naive_mrmr(X, y, 8, measure, criterion)
    assert_array_equal(selector.selected_, expected)
    assert_allclose(selector.scores_, naive_relevance(X, y, measure), atol=1e-10)
    assert_array_equal(np.flatnonzero(selector.support_), np.sort(expected))
    assert_array_equal(selector.ranking_[expected], np.arange(1, 9))
    assert set(selector.ranking_[~selector.support_]) == {9}


def test_numeric_target_and_f_of_a_regression(seed):
    X, _ = draw(np.random.default_rng(seed))
    y = X[:, 0] + X[:, 3] + np.random.default_rng(seed).normal(size=len(X))
    selector = MRMRSelector(5).fit(X, y)
    assert selector.measures_ == ("pearson", "pearson")
    assert_array_equal(selector.selected_, naive_mrmr(X, y, 5, "pearson"))
    f = MRMRSelector(5, relevance="f").fit(X, y).scores_
    assert_allclose(f, f_regression(X, y)[0], rtol=1e-7)


def test_lazy_search_leaves_pairs_out_and_loses_nothing(seed):
    # A hundred features of noise have no chance: a lazy search looks at them once.
    rng = np.random.default_rng(seed)
    X, y = draw(rng)
    X = np.column_stack([X + 3.0 * y[:, None], rng.normal(size=(len(y), 300))])
    selector = MRMRSelector(10).fit(X, y)
    assert_array_equal(selector.selected_, naive_mrmr(X, y, 10, "f"))
    assert selector.n_evaluated_ < selector.n_passes_ == count_passes(312, 10)


@pytest.mark.parametrize("ensemble", ["none", "fast", "full"])
def test_floor_tames_columns_that_have_nothing_in_common(ensemble):
    # Three patterns without correlation, in splits, too. The target is a + b + c/10.
    # After a + b, column 1 scores 0.07 / 1e-6 and column 2, which is a, 0.7 / 0.7. With
    # a floor of 0.1 it is 0.07 / 0.1 against 1.
    a, b, c = (np.tile(np.repeat([1.0, -1.0], n), 40 // n) for n in (4, 2, 1))
    X = np.column_stack([a + b, c + 1e-6 * a, a])
    options = {"ensemble": ensemble, "n_members": 10, "task": "regression"}
    for floor, expected in ((0.0, [0, 1, 2]), (0.1, [0, 2, 1])):
        selector = MRMRSelector(3, redundancy_floor=floor, **options)
        found = selector.fit(X, a + b + 0.1 * c).selected_
        assert_array_equal(found, expected)


def test_constant_columns_come_last():
    X, y = load_breast_cancer(return_X_y=True)
    X = np.column_stack([np.full(len(y), 0.1), X[:, :3], np.zeros(len(y))])
    for options in {}, {"ensemble": "fast"}, {"relevance": "mutual_information"}:
        for criterion in "quotient", "difference":
            selector = MRMRSelector(5, criterion=criterion, **options).fit(X, y)
            assert_array_equal(selector.selected_[3:], [0, 4])
            assert_array_equal(selector.scores_[[0, 4]], 0.0)


def test_redundancy_decides_between_perfect_columns():
    # Three columns are constant within each of three classes. The second is a multiple
    # of the first; the third, 0 1 0, has no correlation with 0 1 2.
    y = np.repeat([0, 1, 2], 10)
    X = np.column_stack([y, 3.0 * y, y % 2, np.sin(np.arange(30))])
    selector = MRMRSelector(3).fit(X, y)
    assert np.isfinite(selector.scores_).all()
    assert_array_equal(selector.selected_, [0, 2, 1])


# ---------------------------------------------------------------- acceptance list


@pytest.mark.parametrize("e", [2, 5])
@pytest.mark.parametrize("measure", MEASURES)
def test_item_1_ensembles_of_copies_are_plain(seed, e, measure):
    X, y = draw(np.random.default_rng(seed), measure=measure)
    plain = make(measure).fit(X, y).selected_
    X_long, y_long = np.repeat(X, e, axis=0), np.repeat(y, e)
    for ensemble in "inner", "fast":
        selector = make(measure, ensemble=ensemble, n_members=e).fit(X_long, y_long)
        assert_array_equal(selector.selected_, plain)


def test_item_1_one_member_is_refused():
    X, y = draw(np.random.default_rng(0))
    with pytest.raises(ValueError, match="n_members"):
        MRMRSelector(ensemble="fast", n_members=1).fit(X, y)
    with pytest.raises(ValueError, match="n_members must be at most the number"):
        MRMRSelector(ensemble="inner", n_members=61).fit(X, y)


@pytest.mark.parametrize("measure", MEASURES)
def test_item_2_values_of_parts_are_those_of_their_rows(seed, measure):
    # The relevance of an inner ensemble is the mean over the splits.
    X, y = draw(np.random.default_rng(seed), measure=measure)
    fold = assign_folds(len(y), 4, "round_robin", y, None)
    expected = [naive_relevance(X[fold != i], y[fold != i], measure) for i in range(4)]
    selector = make(measure, ensemble="inner", n_members=4).fit(X, y)
    assert_allclose(selector.scores_, np.mean(expected, axis=0), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("fold_assignment", ["round_robin", "shuffled", "stratified"])
@pytest.mark.parametrize("e", [2, 5])
@pytest.mark.parametrize("measure", MEASURES)
def test_item_3_fast_is_the_naive_ensemble(seed, e, measure, fold_assignment):
    X, y = draw(np.random.default_rng(seed), measure=measure)
    selector = make(
        measure,
        6,
        ensemble="fast",
        n_members=e,
        fold_assignment=fold_assignment,
        random_state=seed,
    ).fit(X, y)
    rng = np.random.RandomState(seed)
    fold = assign_folds(len(y), e, fold_assignment, y, rng)
    splits = [(X[fold != i], y[fold != i]) for i in range(e)]
    members = [naive_mrmr(*split, 6, measure) for split in splits]
    assert_array_equal(selector.members_, members)
    relevance = np.mean([naive_relevance(*split, measure) for split in splits], axis=0)
    assert_array_equal(selector.selected_, naive_vote(members, relevance, 6))


@pytest.mark.parametrize("measure", MEASURES)
def test_item_3_fast_is_full(seed, measure):
    X, y = draw(np.random.default_rng(seed), measure=measure)
    fast = make(measure, ensemble="fast", n_members=7).fit(X, y)
    full = make(measure, ensemble="full", n_members=7, n_jobs=2).fit(X, y)
    assert_array_equal(fast.members_, full.members_)
    assert_array_equal(fast.ranking_, full.ranking_)
    assert_array_equal(fast.support_counts_, full.support_counts_)
    assert_allclose(fast.scores_, full.scores_, rtol=1e-9)
    assert fast.n_passes_ <= 12 + 12 * 11 / 2 < full.n_passes_


@pytest.mark.parametrize("measure", MEASURES)
def test_item_3_inner_is_the_search_with_mean_values(seed, measure):
    # The mean of absolute values, not the absolute value of the mean.
    X, y = draw(np.random.default_rng(seed), measure=measure)
    fold, redundancy = np.arange(len(y)) % 5, "pearson" if measure == "f" else measure
    relevance, pairs = np.zeros(12), np.zeros((12, 12))
    for i in range(5):
        part, target = X[fold != i], y[fold != i]
        relevance += naive_relevance(part, target, measure)
        pairs += [[naive_association(a, b, redundancy) for a in part.T] for b in part.T]
    selected = [int(relevance.argmax())]
    while len(selected) < 6:
        scores = relevance / pairs[selected].mean(axis=0)
        scores[selected] = -1.0
        selected.append(int(scores.argmax()))
    selector = make(measure, 6, ensemble="inner", n_members=5).fit(X, y)
    assert_array_equal(selector.selected_, selected)


def test_item_4_passes_are_counted(seed):
    X, y = draw(np.random.default_rng(seed), n_features=30)
    fast = MRMRSelector(6, ensemble="fast", n_members=9).fit(X, y)
    s = len(np.unique(fast.members_[:, :-1]))
    assert fast.n_passes_ == 30 + s * 30 - s * (s + 1) // 2 <= 30 + 30 * 29 // 2
    plain = 30 * 6 - (36 - 6) // 2
    assert MRMRSelector(6).fit(X, y).n_passes_ == plain
    assert MRMRSelector(6, ensemble="inner").fit(X, y).n_passes_ == plain
    full = MRMRSelector(6, ensemble="full", n_members=9).fit(X, y)
    assert full.n_passes_ == 9 * plain


def test_item_7_order_and_units_of_columns_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, y = draw(rng)
    order = rng.permutation(12)
    moved = X[:, order] * rng.uniform(0.1, 10.0, 12) + rng.uniform(-50.0, 50.0, 12)
    for ensemble in "none", "inner", "fast":
        options = {"ensemble": ensemble, "n_members": 5}
        before = MRMRSelector(6, **options).fit(X, y)
        after = MRMRSelector(6, **options).fit(moved, y)
        assert_array_equal(order[after.selected_], before.selected_)
        assert_allclose(after.scores_, before.scores_[order], rtol=1e-7)


# ---------------------------------------------------------------- kinds of tables


def test_mixed_tables(seed):
    # One nominal column among numbers: all are levels on one scale unless told.
    rng = np.random.default_rng(seed)
    X, y = draw(rng)
    frame = pd.DataFrame(X, columns=list("abcdefghijkl"))
    frame["e"] = pd.Categorical.from_codes(rng.integers(0, 3, len(y)), list("xyz"))
    auto = MRMRSelector(4).fit(frame, y)
    assert auto.measures_ == ("symmetrical_uncertainty", "symmetrical_uncertainty")
    by_dtype = MRMRSelector(6, relevance="by_dtype", redundancy="by_dtype").fit(
        frame, y
    )
    code = frame["e"].cat.codes.to_numpy()
    numeric = np.delete(np.arange(12), 4)
    expected = np.insert(
        f_classif(X[:, numeric], y)[0], 4, mutual_info_score(code, y) / np.log(2.0)
    )
    assert_allclose(by_dtype.scores_, expected, rtol=1e-7, atol=1e-10)
    with pytest.raises(ValueError, match=r"columns \[4\] are categorical"):
        MRMRSelector(relevance="f").fit(frame, y)


@pytest.mark.parametrize("ensemble", ["none", "inner", "fast"])
def test_by_dtype_uses_the_measure_of_each_pair(seed, ensemble):
    # With numeric columns alone it is F and correlation; with codes alone information.
    options = {"ensemble": ensemble, "n_members": 5, "discretize": None}
    kind = {"relevance": "by_dtype", "redundancy": "by_dtype"}
    X, y = draw(np.random.default_rng(seed))
    expected = make("f", ensemble=ensemble, n_members=5).fit(X, y)
    found = MRMRSelector(5, **kind, **options).fit(X, y)
    assert_array_equal(found.selected_, expected.selected_)
    X, y = draw(np.random.default_rng(seed), measure="mutual_information")
    expected = make("mutual_information", ensemble=ensemble, n_members=5).fit(X, y)
    codes = {"categorical_features": np.ones(12, dtype=bool)}
    found = MRMRSelector(5, **kind, **options, **codes).fit(X, y)
    assert_array_equal(found.selected_, expected.selected_)


def test_all_nominal_tables_take_mutual_information(seed):
    X, y = draw(np.random.default_rng(seed), measure="mutual_information")
    selector = MRMRSelector(5, categorical_features=np.arange(12)).fit(X, y)
    assert selector.measures_ == ("mutual_information", "mutual_information")
    assert_array_equal(selector.selected_, naive_mrmr(X, y, 5, "mutual_information"))


@pytest.mark.parametrize("ensemble", ["none", "inner", "fast", "bagged"])
@pytest.mark.parametrize("measure", ["f", "mutual_information"])
def test_sparse_is_dense(seed, ensemble, measure):
    rng = np.random.default_rng(seed)
    X, y = draw(rng)
    X = np.where(rng.random(X.shape) < 0.5, 0.0, np.round(X) + 2.0 * y[:, None])
    selector = make(measure, ensemble=ensemble, n_members=5, random_state=seed)
    dense = selector.fit(X, y)
    expected, scores = dense.ranking_, dense.scores_
    sparse = selector.fit(csc_matrix(X), y)
    assert_allclose(sparse.scores_, scores, rtol=1e-7, atol=1e-10)
    assert_array_equal(sparse.ranking_, expected)


@pytest.mark.parametrize("measure", MEASURES)
def test_weights_are_repetitions(seed, measure):
    rng = np.random.default_rng(seed)
    X, y = draw(rng, measure=measure)
    weight = rng.integers(0, 3, len(y))
    weight[:4] = 1
    long = make(measure).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    found = make(measure).fit(X, y, sample_weight=weight)
    assert_allclose(found.scores_, long.scores_, rtol=1e-7, atol=1e-12)
    assert_array_equal(found.selected_, long.selected_)


def test_missing_values_are_a_level(seed):
    X, y = draw(np.random.default_rng(seed), measure="mutual_information")
    missing = np.where(X == 2.0, np.nan, X)
    expected = make("mutual_information").fit(X, y).selected_
    found = make("mutual_information").fit(missing, y).selected_
    assert_array_equal(found, expected)
    with pytest.raises(ValueError, match="contains NaN"):
        MRMRSelector().fit(missing, y)


def test_several_classes_have_no_correlation():
    X, y = draw(np.random.default_rng(0))
    with pytest.raises(ValueError, match="y has 3 classes"):
        MRMRSelector(relevance="pearson").fit(X, np.arange(len(y)) % 3)


def test_bagged_members_are_searches_on_samples(seed):
    X, y = draw(np.random.default_rng(seed), n_samples=100)
    selector = MRMRSelector(4, ensemble="bagged", n_members=3, random_state=seed)
    selector.fit(X, y)
    rows = np.random.RandomState(seed).randint(100, size=(3, 100))
    expected = [naive_mrmr(X[some], y[some], 4, "f") for some in rows]
    assert_array_equal(selector.members_, expected)
    assert_array_equal(
        selector.member_rankings_[np.arange(3)[:, None], selector.members_],
        np.tile(np.arange(1, 5), (3, 1)),
    )


def test_stratified_parts_share_the_classes_out(seed):
    y = np.repeat([0, 1, 2], [30, 20, 10])
    fold = assign_folds(60, 10, "stratified", y, np.random.RandomState(seed))
    for part in range(10):
        assert_array_equal(np.bincount(y[fold == part]), [3, 2, 1])


def test_votes_are_counted_by_hand():
    # Feature 3 has three votes. 0, 1 and 2 have two, at mean ranks 2.5, 1.5 and 3.
    # Feature 4 has none.
    members = np.array([[3, 1, 2], [1, 3, 0], [3, 0, 2]])
    order, counts = combine_votes(members, np.array([0.1, 0.2, 0.3, 0.4, 0.5]))
    assert_array_equal(counts, [2, 2, 2, 3, 0])
    assert_array_equal(order, [3, 1, 0, 2])


def test_votes_that_are_alike_go_by_relevance_and_then_by_column():
    members = np.array([[0, 1], [2, 3], [1, 0], [3, 2]])
    order, _ = combine_votes(members, np.array([0.1, 0.2, 0.3, 0.3]))
    assert_array_equal(order, [2, 3, 1, 0])
