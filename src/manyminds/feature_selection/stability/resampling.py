"""Resamples for stability selection: subsamples, bootstraps, folds, halves."""

import numpy as np

from manyminds.feature_selection.base import assign_folds


def draw_resamples(resampling, n_resamples, strata, sample_share, rng):
    """Draw the samples of each resample, stratified by class.

    Parameters
    ----------
    resampling : {"subsample", "bootstrap", "cv", "complementary_pairs"}
        Resampling method.
    n_resamples : int
        Number of resamples.
    strata : ndarray of int of shape (n_samples,)
        Class of each sample, from 0; all 0 if there are no classes.
    sample_share : float
        Size of a subsample, as a share of all samples.
    rng : numpy Generator
        Random number generator.

    Returns
    -------
    resamples : list of ndarray of int
        Samples of each resample, in increasing order.
    """
    if resampling == "bootstrap":
        return [_draw_bootstrap(strata, rng) for _ in range(n_resamples)]
    if resampling == "cv":
        return _leave_folds_out(strata, n_resamples, rng)
    if resampling == "subsample":
        size = max(1, int(sample_share * len(strata)))
        return [np.sort(_draw_subsample(strata, size, rng)) for _ in range(n_resamples)]
    pairs = [_draw_halves(strata, rng) for _ in range(n_resamples // 2)]
    return [np.sort(half) for pair in pairs for half in pair]


def check_resampling(resampling, n_resamples, n_samples):
    """Check that the resamples can be drawn."""
    if resampling == "complementary_pairs" and n_resamples % 2:
        raise ValueError(
            "n_resamples must be even with resampling='complementary_pairs'; got "
            f"{n_resamples}."
        )
    if n_samples < (n_resamples if resampling == "cv" else 2):
        raise ValueError(
            f"n_resamples={n_resamples} by resampling={resampling!r} needs more "
            f"samples than n_samples={n_samples}."
        )


def _draw_subsample(strata, size, rng):
    """Draw samples without replacement, with equal probabilities, stratified by class.

    From the samples in random order within each class, every (n / size)-th is taken:
    the number of samples of a class is its exact share, rounded up or down.
    """
    order = _shuffle_within_classes(strata, rng)
    first = rng.integers(len(strata))
    return order[(first + np.arange(size) * len(strata)) // size]


def _draw_halves(strata, rng):
    """Draw two disjoint halves; of an odd number, one sample is left out."""
    half = len(strata) // 2
    one = _draw_subsample(strata, half, rng)
    rest = np.setdiff1d(np.arange(len(strata)), one)
    return one, rng.permutation(rest)[:half]


def _shuffle_within_classes(strata, rng):
    """Return the samples in random order, one class after the other."""
    order = rng.permutation(len(strata))
    return order[np.argsort(strata[order], kind="stable")]


def _draw_bootstrap(strata, rng):
    """Draw, within each class, as many samples as it has, with replacement."""
    by_class = np.argsort(strata, kind="stable")
    n_members = np.bincount(strata)
    starts = np.cumsum(n_members) - n_members
    size, start = n_members[strata[by_class]], starts[strata[by_class]]
    return np.sort(by_class[start + rng.integers(size)])


def _leave_folds_out(strata, n_folds, rng):
    """Assign the samples to folds; return, for each fold, all samples but its own."""
    fold = assign_folds(len(strata), n_folds, "stratified", strata, rng)
    return [np.flatnonzero(fold != k) for k in range(n_folds)]
