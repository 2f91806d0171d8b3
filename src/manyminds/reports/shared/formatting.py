"""Formats of numbers, scores, p-values and times in tables and sentences."""


def format_p_value(p_value: float) -> str:
    """Format a p-value with two or three decimals, or as below 0.001."""
    if p_value < 0.001:
        return "p < 0.001"
    return f"p = {p_value:.{3 if p_value < 0.1 else 2}f}"


def format_score(mean: float | None, std: float | None, largest: float) -> str:
    """Format a mean and standard deviation, with digits for the largest mean."""
    if mean is None:
        return "failed"
    digits = 3 if largest < 10 else 2 if largest < 100 else 1 if largest < 1000 else 0
    spread = "" if std is None else f" ± {std:.{digits}f}"
    return f"{mean:.{digits}f}{spread}"


def format_time(seconds: float) -> str:
    """Format a duration in milliseconds, seconds, minutes or hours."""
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 100:
        return f"{seconds:.1f} s"
    if seconds < 6000:
        return f"{seconds / 60:.1f} min"
    return f"{seconds / 3600:.1f} h"


def format_number(value: float | None) -> str:
    """Format a number with four significant digits, or as a whole one from 10,000 on.

    Examples
    --------
    >>> from manyminds.reports.shared.formatting import format_number
    >>> format_number(0.25), format_number(1998.0), format_number(11726.8)
    ('0.25', '1998', '11,727')
    """
    if value is None:
        return ""
    return f"{value:,.0f}" if 9_999.5 <= abs(value) < 1e15 else f"{value:.4g}"


def format_value(value: float | None) -> str:
    """Format a score with a number of digits that suits its size.

    Examples
    --------
    >>> from manyminds.reports.shared.formatting import format_value
    >>> format_value(0.93333), format_value(57.1234), format_value(123456.7)
    ('0.9333', '57.12', '123,457')
    """
    if value is None or value != value:
        return "–"
    size = abs(value)
    if size < 10:
        return f"{value:.4f}" if size >= 0.001 or size == 0 else f"{value:.3g}"
    return f"{value:.2f}" if size < 1000 else f"{value:,.0f}"
