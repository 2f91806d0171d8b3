"""Describe a search in sentences, for pages and terminals."""

from math import isnan

from manyminds.reports.search.summary_types import SearchSummary
from manyminds.reports.shared.formatting import format_value

MIN_BIAS = 1e-12  # smaller values are rounding errors
METRICS = {"f1_macro": "the mean of the F1 scores of all classes"}


def describe_folds(summary: SearchSummary) -> str:
    """Describe the folds: their number, what they respect, and how many rows they test.

    Parameters
    ----------
    summary : SearchSummary

    Returns
    -------
    text : str
        Such as "5 folds" or "3 folds of whole groups (patient)".
    """
    n_folds, n_tested = summary.n_folds, summary.n_tested
    text = "one held-out part" if n_folds == 1 else f"{n_folds} folds"
    text += f" assigned by {summary.fold}" if summary.fold else ""
    text += f" of whole groups ({summary.group})" if summary.group else ""
    text += f" in the order of {summary.time}" if summary.time else ""
    if 0 < n_tested < summary.table.n_rows:
        text += f" with {n_tested:,} of {summary.table.n_rows:,} rows"
    return text + (f", rows weighted by {summary.weight}" if summary.weight else "")


def describe_honest_score(summary: SearchSummary) -> str:
    """Describe the score to expect on new rows, with its interval."""
    honest, metric = summary.honest, summary.metric
    if metric in METRICS:
        metric = f"{metric} ({METRICS[metric]})"
    if honest.reason:
        return (
            f"{metric} on new rows could not be estimated for the best of "
            f"{honest.n_candidates:,} pipelines: {honest.reason}."
        )
    return (
        f"Expected {metric} on new rows: {format_value(honest.score)} "
        f"({100 * honest.level:g} % interval {format_value(honest.low)} to "
        f"{format_value(honest.high)})."
    )


def describe_naive_score(summary: SearchSummary) -> str:
    """Describe the cross-validation score, and its selection bias."""
    honest = summary.honest
    seen = f"The pooled out-of-fold predictions score {format_value(honest.naive)}"
    if honest.n_candidates == 1 and not summary.members:
        return f"{seen}; with a single pipeline there is no selection bias."
    if isnan(honest.score):
        return f"{seen}; its selection bias could not be estimated."
    sign = 1.0 if summary.higher_is_better else -1.0
    bias = sign * (honest.naive - honest.score)
    if bias > MIN_BIAS:
        return f"{seen}; the estimated selection bias is {format_value(bias)}."
    if honest.method == "nested":
        return f"{seen}; searches on the outer training folds scored no worse."
    return (
        f"{seen}; the estimated selection bias is 0, which does not exclude a small "
        "one."
    )


def describe_model(summary: SearchSummary) -> str:
    """Describe the chosen model: the best pipeline, or a committee."""
    scores = [row.score for row in summary.leaderboard]
    n_equal = scores.count(scores[0]) if scores else 1
    first = f", the first of {n_equal} with the same score" if n_equal > 1 else ""
    if not summary.members and summary.best != summary.leaderboard[0].pipeline:
        return f"The model is the best pipeline that is quick enough: {summary.best}"
    if not summary.members:
        return f"The model is the best pipeline{first}: {summary.best}"
    return (
        f"The model is a committee of {len(summary.members)} pipelines; the best "
        f"single pipeline{first}: {summary.best}"
    )


def describe_selected_columns(summary: SearchSummary) -> str:
    """Describe how many columns the best pipeline selects, and how stable that is."""
    n_found, n_always = summary.n_selected, summary.n_always
    if not n_found:
        return "The best pipeline combines all columns linearly: none is selected."
    if summary.stability is None and n_always == n_found:
        return "The best pipeline uses all columns."
    n_all = summary.n_selectable
    of_all = "Of the one-hot encoded columns,"
    text = f"{of_all if n_all is None else f'Of {n_all:,} columns,'} "
    text += f"{n_found:,} were selected in some fold and {n_always:,} in every fold."
    if summary.stability is not None:
        text += f" Stability {summary.stability:.2f} (1: always the same, 0: random)."
    return text


def describe_importance(summary: SearchSummary, max_shown: int = 5) -> str:
    """Describe the most important columns of the model; empty without any."""
    worth = [one for one in summary.importance if one.importance > 0.0][:max_shown]
    if not worth:
        return ""
    names = ", ".join(
        f"{one.feature} ({format_value(one.importance)})" for one in worth
    )
    change = "decrease" if summary.higher_is_better else "increase"
    return f"Largest {change} in {summary.metric} if a column is permuted: {names}."


def describe_trials(summary: SearchSummary) -> str:
    """Describe how many trials there were, by their final state."""
    states = {
        "complete": "evaluated on all folds",
        "sampled": "evaluated on a sample of the rows",
        "pruned": "pruned",
        "slow": "too slow",
        "failed": "failed",
        "unfinished": "out of time",
        "running": "still running",
    }
    parts = [
        f"{summary.outcomes[state]:,} {words}"
        for state, words in states.items()
        if summary.outcomes.get(state)
    ]
    number = summary.n_trials
    trials = "1 trial" if number == 1 else f"{number:,} trials"
    return f"{trials}: {', '.join(parts)}."


def describe_coverage(summary: SearchSummary) -> str:
    """Describe the measured coverage of prediction intervals or sets, if there are."""
    if not summary.coverage:
        return ""
    numbers = summary.task == "regression"
    kind, size = ("intervals", "mean width") if numbers else ("sets", "mean size")
    levels = [
        f"{100 * one.level:g} % {kind} cover {one.coverage:.1%} of the rows "
        f"(standard error {one.standard_error:.1%}, {size} {format_value(one.size)})"
        for one in summary.coverage
    ]
    return f"Calibrated on other rows, {', '.join(levels)}."
