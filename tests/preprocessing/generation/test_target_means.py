"""Means of levels; in training, of other rows only."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.preprocessing import TargetMeans


def make_frame(rng, n_rows=120):
    hue = pd.Categorical(rng.choice(["red", "blue", "green"], n_rows))
    return pd.DataFrame({"hue": hue, "size": rng.normal(size=n_rows)})


def test_means_of_equal_targets_need_no_smoothing():
    X = pd.DataFrame({"hue": pd.Categorical(["red", "blue"] * 10)})
    made = TargetMeans().fit(X, [1.5, 0.5] * 10).transform(X)
    assert_allclose(made["mean by hue"], [1.5, 0.5] * 10)
    unknown = pd.DataFrame({"hue": pd.Categorical(["green"])})
    made = TargetMeans().fit(X, [1.5, 0.5] * 10).transform(unknown)
    assert_allclose(made["mean by hue"], 1.0)  # of all rows


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_the_mean_of_a_row_does_not_use_its_own_target(task, seed):
    rng = np.random.default_rng(seed)
    X, y = make_frame(rng), rng.integers(2, size=120)
    made = TargetMeans(task=task).fit_transform(X, y)["mean by hue"].to_numpy()
    if task == "regression":  # folds do not depend on the target
        for row in range(5):
            changed = y.copy()
            changed[row] += 10
            other = TargetMeans(task=task).fit_transform(X, changed)
            assert other["mean by hue"][row] == made[row]
    fitted = TargetMeans(task=task).fit(X, y).transform(X)["mean by hue"]
    assert not np.array_equal(fitted, made)


def test_noise_does_not_leak(seed):
    # A level for each row: its mean of all rows is its own target, smoothed.
    rng = np.random.default_rng(seed)
    y = rng.normal(size=200)
    X = pd.DataFrame({"key": pd.Categorical([f"k{row}" for row in range(200)])})
    made = TargetMeans().fit_transform(X, y)["mean by key"]
    assert len(set(made.round(9))) <= 5  # the means of five folds
    leaked = TargetMeans().fit(X, y).transform(X)["mean by key"]
    assert np.std(made) < 0.2 * max(np.std(y), np.std(leaked))


def test_one_mean_for_each_of_several_classes(seed):
    rng = np.random.default_rng(seed)
    X, y = make_frame(rng), rng.choice(["a", "b", "c"], 120)
    made = TargetMeans().fit(X, y).transform(X)
    assert list(made)[2:] == [f"mean by hue of class {k}" for k in range(3)]
    assert_allclose(made.iloc[:, 2:].sum(axis=1), 1.0, atol=0.01)


def test_a_table_without_categories_or_one_class_is_unchanged():
    X = np.random.default_rng(0).normal(size=(20, 2))
    assert_array_equal(TargetMeans().fit_transform(X, [0, 1] * 10), X)
    frame = make_frame(np.random.default_rng(0), 20)
    assert TargetMeans().fit_transform(frame, [1] * 20) is frame


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_the_mean_of_a_row_does_not_use_its_own_group(n_classes, seed):
    # Each level is a group of its own: its mean of other groups is that of all rows.
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(12), 10)
    X = pd.DataFrame({"who": pd.Categorical([f"p{code}" for code in groups])})
    each = rng.integers(n_classes, size=12) if n_classes else rng.normal(size=12)
    y = each[groups]
    made = TargetMeans(cv=4).fit_transform(X, y, groups=groups).iloc[:, 1:].to_numpy()
    assert made.shape[1] == (3 if n_classes == 3 else 1)
    target = (y[:, None] == np.arange(3)) if n_classes == 3 else y[:, None]
    found = [np.unique(column).size for column in made.T]
    assert max(found) <= 4  # one mean for each fold
    plain = TargetMeans(cv=4).fit_transform(X, y).iloc[:, 1:].to_numpy()
    assert np.corrcoef(plain[:, 0], target[:, 0])[0, 1] > 0.5
    assert np.corrcoef(made[:, 0], target[:, 0])[0, 1] < 0.3
    again = TargetMeans(cv=4).fit(X, y).transform(X)
    fitted = TargetMeans(cv=4)
    fitted.fit_transform(X, y, groups=groups)
    assert_array_equal(fitted.transform(X), again)  # those of all rows are the same


def test_a_class_that_a_fold_lacks_has_a_mean_of_nothing(seed):
    groups = np.repeat(np.arange(4), 10)
    X = make_frame(np.random.default_rng(seed), 40)
    y = np.where(groups == 2, 2, np.tile([0, 1], 20))
    made = TargetMeans(cv=4).fit_transform(X, y, groups=groups)
    assert_allclose(made["mean by hue of class 2"][groups == 2], 0.0, atol=1e-12)
    assert made["mean by hue of class 2"][groups != 2].max() > 0.1
