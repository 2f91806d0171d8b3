"""Strategies choose the best model, a committee, and tune both to the metric."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.search.choice.strategies import Strategies, pick_candidates
from manyminds.search.evaluation.label_metrics import LabelScorer
from manyminds.search.evaluation.metrics import PredictionScorer


def make(measure, n_models, **options):
    every = np.ones(n_models, dtype=bool)
    options = {"eligible": every, "voters": every, "seed": 0} | options
    return Strategies(measure, **options)


def choose(strategies, P, y):
    rank = strategies.measure.score_weighted
    return strategies.choose(rank, P, y, np.ones(len(y)))


def classes(seed, n_models=4, n_rows=200):
    rng = np.random.default_rng(seed)
    y = (rng.random(n_rows) < 0.2).astype(int)
    logits = rng.normal(size=(n_models, n_rows)) + 2.0 * y - 1.0
    P = 1.0 / (1.0 + np.exp(-3.0 * logits))
    return np.stack([1.0 - P, P], axis=2), y


@pytest.mark.parametrize(
    ("metric", "tuned"),
    [
        ("log_loss", "temperature"),
        ("brier", "temperature"),
        ("balanced_accuracy", "classes"),
        ("f1", "classes"),
        ("matthews_corrcoef", "classes"),
        ("accuracy", None),
        ("auc", None),
    ],
)
def test_what_is_tuned_depends_on_the_metric(seed, metric, tuned):
    P, y = classes(seed)
    measure = PredictionScorer(metric, "classification", np.arange(2))
    found = choose(make(measure, 4), P, y)
    assert set(found) >= {"best", "committee"}
    assert ("best, tuned" in found) == (tuned is not None)
    if tuned == "temperature":
        assert found["best, tuned"].temperature != 1.0
        assert found["best, tuned"].class_weights is None
    if tuned == "classes":
        assert found["committee, tuned"].class_weights is not None
        assert found["committee, tuned"].temperature == 1.0


def test_tuning_can_be_left_out_and_timed(seed):
    P, y = classes(seed)
    measure = PredictionScorer("f1", "classification", np.arange(2))
    plain = make(measure, 4).without_tuning()
    assert not plain.can_tune and set(choose(plain, P, y)) == {"best", "committee"}
    assert make(measure, 4).time_tuning(P, y, np.ones(len(y))) > 0.0


def test_the_best_is_the_one_with_the_best_score(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=50)
    P = np.stack([y + 1.0, y + 0.1, y + 2.0])
    found = choose(make(PredictionScorer("mae", "regression"), 3), P, y)
    assert_allclose(found["best"].weights, [0.0, 1.0, 0.0])
    # The others err to the same side, and more.
    assert_allclose(found["committee"].weights, [0.0, 1.0, 0.0])


def test_models_without_probabilities_are_not_tuned(seed):
    P, y = classes(seed)
    measure = PredictionScorer("log_loss", "classification", np.arange(2))
    voters = np.zeros(4, dtype=bool)
    found = choose(make(measure, 4, voters=voters, eligible=voters), P, y)
    assert set(found) == {"best", "best, tuned"}
    assert found["best, tuned"] is found["best"]


def test_rare_classes_count_as_much_as_they_do_in_the_metric():
    # One model is right about the rare class, the other about the frequent one.
    y = np.repeat([0, 1], [90, 10])
    rare, common = np.array([0.3, 0.7]), np.array([0.7, 0.3])
    P = np.stack([np.tile(one, (100, 1)) for one in (rare, common, common)])
    for metric, at_least in (("balanced_accuracy", 0.45), ("log_loss", 0.0)):
        measure = PredictionScorer(metric, "classification", np.arange(2))
        weight = choose(make(measure, 3), P, y)["committee"].weights[0]
        assert weight >= at_least
    assert weight < 0.05


def test_slow_models_are_left_out_of_committees(seed):
    rng = np.random.default_rng(seed)
    y, off = rng.normal(size=90), rng.choice([-1.0, 1.0], size=90)
    P = np.stack([y + off, y - off, y - off + rng.normal(scale=0.5, size=90)])
    measure, seconds = PredictionScorer("rmse", "regression"), np.array([1.0, 5.0, 1.0])
    whole = make(measure, 3, predict_seconds=seconds)
    assert_allclose(choose(whole, P, y)["committee"].weights, [0.5, 0.5, 0], atol=1e-3)
    thinned = make(measure, 3, predict_seconds=seconds, limit=5.5)
    weights = choose(thinned, P, y)["committee"].weights
    assert weights[1] == 0.0 and weights[2] > 0.3  # in the place of the slow one


def test_labels_are_chosen_greedily(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=(60, 3))
    P = np.clip(y + rng.normal(scale=0.8, size=(4, 60, 3)), 0.0, 1.0)
    found = choose(make(LabelScorer("hamming_loss"), 4), P, y)
    assert set(found) == {"best", "committee"}
    assert found["committee"].weights.sum() == pytest.approx(1.0)


def test_variants_of_the_best_learner_leave_a_place_for_others(seed):
    # Forty variants err on the same rows; another learner is worse, and errs on others.
    rng = np.random.default_rng(seed)
    y, off = rng.normal(size=300), rng.normal(size=300)
    variants = y + off + 0.05 * rng.normal(size=(40, 300))
    other = y + 1.3 * rng.normal(size=300)
    P = np.vstack([variants, other])
    measure = PredictionScorer("rmse", "regression")
    families = np.array(["gb"] * 40 + ["net"])
    weight = choose(make(measure, 41, families=families), P, y)["committee"].weights
    assert weight[-1] > 0.2
    assert choose(make(measure, 41), P, y)["committee"].weights[-1] == 0.0


def test_candidates_are_the_best_of_families_and_the_best():
    families = np.array(list("aabacad"))
    assert pick_candidates(families, 7).tolist() == list(range(7))
    assert pick_candidates(families, 5).tolist() == [0, 1, 2, 4, 6]
    assert pick_candidates(families, 2).tolist() == [0, 2]
    assert pick_candidates(np.arange(6), 3).tolist() == [0, 1, 2]
