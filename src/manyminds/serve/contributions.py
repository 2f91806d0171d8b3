"""Contributions of columns to one prediction of any model: sampled Shapley values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

__all__ = [
    "OTHERS",
    "Contribution",
    "Contributions",
    "estimate_contributions",
    "merge_small",
    "rank_columns",
]

OTHERS = "all other columns"
N_ORDERS = 32
N_DRAWS = 4


@dataclass(frozen=True)
class Contribution:
    """What a column adds to a prediction, and the standard error of the estimate."""

    column: str
    value: float
    standard_error: float


@dataclass(frozen=True)
class Contributions:
    """Contributions to one prediction, the largest first.

    Parameters
    ----------
    prediction : float
    mean : float
        Mean prediction of the rows that values are drawn from. The contributions add up
        to ``prediction - mean``.
    columns : tuple of Contribution
    """

    prediction: float
    mean: float
    columns: tuple[Contribution, ...]


def estimate_contributions(
    predict: Callable[[pd.DataFrame], np.ndarray],
    row: pd.DataFrame,
    background: pd.DataFrame,
    columns: Sequence[str],
    *,
    n_orders: int = N_ORDERS,
    random_state: int = 0,
) -> Contributions:
    """Estimate the Shapley values of columns in the prediction of one row.

    A column's contribution is the mean change of the prediction when its value in a
    random other row is replaced by the value of this row, over random orders in which
    the columns are replaced. Each order is used forwards and backwards.

    Parameters
    ----------
    predict : callable
        Returns a number for each row of a table.
    row : DataFrame
        The row to explain.
    background : DataFrame
        Rows of training, with the same columns.
    columns : sequence of str
        Columns that are shown; all others count as one.
    n_orders : int, default=32
        An even number.
    random_state : int, default=0

    Returns
    -------
    contributions : Contributions

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.serve.contributions import estimate_contributions
    >>> rows = pd.DataFrame({"a": [0.0, 0.0], "b": [1.0, 1.0]})
    >>> row = pd.DataFrame({"a": [2.0], "b": [4.0]})
    >>> found = estimate_contributions(
    ...     lambda X: (10 * X["a"] + X["b"]).to_numpy(), row, rows, ["a", "b"]
    ... )
    >>> [(one.column, one.value) for one in found.columns]
    [('a', 20.0), ('b', 3.0)]
    """
    rng = np.random.default_rng(random_state)
    names = list(row.columns)
    others = [name for name in names if name not in set(columns)]
    players = [[name] for name in columns] + ([others] if others else [])
    orders = _draw_orders(len(players), n_orders, rng)
    chosen = np.repeat(rng.integers(len(background), size=n_orders // 2), 2)
    # Stage s of an order has the row's values of its first s players.
    position = np.argsort(orders, axis=1)
    known = position[:, None, :] < np.arange(len(players) + 1)[None, :, None]
    table = _mix(row, background, players, known, chosen)
    made = np.asarray(predict(table), dtype=np.float64)
    made = made.reshape(n_orders, len(players) + 1)
    steps = np.diff(made, axis=1)
    values = np.take_along_axis(steps, position, axis=1)
    pairs = values.reshape(n_orders // 2, 2, -1).mean(axis=1)
    errors = pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))
    labels = [*columns, *([OTHERS] if others else [])]
    found = [
        Contribution(label, float(value), float(error))
        for label, value, error in zip(labels, pairs.mean(axis=0), errors)
    ]
    found.sort(key=lambda one: -abs(one.value))
    return Contributions(float(made[0, -1]), float(made[:, 0].mean()), tuple(found))


def rank_columns(
    predict: Callable[[pd.DataFrame], np.ndarray],
    row: pd.DataFrame,
    background: pd.DataFrame,
    *,
    n_draws: int = N_DRAWS,
    random_state: int = 0,
) -> list[str]:
    """Rank columns by how much the prediction of a row changes without their value.

    Parameters
    ----------
    predict, row, background
        See `estimate_contributions`.
    n_draws : int, default=4
        Other rows from which the value of a column is drawn, one column at a time.
    random_state : int, default=0

    Returns
    -------
    columns : list of str
        All columns, the one that matters most first.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.serve.contributions import rank_columns
    >>> rows = pd.DataFrame({"a": [0.0], "b": [0.0], "c": [0.0]})
    >>> row = pd.DataFrame({"a": [1.0], "b": [1.0], "c": [1.0]})
    >>> rank_columns(lambda X: (X["a"] + 5 * X["c"]).to_numpy(), row, rows)
    ['c', 'a', 'b']
    """
    rng = np.random.default_rng(random_state)
    names = list(row.columns)
    known = np.repeat(~np.eye(len(names), dtype=bool)[None], n_draws, axis=0)
    chosen = rng.integers(len(background), size=n_draws)
    table = _mix(row, background, [[name] for name in names], known, chosen)
    made = np.asarray(predict(table), dtype=np.float64).reshape(n_draws, -1)
    own = float(np.asarray(predict(row), dtype=np.float64)[0])
    change = np.abs(made - own).mean(axis=0)
    return [names[k] for k in np.argsort(-change, kind="stable")]


def merge_small(found: Contributions, n_shown: int) -> Contributions:
    """Merge the smallest contributions into one.

    Parameters
    ----------
    found : Contributions
    n_shown : int
        Number of contributions that are left, that of all other columns included.

    Returns
    -------
    contributions : Contributions
        The standard error of the merged one is that of independent estimates.
    """
    if len(found.columns) <= n_shown:
        return found
    named = [one for one in found.columns if one.column != OTHERS][: n_shown - 1]
    kept = {one.column for one in named}
    rest = [one for one in found.columns if one.column not in kept]
    value = sum(one.value for one in rest)
    error = float(np.hypot.reduce([one.standard_error for one in rest]))
    return replace(found, columns=(*named, Contribution(OTHERS, value, error)))


def _draw_orders(n_players: int, n_orders: int, rng: np.random.Generator) -> np.ndarray:
    """Draw orders of the players, each followed by its reverse."""
    drawn = np.stack([rng.permutation(n_players) for _ in range(n_orders // 2)])
    return np.stack([drawn, drawn[:, ::-1]], axis=1).reshape(-1, n_players)


def _mix(
    row: pd.DataFrame,
    background: pd.DataFrame,
    players: Sequence[Sequence[str]],
    known: np.ndarray,
    chosen: np.ndarray,
) -> pd.DataFrame:
    """Return rows with values of the background, or of the row where ``known``."""
    own = len(background)
    source = np.repeat(chosen, known.shape[1])
    flat = known.reshape(-1, known.shape[2])
    both = pd.concat([background, row], ignore_index=True)
    pieces = []
    for place, names in enumerate(players):
        index = np.where(flat[:, place], own, source)
        pieces.append(both[list(names)].take(index).reset_index(drop=True))
    return pd.concat(pieces, axis=1)[list(row.columns)]
