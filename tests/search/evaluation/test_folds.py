"""Folds of a search: no row is tested twice, and classes are spread."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.model_selection import (
    KFold,
    LeaveOneGroupOut,
    ShuffleSplit,
    TimeSeriesSplit,
)

from manyminds.search import ComplexModelSearchClassifier, ComplexModelSearchRegressor
from manyminds.search.evaluation.folds import (
    MAX_TESTED,
    list_tested,
    make_folds,
    place_tests,
    spread_rows,
)


def check_partition(folds, n):
    tests = np.concatenate([test for _, test in folds])
    assert sorted(tests) == list(range(n))
    for train, test in folds:
        assert sorted([*train, *test]) == list(range(n))


@pytest.mark.parametrize(
    ("n", "n_folds"), [(7, 7), (499, 10), (500, 5), (5_000, 5), (5_001, 3)]
)
def test_many_rows_have_fewer_folds(n, n_folds):
    folds = make_folds("auto", None, np.zeros(n), "regression", 0)
    assert len(folds) == n_folds
    check_partition(folds, n)


@pytest.mark.parametrize(
    ("n", "minutes", "n_folds"),
    [(20_000, 1, 3), (20_001, 1, 1), (20_001, 2, 3), (100_001, 5, 1), (5_001, 5, 3)],
)
def test_minutes_buy_folds_of_many_rows(n, minutes, n_folds):
    folds = make_folds("auto", None, np.zeros(n), "regression", 0, minutes=minutes)
    assert len(folds) == n_folds


def test_minutes_buy_folds_of_many_classes():
    y = np.arange(15_000) % 26  # 390,000 values
    counts = [
        len(make_folds("auto", None, y, "classification", 0, minutes=minutes))
        for minutes in (3, 4)
    ]
    assert counts == [1, 3]


@pytest.mark.parametrize(
    ("counts", "with_all", "n_folds"),
    [
        ((20, 4), False, 10),
        ((20, 4), True, 4),
        ((20, 1), True, 2),
        ((6, 4), False, 6),
    ],
)
def test_classes_limit_the_folds(counts, with_all, n_folds):
    y = np.repeat(np.arange(len(counts)), counts)
    folds = make_folds("auto", None, y, "classification", 0, with_all_classes=with_all)
    assert len(folds) == n_folds


def test_classes_are_spread_over_the_folds(seed):
    y = np.repeat([0, 1], [40, 10])
    for _, test in make_folds(5, None, y, "classification", seed):
        assert np.bincount(y[test]).tolist() == [8, 2]


def test_the_seed_decides(seed):
    y = np.zeros(40)
    one, again, other = (
        [test.tolist() for _, test in make_folds(4, None, y, "regression", s)]
        for s in (seed, seed, seed + 1)
    )
    assert one == again != other


def test_a_splitter_of_ones_own_is_used():
    folds = make_folds(KFold(3), None, np.zeros(9), "regression", 0)
    assert [test.tolist() for _, test in folds] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


@pytest.mark.parametrize("cv", [1, 5, -1])
def test_a_wrong_number_of_folds_is_named(cv):
    with pytest.raises(ValueError, match=f"cv must be at least 2 .* 4; got {cv}"):
        make_folds(cv, None, np.zeros(4), "regression", 0)


def test_a_row_that_is_tested_twice_is_an_error():
    splitter = ShuffleSplit(3, test_size=0.5, random_state=0)
    with pytest.raises(ValueError, match="cv must put no row into two test folds"):
        make_folds(splitter, None, np.zeros(8), "regression", 0)


def test_a_row_that_is_trained_on_and_tested_is_an_error():
    leaking = [([0, 1, 2], [2, 3])]
    with pytest.raises(ValueError, match="nor into training and test of one"):
        make_folds(leaking, None, np.zeros(4), "regression", 0)
    with pytest.raises(ValueError, match="a row to train on and one to test"):
        make_folds([([0, 1], [])], None, np.zeros(4), "regression", 0)


def test_rows_that_are_never_tested_are_allowed():
    folds = make_folds(TimeSeriesSplit(2), None, np.zeros(6), "regression", 0)
    assert list_tested(folds).tolist() == [2, 3, 4, 5]
    one = make_folds(ShuffleSplit(1, test_size=3), None, np.zeros(8), "regression", 0)
    assert len(one) == 1 and len(list_tested(one)) == 3


def test_places_are_positions_among_the_tested_rows():
    folds = [(np.array([0, 1]), np.array([5, 3])), (np.array([0, 1]), np.array([4]))]
    assert [places.tolist() for _, places in place_tests(folds)] == [[2, 0], [1]]
    spread = spread_rows(np.array([[3.0], [4.0], [5.0]]), folds, 7)
    assert_array_equal(spread[3:6, 0], [3.0, 4.0, 5.0])
    assert np.isnan(spread[[0, 1, 2, 6]]).all() and spread.shape == (7, 1)


def test_a_large_table_holds_out_one_part_of_each_class(seed):
    # Of the rarest classes all rows are trained on; a fifth of the others is tested.
    counts = np.array([100_000, 1_000, 4, 1])
    y = np.random.default_rng(seed).permutation(np.repeat(np.arange(4), counts))
    [(train, test)] = make_folds("auto", None, y, "classification", seed)
    assert np.bincount(y[test], minlength=4).tolist() == [20_000, 200, 0, 0]
    assert len(train) + len(test) == len(y)
    assert (np.diff(train) > 0).all() and (np.diff(test) > 0).all()


def test_a_score_of_all_classes_tests_a_row_of_each(seed):
    y = np.repeat(np.arange(3), [100_000, 2, 1])
    [(train, test)] = make_folds(
        "auto", None, y, "classification", seed, with_all_classes=True
    )
    assert np.bincount(y[test]).tolist() == [20_000, 1, 1]
    assert 1 in y[train]


def test_the_held_out_part_is_bounded():
    n = 400_000
    for y, task in ((np.zeros(n), "regression"), (np.zeros((n, 2)), "multilabel")):
        [(train, test)] = make_folds("auto", None, y, task, 0)
        assert len(test) == MAX_TESTED and len(train) == n - MAX_TESTED


def test_many_classes_hold_out_one_part_too():
    # 30,000 rows times 1,000 classes are more predictions than folds are worth.
    y = np.arange(30_000) % 1_000
    [(_, test)] = make_folds("auto", None, y, "classification", 0)
    assert np.bincount(y[test]).tolist() == [8] * 1_000


@pytest.mark.parametrize(
    ("n_rows", "n_classes", "n_tested"),
    [
        (20_000, 2, [6_667, 6_667, 6_666]),  # three folds
        (20_001, 2, [6_600]),  # a third at most
        (30_000, 2, [8_000]),
        (50_000, 2, [10_000]),  # a fifth at least
        (10_000, 10, [3_334, 3_333, 3_333]),
        (10_010, 10, [3_300]),  # rows times classes count
    ],
)
def test_what_takes_long_holds_out_one_part(n_rows, n_classes, n_tested):
    y = np.arange(n_rows) % n_classes
    folds = make_folds("auto", None, y, "classification", 0)
    assert [len(test) for _, test in folds] == n_tested


def test_classes_of_single_rows_can_be_held_out():
    y = np.append(np.zeros(150_000, dtype=np.int64), np.arange(1, 200))
    [(train, test)] = make_folds("auto", None, y, "classification", 0)
    assert set(y[test]) == {0} and len(set(y[train])) == 200


def test_groups_and_times_reach_the_splitter_and_are_checked():
    y, groups = np.zeros(6), np.array([0, 0, 1, 1, 2, 2])
    folds = make_folds(LeaveOneGroupOut(), None, y, "regression", 0, groups=groups)
    assert [test.tolist() for _, test in folds] == [[0, 1], [2, 3], [4, 5]]
    with pytest.raises(ValueError, match="keep rows of one group together"):
        make_folds(KFold(2), None, y, "regression", 0, groups=groups)
    with pytest.raises(ValueError, match="train on rows before those of the test"):
        make_folds(KFold(2), None, y, "regression", 0, time=np.arange(6))


def test_auto_follows_groups_and_times(seed):
    rng = np.random.default_rng(seed)
    y, groups = rng.normal(size=60), rng.permutation(np.arange(60) % 4)
    folds = make_folds("auto", None, y, "regression", seed, groups=groups)
    assert len(folds) == 4
    check_partition(folds, 60)
    folds = make_folds("auto", None, y, "regression", seed, time=groups)
    assert [sorted(set(groups[test])) for _, test in folds] == [[1], [2], [3]]
    folds = make_folds("auto", None, y, "regression", seed, time=np.arange(60))
    assert len(folds) == 5 and len(list_tested(folds)) == 50


def test_a_block_after_one_class_only_is_not_predicted():
    time = np.arange(12)
    y = np.repeat([0, 1], [7, 5])
    folds = make_folds(3, None, y, "classification", 0, time=time)
    assert [test.tolist() for _, test in folds] == [[9, 10, 11]]
    y = np.repeat([0, 1], [11, 1])
    with pytest.raises(ValueError, match="time must have rows of two classes before"):
        make_folds(3, None, y, "classification", 0, time=time)


def test_folds_that_train_on_one_class_are_dropped(seed):
    groups = np.repeat(np.arange(10), 6)
    y = (groups == 4).astype(int)  # one patient is positive
    folds = make_folds(5, None, y, "classification", seed, groups=groups)
    assert len(folds) == 4 and all(y[train].any() for train, _ in folds)
    assert not y[list_tested(folds)].any()
    with pytest.raises(ValueError, match="groups must have rows of each class to test"):
        make_folds(
            5, None, y, "classification", seed, groups=groups, with_all_classes=True
        )
    with pytest.raises(ValueError, match=r"groups must have rows of two .* two folds"):
        make_folds(2, None, y, "classification", seed, groups=groups)
    # Rows that do not depend on each other are drawn as ever, with equal weights too.
    y = np.eye(9, dtype=int)[0]
    for weights in (None, np.ones(9)):
        folds = make_folds(2, None, y, "classification", seed, sample_weight=weights)
        check_partition(folds, 9)
    y = (groups == 4).astype(int)
    assert len(make_folds(5, None, y, "regression", seed, groups=groups)) == 5


def test_folds_without_weight_in_training_or_test_are_dropped(seed):
    y, codes = np.arange(40) % 2, np.repeat(np.arange(8), 5)
    for task in ("classification", "regression"):
        weights = (codes > 1).astype(float)  # the first quarter of the times
        folds = make_folds(3, None, y, task, seed, time=codes, sample_weight=weights)
        tested = [sorted(set(codes[test])) for _, test in folds]
        assert tested == [[4, 5], [6, 7]]
        weights = (codes != 3).astype(float)
        folds = make_folds(8, None, y, task, seed, groups=codes, sample_weight=weights)
        assert len(folds) == 7
        assert sorted(set(codes[list_tested(folds)])) == [0, 1, 2, 4, 5, 6, 7]
        with pytest.raises(ValueError, match=r"sample_weight must be .* two folds"):
            make_folds(2, None, y, task, seed, groups=codes // 4,
                       sample_weight=1.0 * (codes < 4))  # fmt: skip
        with pytest.raises(ValueError, match=r"sample_weight must be .* one fold"):
            make_folds(3, None, y, task, seed, time=codes,
                       sample_weight=1.0 * (codes > 5))  # fmt: skip


def test_classes_of_rows_without_weight_are_not_trained_on(seed):
    time = np.arange(40)
    y = time % 2
    weights = np.where((y == 1) & (time < 20), 0.0, 1.0)
    folds = make_folds(
        3, None, y, "classification", seed, time=time, sample_weight=weights
    )
    assert [test.tolist() for _, test in folds] == [list(range(30, 40))]


@pytest.mark.slow
def test_a_search_goes_on_without_folds_that_train_on_one_class(seed):
    # One patient of ten is positive; boosting fails on the rows of the others.
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(10), 12)
    y = (groups == 4).astype(int)
    X = rng.normal(size=(120, 3)) + y[:, None]
    search = ComplexModelSearchClassifier(
        budget=None, n_trials=3, cv=5, random_state=seed
    )
    search.fit(X, y, groups=groups)
    assert len(search.folds_) == 4
    assert len(search.leaderboard_) == 3
    tested = list_tested(search.folds_)
    is_tested = np.isin(np.arange(120), tested)
    assert_array_equal(np.isfinite(search.oof_predictions_[:, 0]), is_tested)
    assert not is_tested[y == 1].any()
    assert np.isfinite(search.honest_score_.score)
    assert search.calibration_ is not None
    assert search.predict(X).shape == (120,)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["groups", "time"])
@pytest.mark.parametrize(
    "kind_of_search", [ComplexModelSearchClassifier, ComplexModelSearchRegressor]
)
def test_a_search_goes_on_without_folds_of_no_weight(kind_of_search, kind, seed):
    # Of one group, or of the first quarter of the times, all weights are 0.
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(12), 10)
    y = rng.integers(2, size=120)
    X = rng.normal(size=(120, 3)) + y[:, None]
    left_out, cv = (codes == 5, 12) if kind == "groups" else (codes < 3, 3)
    search = kind_of_search(budget=None, n_trials=2, cv=cv, random_state=seed)
    search.fit(X, y, sample_weight=1.0 * ~left_out, **{kind: codes})
    assert len(search.folds_) == cv - 1
    assert len(search.leaderboard_) == 2
    tested = np.isin(np.arange(120), list_tested(search.folds_))
    assert_array_equal(tested, codes != 5 if kind == "groups" else codes >= 6)
    made = search.oof_predictions_.reshape(120, -1)
    assert_array_equal(np.isfinite(made).all(axis=1), tested)
    honest = search.honest_score_
    assert np.isfinite([honest.low, honest.score, honest.high]).all()
    assert search.calibration_ is not None
    assert search.predict(X).shape == (120,)
