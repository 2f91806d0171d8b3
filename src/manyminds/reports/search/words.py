"""Put what a search found into words, for pages and for terminals."""

from manyminds.reports.search.parts import SearchSummary

MIN_BIAS = 1e-12  # less than that is rounding
METRICS = {"f1_macro": "the mean of the F1 scores of all classes"}


def say_value(value: float | None) -> str:
    """Write a score with as many digits as are worth reading.

    Examples
    --------
    >>> from manyminds.reports.search.words import say_value
    >>> say_value(0.93333), say_value(57.1234), say_value(123456.7)
    ('0.9333', '57.12', '123,457')
    """
    if value is None or value != value:
        return "–"
    size = abs(value)
    if size < 10:
        return f"{value:.4f}" if size >= 0.001 or size == 0 else f"{value:.3g}"
    return f"{value:.2f}" if size < 1000 else f"{value:,.0f}"


def tell_honest(summary: SearchSummary) -> str:
    """Return what to expect on new rows, with its interval."""
    honest, metric = summary.honest, summary.metric
    if metric in METRICS:
        metric = f"{metric} ({METRICS[metric]})"
    if honest.reason:
        return (
            f"{metric} on new rows could not be estimated for the best of "
            f"{honest.n_candidates:,} chains: {honest.reason}."
        )
    return (
        f"{metric} {say_value(honest.score)} is to be expected on new rows "
        f"({100 * honest.level:g} % interval {say_value(honest.low)} to "
        f"{say_value(honest.high)})."
    )


def tell_naive(summary: SearchSummary) -> str:
    """Return what the cross-validation shows, and how much of it is selection bias."""
    honest = summary.honest
    seen = f"The pooled out-of-fold predictions show {say_value(honest.naive)}"
    if honest.n_candidates == 1 and not summary.members:
        return f"{seen}; there was one chain only, so nothing to choose from."
    if honest.score is None or honest.score != honest.score:
        return f"{seen}; how much of that is selection bias is not known."
    sign = 1.0 if summary.higher_is_better else -1.0
    bias = sign * (honest.naive - honest.score)
    if bias > MIN_BIAS:
        return f"{seen}; {say_value(bias)} of that is estimated as selection bias."
    if honest.method == "nested":
        return f"{seen}; searches outside of the folds did not do worse."
    return f"{seen}; no selection bias was found, which does not exclude a small one."


def tell_model(summary: SearchSummary) -> str:
    """Return what was chosen: the best chain, or a committee."""
    scores = [row.score for row in summary.leaderboard]
    n_equal = scores.count(scores[0]) if scores else 1
    first = f", the first of {n_equal} with the same score" if n_equal > 1 else ""
    if not summary.members:
        return f"Kept is the best chain{first}: {summary.best}"
    return (
        f"Kept is a committee of {len(summary.members)} chains; the best chain "
        f"alone{first}: {summary.best}"
    )


def tell_selection(summary: SearchSummary) -> str:
    """Describe how many columns the best chain selects, and how stably."""
    n_found, n_always = summary.n_selected, summary.n_always
    if not n_found:
        return "The best chain mixes all columns into new ones: none is selected."
    if summary.stability is None and n_always == n_found:
        return "The best chain uses all columns: none is left out."
    n_all = summary.n_selectable
    of_all = "Of the columns, categories as one each,"
    said = f"{of_all if n_all is None else f'Of {n_all:,} columns,'} "
    said += f"{n_found:,} were selected in some fold and {n_always:,} in every fold."
    if summary.stability is not None:
        said += (
            f" Stability {summary.stability:.2f}; 1 is always the same, 0 is chance."
        )
    return said


def tell_importance(summary: SearchSummary, most: int = 5) -> str:
    """Describe which columns the best chain leans on; nothing where none stands out."""
    worth = [one for one in summary.importance if one.fall > 0.0][:most]
    if not worth:
        return ""
    names = ", ".join(f"{one.feature} ({say_value(one.fall)})" for one in worth)
    change = "loses" if summary.higher_is_better else "gains"
    return f"What {summary.metric} {change} most where a column is shuffled: {names}."


def tell_trials(summary: SearchSummary) -> str:
    """Describe how many chains were tried, and what became of them."""
    words = {
        "complete": "through all folds",
        "pruned": "pruned",
        "slow": "too slow",
        "failed": "failed",
        "unfinished": "out of time",
        "running": "still running",
    }
    parts = [
        f"{summary.outcomes[state]:,} {said}"
        for state, said in words.items()
        if summary.outcomes.get(state)
    ]
    number = summary.n_trials
    tried = "1 chain was tried" if number == 1 else f"{number:,} chains were tried"
    return f"{tried}: {', '.join(parts)}."
