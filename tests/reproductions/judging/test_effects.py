"""Effects that claims are judged by."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis import corrected_resampled_ttest
from manyminds.experiments import DataSource, Plan, Record
from manyminds.experiments.splits import CrossValidation
from manyminds.reproductions.judging.claims import (
    FAILS,
    HOLDS,
    flip_claims,
    judge_claim,
)
from manyminds.reproductions.judging.effects import (
    count_data_sets,
    gather_folds,
    judge_methods,
    list_departures,
)
from manyminds.reproductions.published import (
    PublishedTable,
    PublishedValue,
)
from manyminds.trees import DecisionTreeClassifier

SETS, METHODS = ("a", "b", "c", "d"), ("new", "old")


def make_plan(find=None, quick=False, name="toy"):
    return Plan(
        name,
        [DataSource(one, lambda: None) for one in SETS],
        {method: DecisionTreeClassifier() for method in METHODS},
        splits=CrossValidation(2, 2),
    )


def records_of(errors):
    """Four folds of each data set and method around the given error."""
    return [
        Record(f"{place}{i}", *place, *divmod(i, 2), {"error": error + 0.001 * i})
        for place, error in errors.items()
        for i in (3, 1, 0, 2)
    ]


def draw_errors(gain):
    return {
        (name, method): 0.2 + 0.01 * k - gain * (method == "new")
        for k, name in enumerate(SETS)
        for method in METHODS
    }


def test_folds_come_in_order_and_only_whole():
    records = records_of(draw_errors(0.0))
    gone = records.pop()
    folds = gather_folds(make_plan(), records, "error", 100.0)
    assert (gone.dataset, gone.method) not in folds
    assert_allclose(folds["a", "old"], [20.0, 20.1, 20.2, 20.3])


def test_interval_over_folds_is_that_of_the_corrected_test(seed):
    a, b = np.random.default_rng(seed).normal(size=(2, 20))
    claim = judge_claim("", a - b, unit="", margin=0.1, test_share=0.1)
    test = corrected_resampled_ttest(a, b, test_share=0.1)
    # The interval excludes 0 exactly if the test is significant at 5 %.
    assert (claim.low > 0 or claim.high < 0) == (test.p_value < 0.05)
    half = (claim.high - claim.low) / 2
    assert claim.effect / half == pytest.approx(test.statistic / 2.093, rel=1e-3)
    plain = judge_claim("", a - b, unit="", margin=0.1)
    assert half > 1.7 * (plain.high - plain.low) / 2  # sqrt(1 + 20 / 9) = 1.79


def test_null_control_of_claims_over_folds_uses_the_same_interval():
    effects = np.r_[np.ones(10), -np.ones(10)] + 0.5
    rng = np.random.default_rng
    plain = judge_claim("", effects, unit="", margin=0.1)
    wide = judge_claim("", effects, unit="", margin=0.1, test_share=0.5)
    assert flip_claims([wide], 200, rng(0))[1] < flip_claims([plain], 200, rng(0))[1]


@pytest.mark.parametrize(("gain", "verdict"), [(0.02, HOLDS), (0.0, FAILS)])
def test_a_method_without_effect_is_not_called_better(gain, verdict):
    (claim,) = judge_methods(
        make_plan(), records_of(draw_errors(gain)), "error",
        {"new errs less": ("new", "old")},
        unit="of error", margin=0.005, test_share=0.5, lower_is_better=True,
    )  # fmt: skip
    assert claim.verdict == verdict and claim.n == 4
    assert claim.effect == pytest.approx(gain)
    n_better = 4 if gain else 0
    assert claim.remark.startswith(f"positive on {n_better} of 4 data sets")


def test_data_sets_are_counted_by_sign_and_by_test():
    one = np.array([1.0, 1.1, 0.9, 1.0])
    folds = {
        ("a", "new"): one + 1.0 + 0.001 * np.arange(4),
        ("a", "old"): one,
        ("b", "new"): one[::-1] - 0.01,
        ("b", "old"): one,
        ("c", "new"): one,
    }
    text = count_data_sets(folds, "new", "old", 0.5)
    assert text.startswith("positive on 1 of 2 data sets")
    assert text.endswith("positive on 1, negative on 0")


def test_departures_are_means_over_methods_of_data_sets_that_have_them_all():
    cells = {
        ("a", "new"): PublishedValue(20.0),
        ("a", "old"): PublishedValue(19.0),
        ("b", "new"): PublishedValue(20.0),
    }
    table = PublishedTable("toys", "a paper", "error", cells, scale=100.0)
    records = records_of(draw_errors(0.0))
    # The mean of the four folds is 20.15 on a, 21.15 on b.
    assert list_departures(make_plan(), records, table) == {"a": pytest.approx(0.65)}
    found = list_departures(make_plan(), records, table, ["new"])
    assert found == {"a": pytest.approx(0.15), "b": pytest.approx(1.15)}
