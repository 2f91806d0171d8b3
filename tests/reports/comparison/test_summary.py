"""A summary holds what the tests of scores say, and says what it could not compute."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from manyminds.analysis.comparison import (
    bayesian_correlated_ttest,
    compare_methods,
    corrected_resampled_ttest,
    wilcoxon_signed_rank,
)
from manyminds.experiments import Record
from manyminds.experiments.summaries import pivot
from manyminds.reports import summarize, to_plain


def make_records(scores, metric="accuracy", n_folds=5, **others):
    """Make records of scores[dataset][method], a list of folds; None is a failure."""
    records = []
    for dataset, methods in scores.items():
        for method, values in methods.items():
            for place, value in enumerate(values):
                records.append(
                    Record(
                        f"{dataset}/{method}/{place}",
                        dataset,
                        method,
                        *divmod(place, n_folds),
                        {} if value is None else {metric: value},
                        "ValueError: no luck" if value is None else None,
                        **{"seconds": 0.5, "versions": "manyminds 1.0", **others},
                    )
                )
    return records


def draw_scores(seed, n_datasets, methods, n_folds=10):
    rng = np.random.default_rng(seed)
    return {
        f"d{i}": {m: rng.uniform(0.5, 1.0, n_folds).tolist() for m in methods}
        for i in range(n_datasets)
    }


def test_worked_example_of_one_data_set():
    # Differences 0.1, 0.05 and 0.2: mean 7/60, variance 7/1200. Three folds: each tests
    # on a third, so that the mean's variance is (1/3 + 1/2) * 7/1200.
    scores = {"iris": {"tree": [0.8, 0.9, 0.7], "forest": [0.9, 0.95, 0.9]}}
    summary = summarize(make_records(scores, n_folds=3))
    tree, forest = summary.cells
    assert_allclose([tree.mean, forest.mean], [0.8, 11 / 12])
    assert_allclose([tree.std, forest.std], [0.1, (1 / 1200) ** 0.5])
    assert (tree.rank, forest.rank) == (2.0, 1.0)
    assert (tree.n, tree.n_failed, tree.seconds) == (3, 0, 0.5)
    [test] = summary.against_best
    assert (test.best, test.method, test.n_folds) == ("forest", "tree", 3)
    statistic = 7 / 60 / (5 / 6 * 7 / 1200) ** 0.5
    assert_allclose(test.p_value, 2 * stats.t.sf(statistic, 2))
    assert_allclose(test.difference, 7 / 60)
    assert summary.over_datasets is None and summary.pair is None
    assert any("at least two data sets" in text for text in summary.not_computed)
    assert (summary.n_folds, summary.n_failed, summary.seconds) == (6, 0, 3.0)
    assert summary.versions == "manyminds 1.0"


@pytest.mark.parametrize("metric", ["accuracy", "rmse"])
def test_the_best_is_that_of_the_metric(metric):
    scores = {"d": {"low": [0.1, 0.3, 0.2], "high": [0.5, 0.9, 0.6]}}
    summary = summarize(make_records(scores, metric, n_folds=3), metric)
    best = "high" if metric == "accuracy" else "low"
    assert summary.against_best[0].best == best
    assert summary.against_best[0].difference > 0
    assert summary.average_ranks[best] == 1.0
    assert summary.against_best[0].best_better > 0.5
    assert summary.higher_is_better == (metric == "accuracy")


def test_tests_within_data_sets_are_those_of_the_analysis(seed):
    methods = ["a", "b", "c"]
    scores = draw_scores(seed, 2, methods)
    summary = summarize(make_records(scores))
    assert len(summary.against_best) == 4
    for name, own in scores.items():
        best = max(methods, key=lambda m: np.mean(own[m]))
        tests = [test for test in summary.against_best if test.dataset == name]
        assert {test.best for test in tests} == {best}
        for test in tests:
            pair = (own[best], own[test.method])
            found = corrected_resampled_ttest(*pair, test_share=1 / 5)
            assert_allclose(test.p_value, found.p_value)
            bayes = bayesian_correlated_ttest(*pair, test_share=1 / 5, rope=0.01)
            assert_allclose(test.best_better, bayes.a_better)
            assert_allclose(test.equivalent, bayes.equivalent)
        # Holm with two: the smaller doubled, the larger not below it.
        first, second = sorted(test.p_value for test in tests)
        expected = [min(1, 2 * first), max(min(1, 2 * first), second)]
        assert_allclose(sorted(test.adjusted_p_value for test in tests), expected)


def test_many_methods_over_data_sets_are_those_of_the_analysis(seed):
    records = make_records(draw_scores(seed, 6, ["a", "b", "c", "d"]))
    summary = summarize(records, alpha=0.1, test="wilcoxon-holm")
    means = pivot(records, "accuracy")
    expected = compare_methods(means, alpha=0.1, test="wilcoxon-holm")
    found = summary.over_datasets
    assert found.names == expected.names
    # The means are those of a table made in another way: equal but for rounding.
    assert_allclose(found.ranks.average_ranks, expected.ranks.average_ranks)
    assert_allclose(found.friedman.f, expected.friedman.f)
    assert found.critical_difference.groups == expected.critical_difference.groups
    assert found.critical_difference.test == "wilcoxon-holm"
    assert_allclose(list(summary.average_ranks.values()), expected.ranks.average_ranks)
    assert summary.not_computed == ()


def test_two_methods_over_data_sets(seed):
    scores = draw_scores(seed, 7, ["a", "b"])
    summary = summarize(make_records(scores))
    a, b = ([np.mean(own[m]) for own in scores.values()] for m in "ab")
    assert summary.over_datasets is None
    pair = summary.pair
    assert (pair.first, pair.second, pair.ties) == ("a", "b", 0)
    assert pair.wins == sum(x > y for x, y in zip(a, b)) == 7 - pair.losses
    assert_allclose(pair.wilcoxon_p_value, wilcoxon_signed_rank(a, b).p_value)
    assert_allclose(pair.sign_p_value, stats.binomtest(pair.wins, 7).pvalue)
    total = pair.first_better + pair.equivalent + pair.second_better
    assert_allclose(total, 1.0)


# ------------------------------------------------------------------ what is missing


def test_failed_folds_are_left_out_for_all():
    scores = {
        "d": {"a": [0.9, None, 0.7, 0.8], "b": [0.6, 0.1, 0.5, 0.7], "lost": [None] * 4}
    }
    summary = summarize(make_records(scores, n_folds=4))
    a, b, lost = summary.cells
    assert_allclose([a.mean, b.mean], [0.8, 1.9 / 4])
    assert a.scores == (0.9, 0.7, 0.8) and b.scores == (0.6, 0.5, 0.7)
    assert (lost.mean, lost.std, lost.rank, lost.scores) == (None, None, None, ())
    assert [test.n_folds for test in summary.against_best] == [3]
    assert "lost failed every fold: it has no rank." in summary.not_computed
    assert [(f.method, f.n_failed, f.n_folds) for f in summary.failures] == [
        ("a", 1, 4),
        ("lost", 4, 4),
    ]
    assert summary.failures[0].error == "ValueError: no luck"
    assert (summary.n_folds, summary.n_failed) == (12, 5)


def test_a_data_set_that_a_method_cannot_do_has_no_part_in_the_tests():
    good = {"a": [0.9, 0.8], "b": [0.7, 0.8], "c": [0.6, 0.5]}
    bad = {"a": [0.1, 0.1], "b": [None, None], "c": [0.2, 0.2]}
    scores = {"d1": good, "d2": bad, "d3": good}
    summary = summarize(make_records(scores, n_folds=2))
    assert summary.over_datasets.ranks.n_datasets == 2
    assert summary.average_ranks == {"a": 1.0, "b": 2.0, "c": 3.0}
    assert {test.dataset for test in summary.against_best} == {"d1", "d3"}
    assert any(text.startswith("d2 has no fold") for text in summary.not_computed)
    assert [c.rank for c in summary.cells if c.dataset == "d2"] == [None] * 3
    assert_allclose(summary.cells[5].mean, 0.2)


def test_a_method_that_was_not_tried_everywhere():
    scores = {"d1": {"a": [0.9, 0.8], "b": [0.7, 0.8]}, "d2": {"a": [0.5, 0.6]}}
    summary = summarize(make_records(scores, n_folds=2))
    assert any(text.startswith("d2 has no fold") for text in summary.not_computed)
    assert summary.average_ranks == {"a": 1.0, "b": 2.0}


def test_where_everything_failed_the_summary_says_so():
    summary = summarize(make_records({"d": {"a": [None] * 2, "b": [None] * 2}}))
    assert summary.n_failed == summary.n_folds == 4
    assert summary.average_ranks == {} and summary.against_best == ()
    assert len(summary.failures) == 2


def test_one_method_has_nothing_to_be_compared_with():
    summary = summarize(make_records({"d": {"a": [0.5, 0.7]}}, n_folds=2))
    assert summary.not_computed == ("One method alone cannot be compared.",)
    assert_allclose(summary.cells[0].mean, 0.6)


def test_single_splits_need_the_share_that_they_test_on():
    scores = {"d": {"a": [0.9, 0.8, 0.7], "b": [0.7, 0.8, 0.6]}}
    records = make_records(scores, n_folds=1)
    without, given = summarize(records), summarize(records, test_share=0.3)
    assert without.against_best == ()
    assert any("give test_share" in text for text in without.not_computed)
    expected = corrected_resampled_ttest(*scores["d"].values(), test_share=0.3)
    assert_allclose(given.against_best[0].p_value, expected.p_value)


def test_one_fold_is_not_enough_for_a_test():
    records = make_records({"d": {"a": [0.9], "b": [0.7]}}, n_folds=1)
    summary = summarize(records, test_share=0.3)
    assert summary.against_best == ()
    assert "d has one fold only: no test within this data set." in summary.not_computed
    assert [cell.std for cell in summary.cells] == [None, None]


def test_missing_data_sets_are_told():
    summary = summarize(
        make_records({"d": {"a": [0.9, 0.8]}}), missing={"gone": "no such file"}
    )
    assert summary.missing == {"gone": "no such file"}


@pytest.mark.parametrize(
    "metric, rope", [("accuracy", 0.01), ("roc_auc_ovr", 0.01), ("rmse", 0.0)]
)
def test_what_makes_no_odds_depends_on_the_metric(metric, rope):
    records = make_records({"d": {"a": [0.9], "b": [0.7]}}, metric)
    assert summarize(records, metric).rope == rope
    assert summarize(records, metric, rope=0.2).rope == 0.2


def test_a_tie_is_a_tie():
    scores = {"d": {"a": [0.5, 0.7], "b": [0.5, 0.7], "c": [0.1, 0.2]}}
    summary = summarize(make_records(scores, n_folds=2))
    assert [cell.rank for cell in summary.cells] == [1.5, 1.5, 3.0]
    assert [cell.best for cell in summary.cells] == [True, True, False]
    assert summary.against_best[0].p_value == 1.0


def test_plain_values_are_json(seed):
    summary = summarize(make_records(draw_scores(seed, 3, ["a", "b", "c"])))
    text = json.dumps(to_plain(summary), allow_nan=False)
    plain = json.loads(text)
    assert plain["cells"][0]["mean"] == summary.cells[0].mean
    assert plain["over_datasets"]["names"] == ["a", "b", "c"]
    assert to_plain({"x": (math.inf, math.nan, 1, None)}) == {
        "x": [None, None, 1, None]
    }
