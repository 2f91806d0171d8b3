"""Warn about rows that are unlike those of training, in one sentence."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from manyminds.analysis import NoveltyResult
from manyminds.utils.errors import Parameter, PythonHint, warn_caller

__all__ = ["describe_novelty", "merge_novelty", "warn_about_novelty"]

N_NAMED = 5  # rows and columns


def warn_about_novelty(novelty: NoveltyResult | None) -> None:
    """Warn about rows that are unlike those of training, if there are any."""
    if novelty is None or not novelty.unlike.any():
        return
    warn_caller(
        f"{describe_novelty(novelty)} ",
        Parameter("flag_unlike"),
        PythonHint("=True"),
        " marks all of them.",
    )


def merge_novelty(parts: Sequence[NoveltyResult | None]) -> NoveltyResult | None:
    """Merge the results of consecutive rows; None if there are none.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import NoveltyResult
    >>> from manyminds.workflows.novelty import merge_novelty
    >>> part = NoveltyResult(np.array([False, True]), {"size": 1}, {})
    >>> merge_novelty([part, part]).columns
    {'size': 2}
    """
    known = [part for part in parts if part is not None]
    if not known:
        return None
    columns: Counter[str] = Counter()
    combined: Counter[str] = Counter()
    for part in known:
        columns.update(part.columns)
        combined.update(part.combined)
    unlike = np.concatenate([part.unlike for part in known])
    return NoveltyResult(unlike, dict(columns), dict(combined))


def describe_novelty(novelty: NoveltyResult) -> str:
    """Describe how many rows are unlike those of training, which, and by what.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis import NoveltyResult
    >>> from manyminds.workflows.novelty import describe_novelty
    >>> describe_novelty(NoveltyResult(np.array([False, True]), {"size": 1}, {}))
    '1 of 2 rows is unlike those of training (row 2): by itself size (1 row).'
    """
    rows = np.flatnonzero(novelty.unlike) + 1
    n_rows = len(rows)
    verb, word = ("is", "row") if n_rows == 1 else ("are", "rows")
    named = ", ".join(map(str, rows[:N_NAMED])) + (" ..." if n_rows > N_NAMED else "")
    reasons = []
    if novelty.columns:
        reasons.append(f"by itself {_list_columns(novelty.columns)}")
    if novelty.combined:
        reasons.append(f"in combination {_list_columns(novelty.combined)}")
    return (
        f"{n_rows:,} of {len(novelty.unlike):,} rows {verb} unlike those of training "
        f"({word} {named}): {'; '.join(reasons)}."
    )


def _list_columns(counts: Mapping[str, int]) -> str:
    order = sorted(counts, key=lambda name: -counts[name])
    named = [
        f"{name} ({counts[name]:,} row{'s' if counts[name] != 1 else ''})"
        for name in order[:N_NAMED]
    ]
    more = len(order) - len(named)
    return ", ".join(named) + (f" and {more:,} more" if more else "")
