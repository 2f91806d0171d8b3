"""Folds as scikit-learn made them in 2014."""

import numpy as np
from numpy.testing import assert_array_equal
from sklearn.model_selection import StratifiedKFold

from manyminds.reproductions.forests_of_local_trees_baselines.protocol import (
    FoldsOf2014,
)


def test_folds_of_2014_pile_rare_classes_into_the_first():
    # Rows in order: a of 5, b of 2, three folds: blocks 2, 2, 1 and rows 0, 1.
    splits = FoldsOf2014(3, 1).split(np.array(list("aaaaabb")), stratified=True)
    assert [len(split.test) for split in splits] == [3, 3, 1]


def test_folds_of_2014_are_those_of_today_without_rare_classes(seed):
    # With as many rows of each class as divide evenly, both deal out the same blocks.
    y = np.random.default_rng(seed).permutation(np.repeat([0, 1, 2], 20))
    for split in FoldsOf2014(10, 2).split(y, stratified=True):
        order = np.random.RandomState(split.repeat).permutation(60)
        _, test = list(StratifiedKFold(10).split(y[order], y[order]))[split.fold]
        assert_array_equal(np.sort(split.test), np.sort(order[test]))
        assert_array_equal(np.sort(np.r_[split.train, split.test]), np.arange(60))
