"""Which rows each of many selectors sees: subsamples, bootstraps, folds, halves."""

import numpy as np

from manyminds.feature_selection.base import assign_folds


def draw_resamples(resampling, n_resamples, strata, sample_share, rng):
    """Draw the rows of each resample; classes keep their shares.

    Parameters
    ----------
    resampling : {"subsample", "bootstrap", "cv", "complementary_pairs"}
        How to draw.
    n_resamples : int
        How many resamples to draw.
    strata : ndarray of int of shape (n_samples,)
        Number of each row's class, from 0; all 0 if there are no classes.
    sample_share : float
        Size of a subsample, as a share of the rows.
    rng : numpy Generator
        What draws.

    Returns
    -------
    resamples : list of ndarray of int
        Rows of each resample, in rising order.
    """
    if resampling == "bootstrap":
        return [_draw_bootstrap(strata, rng) for _ in range(n_resamples)]
    if resampling == "cv":
        return _leave_folds_out(strata, n_resamples, rng)
    if resampling == "subsample":
        size = max(1, int(sample_share * len(strata)))
        return [np.sort(_draw_part(strata, size, rng)) for _ in range(n_resamples)]
    pairs = [_draw_halves(strata, rng) for _ in range(n_resamples // 2)]
    return [np.sort(half) for pair in pairs for half in pair]


def check_resampling(resampling, n_resamples, n_samples):
    """Check that so many resamples of so many rows can be drawn."""
    if resampling == "complementary_pairs" and n_resamples % 2:
        raise ValueError(
            f"n_resamples={n_resamples} must be even with "
            "resampling='complementary_pairs': two resamples make a pair."
        )
    if n_samples < (n_resamples if resampling == "cv" else 2):
        raise ValueError(
            f"n_resamples={n_resamples} by resampling={resampling!r} need more rows "
            f"than n_samples={n_samples}."
        )


def _draw_part(strata, size, rng):
    """Draw rows without replacement: each is as likely, and classes keep their shares.

    From the rows in random order, but class by class, every (n / size)-th is taken:
    the number of rows of a class is its exact share, rounded up or down.
    """
    order = _shuffle_within_classes(strata, rng)
    first = rng.integers(len(strata))
    return order[(first + np.arange(size) * len(strata)) // size]


def _draw_halves(strata, rng):
    """Draw two halves without a row in common; of an odd number, one row is left."""
    half = len(strata) // 2
    one = _draw_part(strata, half, rng)
    rest = np.setdiff1d(np.arange(len(strata)), one)
    return one, rng.permutation(rest)[:half]


def _shuffle_within_classes(strata, rng):
    """Put the rows in a random order, one class after the other."""
    order = rng.permutation(len(strata))
    return order[np.argsort(strata[order], kind="stable")]


def _draw_bootstrap(strata, rng):
    """Draw, within each class, as many rows as it has, with replacement."""
    by_class = np.argsort(strata, kind="stable")
    n_members = np.bincount(strata)
    starts = np.cumsum(n_members) - n_members
    size, start = n_members[strata[by_class]], starts[strata[by_class]]
    return np.sort(by_class[start + rng.integers(size)])


def _leave_folds_out(strata, n_folds, rng):
    """Assign the samples to folds; return, for each fold, all samples but its own."""
    fold = assign_folds(len(strata), n_folds, "stratified", strata, rng)
    return [np.flatnonzero(fold != k) for k in range(n_folds)]
