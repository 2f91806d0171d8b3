"""Parameters of a search are checked before anything is written."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import get_scorer_names

from manyminds.datasets import Dataset, from_arrays
from manyminds.utils.errors import InputError, ParameterError
from manyminds.workflows.row_columns import RowColumns
from manyminds.workflows.search_checks import (
    check_folds,
    check_predict_limit,
    check_task,
    read_budget,
    read_metric,
)

CLASSES = from_arrays(np.arange(9.0)[:, None], list("aaabbbbcc"), name="toy")
NUMBERS = from_arrays(np.eye(6), np.arange(6) + 0.5, task="regression", name="sizes")
LABELS = Dataset(
    "two",
    pd.DataFrame({"x": [0.0, 1.0, 2.0]}),
    pd.DataFrame({"a": [0, 1, 1], "b": [1, 0, 1]}),
    "multilabel",
)


def test_the_task_is_that_of_the_table():
    check_task(CLASSES, None)
    check_task(CLASSES, "classification")
    with pytest.raises(ParameterError, match="task must be classification, as toy is"):
        check_task(CLASSES, "regression")


def test_many_labels_are_a_task():
    check_task(LABELS, None)
    check_task(LABELS, "multilabel")
    with pytest.raises(ParameterError, match="task must be multilabel, as two is"):
        check_task(LABELS, "classification")
    check_folds(2, LABELS, 0)


@pytest.mark.parametrize(
    ("data", "metric", "name"),
    [
        (CLASSES, "auto", "accuracy"),
        (CLASSES, "log_loss", "log_loss"),
        (CLASSES, "auc", "auc"),
        (NUMBERS, "auto", "rmse"),
        (NUMBERS, "r2", "r2"),
        (LABELS, "auto", "micro_f1"),
        (LABELS, "ranking_loss", "ranking_loss"),
        (LABELS, "f1_macro", "macro_f1"),
    ],
)
def test_a_metric_that_suits_the_target_is_read(data, metric, name):
    assert read_metric(metric, data).name == name


@pytest.mark.parametrize(
    ("data", "metric", "kind"),
    [
        (CLASSES, "rmse", "3 classes"),
        (CLASSES, "r2", "3 classes"),
        (NUMBERS, "accuracy", "numbers"),
        (NUMBERS, "log_loss", "numbers"),
        (NUMBERS, "auc", "numbers"),
        (NUMBERS, "roc_auc", "numbers"),
        (NUMBERS, "average_precision", "numbers"),
        (NUMBERS, "adjusted_rand_score", "numbers"),
        (LABELS, "rmse", "many labels"),
        (LABELS, "r2", "many labels"),
    ],
)
def test_other_metrics_are_refused(data, metric, kind):
    with pytest.raises(ParameterError) as caught:
        read_metric(metric, data)
    assert caught.value.parameter == "metric" and caught.value.got == metric
    assert str(caught.value).startswith(
        f"metric must be a metric that can score a target of {kind}"
    )


@pytest.mark.parametrize("metric", get_scorer_names())
def test_any_metric_is_refused_or_scores_numbers(metric):
    # Whole numbers, which scikit-learn also takes for codes of classes.
    data = from_arrays(np.eye(6), np.arange(6.0), task="regression", name="counts")
    try:
        measure = read_metric(metric, data)
    except ParameterError:
        return
    predictions = np.asarray(data.y) + 0.25
    assert np.isfinite(measure(predictions, np.asarray(data.y)))


@pytest.mark.parametrize(
    ("budget", "n_trials", "seconds"),
    [(None, None, 60.0), (None, 3, None), ("2m", None, 120.0), (5, 3, 5.0)],
)
def test_a_budget_is_read(budget, n_trials, seconds):
    assert read_budget(budget, n_trials) == seconds


@pytest.mark.parametrize(
    ("budget", "n_trials", "parameter"),
    [("soon", None, "budget"), (None, 0, "n_trials"), (0, 3, "budget")],
)
def test_a_wrong_budget_is_named(budget, n_trials, parameter):
    with pytest.raises(ParameterError) as caught:
        read_budget(budget, n_trials)
    assert caught.value.parameter == parameter


def test_a_limit_of_predicting_is_positive():
    check_predict_limit(None)
    check_predict_limit(0.5)
    with pytest.raises(ParameterError, match="predict_limit must be above 0; got 0"):
        check_predict_limit(0)


@pytest.mark.parametrize("data", [CLASSES, NUMBERS], ids=["classes", "numbers"])
def test_folds_are_as_many_as_the_rows_allow(data, seed):
    most = 4 if data is CLASSES else 6  # rows of the most frequent class, or all
    for cv in (None, 2, most):
        check_folds(cv, data, seed)
    for cv in (1, most + 1):
        with pytest.raises(
            ParameterError, match=f"cv must be between 2 and {most}, as"
        ):
            check_folds(cv, data, seed)


def test_classes_of_one_row_each_have_no_folds():
    single = from_arrays(np.eye(3), list("abc"), name="single")
    with pytest.raises(InputError, match="single cannot be divided into folds"):
        check_folds(None, single, 0)


def test_folds_of_groups_and_times_are_drawn_too():
    two = RowColumns(groups=np.array([0, 0, 0, 0, 0, 1, 1, 1, 1]))
    check_folds(None, CLASSES, 0, two)
    with pytest.raises(InputError, match="at most the number of groups, 2; got 3"):
        check_folds(3, CLASSES, 0, two)
    late = RowColumns(time=np.repeat([0, 1], [3, 6]))
    with pytest.raises(InputError, match="rows of two classes before"):
        check_folds(None, CLASSES, 0, late)
