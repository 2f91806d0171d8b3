"""A pilot: rows to score families on, their ranks there, the odds of the ranks."""

import numpy as np
from scipy.stats import rankdata


def read_ranking(ranking, n_families):
    """Return the probability of each rank, best first.

    Parameters
    ----------
    ranking : {"fibonacci", "uniform", "winner"} or array-like of shape (n_families,)
    n_families : int

    Returns
    -------
    probabilities : ndarray of shape (n_families,)

    Examples
    --------
    >>> from manyminds.ensemble.rotations.pilots import read_ranking
    >>> (33 * read_ranking("fibonacci", 7)).round()
    array([13.,  8.,  5.,  3.,  2.,  1.,  1.])
    """
    if isinstance(ranking, str):
        odds = {
            "fibonacci": _list_fibonacci(n_families)[::-1],
            "uniform": np.ones(n_families),
            "winner": np.arange(n_families) == 0,
        }[ranking]
    else:
        odds = np.asarray(ranking, dtype=np.float64)
    if odds.shape != (n_families,) or not (odds >= 0.0).all() or odds.sum() <= 0.0:
        raise ValueError(
            "ranking takes a name, or a number from 0 on for each of the "
            f"{n_families} families, not all 0; got {ranking!r}."
        )
    return odds / odds.sum()


def _list_fibonacci(n):
    """List the first n of 1, 1, 2, 3, 5, ... as floats."""
    numbers = [1.0, 1.0]
    while len(numbers) < n:
        numbers.append(numbers[-1] + numbers[-2])
    return np.array(numbers[:n])


def draw_pilot(y, n_pilot, rng):
    """Draw rows whose targets are distributed as those of all rows.

    The rows are sorted by their targets, equal ones in random order, and every n-th is
    taken. So the share of each class in the pilot is that of all rows, to within one
    row.
    """
    order = np.lexsort((rng.uniform(size=len(y)), y))
    start = rng.uniform(high=1.0 - 1e-9)  # rounding must not lead past the last row
    places = (np.arange(n_pilot) + start) * (len(y) / n_pilot)
    return np.sort(order[places.astype(np.intp)])


def take(rows, X, y, weight):
    """Return some rows of a training set."""
    return X[rows], y[rows], None if weight is None else weight[rows]


def assign_folds(y, n_folds, rng):
    """Assign each row to a fold, so that classes have equal shares in all folds."""
    fold = np.empty(len(y), dtype=np.intp)
    fold[np.lexsort((rng.uniform(size=len(y)), y))] = np.arange(len(y)) % n_folds
    return fold


def rank_families(scores, ties, rng):
    """Return the rank of each family by its score, 1 for the best."""
    # Means of equal counts may differ in their last digits.
    scores = np.round(scores, 12)
    if ties == "share":
        return rankdata(-scores)
    second = (
        rng.uniform(size=len(scores)) if ties == "random" else np.arange(len(scores))
    )
    ranks = np.empty(len(scores))
    ranks[np.lexsort((second, scores))[::-1]] = np.arange(1, len(scores) + 1)
    return ranks


def assign_odds(ranks, odds):
    """Return the odds of each family by its rank; ties share those of their ranks."""
    order = np.argsort(ranks, kind="stable")
    probabilities = np.empty(len(odds))
    probabilities[order] = odds
    for rank in np.unique(ranks):
        probabilities[ranks == rank] = probabilities[ranks == rank].mean()
    return probabilities
