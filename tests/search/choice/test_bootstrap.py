"""Honest scores on bootstrap samples: the rule of ranking, and how many samples."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.search.choice import bootstrap
from manyminds.search.choice.bootstrap import (
    MIN_BOOTSTRAPS,
    N_BOOTSTRAPS,
    BootstrapJudge,
    _count_samples,
    _find_winner,
    _make_criterion,
)
from manyminds.search.choice.strategies import Strategies
from manyminds.search.evaluation.metrics import PredictionScorer


def test_pipelines_ranked_with_alpha_are_replayed_by_the_same_rule(seed):
    rng = np.random.default_rng(seed)
    folds = [(None, np.arange(0, 30)), (None, np.arange(30, 60))]
    measure, y = PredictionScorer("mae", "regression"), np.zeros(60)
    P, counts = rng.normal(size=(3, 60)), rng.integers(3, size=(2, 60)).astype(float)
    found = _make_criterion(measure, folds, 0.5)(P, y, counts)
    for b, weights in enumerate(counts):
        for m, made in enumerate(P):
            rows = [np.repeat(test, weights[test].astype(int)) for _, test in folds]
            scores = [measure(made[one], y[one]) for one in rows]
            both = np.concatenate(rows)
            expected = measure(made[both], y[both]) - 0.5 * np.std(scores)
            assert found[b, m] == pytest.approx(expected)


def make_judge(P, y, alpha=0.0, n_complete=2, seconds=np.inf, metric="rmse", seed=0):
    n = len(y)
    folds = [(None, np.arange(0, n, 2)), (None, np.arange(1, n, 2))]
    measure = PredictionScorer(metric, "regression")
    evaluator = SimpleNamespace(
        y=y, folds=folds, measure=measure, sample_weight=None, groups=None, time=None
    )
    return BootstrapJudge(evaluator, P, n_complete, alpha, seconds, seed)


def strategies(judge, eligible):
    every = np.ones(len(judge.P), dtype=bool)
    return Strategies(judge.measure, np.array(eligible), every, judge.seed)


@pytest.mark.slow
def test_a_slow_scorer_judges_fewer_samples():
    measure = PredictionScorer("average_precision", "classification", np.arange(2))
    y = np.arange(200) % 2
    P = np.eye(2)[y][None].repeat(5, axis=0)
    assert not measure.is_vectorized and measure.as_vectorized().kind == "log_loss"
    assert _count_samples(measure, P, y, np.inf) == N_BOOTSTRAPS
    assert _count_samples(measure, P, y, 1e-6) == MIN_BOOTSTRAPS
    quick = PredictionScorer("accuracy", "classification", np.arange(2))
    assert _count_samples(quick, P, y, 1e-6) == N_BOOTSTRAPS


def test_the_honest_score_of_a_loss_is_no_better_than_the_naive_one(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=40)
    P = y + rng.normal(size=(6, 40))
    order = np.argsort(((P - y) ** 2).mean(axis=1))
    honest = make_judge(P[order], y, n_complete=6, seed=seed).judge_best()
    assert_allclose(honest.naive, np.sqrt(((P[order[0]] - y) ** 2).mean()))
    assert honest.score >= honest.naive > 0.0
    assert honest.low <= honest.score <= honest.high
    assert honest.n_candidates == 6 and honest.reason == ""


def test_a_scorer_that_raises_on_samples_is_the_reason(monkeypatch):
    def fail(*_):
        raise RuntimeError("these are not all rows")

    judge = make_judge(np.zeros((2, 10)), np.ones(10), n_complete=7)
    monkeypatch.setattr(bootstrap, "compare_choices", fail)
    honest = judge.judge_best()
    assert np.isnan([honest.score, honest.low, honest.high]).all()
    assert honest.naive == 1.0 and honest.n_candidates == 7
    assert honest.reason == "these are not all rows"


def test_large_tables_are_sampled_and_scored_in_full(seed, monkeypatch):
    monkeypatch.setattr(bootstrap, "MAX_ROWS", 20)
    y = np.zeros(50)
    P = np.arange(50.0)[None].repeat(2, axis=0)
    judge = make_judge(P, y, seed=seed)
    assert len(judge.rows) == 20 and (np.diff(judge.rows) > 0).all()
    assert_allclose(judge.P_rows[0], judge.rows)
    assert_allclose(judge.judge_best().naive, np.sqrt((np.arange(50.0) ** 2).mean()))


def test_members_with_opposite_errors_make_a_committee(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=60)
    off = rng.choice([-1.0, 1.0], size=60)
    P = np.stack([y + off, y - off, y + 30.0])
    judge = make_judge(P, y, n_complete=3, seed=seed)
    mixture, honest = judge.choose(strategies(judge, [True, True, True]))
    assert_allclose(mixture.weights, [0.5, 0.5, 0.0], atol=1e-3)
    assert honest.naive < 0.2


def test_only_eligible_pipelines_are_members(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=60)
    off = rng.choice([-1.0, 1.0], size=60)
    P = np.stack([y + off, y - off, y + 1.1 * off, y + 1.2 * off])
    judge = make_judge(P, y, n_complete=4, seed=seed)
    assert judge.choose(strategies(judge, [True, False, True, True])) is None


def test_equal_pipelines_make_no_committee(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=30)
    P = (y + rng.normal(size=30))[None].repeat(4, axis=0)
    judge = make_judge(P, y, seed=seed)
    assert judge.choose(strategies(judge, [True] * 4)) is None


def test_no_committee_is_worse_out_of_fold_than_a_protected_pipeline(seed):
    # By its deviation over folds, the third is last; by its mean, it is the best.
    rng = np.random.default_rng(seed)
    y = rng.normal(size=60)
    off = rng.choice([-1.0, 1.0], size=60)
    uneven = np.where(np.arange(60) % 2, 0.7, 0.0)
    P = np.stack([y + off + 0.6, y - off + 0.6, y + uneven, y + 9.0])
    judge = make_judge(P, y, alpha=5.0, n_complete=4, seed=seed)
    given = strategies(judge, [True, True, False, True])
    assert judge.choose(given)[0].n_members == 2
    assert judge.choose(given, protected=[2]) is None


def draw_probabilities(rng, y, sharpness):
    """Draw calibrated probabilities of two classes, then make them too sure."""
    logits = rng.normal(size=len(y))
    logits += np.where(y == 1, 1.0, -1.0)
    P = 1.0 / (1.0 + np.exp(-np.outer(sharpness, logits)))
    return np.stack([1.0 - P, P], axis=2)


def make_class_judge(P, y, metric, seed, seconds=np.inf):
    folds = [(None, np.arange(0, len(y), 2)), (None, np.arange(1, len(y), 2))]
    measure = PredictionScorer(metric, "classification", np.arange(P.shape[2]))
    evaluator = SimpleNamespace(
        y=y, folds=folds, measure=measure, sample_weight=None, groups=None, time=None
    )
    return BootstrapJudge(evaluator, P, len(P), 0.0, seconds, seed)


def test_a_temperature_is_kept_where_it_pays(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=400)
    # Of two classes with means one standard deviation from 0, logits are doubled.
    for sharpness, is_kept in ((8.0, True), (2.0, False)):
        judge = make_class_judge(
            draw_probabilities(rng, y, [sharpness]), y, "log_loss", seed
        )
        chosen = judge.choose(strategies(judge, [False]))
        if is_kept:
            mixture, honest = chosen
            assert mixture.temperature == pytest.approx(sharpness / 2.0, rel=0.4)
            assert honest.naive < judge.judge_best().naive
            assert honest.score >= honest.naive
        elif chosen is not None:  # by chance, and then for little
            assert chosen[0].temperature == pytest.approx(1.0, abs=0.3)


def test_weights_of_classes_are_kept_where_they_pay(seed):
    rng = np.random.default_rng(seed)
    y = (rng.random(1_000) < 0.1).astype(int)
    P = draw_probabilities(rng, y, [2.0]) * [0.9, 0.1]  # with the priors, calibrated
    P /= P.sum(axis=2, keepdims=True)
    judge = make_class_judge(P, y, "balanced_accuracy", seed)
    mixture, honest = judge.choose(strategies(judge, [False]))
    assert 2.0 < mixture.class_weights[1] / mixture.class_weights[0] < 40.0
    assert honest.naive > judge.judge_best().naive + 0.03
    assert honest.score > judge.judge_best().score
    assert_allclose(mixture.average(P), P[0])


@pytest.mark.parametrize(
    ("each", "seconds", "is_tuned"),
    [
        (0.01, np.inf, True),
        (9.0, np.inf, True),  # nobody waits
        (0.01, 0.0, True),  # 41 times are 0.41 seconds, within what tuning may take
        (0.02, 2.0, False),
        (0.02, 3.0, True),
    ],
)
def test_tuning_is_left_out_where_its_replays_take_long(
    each, seconds, is_tuned, seed, monkeypatch
):
    monkeypatch.setattr(Strategies, "time_tuning", lambda *_: each)
    rng = np.random.default_rng(seed)
    y = (rng.random(1_000) < 0.1).astype(int)
    P = draw_probabilities(rng, y, [2.0]) * [0.9, 0.1]
    judge = make_class_judge(P, y, "balanced_accuracy", seed, seconds)
    given = strategies(judge, [False])
    assert judge._drop_slow_tuning(given).can_tune == is_tuned
    assert (judge.choose(given) is not None) == is_tuned


@pytest.mark.slow
def test_tuned_decisions_do_not_flatter_noise(seed):
    # The true score of any decisions about noise is 0.5. Over 400 draws the honest
    # score of tuned decisions was 0.475 on average with a standard deviation of 0.035,
    # and the naive one 0.562 with one of 0.022: the mean of 20 draws is above 0.51 less
    # than once in 100,000 runs.
    honest, naive = [], []
    for draw in range(20):
        rng = np.random.default_rng([seed, draw])
        y, P = rng.integers(2, size=200), rng.random((6, 200, 1))
        judge = make_class_judge(
            np.concatenate([P, 1.0 - P], axis=2), y, "balanced_accuracy", seed
        )
        found = strategies(judge, [False] * 6)
        finals = found.choose(judge.rank, judge.P, y, np.ones(200))
        replayed = bootstrap.replay_strategies(
            partial(found.choose, judge.rank_rows), finals, judge.P, y, judge.measure,
            judge._draw(20),
        )  # fmt: skip
        terms = replayed["best, tuned"]
        decided = finals["best, tuned"].decide(judge.P)
        one = judge._subtract(decided, terms[..., 0] - terms[..., 1])
        honest.append(one.score)
        naive.append(one.naive)
    assert np.mean(naive) > 0.52
    assert np.mean(honest) < 0.51


def test_groups_weights_and_times_reach_the_samples(seed):
    y, P = np.zeros(60), np.random.default_rng(seed).normal(size=(3, 60))
    tested = np.arange(20, 60)
    for given in ({"groups": np.arange(60) // 4}, {"time": np.arange(60) // 4}):
        weights = np.arange(60.0)
        evaluator = SimpleNamespace(
            y=y, folds=[(None, tested)], measure=PredictionScorer("mae", "regression"),
            **{"sample_weight": weights, "groups": None, "time": None} | given,
        )  # fmt: skip
        judge = BootstrapJudge(evaluator, P[:, tested], 3, 0.0, np.inf, seed)
        drawn = judge._draw(8) / weights[tested]
        assert (drawn.reshape(len(drawn), 10, 4).std(axis=2) < 1e-12).all()
        honest = judge.judge_best()
        off = np.average(np.abs(P[0, tested]), weights=weights[tested])
        assert honest.naive == pytest.approx(off)


@pytest.mark.parametrize(
    ("losses", "winner"),
    [([0.01, -0.02, -0.01], "committee"), ([-0.2, -0.21, -0.19], "best")],
)
def test_a_committee_of_a_sample_must_be_clearly_worse_to_be_none(losses, winner):
    best, worse = np.zeros((2, 1, 3, 2, 2))
    worse[0, :, 1, 0] = losses  # out of bag, less than those of the best pipeline
    replayed = {"best": best, "committee": worse}
    assert _find_winner(replayed) == "best"
    assert _find_winner(replayed, is_sampled=True) == winner
