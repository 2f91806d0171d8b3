"""Describe the tests of a comparison in sentences, for pages and terminals."""

from collections.abc import Iterable, Sequence

from manyminds.analysis.comparison import MethodComparison
from manyminds.reports.comparison.summary_types import (
    AgainstBest,
    ComparisonSummary,
    PairOverDatasets,
)
from manyminds.reports.shared.formatting import format_p_value

MAX_DATASETS_IN_WORDS = 3
TIE = 1e-12  # smaller differences of means are rounding errors


def describe_tests(summary: ComparisonSummary) -> list[str]:
    """Describe the results of the tests, one or two sentences per entry.

    Tests within data sets are described if there are few data sets; the page has a
    table of all of them.

    Parameters
    ----------
    summary : ComparisonSummary

    Returns
    -------
    sentences : list of str

    Examples
    --------
    >>> from manyminds.experiments import Record
    >>> from manyminds.reports import summarize, describe_tests
    >>> values = {"tree": [0.8, 0.9, 0.7], "forest": [0.9, 0.95, 0.9]}
    >>> records = [
    ...     Record(f"{method}{fold}", "iris", method, 0, fold, {"accuracy": score})
    ...     for method, scores in values.items()
    ...     for fold, score in enumerate(scores)
    ... ]
    >>> print(describe_tests(summarize(records))[0])
    iris: forest is best; it does not differ significantly from tree (p = 0.24).
    """
    sentences = []
    if len(summary.datasets) <= MAX_DATASETS_IN_WORDS:
        for name in summary.datasets:
            tests = [one for one in summary.against_best if one.dataset == name]
            sentences += [describe_dataset(tests, summary.alpha)] if tests else []
    if summary.over_datasets is not None:
        sentences += describe_over_datasets(summary.over_datasets, summary.alpha)
    if summary.pair is not None:
        sentences += describe_pair(summary.pair, summary.rope)
    return sentences


def describe_dataset(tests: Sequence[AgainstBest], alpha: float) -> str:
    """Describe how the best method of a data set compares with the others."""
    ties = [one for one in tests if one.difference <= TIE]
    others = [one for one in tests if one.difference > TIE]
    worse = [one for one in others if one.adjusted_p_value <= alpha]
    alike = [one for one in others if one.adjusted_p_value > alpha]
    best = tests[0].best
    start = f"{tests[0].dataset}: {best} is best; it "
    if ties:
        names = _join([best, *(one.method for one in ties)])
        start = f"{tests[0].dataset}: {names} have the same mean score"
        if not others:
            return f"{start}."
        start = f"{start}, the best; {best} "
    clauses = []
    if worse:
        clauses.append(f"is significantly better than {_name_with_p(worse)}")
    if alike:
        clauses.append(f"does not differ significantly from {_name_with_p(alike)}")
    return f"{start}{', and '.join(clauses)}." if clauses else start


def describe_over_datasets(found: MethodComparison, alpha: float) -> list[str]:
    """Describe the results of Friedman's test and the post-hoc test."""
    test, groups = found.friedman, found.critical_difference
    differ = test.f_tie_corrected_p_value <= alpha
    verdict = "the methods differ" if differ else "the methods are not shown to differ"
    n_datasets = found.ranks.n_datasets
    numbers = ", ".join(str(df) for df in test.f_df)
    chi2_p = format_p_value(test.chi2_tie_corrected_p_value)
    f_p = format_p_value(test.f_tie_corrected_p_value)
    sentences = [
        f"Over {n_datasets} data sets, {verdict} (Friedman chi2({test.chi2_df}) = "
        f"{test.chi2_tie_corrected:.2f}, {chi2_p}; Iman and Davenport F({numbers}) = "
        f"{test.f_tie_corrected:.2f}, {f_p})."
    ]
    if not differ:
        return sentences
    name = "Nemenyi" if groups.test == "nemenyi" else "Wilcoxon and Holm"
    if groups.critical_difference is not None:
        sentences.append(
            f"By {name}'s test, mean ranks must be {groups.critical_difference:.2f} "
            "apart to differ."
        )
    sentences += [
        f"{_join(group)} do not differ significantly by {name}."
        for group in groups.groups
    ]
    if not groups.groups:
        sentences.append("All methods differ significantly from each other.")
    return sentences


def describe_pair(pair: PairOverDatasets, rope: float) -> list[str]:
    """Describe how two methods compare over data sets."""
    within = f" (differences up to {rope:g} count as equivalent)" if rope else ""
    equal = f", {pair.equivalent:.0%} that the two are equivalent" if rope else ""
    wilcoxon_p = format_p_value(pair.wilcoxon_p_value)
    sign_p = format_p_value(pair.sign_p_value)
    return [
        f"Over data sets, {pair.first} against {pair.second}: {pair.wins} wins, "
        f"{pair.ties} ties, {pair.losses} losses (Wilcoxon {wilcoxon_p}, sign test "
        f"{sign_p}).",
        f"Bayesian signed-rank test{within}: {pair.first_better:.0%} that {pair.first} "
        f"is better{equal}, {pair.second_better:.0%} that {pair.second} is better.",
    ]


def _name_with_p(tests: Iterable[AgainstBest]) -> str:
    return _join(
        [f"{one.method} ({format_p_value(one.adjusted_p_value)})" for one in tests]
    )


def _join(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
