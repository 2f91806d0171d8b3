"""Profiles against a random sample of the rows, with standard errors."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.analysis.complexity.clustering import multi_resolution_index
from manyminds.analysis.complexity.gathering import (
    Neighborhoods,
    Reference,
    cut_for_sums,
    gather,
)

MAX_EXACT_ROWS = 100_000  # max_samples="auto" draws samples of larger tables ...
N_AUTO_SAMPLES = 10_000  # ... of this many rows
MIN_RANK = 5  # neighbors of the first radius in the sample: fewer say too little
N_GROUPS = 16  # of the jackknife


def draw_rows(n_rows, max_samples, random_state):
    """Return the rows that neighborhoods are made of, in ascending order.

    Parameters
    ----------
    n_rows : int
    max_samples : int, "auto" or None
        See `MultiResolutionComplexity`.
    random_state : int, RandomState instance or None

    Returns
    -------
    rows : ndarray of int

    Examples
    --------
    >>> from manyminds.analysis.complexity.sampling import draw_rows
    >>> len(draw_rows(100, "auto", 0)), len(draw_rows(100, 30, 0))
    (100, 30)
    """
    if max_samples == "auto":
        max_samples = N_AUTO_SAMPLES if n_rows > MAX_EXACT_ROWS else None
    if max_samples is None or max_samples >= n_rows:
        return np.arange(n_rows)
    rng = check_random_state(random_state)
    return np.sort(rng.permutation(n_rows)[:max_samples])


def rescale_ranks(ranks, n_rows, n_drawn):
    """Return the ranks in a sample of neighbors that have given ranks among all rows.

    Parameters
    ----------
    ranks : ndarray of int
        In ascending order.
    n_rows, n_drawn : int
        Number of all rows, and of those of the sample.

    Returns
    -------
    ranks : ndarray of int

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.analysis.complexity.sampling import rescale_ranks
    >>> rescale_ranks(np.array([500, 4500]), 10_000, 1_000)
    array([ 50, 450])
    """
    if n_drawn == n_rows:
        return ranks
    found = np.round(ranks * (n_drawn / n_rows)).astype(np.int64)
    if found[0] < MIN_RANK:
        raise ValueError(
            f"smallest must be at least {-(-MIN_RANK * n_rows // n_drawn):,} neighbors "
            f"if {n_drawn:,} of {n_rows:,} samples are drawn; got {ranks[0]:,}. "
            "Increase smallest or max_samples; max_samples=None compares all pairs."
        )
    return np.minimum(found, n_drawn - 1)


class SampledProfiler:
    """Estimate profiles from a random sample, and the standard error of their index.

    Counts and sums of the members of a neighborhood are those of the sample, times the
    number of all rows per drawn row; the center itself, which is known, counts once.
    The standard error is that of the jackknife over random groups of the sample, times
    the root of the share of rows that were not drawn.

    Parameters
    ----------
    profiler : Profiler
        Of the sample.
    n_rows : int
        Number of all rows.
    weights : ndarray of shape (n_radii,)
        Weights of the index.
    include_self : bool
        Whether a center is a member of its neighborhoods.
    """

    def __init__(self, profiler, n_rows, weights, include_self):
        self.profiler, self.n_rows = profiler, n_rows
        self.weights, self.include_self = weights, include_self
        whole = profiler.reference
        self.n_drawn = len(whole.points)
        n_groups = min(N_GROUPS, self.n_drawn)
        self.groups = [
            Reference(
                np.ascontiguousarray(whole.points[g::n_groups]),
                np.ascontiguousarray(whole.labels[g::n_groups]),
                whole.n_classes,
            )
            for g in range(n_groups)
        ]

    def profile(self, centers, labels, own):
        """Estimate the profiles of some of the rows.

        Parameters
        ----------
        centers : ndarray of shape (n_centers, n_features)
        labels : ndarray of shape (n_centers,)
            Their classes, encoded from 0.
        own : ndarray of shape (n_centers,)
            Place of each center in the sample; -1 if it was not drawn.

        Returns
        -------
        profiles : ndarray of shape (n_centers, n_radii)
        std_errors : ndarray of shape (n_centers,)
            Of the index; NaN for a callable probe, which is evaluated only once.
        """
        if callable(self.profiler.probe):
            options = {"own": own, "leave_out": not self.include_self}
            profiles = self.profiler.profile(centers, labels[:, None], **options)
            return profiles[:, 0], np.full(len(centers), np.nan)
        n_radii, needs = len(self.weights), self.profiler.needs
        profiles = np.empty((len(centers), n_radii))
        std_errors = np.empty(len(centers))
        n_sums = n_radii * len(self.groups)
        for rows in cut_for_sums(self.profiler.reference, len(centers), n_sums, needs):
            profiles[rows], std_errors[rows] = self._estimate(
                centers[rows], labels[rows], own[rows]
            )
        return profiles, std_errors

    def _estimate(self, centers, labels, own):
        found = [self._gather(g, centers, own) for g in range(len(self.groups))]
        whole = _combine(sum, found)
        n_others = self.n_drawn - (own >= 0)
        profiles = self._evaluate(whole, n_others, labels)
        left_out = []
        for g, near in enumerate(found):
            without = _combine(lambda pair: pair[0] - pair[1], (whole, near))
            n_group = len(self.groups[g].points) - self._is_in_group(own, g)
            values = self._evaluate(without, n_others - n_group, labels)
            left_out.append(multi_resolution_index(values, self.weights))
        share_missing = 1.0 - self.n_drawn / self.n_rows
        variance = (len(found) - 1) * np.var(left_out, axis=0)
        return profiles, np.sqrt(share_missing * variance)

    def _is_in_group(self, own, g):
        return (own >= 0) & (own % len(self.groups) == g)

    def _gather(self, g, centers, own):
        """Gather the members of a group, without the centers themselves."""
        mine = np.where(self._is_in_group(own, g), own // len(self.groups), -1)
        near = gather(
            self.groups[g],
            centers,
            self.profiler.rings,
            own=mine,
            leave_out=True,
            needs=self.profiler.needs,
        )
        return near.counts, near.sums, near.scatter

    def _evaluate(self, near, n_others, labels):
        """Evaluate the probe on counts and sums that stand for all rows."""
        scale = (self.n_rows - 1) / np.maximum(n_others, 1)
        counts, sums, scatter = (
            part * scale.reshape(-1, *[1] * (part.ndim - 1)) for part in near
        )
        if self.include_self:  # relative to itself the center is 0: no sums
            counts[np.arange(len(labels)), :, labels] += 1.0
        near = Neighborhoods(counts, sums, scatter)
        return self.profiler.evaluate(near, labels[:, None])[:, 0]


def _combine(operation, parts):
    """Combine counts, sums and scatters, each of them alone."""
    return tuple(operation(arrays) for arrays in zip(*parts))
