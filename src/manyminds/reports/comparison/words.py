"""Put a summary into sentences, for pages and for terminals."""

from collections.abc import Iterable, Sequence

from manyminds.analysis.comparison import MethodComparison
from manyminds.reports.comparison.parts import (
    AgainstBest,
    ComparisonSummary,
    PairOverDatasets,
)

MAX_DATASETS_IN_WORDS = 3
TIE = 1e-12  # means that differ by no more differ by rounding


def describe_tests(summary: ComparisonSummary) -> list[str]:
    """Describe what the tests found, one sentence or two per entry.

    Tests within data sets are told where there are few data sets; of many, a table
    tells them better.

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
    iris: forest is best; it cannot be told apart from tree (p = 0.24).
    """
    sentences = []
    if len(summary.datasets) <= MAX_DATASETS_IN_WORDS:
        for name in summary.datasets:
            tests = [one for one in summary.against_best if one.dataset == name]
            sentences += [tell_dataset(tests, summary.alpha)] if tests else []
    if summary.over_datasets is not None:
        sentences += tell_over_datasets(summary.over_datasets, summary.alpha)
    if summary.pair is not None:
        sentences += tell_pair(summary.pair, summary.rope)
    return sentences


def tell_dataset(tests: Sequence[AgainstBest], alpha: float) -> str:
    """Format which methods the best one of a data set is better than."""
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
    said = []
    if worse:
        said.append(f"is significantly better than {_name_with_p(worse)}")
    if alike:
        said.append(f"cannot be told apart from {_name_with_p(alike)}")
    return f"{start}{', and '.join(said)}." if said else start


def tell_over_datasets(found: MethodComparison, alpha: float) -> list[str]:
    """Describe what Friedman's test and the post-hoc test found."""
    test, groups = found.friedman, found.critical_difference
    differ = test.f_tie_corrected_p_value <= alpha
    verdict = "the methods differ" if differ else "the methods are not shown to differ"
    n_datasets = found.ranks.n_datasets
    numbers = ", ".join(str(df) for df in test.f_df)
    sentences = [
        f"Over {n_datasets} data sets, {verdict} (Friedman chi2({test.chi2_df}) = "
        f"{test.chi2_tie_corrected:.2f}, {say_p(test.chi2_tie_corrected_p_value)}; "
        f"Iman and Davenport F({numbers}) = {test.f_tie_corrected:.2f}, "
        f"{say_p(test.f_tie_corrected_p_value)})."
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
        f"{_join(group)} cannot be told apart by {name}." for group in groups.groups
    ]
    if not groups.groups:
        sentences.append("All methods can be told apart.")
    return sentences


def tell_pair(pair: PairOverDatasets, rope: float) -> list[str]:
    """Describe how two methods compare over data sets."""
    within = f" (differences up to {rope:g} count as equivalent)" if rope else ""
    equal = f", {pair.equivalent:.0%} that the two are equivalent" if rope else ""
    return [
        f"Over data sets, {pair.first} against {pair.second}: {pair.wins} wins, "
        f"{pair.ties} ties, {pair.losses} losses (Wilcoxon "
        f"{say_p(pair.wilcoxon_p_value)}, sign test {say_p(pair.sign_p_value)}).",
        f"Bayesian signed-rank test{within}: {pair.first_better:.0%} that {pair.first} "
        f"is better{equal}, {pair.second_better:.0%} that {pair.second} is better.",
    ]


def say_p(p_value: float) -> str:
    """Write a p-value with two or three decimals, or that it is tiny."""
    if p_value < 0.001:
        return "p < 0.001"
    return f"p = {p_value:.{3 if p_value < 0.1 else 2}f}"


def say_score(mean: float | None, sd: float | None, largest: float) -> str:
    """Write a mean with its deviation, with digits that suit the largest mean."""
    if mean is None:
        return "failed"
    digits = 3 if largest < 10 else 2 if largest < 100 else 1 if largest < 1000 else 0
    spread = "" if sd is None else f" ± {sd:.{digits}f}"
    return f"{mean:.{digits}f}{spread}"


def say_time(seconds: float) -> str:
    """Write a time as a person would: in milliseconds, seconds, minutes or hours."""
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 100:
        return f"{seconds:.1f} s"
    if seconds < 6000:
        return f"{seconds / 60:.1f} min"
    return f"{seconds / 3600:.1f} h"


def _name_with_p(tests: Iterable[AgainstBest]) -> str:
    return _join([f"{one.method} ({say_p(one.adjusted_p_value)})" for one in tests])


def _join(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
