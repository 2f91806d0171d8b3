"""Check which rows are unlike those of training, and by which columns."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

from manyminds.analysis.novelty.combinations import fit_combinations, measure_distance
from manyminds.analysis.novelty.ranges import fit_ranges, measure_excess

__all__ = ["NoveltyCheck", "NoveltyResult"]

SHARE = 0.004  # of like rows that each of two measures may flag
MIN_EXCESS = 0.5  # scales of a tail beyond the range, below which nothing is flagged
MAX_UNSEEN = 0.002  # of like rows that may have an unseen category, over all columns
MAX_COMBINED = 100  # columns of the covariance; a random choice of more
MAX_ROWS = 5_000  # from which covariance and thresholds are estimated
MAX_CELLS = 2_000_000
MIN_ROWS = 20
N_FOLDS = 5
CHUNK = 10_000  # rows checked at once, which the cache of a processor holds
N_NAMED = 3  # columns of an unusual combination


@dataclass(frozen=True, eq=False)
class NoveltyResult:
    """Which rows of a table are unlike those of training, and why.

    Parameters
    ----------
    unlike : ndarray of shape (n_samples,), bool
    columns : dict of str to int
        Number of rows that a column alone makes unlike: a number far beyond the range,
        an unseen category, or a missing value where none was missing.
    combined : dict of str to int
        Number of the other unlike rows, whose combination of numbers is unusual, in
        which the column is one of the three that contribute most.
    """

    unlike: np.ndarray
    columns: dict
    combined: dict


@dataclass(frozen=True, eq=False)
class NoveltyCheck:
    """A compact description of the rows of training, against which rows are checked.

    A row is unlike those of training if a number is far beyond the range of its column,
    if a category was never seen, if a value is missing in a column without missing
    values, or if the combination of its numbers is unusual: the Mahalanobis distance of
    their normal scores, with a shrunk covariance, is large. Thresholds are those that
    about one row in 250 exceeds when it is left out of training, for each measure;
    unseen categories count only in columns where they are rare, by the estimate of
    Good and Turing [1]_. So about 1 % of rows like those of training are flagged, at
    most. Unusual combinations of categories are not detected.

    Parameters
    ----------
    names : tuple of str
        Columns of the table.
    numeric : tuple of str
        Those that hold numbers or dates.
    ranges : ndarray of shape (4, n_numeric)
        Lowest and highest number, and the scale of both tails, of each.
    max_excess : float
        Scales beyond the range that are not flagged.
    complete : tuple of str
        Columns without missing values.
    closed : tuple of str
        Columns of categories in which unseen ones are flagged.
    combined : tuple of int
        Numeric columns whose combination is checked, by number.
    knots, precision : ndarray
        Their quantiles, and the inverse of the covariance of their normal scores.
    max_distance : float
        Largest distance that is not flagged.

    References
    ----------
    .. [1] Good, "The population frequencies of species and the estimation of population
       parameters", Biometrika 40, 1953.

    Examples
    --------
    >>> from manyminds.analysis import NoveltyCheck
    >>> from manyminds.datasets import load_dataset
    >>> X = load_dataset("iris").X
    >>> check = NoveltyCheck.fit(X)
    >>> new = X.head(3).copy()
    >>> new.loc[1, "petalwidth"] = 9.0
    >>> result = check.find_unlike(new)
    >>> result.unlike, result.columns
    (array([False,  True, False]), {'petalwidth': 1})
    """

    names: tuple
    numeric: tuple
    ranges: np.ndarray
    max_excess: float
    complete: tuple
    closed: tuple
    combined: tuple
    knots: np.ndarray
    precision: np.ndarray
    max_distance: float

    @classmethod
    def fit(cls, X, random_state=0):
        """Describe the rows of training.

        Parameters
        ----------
        X : DataFrame
            Columns of numbers, dates and categories, such as ``Dataset.X``.
        random_state : int, default=0
            Seed of the samples of rows and columns.

        Returns
        -------
        check : NoveltyCheck
        """
        rng = np.random.default_rng(random_state)
        numeric = [name for name, dtype in X.dtypes.items() if not _is_category(dtype)]
        numbers = _as_numbers(X, numeric)
        n_rows = min(MAX_ROWS, max(MIN_ROWS, MAX_CELLS // max(len(numeric), 1)))
        sample = numbers
        if len(X) > n_rows:
            sample = numbers[np.sort(rng.choice(len(X), n_rows, replace=False))]
        ranges = fit_ranges(sample)
        if sample is not numbers:
            ranges[:2] = np.fmin.reduce(numbers), np.fmax.reduce(numbers)
        varied = np.flatnonzero(ranges[1] > ranges[0])
        varied = varied[np.isfinite(sample[:, varied]).mean(axis=0) > 0.5]
        if len(varied) > MAX_COMBINED:
            varied = np.sort(rng.choice(varied, MAX_COMBINED, replace=False))
        if len(sample) < MIN_ROWS or len(varied) < 2:
            varied = varied[:0]
        max_excess, max_distance = _find_thresholds(sample, ranges, varied, rng)
        knots, precision = np.empty((0, 0)), np.empty((0, 0))
        if len(varied):
            knots, precision = fit_combinations(sample[:, varied])
        return cls(
            names=tuple(map(str, X.columns)),
            numeric=tuple(map(str, numeric)),
            ranges=ranges,
            max_excess=max_excess,
            complete=tuple(map(str, X.columns[~X.isna().any().to_numpy()])),
            closed=_list_closed(X),
            combined=tuple(varied.tolist()),
            knots=knots,
            precision=precision,
            max_distance=max_distance,
        )

    def find_unlike(self, X, unseen=None):
        """Find the rows that are unlike those of training.

        Parameters
        ----------
        X : DataFrame
            With the columns of training.
        unseen : DataFrame of bool, default=None
            Where a category was never seen and is missing in X for that reason.

        Returns
        -------
        result : NoveltyResult
        """
        flagged, alone, combined = [], Counter(), Counter()
        for start in range(0, len(X), CHUNK):
            rows = slice(start, start + CHUNK)
            some = None if unseen is None else unseen.iloc[rows]
            unlike, of_columns, of_combined = self._check(X.iloc[rows], some)
            flagged.append(unlike)
            alone.update(of_columns)
            combined.update(of_combined)
        columns = {name: int(alone[name]) for name in self.names if alone[name]}
        unlike = np.concatenate([np.zeros(0, dtype=bool), *flagged])
        return NoveltyResult(unlike, columns, dict(combined.most_common()))

    def _check(self, X, unseen):
        """Return which rows are unlike, and how often each column is the reason."""
        alone = np.zeros((len(X), len(self.names)), dtype=bool)
        numbers = _as_numbers(X, list(self.numeric))
        excess = measure_excess(numbers, self.ranges)
        alone[:, np.isin(self.names, self.numeric)] = excess > self.max_excess
        missing = np.column_stack([X[name].isna() for name in self.names])
        if unseen is not None:
            known = np.column_stack([unseen[name] for name in self.names])
            alone |= known & np.isin(self.names, self.closed)
            missing = missing & ~known
        alone |= missing & np.isin(self.names, self.complete)
        flagged = alone.any(axis=1)
        combined, named = self._find_combined(numbers, flagged)
        return flagged | combined, dict(zip(self.names, alone.sum(axis=0))), named

    def _find_combined(self, numbers, flagged):
        """Return rows of unusual combinations, and the columns that contribute."""
        if not self.combined:
            return np.zeros(len(numbers), dtype=bool), {}
        some = numbers[:, list(self.combined)]
        distance, shares = measure_distance(some, self.knots, self.precision)
        unusual = (distance > self.max_distance) & ~flagged
        largest = np.argsort(-shares[unusual], axis=1)[:, :N_NAMED]
        counts = np.bincount(largest.ravel(), minlength=len(self.combined))
        names = [self.numeric[place] for place in self.combined]
        return unusual, {name: int(n) for name, n in zip(names, counts) if n}


def _is_category(dtype):
    return isinstance(dtype, pd.CategoricalDtype)


def _as_numbers(X, names):
    """Return columns as numbers, dates in days; NaN where missing."""
    if all(dtype == np.float64 for dtype in X.dtypes):
        return X[names].to_numpy()
    found = np.empty((len(X), len(names)))
    for place, name in enumerate(names):
        column = X[name]
        if pd.api.types.is_datetime64_any_dtype(column.dtype):
            column = (column - pd.Timestamp(0)) / pd.Timedelta(days=1)
        found[:, place] = column.to_numpy(dtype=np.float64, na_value=np.nan)
    return found


def _find_thresholds(sample, ranges, varied, rng):
    """Return what few left-out rows exceed: an excess, and a distance."""
    excess, distance = np.zeros(len(sample)), np.zeros(len(sample))
    if len(sample) < MIN_ROWS or not sample.shape[1]:
        return MIN_EXCESS, np.inf
    folds = KFold(N_FOLDS, shuffle=True, random_state=int(rng.integers(2**31)))
    widths = ranges[1] - ranges[0]
    for train, test in folds.split(sample):
        fitted = fit_ranges(sample[train], widths)
        beyond = measure_excess(sample[test], fitted)
        beyond[~np.isfinite(beyond)] = 0.0  # of a column without numbers in training
        excess[test] = beyond.max(axis=1)
        if len(varied):
            # A column that is constant in these rows keeps a precision: shrinkage.
            known = fit_combinations(sample[np.ix_(train, varied)])
            distance[test] = measure_distance(sample[np.ix_(test, varied)], *known)[0]
    limits = [
        float(np.quantile(measure, 1.0 - SHARE, method="higher"))
        for measure in (excess, distance)
    ]
    return max(MIN_EXCESS, limits[0]), limits[1]


def _list_closed(X):
    """List columns of categories in which an unseen one is rare.

    The share of categories that occur once estimates the share of rows with an unseen
    one.
    """
    shares = {}
    for name, dtype in X.dtypes.items():
        if _is_category(dtype):
            counts = X[name].value_counts().to_numpy()
            shares[str(name)] = (counts == 1).sum() / max(counts.sum(), 1)
    closed, total = [], 0.0
    for name in sorted(shares, key=shares.__getitem__):
        total += shares[name]
        if total <= MAX_UNSEEN:
            closed.append(name)
    return tuple(name for name in shares if name in set(closed))
