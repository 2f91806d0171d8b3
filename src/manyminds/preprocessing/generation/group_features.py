"""Statistics of numeric columns within the levels of category columns."""

from itertools import product
from numbers import Integral

import numpy as np

from manyminds._compat import Interval
from manyminds.preprocessing.generation.base import (
    CONSTRAINTS,
    PARAGRAPHS,
    FeatureGenerator,
    bin_columns,
    encode_levels,
    find_levels,
    find_strongest,
    list_categorical,
    list_numeric,
    take_numbers,
)
from manyminds.preprocessing.generation.held_out_gain import (
    bin_numbers,
    choose_gains,
    compute_gain,
)
from manyminds.utils.docstrings import fill_docstring

STATISTICS = ("mean", "std", "difference")


@fill_docstring(**PARAGRAPHS)
class GroupFeatures(FeatureGenerator):
    """Append counts of levels, and statistics of numbers within levels.

    For a category column, a candidate is the number of training rows of a row's level;
    for a category column and a numeric column, the mean and the standard deviation of
    the numbers of the level, and the difference of a row's number from that mean. A
    candidate is kept if its bins predict held-out training rows significantly better
    than its parents: the levels, the bins of the numbers, or both crossed.

    Parameters
    ----------
    {choice}
    max_columns : int, default=10
        Number of numeric columns, and of category columns, that are combined; the
        strongest, if there are more.
    {task}
    {random_state}

    Attributes
    ----------
    features_ : list of tuple of (str, int, int)
        Statistic, position of the category column, and position of the numeric column,
        the same as the category column for a count; the best first.
    gains_ : ndarray of shape (n_new,)
        Decrease of the squared error on held-out rows, in its standard errors.
    levels_ : dict of int to list of str
        Levels of the category columns that are used.
    tables_ : list of ndarray of shape (n_levels + 2,)
        Statistic of each level for each new column, then of missing cells, then of
        unknown levels; means for a difference.
    {inputs}

    Notes
    -----
    A level without numbers has the statistic of all rows; an unknown level has it, too,
    and the count 0.

    Examples
    --------
    >>> import numpy as np
    >>> import pandas as pd
    >>> from manyminds.preprocessing import GroupFeatures
    >>> rng = np.random.default_rng(0)
    >>> shop = rng.integers(40, size=2000)
    >>> price = shop + rng.normal(size=2000)
    >>> X = pd.DataFrame({"shop": pd.Categorical(shop.astype(str)), "price": price})
    >>> is_bargain = price < shop
    >>> GroupFeatures().fit(X, is_bargain).get_feature_names_out().tolist()
    ['shop', 'price', 'price - mean by shop']
    """

    _parameter_constraints = {
        **CONSTRAINTS,
        "max_columns": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        n_features=10,
        *,
        alpha=0.01,
        max_samples=10_000,
        max_columns=10,
        task="auto",
        random_state=0,
    ):
        self.n_features = n_features
        self.alpha = alpha
        self.max_samples = max_samples
        self.max_columns = max_columns
        self.task = task
        self.random_state = random_state

    def _choose(self, X, rows):
        """Keep the statistics that beat the levels and the numbers they are made of."""
        levels = {c: find_levels(X.iloc[:, c]) for c in list_categorical(X)}
        codes = {c: encode_levels(X.iloc[:, c], levels[c]) for c in levels}
        groups = find_strongest(codes, rows, self.max_columns)
        fine = bin_columns(X, list_numeric(X) if groups else [], rows.n_grid**2)
        numbers = find_strongest(fine, rows, self.max_columns)
        coarse = bin_columns(X, numbers, rows.n_grid)
        losses = {c: rows.compute_losses(codes[c]) for c in groups}
        losses |= {x: rows.compute_losses(fine[x]) for x in numbers}

        baseline, found = rows.compute_baseline(), []
        for c in groups:
            reference = min((baseline, losses[c]), key=np.mean)
            found.append((_measure_count(codes[c], rows, reference), ("count", c, c)))
        for c, x in product(groups, numbers):
            grid = rows.compute_losses(codes[c] * (rows.n_grid + 1) + coarse[x])
            both = min((baseline, losses[c], losses[x], grid), key=np.mean)
            for statistic in STATISTICS:
                made = _apply(statistic, codes[c], take_numbers(X, x))
                bins = bin_numbers(made, rows.n_grid**2)
                gain = compute_gain(both, rows.compute_losses(bins))
                found.append((gain, (statistic, c, x)))
        gains = [gain for gain, _ in found]
        chosen = choose_gains(gains, self.alpha, self.n_features, len(gains))
        self.features_ = [found[place][1] for place in chosen]
        self.gains_ = np.array([gains[place] for place in chosen], dtype=np.float64)

    def _learn(self, X):
        """Compute the statistics of the levels in all training rows."""
        used = sorted({c for _, c, _ in self.features_})
        self.levels_ = {c: find_levels(X.iloc[:, c]) for c in used}
        codes = {c: encode_levels(X.iloc[:, c], self.levels_[c]) for c in used}
        self.tables_ = [
            compute_table(
                statistic,
                codes[c],
                codes[c] if statistic == "count" else take_numbers(X, x),
                len(self.levels_[c]) + 2,
            )
            for statistic, c, x in self.features_
        ]

    def _name_new(self, names):
        patterns = {
            "count": "count of {0}",
            "mean": "mean of {1} by {0}",
            "std": "std of {1} by {0}",
            "difference": "{1} - mean by {0}",
        }
        return [patterns[s].format(names[c], names[x]) for s, c, x in self.features_]

    def _generate(self, X):
        made = []
        for (statistic, c, x), table in zip(self.features_, self.tables_):
            of_level = table[encode_levels(X.iloc[:, c], self.levels_[c])]
            is_difference = statistic == "difference"
            made.append(take_numbers(X, x) - of_level if is_difference else of_level)
        return made


def _measure_count(codes, rows, reference):
    """Return the gain of the counts of levels."""
    table = compute_table("count", codes, codes, codes.max() + 1)
    made = bin_numbers(table[codes], rows.n_grid**2)
    return compute_gain(reference, rows.compute_losses(made))


def _apply(statistic, codes, values):
    """Return the statistic of the level of each row, or the difference from it."""
    of_level = compute_table(statistic, codes, values, codes.max() + 1)[codes]
    return values - of_level if statistic == "difference" else of_level


def compute_table(statistic, codes, values, n_codes):
    """Compute a statistic of the rows of each level.

    Parameters
    ----------
    statistic : {"count", "mean", "std", "difference"}
        The mean for "difference".
    codes : ndarray of int of shape (n_samples,)
    values : ndarray of shape (n_samples,)
        Missing ones are left out; ignored for "count".
    n_codes : int

    Returns
    -------
    table : ndarray of float64 of shape (n_codes,)
        The statistic of all rows for a level without values; 0 for its count.
    """
    if statistic == "count":
        return np.bincount(codes, minlength=n_codes).astype(np.float64)
    is_known = ~np.isnan(values)
    codes, values = codes[is_known], values[is_known]
    if not len(values):
        return np.zeros(n_codes)
    n_rows = np.bincount(codes, minlength=n_codes)
    divisor = np.maximum(n_rows, 1)
    mean = np.bincount(codes, weights=values, minlength=n_codes) / divisor
    if statistic != "std":
        return np.where(n_rows > 0, mean, values.mean())
    squares = (values - mean[codes]) ** 2
    std = np.sqrt(np.bincount(codes, weights=squares, minlength=n_codes) / divisor)
    return np.where(n_rows > 0, std, values.std())
