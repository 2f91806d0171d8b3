"""The selection bias of the best of many models, by a naive twin and known truths."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import (
    accuracy_score,
    balanced_accuracy_score,
    root_mean_squared_error,
)

from manyminds.search.choice.mixture import Mixture, average_predictions
from manyminds.search.choice.resampling import Resampler
from manyminds.search.choice.selection_bias import (
    compare_choices,
    correct_selection_bias,
    draw_counts,
    replay_strategies,
    subtract_optimism,
)
from manyminds.search.evaluation.metrics import PredictionScorer

MEASURE = PredictionScorer("accuracy", "classification", np.array([0, 1]))


def guesses(seed, n_models, n_samples, skill=0.5):
    """Predictions that are right with a given chance, and the truth."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 2
    right = rng.random((n_models, n_samples)) < skill
    labels = np.where(right, y, 1 - y)
    return np.stack([labels == 0, labels == 1], axis=2).astype(np.float32), y


def rare_classes(n_rare=30, n_models=1):
    """70 rows of two classes, all right, and classes of one row, never right."""
    y = np.append(np.repeat([0, 1], 35), np.arange(2, 2 + n_rare))
    labels = np.where(y < 2, y, 0)
    return np.stack([np.eye(2 + n_rare)[labels]] * n_models), y


def make_measure(metric, y):
    return PredictionScorer(metric, "classification", np.unique(y))


def test_equals_a_loop_over_bootstrap_samples(seed):
    P, y = guesses(seed, 6, 40, skill=0.7)
    found = correct_selection_bias(P, y, MEASURE, n_bootstraps=30, random_state=seed)
    labels = P.argmax(axis=2)
    star = int(np.argmax([accuracy_score(y, one) for one in labels]))
    bias = []
    for drawn in draw_counts(np.random.RandomState(seed), 30, 40):
        inside = np.repeat(np.arange(40), drawn.astype(int))
        rest = np.flatnonzero(drawn == 0)
        best = np.argmax([accuracy_score(y[inside], one[inside]) for one in labels])
        gains = [
            accuracy_score(y[rows], labels[best][rows])
            - accuracy_score(y[rows], labels[star][rows])
            for rows in (inside, rest)
        ]
        bias.append(gains[0] - gains[1])
    assert found.naive == pytest.approx(accuracy_score(y, labels[star]))
    assert found.score == pytest.approx(found.naive - max(np.mean(bias), 0.0))
    assert 0 <= found.low <= found.score <= found.high <= 1


def test_a_mean_over_classes_takes_the_gains_of_each_class_apart(seed):
    rng = np.random.default_rng(seed)
    y = np.array([0] * 20 + [1] * 5 + [2] * 2)
    P = rng.dirichlet(np.ones(3), size=(8, 27))
    measure, labels = make_measure("balanced_accuracy", y), P.argmax(axis=2)
    drawn = draw_counts(np.random.RandomState(seed), 50, 27)
    naive = measure.score_weighted(P, y, np.ones((1, 27)))[0]
    star, gains = int(np.argmax(naive)), {}
    assert naive[star] == pytest.approx(balanced_accuracy_score(y, labels[star]))
    for counts, scores in zip(drawn, measure.score_weighted(P, y, drawn), strict=True):
        best = scores.argmax()
        for code in range(3):
            for side, weights in enumerate([counts, counts == 0]):
                of_class = weights * (y == code).astype(float)
                if of_class.any():
                    right = (labels[[best, star]] == code) @ of_class / of_class.sum()
                    gains.setdefault((side, code), []).append(right[0] - right[1])
    means = {key: np.mean(found) for key, found in gains.items()}
    bias = np.mean([means[0, code] - means[1, code] for code in range(3)])
    made = correct_selection_bias(P, y, measure, 50, random_state=seed)
    assert made.score == pytest.approx(max(naive[star] - max(bias, 0.0), 0.0))


def test_samples_that_leave_no_row_out_are_dropped(seed):
    P, y = guesses(seed, 3, 4)  # one sample of ten draws every row
    counts = draw_counts(np.random.RandomState(seed), 400, 4)
    assert 300 < len(counts) < 400
    assert (counts == 0).any(axis=1).all() and (counts.sum(axis=1) == 4).all()
    found = correct_selection_bias(P, y, MEASURE, random_state=seed)
    assert 0 <= found.low <= found.score <= found.high <= 1


def test_the_selection_bias_of_guessing_is_taken_away():
    differences, naive = [], []
    for seed in range(10):
        P, y = guesses(seed, 100, 80)
        found = correct_selection_bias(P, y, MEASURE, 200, random_state=seed)
        differences.append(found.score - 0.5)
        naive.append(found.naive - 0.5)
    assert -0.06 < np.mean(differences) < 0.01  # rather too low than too good
    assert np.mean(naive) > 0.1


METRICS = ("accuracy", "balanced_accuracy", "log_loss", "auc", "f1_macro")


@pytest.mark.parametrize("metric", METRICS)
def test_one_candidate_has_exactly_its_naive_score(metric):
    # Bootstrap samples within classes never judged classes of one row: accuracy was
    # 1.0000 (1.0000 to 1.0000), and the naive score 0.70.
    P, y = rare_classes()
    measure = make_measure(metric, y)
    found = correct_selection_bias(P, y, measure, 30, random_state=0)
    assert found.score == found.naive == measure(P[0], y)
    assert found.low < found.score < found.high
    if metric == "accuracy":
        assert found.score == pytest.approx(0.7) and found.high < 0.8


def test_classes_of_one_row_are_judged(seed):
    # Of two models the better one is so on classes of one row, by guessing.
    P, y = rare_classes(n_models=2)
    P[0, 70:80] = np.eye(32)[y[70:80]]
    P[1, 80:89] = np.eye(32)[y[80:89]]
    found = correct_selection_bias(P, y, make_measure("accuracy", y), random_state=seed)
    assert found.naive == pytest.approx(0.8)
    assert 0.7 < found.score < 0.79
    assert found.high - found.low > 0.1


@pytest.mark.parametrize("metric", ["accuracy", "log_loss", "auc"])
def test_a_stray_class_does_not_improve_the_score(metric, seed):
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(79) % 2, 2)
    P = rng.dirichlet(np.ones(3), size=(4, 80)) + np.eye(3)[np.minimum(y, 1)]
    P /= P.sum(axis=2, keepdims=True)
    found = correct_selection_bias(
        P, y, make_measure(metric, y), 100, random_state=seed
    )
    assert found.score <= found.naive
    assert found.low <= found.score <= found.high


def test_no_score_is_better_than_the_naive_one(seed):
    rng = np.random.default_rng(seed)
    for metric in ("rmse", "r2", "mae"):
        measure, y = PredictionScorer(metric, "regression"), rng.normal(size=30)
        for _ in range(5):
            P = y + rng.standard_t(2.5, size=(3, 30))
            found = correct_selection_bias(P, y, measure, 50, random_state=seed)
            assert found.low <= found.score <= found.naive
            assert found.score <= found.high <= measure.range[1]


def test_one_outlier_counts_in_full(seed):
    # An average over small samples out of bag made 6.95 of a naive RMSE of 10.06.
    rng = np.random.default_rng(seed)
    y, errors = rng.normal(size=100), rng.normal(size=(5, 100))
    errors[:, 0] = 100.0
    measure = PredictionScorer("rmse", "regression")
    for n_models in (1, 5):
        P = y + errors[:n_models]
        found = correct_selection_bias(P, y, measure, random_state=seed)
        naive = min(root_mean_squared_error(y, made) for made in P)
        assert found.naive == pytest.approx(-naive)
        assert -naive - 0.4 < found.score <= -naive


def test_a_score_that_no_sample_can_judge_says_so(seed):
    rng = np.random.default_rng(seed)
    y = np.append(np.zeros(79, dtype=int), 1)
    chance = rng.random((5, 80))
    P = np.stack([1 - chance, chance], axis=2)
    measure = PredictionScorer("auc", "classification", np.array(["no", "yes"]))
    found = correct_selection_bias(P, y, measure, 50, random_state=seed)
    assert np.isnan([found.score, found.low, found.high]).all()
    assert found.naive == max(measure(one, y) for one in P)
    assert "class yes has 1 row" in found.reason and found.reason in str(found)
    alone = correct_selection_bias(P[:1], y, measure, 50, random_state=seed)
    assert alone.score == alone.naive and not alone.reason
    assert alone.high - alone.low > 0.2  # it rests on a single row


def test_a_perfect_score_has_an_interval():
    y = np.arange(60) % 2
    found = correct_selection_bias(np.eye(2)[y][None], y, MEASURE, random_state=0)
    assert found.score == 1.0 == found.high
    assert found.low == pytest.approx(60 / (60 + 1.959964**2))  # Wilson's


def test_intervals_hold_the_truth_about_as_often_as_they_say(seed):
    # Models that guess have the true score 0.5, whichever is chosen. In 1,000 draws,
    # 994 intervals held it; a correct build has 35 or less of 40 less than once in
    # 100,000 runs.
    n_held = 0
    for draw in range(40):
        P, y = guesses(1000 * seed + draw, 20, 100)
        found = correct_selection_bias(P, y, MEASURE, 60, random_state=seed)
        n_held += found.low <= 0.5 <= found.high
    assert n_held > 35


def test_strategies_are_judged_on_rows_they_have_not_seen(seed):
    P, y = guesses(seed, 5, 60, skill=0.7)

    def remember(P, y, counts):
        seen.append(counts > 0)
        return {"first": Mixture(np.eye(5)[0])}

    seen, final = [], np.array([0.0, 0.5, 0.5, 0.0, 0.0])
    drawn = draw_counts(np.random.RandomState(seed), 10, 60)
    finals = {"first": Mixture(final)}
    found = replay_strategies(remember, finals, P, y, MEASURE, drawn)["first"]
    assert found.shape == (1, 10, 2, 2)
    first, mixed = (
        P[0].argmax(axis=1) == y,
        average_predictions(final, P).argmax(axis=1) == y,
    )
    for (_, outside), inside in zip(found[0], seen, strict=True):
        assert outside[0] == pytest.approx(first[~inside].mean())
        assert outside[1] == pytest.approx(mixed[~inside].mean())


def test_a_committee_is_judged_by_the_same_definition(seed):
    # Taking the best model is a strategy: its gains are those of the choice.
    P, y = guesses(seed, 6, 50, skill=0.6)
    drawn = draw_counts(np.random.RandomState(seed), 20, 50)
    star = int(MEASURE.score_weighted(P, y, np.ones((1, 50)))[0].argmax())

    def take_best(P, y, counts):
        best = MEASURE.score_weighted(P, y, counts[None])[0].argmax()
        return {"best": Mixture(np.eye(6)[best])}

    finals = {"best": Mixture(np.eye(6)[star])}
    found = replay_strategies(take_best, finals, P, y, MEASURE, drawn)["best"]
    gains = compare_choices(P, y, MEASURE, drawn, star)
    assert_allclose(found[..., 0] - found[..., 1], gains, atol=1e-12)
    judged = subtract_optimism(P[star], y, MEASURE, gains, drawn, 6)
    assert judged == correct_selection_bias(P, y, MEASURE, 20, random_state=seed)


def test_weights_are_rows_that_count_more(seed):
    # Whole weights are repeated rows, of one group each: the same draws of groups.
    P, y = guesses(seed, 6, 40, skill=0.7)
    weights = np.random.default_rng(seed).integers(1, 4, size=40)
    rows = np.repeat(np.arange(40), weights)
    star = int(MEASURE.score_weighted(P, y, weights[None] * 1.0)[0].argmax())
    one = Resampler(40, seed, weights=weights.astype(float))
    gains = compare_choices(P, y, MEASURE, one.draw(30), star, row_weights=one.weights)
    weighted = subtract_optimism(
        P[star], y, MEASURE, gains, one.draw(30), 6, resampler=one
    )
    many = Resampler(len(rows), seed, groups=rows)
    again = compare_choices(P[:, rows], y[rows], MEASURE, many.draw(30), star)
    assert_allclose(gains, again, atol=1e-12)
    repeated = subtract_optimism(
        P[star][rows], y[rows], MEASURE, again, many.draw(30), 6, resampler=many
    )
    assert weighted.naive == pytest.approx(repeated.naive)
    assert weighted.score == pytest.approx(repeated.score)


def test_the_interval_of_groups_is_that_of_as_many_rows(seed):
    P, y = guesses(seed, 1, 20, skill=0.8)
    groups = np.repeat(np.arange(20), 10)
    rows, whole = Resampler(20, seed), Resampler(200, seed, groups=groups)
    drawn = rows.draw(200)
    few = subtract_optimism(
        P[0], y, MEASURE, np.zeros((1, len(drawn), 2)), drawn, 1, resampler=rows
    )
    drawn = whole.draw(200)
    many = subtract_optimism(
        P[0][groups], y[groups], MEASURE, np.zeros((1, len(drawn), 2)), drawn, 1,
        resampler=whole,
    )  # fmt: skip
    # Rows of a group are equal: its interval is not that of 200 rows, a third as wide.
    assert 0.9 < (many.high - many.low) / (few.high - few.low) < 1.3
    right = np.eye(2)[y][None]  # without an error, it has the width of 20 rows
    drawn = np.ones((3, 200))
    sure = subtract_optimism(
        right[0][groups], y[groups], MEASURE, np.zeros((1, 3, 2)), drawn, 1,
        resampler=whole,
    )  # fmt: skip
    assert sure.low < 0.85 and sure.high == 1.0
