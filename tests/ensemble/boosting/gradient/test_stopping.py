"""Early stopping: on held-out rows and on folds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit

from manyminds.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from manyminds.ensemble.boosting.gradient.stopping import find_best_round, split_rows


def make_data(seed, n=300):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] + rng.normal(size=n)


# All rows, all columns, leaves that are not shrunk: folds compare with fits.
PLAIN = {"subsample": 1.0, "max_features": None, "l2_regularization": 0.0}


def fit(X, y, cv, sample_weight=None, **options):
    options = {"max_iter": 200, "learning_rate": 0.2, "n_iter_no_change": 5} | options
    model = GradientBoostingRegressor(
        early_stopping=True, cv=cv, random_state=0, **PLAIN, **options
    )
    return model.fit(X, y, sample_weight=sample_weight)


@pytest.mark.parametrize(("fraction", "n"), [(0.1, 30), (0.25, 75), (40, 40)])
def test_rows_are_split_in_order(fraction, n, seed):
    y = np.arange(300) % 3 == 0
    for stratify in (False, True):
        rows, held_out = split_rows(y, fraction, stratify, seed)
        assert len(held_out) == n
        assert_array_equal(np.sort(np.concatenate([rows, held_out])), np.arange(300))
        assert (np.diff(rows.astype(int)) > 0).all()
        if stratify:
            assert abs(y[held_out].mean() - 1 / 3) < 1.0 / n


def test_classes_of_one_row_do_not_prevent_a_split(seed):
    rows, held_out = split_rows(np.array([0.0] * 20 + [1.0]), 0.2, True, seed)
    assert (len(rows), len(held_out)) == (17, 4)
    with pytest.raises(ValueError, match="validation_fraction=21 holds out 21 of 21"):
        split_rows(np.zeros(21), 21, True, seed)


def test_best_round_is_the_first_of_the_least_losses():
    assert find_best_round(np.array([3.0, 1.0, 2.0, 1.0]), 0.0) == 2
    assert find_best_round(np.array([3.0, 2.95, 1.0]), 0.1) == 3
    assert find_best_round(np.array([1.0, 0.95, 0.92]), 0.1) == 1


def test_rounds_of_folds_are_those_of_the_least_mean_loss(seed):
    # A twin: each fold is fitted alone, with its test rows as validation rows.
    X, y = make_data(seed)
    folds = list(KFold(3).split(X))
    model = fit(X, y, folds)
    curve = model.validation_score_
    assert model.n_iter_ == curve.argmin() + 1 < 200
    assert (model.trees_.n_samples[model.trees_.starts[:-1]] == 300).all()
    for cv in (KFold(3), iter(folds), (fold for fold in folds)):
        assert_array_equal(fit(X, y, cv).validation_score_, curve)
    masks = [tuple(np.isin(np.arange(300), some) for some in fold) for fold in folds]
    assert_array_equal(fit(X, y, masks).validation_score_, curve)
    from_the_end = [(rows - 300, test - 300) for rows, test in folds]
    assert_array_equal(fit(X, y, from_the_end).validation_score_, curve)
    n = len(curve)
    losses = np.zeros(n)
    for rows, test in folds:
        alone = GradientBoostingRegressor(
            max_iter=n, early_stopping=False, learning_rate=0.2, random_state=0,
            max_bins=255, **PLAIN,
        ).fit(X[rows], y[rows])  # fmt: skip
        staged = list(alone.staged_predict(X[test]))
        losses += [0.5 * np.mean((y[test] - p) ** 2) / 3 for p in staged]
    assert_allclose(curve, losses, rtol=0.1)  # bins and baseline are those of all rows


def test_folds_count_samples_of_weight_zero(seed):
    X, y = make_data(seed)
    weights = np.where(np.arange(300) < 50, 0.0, 1.0)
    folds = [(np.arange(200), np.arange(200, 300))]
    model = fit(X, y, folds, weights)
    other = fit(X[50:], y[50:], [(np.arange(150), np.arange(150, 250))], np.ones(250))
    assert_array_equal(model.validation_score_, other.validation_score_)


def test_repeated_training_rows_count_once(seed):
    X, y = make_data(seed)
    rows, test = np.arange(200), np.arange(200, 300)
    once = fit(X, y, [(rows, test)])
    twice = fit(X, y, [(np.repeat(rows, 2), test)])
    assert_array_equal(once.validation_score_, twice.validation_score_)


def test_any_splitter_and_a_number_of_folds(seed):
    X, y = make_data(seed)
    assert fit(X, y, ShuffleSplit(2, random_state=0)).n_iter_ >= 1
    assert fit(X, y, 4).n_iter_ >= 1
    model = GradientBoostingClassifier(
        cv=3, early_stopping=True, max_iter=30, random_state=0
    )
    assert model.fit(X, np.digitize(y, [-1.0, 1.0])).n_iter_ >= 1


@pytest.mark.parametrize("patience", [1, 8])
def test_patience_is_obeyed_on_held_out_rows(patience, seed):
    X, y = make_data(seed)
    model = fit(X, y, None, n_iter_no_change=patience, validation_fraction=0.3)
    curve = model.validation_score_
    assert len(curve) == model.n_iter_ + patience
    assert len(model.train_score_) == len(curve)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error", "huber"])
@pytest.mark.parametrize("cv", [3, None])
def test_unit_of_the_target_does_not_matter(loss, cv, seed):
    # Powers of two leave the rounding errors as they are: trees are the same.
    X, y = make_data(seed)
    models = [fit(X, unit * y, cv, loss=loss) for unit in (1.0, 2.0**-20)]
    assert models[0].n_iter_ == models[1].n_iter_ > 1
    assert_array_equal(models[0].trees_.threshold, models[1].trees_.threshold)
    assert_allclose(models[0].predict(X), 2.0**20 * models[1].predict(X), rtol=1e-6)


def test_tiny_targets_are_boosted_as_long_as_others(seed):
    X, y = make_data(seed)
    ours, tiny = (fit(X, unit * y, 3) for unit in (1.0, 1e-4))
    assert abs(ours.n_iter_ - tiny.n_iter_) <= 1
    assert_allclose(ours.predict(X), 1e4 * tiny.predict(X), atol=0.1)


def make_groups(seed, n_groups=100, n_each=6):
    """Make rows that are copies of their group's, with a target of its own."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), n_each)
    X = rng.normal(size=(n_groups, 4))[groups]
    X += 0.01 * rng.normal(size=X.shape)
    return X, rng.normal(size=n_groups)[groups], groups


@pytest.mark.parametrize("cv", [5, None, KFold(5, shuffle=True, random_state=0)])
def test_groups_stop_what_learns_them_by_heart(cv, seed):
    # A group's rows tell its target: without groups, more rounds are always better.
    X, y, groups = make_groups(seed)
    cv_of_groups = GroupKFold(5) if isinstance(cv, KFold) else cv
    options = {
        "max_iter": 100, "early_stopping": True, "validation_fraction": 0.4,
        "random_state": seed,
    }  # fmt: skip
    plain = GradientBoostingRegressor(cv=cv, **options).fit(X, y)
    grouped = GradientBoostingRegressor(cv=cv_of_groups, **options)
    grouped.fit(X, y, groups=groups)
    assert grouped.n_iter_ < 0.5 * plain.n_iter_


def test_rows_of_groups_without_weight_count_for_nothing(seed):
    X, y, groups = make_groups(seed)
    weight = (groups % 3 > 0).astype(float)
    kept = weight > 0
    options = {"max_iter": 50, "early_stopping": True, "random_state": seed}
    one = GradientBoostingRegressor(**options)
    one.fit(X, y, sample_weight=weight, groups=groups)
    other = GradientBoostingRegressor(**options)
    other.fit(X[kept], y[kept], sample_weight=weight[kept], groups=groups[kept])
    assert_array_equal(one.predict(X), other.predict(X))


def test_classes_stop_on_other_groups(seed):
    X, y, groups = make_groups(seed)
    options = {
        "max_iter": 200, "early_stopping": True, "validation_fraction": 0.4,
        "random_state": seed,
    }  # fmt: skip
    for cv in (5, None):
        plain = GradientBoostingClassifier(cv=cv, **options).fit(X, y > 0)
        grouped = GradientBoostingClassifier(cv=cv, **options)
        grouped.fit(X, y > 0, groups=groups.astype(str))
        assert grouped.n_iter_ < 0.7 * plain.n_iter_


@pytest.mark.parametrize("cv", [5, None])
def test_classes_of_one_group_each_stop_without_groups(cv, seed):
    X, _, groups = make_groups(seed, n_groups=3, n_each=40)
    options = {"max_iter": 20, "early_stopping": True, "random_state": seed, "cv": cv}
    grouped = GradientBoostingClassifier(**options).fit(X, groups, groups=groups)
    assert grouped.n_iter_ >= 1 and grouped.score(X, groups) == 1.0


def test_a_class_of_one_group_stops_no_fold(seed):
    # Held out, it would be predicted by models that never saw it: one round is best.
    X, _, groups = make_groups(seed, n_groups=12, n_each=10)
    y = np.where(groups == 0, 2, (X[:, 0] > 0).astype(int))
    options = {"max_iter": 100, "early_stopping": True, "random_state": seed, "cv": 4}
    model = GradientBoostingClassifier(**options).fit(X, y, groups=groups)
    assert model.validation_score_.min() < model.validation_score_[0]
