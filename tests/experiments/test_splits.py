"""Ways to divide rows."""

import numpy as np
import pytest
from sklearn.model_selection import RepeatedKFold, StratifiedKFold

from manyminds.experiments import (
    CrossValidation,
    GivenSplits,
    RandomSplits,
    WholeData,
)

Y = np.repeat([0, 1, 2], [30, 20, 10])


def as_pairs(splits, y=Y, stratified=True):
    return [(split.train, split.test) for split in splits.split(y, stratified)]


@pytest.mark.parametrize("permute_rows", [False, True])
@pytest.mark.parametrize("stratified", [False, True])
def test_every_row_is_tested_once_in_each_repetition(permute_rows, stratified, seed):
    splits = CrossValidation(5, 3, seed=seed, permute_rows=permute_rows)
    found = list(splits.split(Y, stratified))
    assert [(s.repeat, s.fold) for s in found] == [
        (r, f) for r in range(3) for f in range(5)
    ]
    assert len(splits) == 15
    for repeat in range(3):
        tests = [split.test for split in found if split.repeat == repeat]
        assert sorted(np.concatenate(tests)) == list(range(len(Y)))
    for split in found:
        assert sorted([*split.train, *split.test]) == list(range(len(Y)))
        if stratified:
            assert list(np.bincount(Y[split.test])) == [6, 4, 2]


def test_repetitions_differ_and_seeds_repeat():
    one, again = (as_pairs(CrossValidation(2, 2, seed=7)) for _ in range(2))
    for (train, test), (train_again, test_again) in zip(one, again):
        assert (train == train_again).all() and (test == test_again).all()
    assert set(one[0][1]) != set(one[2][1])


def test_shuffled_folds_are_those_of_scikit_learn():
    ours = as_pairs(CrossValidation(4, 1, seed=3))
    theirs = StratifiedKFold(4, shuffle=True, random_state=3).split(Y, Y)
    for (train, test), (train_of_theirs, test_of_theirs) in zip(ours, theirs):
        assert (train == train_of_theirs).all() and (test == test_of_theirs).all()


def test_permuted_folds_are_those_of_the_thesis():
    # Rows permuted with seed i, then dealt out by unshuffled stratified folds.
    found = list(CrossValidation(3, 2, permute_rows=True).split(Y, True))
    for i in range(2):
        order = np.random.RandomState(i).permutation(len(Y))
        plain = StratifiedKFold(3).split(order, Y[order])
        for fold, (train, test) in enumerate(plain):
            split = found[3 * i + fold]
            assert (split.train == order[train]).all()
            assert (split.test == order[test]).all()


def test_numbers_are_split_without_classes():
    y = np.linspace(0, 1, 12)
    sizes = [len(test) for _, test in as_pairs(CrossValidation(3, 2), y, False)]
    assert sizes == [4] * 6
    assert RepeatedKFold(n_splits=3, n_repeats=2).get_n_splits() == len(sizes)


def test_a_class_smaller_than_the_folds_gives_no_warning(recwarn):
    as_pairs(CrossValidation(10), np.repeat([0, 1], [30, 1]))
    assert not recwarn


def test_the_number_of_repetitions_does_not_change_the_first():
    assert CrossValidation(5, 2).describe() == CrossValidation(5, 10).describe()
    assert CrossValidation(5, seed=1).describe() != CrossValidation(5).describe()


def test_random_halves_keep_the_share_of_classes(seed):
    pairs = as_pairs(RandomSplits(4, test_share=0.5, seed=seed))
    assert len(pairs) == len(RandomSplits(4)) == 4
    for train, test in pairs:
        assert not set(train) & set(test)
        assert list(np.bincount(Y[test])) == [15, 10, 5]


def test_given_splits_are_given():
    splits = GivenSplits([([0, 1], [2, 3]), (range(3), [5])])
    (first, second) = splits.split(Y, True)
    assert list(first.test) == [2, 3] and list(second.train) == [0, 1, 2]
    other = GivenSplits([([0, 1], [2, 3]), (range(3), [6])])
    assert splits.describe() != other.describe()
    # Where one part ends and the next begins matters.
    moved = GivenSplits([([0], [1, 2, 3]), (range(3), [5])])
    assert splits.describe() != moved.describe()


def test_the_whole_data_has_nothing_to_test_on():
    (split,) = WholeData().split(Y, True)
    assert len(split.train) == len(Y) and len(split.test) == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CrossValidation(1), "n_splits is a whole number from 2 on; got 1"),
        (lambda: CrossValidation(2, 0), "n_repeats is a whole number from 1 on; got 0"),
        (lambda: RandomSplits(test_share=1.5), "test_share is a share .* got 1.5"),
        (lambda: GivenSplits([]), "pairs has no split"),
        (
            lambda: list(GivenSplits([([0], [99])]).split(Y, True)),
            "names row 99, but the data set has 60 rows",
        ),
    ],
)
def test_bad_splits_get_a_clear_error(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_folds_of_many_labels_have_their_share_of_each(seed):
    rng = np.random.default_rng(seed)
    Y = (rng.uniform(size=(90, 4)) < [0.1, 0.2, 0.5, 0.7]).astype(int)
    splits = list(CrossValidation(3, 2, seed=seed).split(Y, stratified=False))
    assert [len(splits), splits[4].repeat, splits[4].fold] == [6, 1, 1]
    for repeat in (splits[:3], splits[3:]):
        tested = np.concatenate([one.test for one in repeat])
        assert sorted(tested.tolist()) == list(range(90))
        counts = np.array([Y[one.test].sum(axis=0) for one in repeat])
        assert np.ptp(counts, axis=0).max() <= 3
