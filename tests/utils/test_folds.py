"""Folds have their share of each class."""

import numpy as np
import pytest

from manyminds.utils.folds import assign_folds, hold_out_groups, read_groups


def test_folds_have_their_share_of_each_class(seed):
    rng = np.random.RandomState(seed)
    label = rng.randint(4, size=97)
    fold = assign_folds(label, 3, rng)
    for c in range(4):
        counts = np.bincount(fold[label == c], minlength=3)
        assert counts.max() - counts.min() <= 1


def test_folds_keep_groups_together_and_shares_of_classes(seed):
    rng = np.random.RandomState(seed)
    groups, label = rng.randint(60, size=900), rng.randint(3, size=900)
    groups = np.unique(groups, return_inverse=True)[1]
    fold = assign_folds(label, 3, rng, groups)
    for group in range(groups.max() + 1):
        assert len(np.unique(fold[groups == group])) == 1
    assert np.ptp(np.bincount(fold)) < 60
    for k in range(3):
        shares = np.bincount(label[fold == k], minlength=3) / np.sum(fold == k)
        assert np.abs(shares - np.bincount(label) / 900).max() < 0.06


def test_of_fewer_groups_than_folds_each_is_one(seed):
    groups = np.array([0, 1, 1, 0, 2])
    fold = assign_folds(np.zeros(5, int), 9, np.random.RandomState(seed), groups)
    assert len(np.unique(fold)) == 3
    assert fold[0] == fold[3] and fold[1] == fold[2]


def test_classes_in_one_group_each_are_allowed(seed):
    groups = np.repeat(np.arange(4), 5)
    fold = assign_folds(groups % 2, 4, np.random.RandomState(seed), groups)
    assert sorted(fold[::5]) == [0, 1, 2, 3]


def test_some_groups_are_held_out_and_never_all(seed):
    rng = np.random.default_rng(seed)
    groups = np.unique(rng.integers(50, size=1000), return_inverse=True)[1]
    held = hold_out_groups(groups, 0.2, seed)
    assert not np.intersect1d(groups[held], groups[~held]).size
    assert 0.18 < held.mean() < 0.22
    for share in (0.0, 1.0):
        held = hold_out_groups(np.array([0, 0, 0, 1]), share, seed)
        assert held.any() and not held.all()


@pytest.mark.parametrize(
    ("sizes", "share", "allowed"),
    [
        ([5, 20_000, 10_000], 1 / 3, [10_000, 10_005]),
        ([5, 20_000, 10_000], 0.2, [10_005, 10_000]),
        ([24_000, 3_000, 3_000], 0.2, [6_000]),
        ([90, 10], 0.3, [10]),
    ],
)
def test_uneven_groups_are_held_out_as_nearly_as_can_be(sizes, share, allowed):
    # In random order up to the first that does not fit, five rows would judge a search.
    groups = np.repeat(np.arange(len(sizes)), sizes)
    for seed in range(20):
        assert hold_out_groups(groups, share, seed).sum() in allowed


def test_many_groups_of_unequal_sizes_fill_the_share(seed):
    sizes = 1 + 3_000 // np.arange(1, 301)
    groups = np.repeat(np.arange(300), sizes)
    for draw in range(20):
        held = hold_out_groups(groups, 0.2, seed + draw)
        assert abs(held.mean() - 0.2) < 0.01


def test_groups_are_codes_and_nothing_if_all_are_one():
    X = np.zeros((3, 1))
    assert read_groups(["b", "a", "b"], X).tolist() == [1, 0, 1]
    assert read_groups([7, 7, 7], X) is None and read_groups(None, X) is None
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        read_groups([1, 2], X)
