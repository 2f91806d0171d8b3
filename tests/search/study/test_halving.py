"""Successive halving: who gets more rows, how many, and when nothing fits."""

from dataclasses import replace

import numpy as np
import pytest

from manyminds.search import default_space
from manyminds.search.study.cost_model import CostModel, measure_records
from manyminds.search.study.halving import Halving, TimeLeft
from manyminds.search.study.proposals import Proposal
from manyminds.search.study.trial_record import TrialRecord

SPACE = default_space("classification")
ROWS, N_FOLDS = [1_000, 4_000, 16_000], 3
FOREST, BOOSTING = {"learner": "quick_rf"}, {"learner": "gb"}


def make_record(pipeline, level, score, seconds=0.3, state=None):
    state = state or ("complete" if level == 2 else "sampled")
    n_done = 0 if state in ("running", "failed") else N_FOLDS
    return TrialRecord(
        0, state, "base", pipeline, "", score, 0.0, score, [score] * n_done, seconds,
        seconds / N_FOLDS, 0.0, "", level=level,
    )  # fmt: skip


def knn(place):
    return {"learner": "logistic", "logistic.C": 1.0 + place}


def choose(records, seconds=100.0, share=0.9, protected=(), initial=(), new=None):
    halving = Halving(ROWS, N_FOLDS, protected, initial)
    cost = CostModel(SPACE, measure_records(records, N_FOLDS, ROWS))
    time = TimeLeft(seconds, share, limit=0.15 * seconds, reserve=10.0)
    return halving.choose(records, cost, time, lambda: new)


def test_protected_pipelines_come_first_on_a_sample_and_then_on_all_rows():
    protected = [FOREST, BOOSTING]
    assert choose([], protected=protected) == Proposal("base", FOREST, 0)
    running = [make_record(FOREST, 0, np.nan, state="running")]
    assert choose(running, protected=protected) == Proposal("base", BOOSTING, 0)
    done = [make_record(one, 0, 0.8) for one in protected]
    assert choose(done, protected=protected) == Proposal("base", FOREST, 2)
    done.append(make_record(FOREST, 2, np.nan, state="running"))
    assert choose(done, protected=protected) == Proposal("base", BOOSTING, 2)


def test_a_protected_pipeline_that_takes_too_long_is_fitted_to_fewer_rows():
    done = [make_record(FOREST, 0, 0.8, seconds=3.0)]
    found = choose(done, protected=[FOREST])
    # 16 times the rows take 3 * 16 ** 1.1 = 63 seconds, half of them 29.5.
    assert found == Proposal("base", {**FOREST, "rows": 0.5}, 2)


def test_the_best_quarter_goes_on_and_not_twice():
    records = [make_record(knn(place), 0, place / 10) for place in range(8)]
    found = choose(records)
    assert found == Proposal("promote", knn(7), 1)
    records.append(make_record(knn(7), 1, np.nan, state="running"))
    assert choose(records) == Proposal("promote", knn(6), 1)
    records.append(make_record(knn(6), 1, 0.9))
    new = Proposal("tune", {"learner": "nb"}, 0)
    assert choose(records, new=new) is new


def test_the_best_of_another_learner_goes_on_as_well():
    records = [make_record(knn(place), 0, place / 10) for place in range(8)]
    records += [make_record(knn(place), 1, 0.5) for place in (6, 7)]
    records.append(make_record({"learner": "lda"}, 0, 0.45))
    assert choose(records) == Proposal("promote", {"learner": "lda"}, 1)
    records[-1] = make_record({"learner": "lda"}, 1, 0.45)
    assert choose(records) is not None


def test_learners_that_gain_by_more_rows_are_preferred():
    # On 1,000 rows the forest is better, on 4,000 nearly: with 16,000 it will lose.
    forest, svm = {"learner": "rf"}, {"learner": "gaussian_svm"}
    records = [make_record(forest, 0, 0.7), make_record(svm, 0, 0.4)]
    records += [make_record(knn(place), 0, 0.1) for place in range(2)]
    records += [make_record(forest, 1, 0.8), make_record(svm, 1, 0.75)]
    records += [make_record(knn(place), 1, 0.1) for place in range(2)]
    assert choose(records) == Proposal("promote", svm, 2)


def test_a_pipeline_that_was_too_slow_on_all_rows_gets_fewer():
    records = [make_record(knn(place), 0, place / 10) for place in range(4)]
    records.append(make_record({"learner": "lda"}, 0, 0.9, seconds=1.0))
    slow = make_record({"learner": "lda"}, 2, 0.95, seconds=99.0, state="slow")
    found = choose([*records, slow], seconds=40.0, share=0.3)
    assert found == Proposal("promote", {"learner": "lda", "rows": 0.25}, 2)


def test_late_in_the_search_the_best_go_on_to_all_rows():
    records = [make_record(knn(place), 0, place / 10) for place in range(8)]
    found = choose(records, seconds=30.0, share=0.2)
    assert found == Proposal("promote", knn(7), 2)


def test_one_that_is_ahead_is_fitted_to_the_rows_that_the_time_allows():
    records = [make_record(knn(place), 0, place / 10, 0.1) for place in range(8)]
    records[-1] = make_record({"learner": "lda"}, 0, 0.99, seconds=9.0)
    found = choose(records, seconds=75.0)
    # 4,000 rows take 41 seconds and a last fit 10 more; they fit, as it is the best.
    assert found == Proposal("promote", {"learner": "lda"}, 1)
    found = choose(records, seconds=30.0)
    assert found == Proposal("promote", {"learner": "lda", "rows": 0.125}, 2)


def test_nothing_is_started_that_cannot_end_in_time():
    records = [make_record(knn(place), 0, place / 10, 20.0) for place in range(8)]
    new = Proposal("tune", {"learner": "nb"}, 0)
    assert choose(records, seconds=5.0, share=0.05, new=new) is None


def test_late_in_the_search_the_only_one_of_a_level_goes_on():
    records = [make_record(knn(place), 0, place / 10) for place in range(8)]
    records += [make_record(knn(7), 1, 0.9)]
    assert choose(records, share=0.5).level == 1  # others follow to its level first
    assert choose(records, share=0.3) == Proposal("promote", knn(7), 2)


def test_where_no_sample_has_ended_few_rows_are_the_last_resort():
    protected = [FOREST, BOOSTING]
    slow = [make_record(one, 0, np.nan, state="running") for one in protected]
    slow = [replace(one, state="slow", limit=9.0) for one in slow]
    first = Proposal("base", {**FOREST, "rows": 1 / 32}, 2)
    assert choose(slow, seconds=1.0, protected=protected) == first
    running = [*slow, make_record(first.fixed, 2, np.nan, state="running")]
    assert choose(running, seconds=1.0, protected=protected) is None
    failed = [*slow, make_record(first.fixed, 2, np.nan, state="failed")]
    second = Proposal("base", {**BOOSTING, "rows": 1 / 32}, 2)
    assert choose(failed, seconds=1.0, protected=protected) == second
    done = [*slow, make_record(first.fixed, 2, 0.7)]
    assert choose(done, seconds=1.0, protected=protected) is None


def test_initial_pipelines_follow_in_their_order():
    initial = [FOREST, {"learner": "nb"}, {"learner": "lda"}]
    records = [make_record(FOREST, 0, 0.5)]
    found = choose(records, initial=initial)
    assert found == Proposal("base", {"learner": "nb"}, 0)


def test_many_pipelines_are_looked_at_and_few_see_all_rows(seed):
    # Scores on samples are noisy; pipelines cost 0.05 seconds per 1,000 rows.
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=1000)
    halving, records, left = Halving(ROWS, N_FOLDS, [], []), [], 60.0
    n_new = 0
    while left > 0:
        cost = CostModel(SPACE, measure_records(records, N_FOLDS, ROWS))
        time = TimeLeft(left, left / 60.0, limit=9.0, reserve=10.0)
        new = Proposal("tune", knn(n_new), 0)
        found = halving.choose(records, cost, time, lambda new=new: new)
        if found is None:
            break
        n_new += found is new
        place = int(found.fixed["logistic.C"]) - 1
        rows = ROWS[found.level] * found.fixed.get("rows", 1.0)
        score = quality[place] + rng.normal() * 10 / np.sqrt(rows)
        seconds = 0.05 * rows / 1_000
        left -= seconds
        records.append(make_record(found.fixed, found.level, score, seconds))
    complete = [one for one in records if one.state == "complete"]
    assert n_new > 120
    assert 10 < len(complete) < n_new / 4
    best = max(complete, key=lambda one: one.score)
    place = int(best.pipeline["logistic.C"]) - 1
    assert (quality[:n_new] > quality[place]).mean() < 0.05
    assert left < 6.0


@pytest.mark.parametrize(
    ("n_folds", "seconds", "fits"),
    [(3, 11.0, True), (3, 13.0, False), (1, 9.0, True), (1, 10.0, False)],
)
def test_time_left_counts_the_last_fit(n_folds, seconds, fits):
    # 15 seconds are left, of which 12 are planned. The last fit takes half of three
    # folds, or 5 / 4 of one part, of which 10 seconds are reserved.
    time = TimeLeft(15.0, 0.5, limit=np.inf, reserve=10.0)
    assert time.fits(seconds, n_folds) is fits
    assert time.fits(np.nan, n_folds)


def test_the_best_may_be_fitted_to_the_rows_of_its_sample_and_predict_all():
    rows = [1_003, 4_003, 16_000]  # with some rows of rare classes
    records = [make_record(knn(place), 1, place / 10, 0.1) for place in range(3)]
    records.append(make_record({"learner": "lda"}, 1, 0.9, seconds=10.0))
    cost = CostModel(SPACE, measure_records(records, N_FOLDS, rows))
    time = TimeLeft(15.0, 0.3, limit=5.0, reserve=10.0)
    found = Halving(rows, N_FOLDS, [], []).choose(records, cost, time, lambda: None)
    assert found == Proposal("promote", {"learner": "lda", "rows": 0.25}, 2)


def test_the_best_begins_with_all_rows_while_there_is_time_for_them():
    other = {"learner": "lda"}
    records = [make_record(one, 0, 0.5, seconds=1.0) for one in (BOOSTING, other)]
    records.append(make_record(BOOSTING, 1, 0.8, seconds=4.0))
    new = Proposal("base", other, 1)  # of about 4 seconds

    def choose_at(seconds, records=records):
        return choose(records, seconds, share=0.6, new=new)

    # All rows take about 16 seconds, with a margin 20.
    assert choose_at(100.0) is new
    assert choose_at(22.0) == Proposal("promote", BOOSTING, 2)
    assert choose_at(12.0) is new  # too late: a part of the rows, in the last part
    running = make_record(BOOSTING, 2, np.nan, state="running")
    assert choose_at(22.0, [*records, running]) is new


def test_luck_of_one_pipeline_on_few_rows_is_no_trend():
    # The second was unlucky on 1,000 rows: its own gain would make it the best.
    records = [make_record(knn(n), 0, score) for n, score in enumerate([0.80, 0.70])]
    records += [make_record(knn(n), 1, score) for n, score in enumerate([0.84, 0.83])]
    records += [make_record(knn(n), k, 0.1) for n in (2, 3) for k in (0, 1)]
    assert choose(records) == Proposal("promote", knn(0), 2)
