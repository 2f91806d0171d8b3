import numpy as np
import pytest

from manyminds.search import default_space
from manyminds.search.study.cost_model import (
    CostModel,
    Measured,
    freeze,
    measure_records,
)
from manyminds.search.study.trial_record import TrialRecord

SPACE = default_space("classification")


def make_record(state="sampled", level=0, folds=(0.5, 0.5), seconds=2.0, **pipeline):
    return TrialRecord(
        0, state, "base", {"learner": "nb", **pipeline}, "nb", 0.5, 0.0, np.nan,
        list(folds), seconds, 1.0, 0.0, "", 3.0, level=level,
    )  # fmt: skip


def test_nothing_is_known_before_the_first_trial():
    assert np.isnan(CostModel(SPACE, []).predict({"learner": "nb"}, 100))


def test_a_pipeline_is_predicted_from_its_own_time():
    # The growth is still that of the prior: seconds grow as rows ** 1.1.
    model = CostModel(SPACE, [Measured({"learner": "nb"}, 1000, 2.0)])
    assert model.predict({"learner": "nb"}, 1000) == pytest.approx(2.0)
    expected = 2.0 * 16**1.1
    assert model.predict({"learner": "nb"}, 16_000) == pytest.approx(expected)
    # Whatever share of the rows it is fitted to, it is the same pipeline.
    assert model.predict({"learner": "nb", "rows": 0.5}, 1000) == pytest.approx(2.0)


def test_the_growth_with_rows_is_learned():
    seconds = {rows: 1e-6 * rows**2 for rows in (500, 1000, 2000, 4000, 8000, 16_000)}
    measured = [
        Measured({"learner": "logistic", "logistic.C": rows / 16}, rows, taken)
        for rows, taken in seconds.items()
    ]
    model = CostModel(SPACE, measured)
    new = {"learner": "logistic", "logistic.C": 30.0}
    ratio = model.predict(new, 32_000) / model.predict(new, 2_000)
    assert 16**1.6 < ratio < 16**2.1
    assert CostModel(SPACE, measured[:1]).predict(new, 32_000) < 0.25 * 32**1.2 * 4


def test_hyperparameters_that_cost_time_are_learned():
    measured = [
        Measured({"learner": "elm", "elm.n_hidden": n}, 1000, n / 100)
        for n in (10, 30, 100, 300, 1000)
    ]
    model = CostModel(SPACE, measured)
    few, many = (
        model.predict({"learner": "elm", "elm.n_hidden": n, "elm.alpha": 0.3}, 1000)
        for n in (20, 800)
    )
    assert many > 10 * few


def test_an_unknown_learner_costs_about_what_others_cost():
    model = CostModel(SPACE, [Measured({"learner": "rf"}, 1000, 5.0)])
    assert model.predict({"learner": "nb"}, 1000) == pytest.approx(5.0)


def test_records_of_some_folds_count_for_all():
    records = [
        make_record(level=1, seconds=2.0),
        make_record("slow", folds=(), seconds=0.0),
        make_record("failed", folds=()),
        make_record(level=1, rows=0.5),
    ]
    found = measure_records(records, 4, [100, 400])
    assert [(one.rows, one.seconds) for one in found] == [(400, 4), (100, 6), (200, 4)]


def test_keys_do_not_depend_on_order_or_rows():
    assert freeze({"a": 1, "b": 2, "rows": 0.5}) == freeze({"b": 2, "a": 1})


def test_what_was_measured_on_many_rows_grows_with_them():
    # The first trial loaded kernels: seconds seem to fall with the rows.
    gb = {"learner": "gb"}
    measured = [Measured(gb, 1_000, 6.0), Measured(gb, 4_000, 1.5)]
    model = CostModel(default_space("classification"), measured)
    assert model.predict(gb, 16_000) >= 4 * 1.5
    assert model.predict(gb, 2_000) < 6.0


def test_steps_in_a_cache_take_their_time_on_other_rows():
    record = make_record(seconds=0.4, folds=(0.5, 0.5))  # of fits of 1 s each
    [found] = measure_records([record], 2, [100])
    assert found.seconds == 2.0
