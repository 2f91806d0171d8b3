"""One fit: on which rows, how many rounds, what stops them, what is grown at last."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.metrics import log_loss

from manyminds.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from manyminds.ensemble.boosting.gradient.fitting import choose_learning_rate


def make_data(seed, n=400):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] + np.sin(3 * X[:, 1]) + 0.5 * rng.normal(size=n)


def regress(**options):
    options = {
        "learning_rate": 0.2,
        "max_iter": 60,
        "n_iter_no_change": 5,
        "max_leaf_nodes": 5,
        "subsample": 1.0,
        "random_state": 0,
        **options,
    }
    return GradientBoostingRegressor(**options)


def count_root_rows(model):
    return set(model.trees_.n_samples[model.trees_.starts[:-1]].tolist())


def test_learning_rate_falls_with_the_number_of_rows():
    assert choose_learning_rate(10) == choose_learning_rate(100) == 0.02
    assert 0.02 < choose_learning_rate(5000) < 0.1
    assert choose_learning_rate(10**7) == 0.1


def test_rounds_are_those_asked_for_unless_they_are_stopped(seed):
    X, y = make_data(seed)
    assert regress(max_iter=37).fit(X, y).n_iter_ == 37  # "auto" does not stop these
    noise = np.random.default_rng(seed).permutation(y)
    assert regress(max_iter=37, early_stopping=True).fit(X, noise).n_iter_ < 37
    assert 1 < regress(max_iter="auto").fit(X, y).n_iter_ < 200
    assert regress(max_iter="auto").fit(X, y).validation_score_.size > 0
    model = regress(max_iter=37, early_stopping=False).fit(
        X[:300], y[:300], X_val=X[300:], y_val=y[300:]
    )
    assert model.n_iter_ == 37 and model.validation_score_.size == 0


def test_validation_rows_are_never_trained_on(seed):
    X, y = make_data(seed)
    shifted = y[300:] + 50.0
    models = [
        regress(refit=refit).fit(X[:300], y[:300], X_val=X[300:], y_val=shifted)
        for refit in (None, "replay", "grow")
    ]
    for model in models:
        assert count_root_rows(model) == {300}
        assert_array_equal(model.predict(X), models[0].predict(X))
    n = models[0].n_iter_
    plain = regress(max_iter=n).fit(X[:300], y[:300])
    assert_array_equal(models[0].predict(X), plain.predict(X))


def test_validation_rows_stop_the_rounds(seed):
    X, y = make_data(seed)
    model = regress(max_iter=500).fit(X[:300], y[:300], X_val=X[300:], y_val=y[300:])
    curve = model.validation_score_
    assert model.n_iter_ == curve.argmin() + 1 == len(curve) - 5 < 500
    errors = [0.5 * np.mean((y[300:] - p) ** 2) for p in model.staged_predict(X[300:])]
    assert_allclose(curve[: model.n_iter_], errors, rtol=1e-9)


def test_weights_of_validation_rows_count_as_copies(seed):
    X, y = make_data(seed)
    weights = 1.0 + (np.arange(100) % 3 == 0)
    copies = 300 + np.repeat(np.arange(100), weights.astype(int))
    weighted = regress().fit(
        X[:300], y[:300], X_val=X[300:], y_val=y[300:], sample_weight_val=weights
    )
    repeated = regress().fit(X[:300], y[:300], X_val=X[copies], y_val=y[copies])
    n = min(weighted.n_iter_, repeated.n_iter_)
    assert_allclose(
        weighted.validation_score_[:n], repeated.validation_score_[:n], rtol=1e-3
    )


@pytest.mark.parametrize("refit", [None, "replay", "grow"])
def test_after_folds_one_model_is_grown_on_all_rows(refit, seed):
    X, y = make_data(seed)
    model = regress(early_stopping=True, cv=3, refit=refit).fit(X, y)
    alone = regress(max_iter=model.n_iter_).fit(X, y)
    assert count_root_rows(model) == {400}
    assert_array_equal(model.predict(X), alone.predict(X))


def test_few_rows_are_cross_validated_and_many_held_out(seed):
    # Up to 5,000 rows; their model is grown anew, that of held-out rows is replayed.
    X, y = make_data(seed, 5001)
    options = {"max_iter": 3, "early_stopping": True, "refit": None}
    assert count_root_rows(regress(**options).fit(X[:5000], y[:5000])) == {5000}
    assert count_root_rows(regress(**options).fit(X, y)) == {4501}
    options["validation_fraction"] = 1001
    assert count_root_rows(regress(**options).fit(X, y)) == {4000}


def test_replayed_models_have_the_splits_of_the_training_rows(seed):
    X, y = make_data(seed)
    options = {"early_stopping": True, "cv": None, "validation_fraction": 0.3}
    kept, replayed, grown = (
        regress(refit=refit, **options).fit(X, y) for refit in (None, "replay", "grow")
    )
    assert_array_equal(kept.trees_.threshold, replayed.trees_.threshold)
    assert (count_root_rows(kept), count_root_rows(replayed)) == ({280}, {400})
    alone = regress(max_iter=grown.n_iter_).fit(X, y)
    assert_array_equal(grown.predict(X), alone.predict(X))
    assert kept.n_iter_ == replayed.n_iter_ == grown.n_iter_
    assert np.any(grown.trees_.threshold[:5] != kept.trees_.threshold[:5])


def test_constrained_models_are_grown_again_and_not_replayed(seed):
    X, y = make_data(seed)
    options = {"early_stopping": True, "cv": None, "monotonic_cst": [1, 0, 0]}
    replayed, grown = (
        regress(refit=refit, **options).fit(X, y) for refit in ("replay", "grow")
    )
    assert_array_equal(replayed.predict(X), grown.predict(X))


def test_replay_without_constraints_differs_from_growing(seed):
    # The null control of the test above.
    X, y = make_data(seed)
    replayed, grown = (
        regress(refit=refit, early_stopping=True, cv=None).fit(X, y)
        for refit in ("replay", "grow")
    )
    assert np.any(replayed.predict(X) != grown.predict(X))


@pytest.mark.parametrize(
    ("subsample", "sampling", "n"),
    [(1.0, "without_replacement", 400), (0.8, "without_replacement", 320),
     (1e-9, "without_replacement", 1)],
)  # fmt: skip
def test_rounds_draw_their_share_of_rows(subsample, sampling, n, seed):
    X, y = make_data(seed)
    model = regress(subsample=subsample, sampling=sampling, max_iter=3).fit(X, y)
    assert count_root_rows(model) == {n}


def test_bootstraps_of_all_rows_differ_from_all_rows(seed):
    X, y = make_data(seed)
    drawn = regress(sampling="bootstrap", max_iter=5).fit(X, y).predict(X)
    assert np.any(drawn != regress(max_iter=5).fit(X, y).predict(X))


@pytest.mark.parametrize("symmetric", [False, True])
def test_defaults_learn(symmetric, seed):
    X, y = make_data(seed, 1000)
    label = np.digitize(y, [-0.5, 0.5])
    options = {"symmetric": symmetric, "random_state": 0}
    regressor = GradientBoostingRegressor(**options).fit(X[:500], y[:500])
    # Noise alone leaves 0.25 of a variance of 1.75: R^2 of 0.86 at best.
    assert regressor.score(X[500:], y[500:]) > 0.7
    classifier = GradientBoostingClassifier(**options).fit(X[:500], label[:500])
    assert log_loss(label[500:], classifier.predict_proba(X[500:])) < 0.75


@pytest.mark.parametrize("early_stopping", [True, False])
def test_rounds_end_after_the_seconds(early_stopping, monkeypatch):
    monkeypatch.setattr("manyminds.trees.boosting._SECONDS", 1e-9)  # for a call
    X, y = make_classification(3000, 10, random_state=0)
    options = {
        "max_iter": 40, "early_stopping": early_stopping, "cv": None,
        "n_iter_no_change": 40, "random_state": 0,
    }  # fmt: skip
    whole = GradientBoostingClassifier(**options).fit(X, y)
    part = GradientBoostingClassifier(**options, max_seconds=1e-9).fit(X, y)
    assert 1 <= part.n_iter_ < whole.n_iter_
    assert part.trees_.n_trees == part.n_iter_
    assert_array_equal(part.trees_.threshold[:3], whole.trees_.threshold[:3])
    long = GradientBoostingClassifier(**options, max_seconds=600.0).fit(X, y)
    assert_array_equal(long.predict_proba(X), whole.predict_proba(X))


def test_folds_are_not_stopped_by_seconds():
    X, y = make_classification(300, 5, random_state=0)
    options = {"max_iter": 30, "early_stopping": True, "cv": 3, "random_state": 0}
    whole = GradientBoostingClassifier(**options).fit(X, y)
    limited = GradientBoostingClassifier(**options, max_seconds=1e-9).fit(X, y)
    assert limited.n_iter_ == whole.n_iter_
