"""Folds have their share of each class."""

import numpy as np

from manyminds.utils.folds import assign_folds


def test_folds_have_their_share_of_each_class(seed):
    rng = np.random.RandomState(seed)
    label = rng.randint(4, size=97)
    fold = assign_folds(label, 3, rng)
    for c in range(4):
        counts = np.bincount(fold[label == c], minlength=3)
        assert counts.max() - counts.min() <= 1
