"""Scores of stored label scores, against those of repeated rows; thresholds."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    hamming_loss,
)
from sklearn.metrics import (
    make_scorer as make_sklearn_scorer,
)

from manyminds.ensemble import measure_labels
from manyminds.experiments.measures import LABEL_METRICS
from manyminds.search.evaluation.label_metrics import LabelScorer, make_scorer
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.utils.errors import InputError


@pytest.fixture
def stored(seed):
    """Return scores of three models, and labels, of 40 rows."""
    rng = np.random.default_rng(seed)
    Y = (rng.uniform(size=(40, 4)) < [0.1, 0.3, 0.5, 0.8]).astype(int)
    Y[:2] = [[1, 1, 1, 1], [0, 0, 0, 0]]
    P = np.clip(0.4 * Y + rng.uniform(size=(3, 40, 4)) * 0.7, 0, 1).round(2)
    return P, Y


@pytest.mark.parametrize("metric", LABEL_METRICS)
def test_a_weighting_counts_rows_several_times(stored, seed, metric):
    P, Y = stored
    counts = np.random.default_rng(seed).multinomial(40, np.full(40, 1 / 40), size=5)
    measure = LabelScorer(metric)
    found = measure.score_weighted(P, Y, counts.astype(float))
    for b, times in enumerate(counts):
        rows = np.repeat(np.arange(40), times)
        for c, one in enumerate(P):
            expected = measure_labels(Y[rows], one[rows] > 0.5, one[rows])[metric]
            assert_allclose(measure.show(found[b, c]), expected)
    assert_allclose(
        measure(P[0], Y), measure.score_weighted(P, Y, np.ones((1, 40)))[0, 0]
    )


def test_more_is_better_and_losses_are_shown_as_they_are(stored):
    P, Y = stored
    measure = LabelScorer("hamming_loss")
    assert measure(Y.astype(float), Y) == 0.0 > measure(P[0], Y)
    assert_allclose(measure.show(measure(P[0], Y)), hamming_loss(Y, P[0] > 0.5))
    assert measure.range == (-1.0, 0.0)


def test_names_of_scikit_learn_and_scorers_work(stored):
    P, Y = stored
    found = LabelScorer("f1_micro")
    assert found.name == "micro_f1"
    assert_allclose(found(P[0], Y), f1_score(Y, P[0] > 0.5, average="micro"))
    other = LabelScorer("f1_weighted")
    expected = f1_score(Y, P[0] > 0.5, average="weighted", zero_division=0)
    assert_allclose(other(P[0], Y), expected)
    own = make_sklearn_scorer(average_precision_score, response_method="predict_proba")
    assert_allclose(LabelScorer(own)(P[0], Y), average_precision_score(Y, P[0]))


@pytest.mark.parametrize("metric", ["rmse", "log_loss", "micro_f2"])
def test_other_metrics_are_refused(metric):
    with pytest.raises(InputError, match=metric):
        LabelScorer(metric)


def test_a_metric_of_many_labels_is_refused_for_one_target():
    with pytest.raises(InputError, match="one target"):
        make_scorer("micro_f1", "classification", np.array([0, 1]))
    assert isinstance(make_scorer("mae", "regression"), PredictionScorer)
    assert make_scorer("auto", "multilabel").name == "micro_f1"


def test_the_labels_of_a_fold_have_no_part_in_its_threshold(stored):
    P, Y = stored
    rows = np.arange(40)
    folds = [(rows[20:], rows[:20]), (rows[:20], rows[20:])]
    measure = LabelScorer("micro_f1")
    adapted = measure.adapt(P[0], Y, folds)
    other = Y.copy()
    other[:20] = 1 - other[:20]
    assert_array_equal(measure.adapt(P[0], other, folds)[:20], adapted[:20])
    wanted = Y[20:].sum(axis=1).mean()
    # As near as ties allow: scores have two digits.
    assert abs((adapted[:20] > 0.5).sum(axis=1).mean() - wanted) < 0.3
    order = np.argsort(P[0][:20], axis=None, kind="stable")
    assert (np.diff(adapted[:20].ravel()[order]) >= 0).all()


def test_fewest_wrong_labels_begin_at_one_half(stored):
    P, Y = stored
    measure = LabelScorer("hamming_loss")
    assert_array_equal(measure.find_threshold(P[0], Y), [0.5] * 4)
    folds = [(np.arange(20), np.arange(20, 40)), (np.arange(20, 40), np.arange(20))]
    assert_allclose(measure.adapt(P[0], Y, folds), P[0])


def test_for_macro_f1_each_label_is_as_frequent_as_in_training(stored):
    P, Y = stored
    scores = P[0] + np.random.default_rng(0).uniform(0, 1e-3, P[0].shape)  # no ties
    thresholds = LabelScorer("macro_f1").find_threshold(scores, Y)
    assert_array_equal((scores > thresholds).sum(axis=0), Y.sum(axis=0))


@pytest.mark.parametrize("metric", [*LABEL_METRICS, "f1_weighted"])
def test_weights_of_rows_count(stored, seed, metric):
    # A weight of 2 is two equal rows; one of 0 is none.
    P, Y = stored
    counts = np.random.default_rng(seed).integers(3, size=40)
    counts[:2] = 1
    measure, plain = LabelScorer(metric), LabelScorer(metric)
    measure.require_weights()
    rows = np.repeat(np.arange(40), counts)
    expected = plain(P[0][rows], Y[rows])
    assert measure(P[0], Y, counts.astype(float)) == pytest.approx(expected)
