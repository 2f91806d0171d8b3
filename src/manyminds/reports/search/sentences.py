"""Describe a search in sentences, for pages and terminals."""

from math import isnan

from manyminds.reports.search.summary_types import (
    ClassErrors,
    SearchDetails,
    SearchSummary,
)
from manyminds.reports.shared.formatting import format_value
from manyminds.utils.text import format_count

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


def describe_decisions(summary: SearchSummary) -> str:
    """Describe that decisions are tuned; empty if they are not."""
    if len(set(summary.class_weights.values())) < 2:
        return ""
    return (
        "The predicted class is not always the most likely one, because decisions were "
        f"tuned for {summary.metric}: class_weights in search.json."
    )


def describe_one_class(summary: SearchSummary) -> str:
    """Describe that the model predicts one class only; empty if it is of use."""
    found, honest = summary.one_class, summary.honest
    if found is None:
        return ""
    score = honest.naive if isnan(honest.score) else honest.score
    return (
        f"The model predicts {found.label} for {found.share:.1%} of the tested rows, "
        f"and its {summary.metric} of {format_value(score)} is not better than that of "
        f"a constant prediction, {format_value(found.constant)}."
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
    were = "was" if n_found == 1 else "were"
    text += f"{n_found:,} {were} selected in some fold and {n_always:,} in every fold."
    if summary.stability is not None:
        text += f" Stability {summary.stability:.2f} (1: always the same, 0: random)."
    return text


def describe_importance(summary: SearchSummary, max_shown: int = 5) -> str:
    """Describe the most important columns of the model, or why they are unknown."""
    if not summary.importance:
        return summary.importance_note
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
    return f"{format_count(summary.n_trials, 'trial')}: {', '.join(parts)}."


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
    others = "other blocks of time" if summary.time else "other rows"
    others = f"other groups by {summary.group}" if summary.group else others
    text = f"Calibrated on {others}, {', '.join(levels)}."
    if summary.time:
        text += " Of later rows that drift away from these, fewer are covered."
    return text


def describe_lowest_coverage(summary: SearchSummary) -> str:
    """Describe of what the lowest coverage is: of fifths, or of the larger classes."""
    if summary.task == "regression":
        return "lowest coverage of a fifth of the predictions"
    n_parts = max((one.n_parts for one in summary.coverage), default=0)
    if n_parts in (0, len(summary.table.target.counts)):
        return "lowest coverage of a class"
    return f"lowest coverage of the {n_parts:,} classes with 20 tested rows or more"


def describe_error_regions(details: SearchDetails) -> str:
    """Describe whether errors are where the complexity of rows is high; may be empty.

    Rows of a class that is never found say nothing: they are all wrong, and rows of a
    rare class always have neighbors of other classes.
    """
    found, classes = details.complexity, details.classes
    if found is None or classes is None or found.area is None:
        return ""
    if lost := _describe_lost_classes(classes):
        meaning = lost
    elif found.area > 0.7:
        meaning = (
            "errors lie where classes overlap; more samples there, or better columns, "
            "may help more than another model."
        )
    else:
        meaning = (
            "many errors are in regions that look easy; another kind of model may help."
        )
    return (
        "As a predictor of the errors, the index has an area under the ROC curve of "
        f"{found.area:.2f} (0.5 is random): {meaning}"
    )


def _describe_lost_classes(errors: ClassErrors) -> str:
    """Describe the classes that are never found if most errors are their rows."""
    lost = [
        (label, sum(row))
        for label, row, recall in zip(errors.labels, errors.counts, errors.recalls)
        if recall == 0.0
    ]
    n_rows = sum(n for _, n in lost)
    if 2 * n_rows <= errors.n_wrong:
        return ""
    which = lost[0][0] if len(lost) == 1 else format_count(len(lost), "class", "es")
    verb = "is" if len(lost) == 1 else "are"
    return (
        f"{n_rows:,} of {format_count(errors.n_wrong, 'error')} are all rows of "
        f"{which}, which {verb} never found out of fold. It is high in a rare class "
        "wherever that lies, and says little here on where classes overlap."
    )
