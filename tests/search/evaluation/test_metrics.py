"""Scores of recorded predictions, beside those of scikit-learn."""

import numpy as np
import pytest
from sklearn import metrics

from manyminds.search.evaluation.metrics import PredictionScorer

CLASSES = np.array(["a", "b", "c"])


@pytest.fixture
def classified(seed):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(3, size=57), [0, 1, 2])
    P = rng.dirichlet(np.ones(3), size=(4, 60)).astype(np.float32)
    return P, y, rng.integers(4, size=(5, 60)).astype(float)


@pytest.fixture
def numbered(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(4, 50)), rng.normal(size=50), rng.integers(4, size=(5, 50))


LABEL_SCORES = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
}


@pytest.mark.parametrize("name", LABEL_SCORES)
def test_label_scores_equal_scikit_learns(classified, name):
    P, y, W = classified
    found = PredictionScorer(name, "classification", CLASSES).score_weighted(P, y, W)
    for b, weights in enumerate(W):
        for c, made in enumerate(P):
            score = LABEL_SCORES[name](y, made.argmax(axis=1), sample_weight=weights)
            assert found[b, c] == pytest.approx(score)


def test_log_loss_equals_scikit_learns(classified):
    P, y, W = classified
    P = np.clip(P.astype(float), 1e-5, None)
    P = P / P.sum(axis=2, keepdims=True)
    found = PredictionScorer("log_loss", "classification", CLASSES).score_weighted(
        P, y, W
    )
    for b, weights in enumerate(W):
        for c, made in enumerate(P):
            loss = metrics.log_loss(y, made, sample_weight=weights, labels=[0, 1, 2])
            assert found[b, c] == pytest.approx(-loss)


def test_auc_of_many_classes_equals_scikit_learns(classified):
    P, y, W = classified
    P = P.astype(float) / P.sum(axis=2, keepdims=True)
    measure = PredictionScorer("auc", "classification", CLASSES)
    found = measure.score_weighted(P, y, W)
    for b, weights in enumerate(W):
        rows = np.repeat(np.arange(60), weights.astype(int))
        if len(np.unique(y[rows])) == 3:
            area = metrics.roc_auc_score(y[rows], P[1][rows], multi_class="ovr")
            assert found[b, 1] == pytest.approx(area)
    assert measure.name == "auc" and not measure.is_vectorized


@pytest.mark.parametrize("name", ["auc", "balanced_accuracy"])
def test_a_class_without_rows_is_left_out_of_the_mean(classified, name):
    P, y, _ = classified
    measure = PredictionScorer(name, "classification", CLASSES)
    some = (y < 2).astype(float)[None]
    terms = measure.score_terms(P, y, some)
    assert np.isnan(terms[2]).all() and not np.isnan(terms[:2]).any()
    assert measure.score_weighted(P, y, some)[0] == pytest.approx(
        terms[:2, 0].mean(axis=0)
    )
    assert np.isnan(measure(P[0][y < 2], y[y < 2])) == (name == "auc")


RANGES = {
    "accuracy": (0, 1), "auc": (0, 1), "f1": (0, 1), "log_loss": (-np.inf, 0),
    "matthews_corrcoef": (-1, 1), "neg_brier_score": (-np.inf, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", RANGES)
def test_intervals_stay_within_the_range_of_the_metric(name):
    # Student's t over two folds made -0.38 to 1.0 of an accuracy.
    measure = PredictionScorer(name, "classification", CLASSES)
    assert measure.range == RANGES[name]
    low, high = measure.bound(-1.38, 1.7)
    ends = sorted(measure.show(end) for end in np.clip([-1.38, 1.7], *RANGES[name]))
    assert [low, high] == ends
    assert PredictionScorer("r2", "regression").bound(-3.0, 2.0) == (-3.0, 1.0)
    assert PredictionScorer("rmse", "regression").bound(-3.0, 2.0) == (0.0, 3.0)
    assert PredictionScorer("balanced_error", "classification", CLASSES).bound(
        -1, 2
    ) == (0, 1)


def test_auc_equals_scikit_learns_ties_and_weights_included(seed):
    rng = np.random.default_rng(seed)
    y = np.append(rng.integers(2, size=78), [0, 1])
    chance = rng.integers(10, size=(3, 80)) / 10.0
    P = np.stack([1 - chance, chance], axis=2)
    W = rng.integers(1, 4, size=(4, 80)).astype(float)
    found = PredictionScorer("auc", "classification", np.array([0, 1])).score_weighted(
        P, y, W
    )
    for b, weights in enumerate(W):
        for c in range(3):
            area = metrics.roc_auc_score(y, chance[c], sample_weight=weights)
            assert found[b, c] == pytest.approx(area)


NUMBER_SCORES = {
    "rmse": lambda *a, **k: -metrics.root_mean_squared_error(*a, **k),
    "mae": lambda *a, **k: -metrics.mean_absolute_error(*a, **k),
    "mse": lambda *a, **k: -metrics.mean_squared_error(*a, **k),
    "r2": metrics.r2_score,
}


@pytest.mark.parametrize("name", NUMBER_SCORES)
def test_number_scores_equal_scikit_learns(numbered, name):
    P, y, W = numbered
    found = PredictionScorer(name, "regression").score_weighted(P, y, W)
    for b, weights in enumerate(W):
        for c, made in enumerate(P):
            score = NUMBER_SCORES[name](y, made, sample_weight=weights)
            assert found[b, c] == pytest.approx(score)


def test_r2_of_rows_without_spread_is_scikit_learns():
    y = np.array([0.5, 2.0, 0.5])
    P = np.array([[0.5, 0.0, 0.5], [0.2, 2.0, 0.5]])
    W = np.array([[1.0, 0.0, 2.0], [1.0, 1.0, 1.0]])
    found = PredictionScorer("r2", "regression").score_weighted(P, y, W)
    for b, weights in enumerate(W):
        for c, made in enumerate(P):
            score = metrics.r2_score(y, made, sample_weight=weights)
            assert found[b, c] == pytest.approx(score)


@pytest.mark.parametrize(
    ("offset", "scale"),
    [(1e6, 0.5), (1.7e9, 1e3), (-1.7e9, 1.0), (1e12, 1.0), (0.0, 1e-30)],
)
def test_r2_does_not_depend_on_the_offset(numbered, offset, scale):
    P, y, W = numbered
    # Predictions as good as noise allows, then much worse ones.
    P = y + np.array([0.1, 0.5, 1.0, 3.0])[:, None] * P
    moved, target = offset + scale * P, offset + scale * y
    found = PredictionScorer("r2", "regression").score_weighted(moved, target, W)
    for b, weights in enumerate(W):
        for c, made in enumerate(P):
            score = metrics.r2_score(y, made, sample_weight=weights)
            assert found[b, c] == pytest.approx(score, rel=1e-2, abs=1e-2)
    whole = PredictionScorer("r2", "regression")(moved[1], target)
    expected = metrics.r2_score(target, moved[1])
    assert whole == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("value", [0.0, 0.1, 1 / 3, 1e6 + 0.1, 1.7e9, 1e15, 1e-9])
def test_r2_of_a_constant_target_is_1_or_0(value, seed):
    y = np.full(1_000, value)
    P = np.stack([y, y + 0.1 + abs(value)])
    W = np.random.default_rng(seed).integers(4, size=(5, 1_000)) + 0.1
    found = PredictionScorer("r2", "regression").score_weighted(P, y, W)
    assert found.tolist() == [[1.0, 0.0]] * 5
    # As in bootstrap samples of few rows: constant where there is weight.
    y[:500] += 0.7
    W[:, :500] = 0.0
    found = PredictionScorer("r2", "regression").score_weighted(P, y, W)
    assert found.tolist() == [[1.0, 0.0]] * 5


@pytest.mark.parametrize("name", ["f1_macro", "matthews_corrcoef", "roc_auc_ovr"])
def test_any_scorer_works_and_counts_repeat_rows(classified, name):
    P, y, W = classified
    measure = PredictionScorer(name, "classification", CLASSES)
    W = W + 1  # so that all classes are there
    found = measure.score_weighted(P[:2], y, W[:2])
    rows = np.repeat(np.arange(60), W[0].astype(int))
    assert found[0, 1] == pytest.approx(measure(P[1][rows], y[rows]))


def test_a_scorer_of_ones_own_works(classified):
    P, y, _ = classified
    scorer = metrics.make_scorer(metrics.cohen_kappa_score)
    measure = PredictionScorer(scorer, "classification", CLASSES)
    kappa = metrics.cohen_kappa_score(y, P[0].argmax(axis=1))
    assert measure(P[0], y) == pytest.approx(kappa)


def test_losses_are_shown_as_they_are():
    measure = PredictionScorer("rmse", "regression")
    score = measure(np.array([1.0, 1.0]), np.array([0.0, 2.0]))
    assert score == -1.0
    assert measure.show(score) == 1.0
    error = PredictionScorer("balanced_error", "classification", np.array([0, 1]))
    assert error.show(error(np.eye(2), np.array([0, 0]))) == 0.5


def test_unknown_metrics_are_named():
    with pytest.raises(ValueError, match="did you mean 'accuracy'"):
        PredictionScorer("acuracy", "classification", CLASSES)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("matthews_corrcoef", metrics.matthews_corrcoef),
        ("accuracy", metrics.accuracy_score),
        ("balanced_accuracy", metrics.balanced_accuracy_score),
    ],
)
def test_weights_of_rows_count_in_all_scores(classified, seed, name, function):
    P, y, W = classified
    weights = np.random.default_rng(seed).uniform(0.1, 3.0, size=60)
    measure = PredictionScorer(name, "classification", CLASSES)
    measure.require_weights()
    made = P[0].argmax(axis=1)
    expected = function(y, made, sample_weight=weights)
    assert measure(P[0], y, weights) == pytest.approx(expected)
    found = measure.score_weighted(P, y, W * weights)
    expected = function(y, P[2].argmax(axis=1), sample_weight=W[3] * weights)
    assert found[3, 2] == pytest.approx(expected)


def test_a_metric_of_numbers_is_weighted(numbered, seed):
    P, y, _ = numbered
    weights = np.random.default_rng(seed).uniform(0.1, 3.0, size=50)
    for name in ("rmse", "neg_median_absolute_error"):
        measure = PredictionScorer(name, "regression")
        measure.require_weights()
        function = (
            metrics.root_mean_squared_error
            if name == "rmse"
            else metrics.median_absolute_error
        )
        expected = -function(y, P[0], sample_weight=weights)
        assert measure(P[0], y, weights) == pytest.approx(expected)


def test_a_metric_without_weights_is_refused():
    with pytest.raises(ValueError, match="metric must be a metric that takes sample"):
        PredictionScorer("neg_max_error", "regression").require_weights()
