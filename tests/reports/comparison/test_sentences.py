"""Sentences say what the numbers of a summary say."""

from manyminds.experiments import Record
from manyminds.reports import describe_tests, summarize


def summary_of(scores, n_folds=10):
    return summarize(
        Record(f"{d}{m}{i}", d, m, 0, i, {"accuracy": value})
        for d, methods in scores.items()
        for m, values in methods.items()
        for i, value in enumerate(values)
    )


def around(mean):
    return [mean + 0.001 * (i % 3) for i in range(10)]


def test_one_data_set():
    b = [*around(0.9)[1:], 0.899]
    scores = {"a": around(0.9), "b": b, "c": around(0.2)}
    [text] = describe_tests(summary_of({"d": scores}))
    assert text.startswith(
        "d: a is best; it is significantly better than c (p < 0.001)"
    )
    assert "and does not differ significantly from b (p = " in text


def test_no_method_is_the_best_of_equals():
    scores = {"a": around(0.9), "b": around(0.9)[::-1], "c": around(0.2)}
    [text] = describe_tests(summary_of({"d": scores}))
    start = "d: a and b have the same mean score, the best; a is significantly better"
    assert text == f"{start} than c (p < 0.001)."
    del scores["c"]
    [text] = describe_tests(summary_of({"d": scores}))
    assert text == "d: a and b have the same mean score."


def test_methods_that_differ_over_data_sets():
    scores = {
        f"d{i}": {"a": around(0.9), "b": around(0.8), "c": around(0.1)}
        for i in range(12)
    }
    texts = describe_tests(summary_of(scores))
    # Always in the same order: chi2 = N (k - 1) = 24, and F is infinite.
    assert texts[0].startswith(
        "Over 12 data sets, the methods differ (Friedman chi2(2)"
    )
    assert "24.00, p < 0.001" in texts[0]
    assert texts[1] == "By Nemenyi's test, mean ranks must be 0.96 apart to differ."
    assert texts[2:] == ["All methods differ significantly from each other."]


def test_methods_that_do_not_differ_over_data_sets():
    order = ["abc", "bca", "cab", "acb", "cba", "bac"]
    scores = {
        f"d{i}": {m: around(0.5 + 0.1 * place) for place, m in enumerate(methods)}
        for i, methods in enumerate(order)
    }
    [text] = describe_tests(summary_of(scores))
    assert text.startswith("Over 6 data sets, the methods are not shown to differ")


def test_groups_are_named():
    scores = {
        f"d{i}": {"a": around(0.9), "b": around(0.8), "c": around(0.1)}
        for i in range(4)
    }
    texts = describe_tests(summary_of(scores))
    assert "a and b do not differ significantly by Nemenyi." in texts
    assert "b and c do not differ significantly by Nemenyi." in texts


def test_two_methods():
    scores = {f"d{i}": {"a": around(0.9), "b": around(0.5)} for i in range(8)}
    first, second = describe_tests(summary_of(scores))
    assert "a against b: 8 wins, 0 ties, 0 losses" in first
    assert "sign test p = 0.008" in first
    assert "100% that a is better, 0% that the two are equivalent" in second


def test_many_data_sets_are_left_to_the_table():
    scores = {f"d{i}": {"a": around(0.9), "b": around(0.5)} for i in range(4)}
    assert not any(
        text.startswith("d0:") for text in describe_tests(summary_of(scores))
    )
    del scores["d3"]
    assert any(text.startswith("d0:") for text in describe_tests(summary_of(scores)))
