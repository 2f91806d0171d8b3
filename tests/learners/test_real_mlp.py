"""RealMLP estimators: what they learn, odd tables, weights, seeds, temperature."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from sklearn.datasets import load_wine, make_friedman1
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from manyminds.learners import RealMLPClassifier, RealMLPRegressor

SMALL = {"hidden_layer_sizes": (16, 16), "max_epochs": 24}


def make_classes(seed, n_samples=120, n_features=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int), rng


@pytest.mark.slow
def test_learns_what_is_not_linear(seed):
    # Products of signs: a linear model has an accuracy of about one half. Over 30 seeds
    # the lowest accuracy of the net was 0.955.
    X, y, _ = make_classes(seed, 1200)
    model = RealMLPClassifier((64, 64), max_epochs=64, random_state=0)
    model.fit(X[:800], y[:800])
    linear = LogisticRegression().fit(X[:800], y[:800])
    assert model.score(X[800:], y[800:]) > 0.85 > linear.score(X[800:], y[800:])


def test_learns_a_number(seed):
    # Over 30 seeds the lowest R2 was 0.966.
    X, y = make_friedman1(700, noise=0.5, random_state=seed)
    model = RealMLPRegressor((32, 32), batch_size=64, max_epochs=64, random_state=0)
    assert model.fit(X[:500], y[:500]).score(X[500:], y[500:]) > 0.85


@pytest.mark.parametrize("kind", [RealMLPClassifier, RealMLPRegressor])
def test_same_seed_same_net(kind, seed):
    X, y, _ = make_classes(seed)
    first = kind(**SMALL, random_state=seed).fit(X, y)
    again = kind(**SMALL, random_state=seed).fit(X, y)
    other = kind(**SMALL, random_state=seed + 1).fit(X, y)
    assert_array_equal(first.parameters_, again.parameters_)
    assert (first.parameters_ != other.parameters_).any()


@pytest.mark.parametrize("kind", [RealMLPClassifier, RealMLPRegressor])
def test_rows_without_weight_are_absent(kind, seed):
    X, y, rng = make_classes(seed)
    X[:30] *= 50.0  # would change medians and ranges
    weight = rng.uniform(0.5, 2.0, size=120)
    weight[:30] = 0.0
    weighted = kind(**SMALL, random_state=0).fit(X, y, weight)
    absent = kind(**SMALL, random_state=0).fit(X[30:], y[30:], weight[30:])
    assert_array_equal(weighted.parameters_, absent.parameters_)
    plain = kind(**SMALL, random_state=0).fit(X[30:], y[30:])
    assert (plain.parameters_ != absent.parameters_).any()


def test_categories_and_missing_values_of_a_frame(seed):
    rng = np.random.default_rng(seed)
    few = rng.choice(["a", "b", "c"], size=600)
    many = rng.integers(0, 20, size=600)
    frame = pd.DataFrame({"x": rng.normal(size=600), "few": few, "many": many})
    y = (few == "a") ^ (many % 2 == 0)
    frame = frame.astype({"few": "category", "many": "category"})
    frame.loc[::50, ["x", "few"]] = None
    model = RealMLPClassifier((32, 32), batch_size=64, max_epochs=64, random_state=0)
    model.fit(frame[:400], y[:400])
    # Over 30 seeds the lowest accuracy was 0.985; without categories it is one half.
    assert model.score(frame[400:], y[400:]) > 0.85
    assert model.feature_names_in_.tolist() == ["x", "few", "many"]
    unknown = frame[400:403].astype({"many": int}).assign(many=[99, 98, 97])
    p = model.predict_proba(unknown.astype({"many": "category"}))
    assert np.isfinite(p).all()


@pytest.mark.parametrize("kind", [RealMLPClassifier, RealMLPRegressor])
def test_small_and_odd_tables(kind):
    rng = np.random.default_rng(0)
    for X in (
        rng.normal(size=(4, 3)),  # two rows of each class
        rng.normal(size=(40, 1)),  # one column
        np.ones((40, 2)),  # nothing varies
        np.where(rng.random((80, 2)) < 0.3, np.nan, 1.0),  # only missing values vary
    ):
        y = np.arange(len(X)) % 2
        model = kind(**SMALL, random_state=0).fit(X, y)
        assert np.isfinite(model.predict(X)).all()
        assert model.predict(X[:1]).shape == (1,)


@pytest.mark.slow
def test_a_thousand_classes():
    rng = np.random.default_rng(0)
    label = np.repeat(np.arange(1000), 3)
    X = rng.normal(size=(1000, 12))[label] + 0.05 * rng.normal(size=(3000, 12))
    model = RealMLPClassifier((64,), max_epochs=12, random_state=0).fit(X, label)
    p = model.predict_proba(X[:5])
    assert p.shape == (5, 1000)
    assert_allclose(p.sum(axis=1), 1.0)
    assert model.score(X, label) > 0.1  # by chance, 0.001


def test_predictions_of_numbers_stay_in_the_range(seed):
    X, y = make_friedman1(200, random_state=seed)
    model = RealMLPRegressor(**SMALL, random_state=0).fit(X, y)
    predicted = model.predict(X * 1000.0)
    assert predicted.min() >= y.min() and predicted.max() <= y.max()


def test_units_of_the_target_do_not_matter(seed):
    X, y = make_friedman1(100, random_state=seed)
    one = RealMLPRegressor(**SMALL, random_state=0).fit(X, y).predict(X)
    other = RealMLPRegressor(**SMALL, random_state=0).fit(X, y * 1e200).predict(X)
    assert_allclose(other / 1e200, one, rtol=1e-2)


def test_the_criterion_chooses_the_epoch(seed):
    X, y, rng = make_classes(seed, 300)
    y = np.where(rng.random(300) < 0.2, 1 - y, y)
    model = RealMLPClassifier(**SMALL, criterion="error", random_state=0).fit(X, y)
    (scores,) = model.validation_scores_
    assert len(scores) == model.n_epochs_[0]
    assert scores[model.best_epoch_[0] - 1] == scores.min()
    assert_allclose(scores * 60, np.round(scores * 60), atol=1e-9)  # of 60 rows


def test_probabilities_use_the_temperature(seed):
    X, y, _ = make_classes(seed)
    model = RealMLPClassifier(**SMALL, random_state=0).fit(X, y)
    odds = np.diff(np.log(model.predict_proba(X)))
    model.temperature_ *= 2.0
    assert_allclose(2.0 * np.diff(np.log(model.predict_proba(X))), odds, rtol=1e-6)


def test_nets_are_averaged(seed):
    X, y, _ = make_classes(seed, 300)
    y = np.array(["no", "yes"])[y]
    model = RealMLPClassifier(**SMALL, n_estimators=3, random_state=0).fit(X, y)
    assert len(model.parameters_) == len(model.temperature_) == 3
    whole = model.predict_proba(X)
    parts = []
    for k in range(3):
        one = RealMLPClassifier(**SMALL).set_params(random_state=0).fit(X, y)
        one._columns, one.parameters_ = model._columns, model.parameters_[k : k + 1]
        one.temperature_ = model.temperature_[k : k + 1]
        parts.append(one.predict_proba(X))
    assert_allclose(whole, np.mean(parts, axis=0), rtol=1e-6)
    assert (np.ptp(parts, axis=0) > 0.001).any()  # the nets differ
    assert_array_equal(model.predict(X), model.classes_[whole.argmax(axis=1)])


@pytest.mark.parametrize("kind", [RealMLPClassifier, RealMLPRegressor])
def test_threads_train_the_same_nets(kind, seed):
    X, y, _ = make_classes(seed)
    one = kind(**SMALL, n_estimators=3, random_state=0).fit(X, y)
    two = kind(**SMALL, n_estimators=3, random_state=0, n_jobs=2).fit(X, y)
    assert_array_equal(one.parameters_, two.parameters_)
    assert_array_equal(one.predict(X), two.predict(X))


def test_error_messages():
    X, y, _ = make_classes(0)
    with pytest.raises(TypeError, match="RealMLPClassifier takes no sparse matrix"):
        RealMLPClassifier().fit(csr_matrix(X), y)
    with pytest.raises(ValueError, match="hidden_layer_sizes must be positive"):
        RealMLPClassifier((16, 0)).fit(X, y)
    with pytest.raises(ValueError, match="needs two classes or more"):
        RealMLPClassifier().fit(X, np.ones(120))


@pytest.mark.slow
def test_beats_a_guess_by_far_with_defaults():
    X, y = load_wine(return_X_y=True)
    X, X_new, y, y_new = train_test_split(X, y, random_state=0, stratify=y)
    model = RealMLPClassifier(random_state=0).fit(X, y)
    assert model.score(X_new, y_new) > 0.85


def test_labels_are_smoothed_where_that_pays(monkeypatch, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    monkeypatch.setattr("manyminds.learners.real_mlp.MIN_HARD_LABELS", 60)

    def fit(n, **options):
        model = RealMLPClassifier((4,), max_epochs=2, random_state=0, **options)
        return model.fit(X[:n], y[:n]).label_smoothing_

    assert fit(59) == fit(60, criterion="error") == 0.1
    assert fit(60) == 0.0
    assert fit(59, label_smoothing=0.02) == 0.02


def test_epochs_of_smoothed_labels_are_compared_at_their_temperature():
    """Outputs that are too small by a factor are as good as those that are not."""
    model = RealMLPClassifier(label_smoothing=0.1)
    model.label_smoothing_ = 0.1
    label, weight = np.array([0, 0, 0, 1, 1]), np.ones(5)
    outputs = np.array([[2.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, 1.0]])
    small, right = (model._score(f * outputs, label, weight) for f in (0.1, 1.0))
    assert small == pytest.approx(right, rel=1e-3)
    model.label_smoothing_ = 0.0
    assert model._score(0.1 * outputs, label, weight) > 1.05 * right
