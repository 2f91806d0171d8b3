"""Sums, differences, products and ratios of pairs of columns."""

from itertools import combinations
from numbers import Integral

import numpy as np

from manyminds._compat import Interval
from manyminds.preprocessing.generation.base import (
    CONSTRAINTS,
    PARAGRAPHS,
    FeatureGenerator,
    bin_columns,
    find_strongest,
    list_numeric,
    take_numbers,
)
from manyminds.preprocessing.generation.held_out_gain import (
    bin_numbers,
    choose_gains,
    compute_gain,
)
from manyminds.utils.docstrings import fill_docstring

LARGEST = float(np.finfo(np.float32).max)  # that learners of 32 bits take


@fill_docstring(**PARAGRAPHS)
class ArithmeticFeatures(FeatureGenerator):
    """Append sums, differences, products and ratios of pairs of numeric columns.

    A tree needs many splits for a border such as ``a > b`` or a curve such as
    ``a * b = 1``, and one split of the difference or of the product. Candidates are all
    combinations of two of the strongest columns. A candidate is kept if its bins, or
    the cells of its grid with a parent, predict held-out training rows significantly
    better than what a tree makes of its parents: as many bins of either parent, or
    cells of the grid of both. Of each pair at most one combination is kept.

    Parameters
    ----------
    {choice}
    max_columns : int, default=10
        Number of columns that are combined; the strongest, if there are more.
    {task}
    {random_state}

    Attributes
    ----------
    features_ : list of tuple of (str, int, int)
        Operation and positions of the parents of each new column, the best first.
    gains_ : ndarray of shape (n_new,)
        Decrease of the squared error on held-out rows, in its standard errors.
    {inputs}

    Notes
    -----
    A ratio is 0 where its denominator is 0. New columns are missing where a parent is,
    and only there.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.preprocessing import ArithmeticFeatures
    >>> X = np.random.default_rng(0).uniform(size=(500, 3))
    >>> y = X[:, 0] > X[:, 2]
    >>> generator = ArithmeticFeatures().fit(X, y)
    >>> generator.get_feature_names_out().tolist()
    ['x0', 'x1', 'x2', 'x2 / x0']
    """

    _parameter_constraints = {
        **CONSTRAINTS,
        "max_columns": [Interval(Integral, 2, None, closed="left")],
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
        """Keep the best combination of each pair that beats its parents."""
        n_grid = rows.n_grid
        fine = bin_columns(X, list_numeric(X), n_grid**2)
        strongest = find_strongest(fine, rows, self.max_columns)
        coarse = bin_columns(X, strongest, n_grid)
        values = {place: take_numbers(X, place) for place in strongest}
        alone = {place: _compute_best(rows, fine, coarse, place) for place in strongest}

        features, gains, n_tests = [], [], 0
        for i, j in combinations(strongest, 2):
            grid = rows.compute_losses(coarse[i] * (n_grid + 1) + coarse[j])
            reference = min((alone[i], alone[j], grid), key=np.mean)
            found = [
                (gain, operation)
                for operation in _list_operations(i, j)
                for gain in _measure_gains(operation, values, coarse, rows, reference)
            ]
            n_tests += len(found)
            gain, operation = max(found)
            features.append(operation)
            gains.append(gain)
        chosen = choose_gains(gains, self.alpha, self.n_features, n_tests)
        self.features_ = [features[place] for place in chosen]
        self.gains_ = np.array([gains[place] for place in chosen], dtype=np.float64)

    def _name_new(self, names):
        return [f"{names[i]} {sign} {names[j]}" for sign, i, j in self.features_]

    def _generate(self, X):
        used = {place for _, i, j in self.features_ for place in (i, j)}
        values = {place: take_numbers(X, place) for place in used}
        return [combine(sign, values[i], values[j]) for sign, i, j in self.features_]


def _compute_best(rows, fine, coarse, place):
    """Return the lower losses: of many bins of a column, of few, or of none."""
    losses = [rows.compute_losses(bins[place]) for bins in (fine, coarse)]
    return min((rows.compute_baseline(), *losses), key=np.mean)


def _list_operations(i, j):
    """List the combinations of two columns."""
    return [("+", i, j), ("-", i, j), ("*", i, j), ("/", i, j), ("/", j, i)]


def _measure_gains(operation, values, coarse, rows, reference):
    """Return the gains of a new column alone, and crossed with either parent."""
    sign, i, j = operation
    made = combine(sign, values[i], values[j])
    few = bin_numbers(made, rows.n_grid) * (rows.n_grid + 1)
    many = bin_numbers(made, rows.n_grid**2)
    return [
        compute_gain(reference, rows.compute_losses(codes))
        for codes in (many, few + coarse[i], few + coarse[j])
    ]


def combine(sign, first, second):
    """Combine two columns of numbers.

    Parameters
    ----------
    sign : {"+", "-", "*", "/"}
    first, second : ndarray of float64 of shape (n_samples,)

    Returns
    -------
    made : ndarray of float64 of shape (n_samples,)
        Finite, or NaN where a parent is NaN; a ratio is 0 where ``second`` is 0.
    """
    with np.errstate(over="ignore"):
        if sign == "+":
            made = first + second
        elif sign == "-":
            made = first - second
        elif sign == "*":
            made = first * second
        else:
            made = np.divide(first, second, out=second * 0.0, where=second != 0.0)
            made[np.isnan(first)] = np.nan
    return np.clip(made, -LARGEST, LARGEST)
