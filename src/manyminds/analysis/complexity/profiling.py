"""Profiles: values of a probe for neighborhoods of growing radius, in blocks."""

import numpy as np

from manyminds.analysis.complexity.gathering import (
    TIE,
    cut_blocks,
    cut_for_sums,
    gather,
)
from manyminds.analysis.complexity.probes import (
    invert_global,
    measure_discriminant,
    measure_imbalance,
    measure_linear_boundary,
)

_MAX_CELLS = 2**27  # radii x columns x columns of one row: 1 GB


class Profiler:
    """Evaluate a probe on the neighborhoods of centers among reference points.

    Parameters
    ----------
    reference : Reference
    radii : ndarray of shape (n_radii,)
        In ascending order.
    probe, covariance, shrinkage, chance_corrected
        See `MultiResolutionComplexity`.
    classes : ndarray of shape (n_classes,)
        Labels for a callable probe.
    points : ndarray of shape (n_points, n_features), default=None
        Points of the global covariance matrix; by default those of the reference, which
        may be a sample of them.
    """

    def __init__(
        self,
        reference,
        radii,
        probe,
        *,
        covariance,
        shrinkage,
        chance_corrected,
        classes,
        points=None,
    ):
        self.reference = reference
        self.rings = reference.make_rings(radii)
        self.probe = probe
        self.shrinkage = shrinkage
        self.chance_corrected = chance_corrected
        self.classes = classes
        self.needs, self.inverse = "counts", None
        if probe in ("linear_boundary", "discriminant"):
            self.needs = "scatter" if covariance == "local" else "sums"
            if covariance != "local":
                points = reference.points if points is None else points
                self.inverse = invert_global(points, covariance)
            else:
                _check_memory(len(radii), reference.points.shape[1])

    def profile(self, centers, labels, *, own=None, leave_out=False):
        """Compute the profiles of some centers.

        Parameters
        ----------
        centers : ndarray of shape (n_centers, n_features)
        labels : ndarray of shape (n_centers, n_labels)
            Labels, encoded from 0.
        own, leave_out
            See `gather`.

        Returns
        -------
        profiles : ndarray of shape (n_centers, n_labels, n_radii)
        """
        n_centers, n_radii = len(centers), len(self.rings.limits) - 1
        blocks = cut_for_sums(self.reference, n_centers, n_radii, self.needs)
        measure = self._call_probe if callable(self.probe) else self._measure
        profiles = np.empty((n_centers, labels.shape[1], n_radii))
        for rows in blocks:
            mine = None if own is None else own[rows]
            profiles[rows] = measure(centers[rows], labels[rows], mine, leave_out)
        return profiles

    def _measure(self, centers, labels, own, leave_out):
        near = gather(
            self.reference,
            centers,
            self.rings,
            own=own,
            leave_out=leave_out,
            needs=self.needs,
        )
        return self.evaluate(near, labels)

    def evaluate(self, near, labels):
        """Evaluate the probe on neighborhoods, for each of some labels.

        Parameters
        ----------
        near : Neighborhoods
        labels : ndarray of shape (n_centers, n_labels)

        Returns
        -------
        profiles : ndarray of shape (n_centers, n_labels, n_radii)
        """
        if self.probe == "imbalance":
            return measure_imbalance(near, labels, self.chance_corrected)
        if self.probe == "linear_boundary":
            return measure_linear_boundary(near, labels, self.inverse, self.shrinkage)
        return measure_discriminant(near, labels, self.inverse, self.shrinkage)

    def _call_probe(self, centers, labels, own, leave_out):
        """Call a probe of the user for each center, label and radius."""
        squares = self.reference.measure(centers, own)
        if leave_out:
            squares[own >= 0, own[own >= 0]] = np.inf
        limits = self.rings.limits[:-1]
        points, near_labels = self.reference.points, self.classes[self.reference.labels]
        profiles = np.zeros((*labels.shape, len(limits)))
        for i, center in enumerate(centers):
            for j, limit in enumerate(limits):
                members = np.flatnonzero(squares[i] <= limit)
                for k, label in enumerate(self.classes[labels[i]]):
                    if len(members) > 0:
                        near = points[members], near_labels[members]
                        profiles[i, k, j] = self.probe(center, label, *near)
        return profiles


def average_nearest(reference, centers, profiles, n_neighbors):
    """Return the mean profile of the points nearest to each center.

    All points at the same distance count, so that their order does not matter.

    Parameters
    ----------
    reference : Reference
    centers : ndarray of shape (n_centers, n_features)
    profiles : ndarray of shape (n_points, n_radii)
        Profiles of the points of the reference.
    n_neighbors : int
        Number of points; all if there are fewer.

    Returns
    -------
    means : ndarray of shape (n_centers, n_radii)
    """
    last = min(n_neighbors, len(profiles)) - 1
    means = np.empty((len(centers), profiles.shape[1]))
    for rows in cut_blocks(reference, 0, len(centers)):
        squares = reference.measure(centers[rows])
        furthest = np.sqrt(np.partition(squares, last, axis=1)[:, last])
        limit = np.square(furthest * (1.0 + TIE))
        is_near = squares <= limit[:, None]
        means[rows] = is_near @ profiles / is_near.sum(axis=1, keepdims=True)
    return means


def _check_memory(n_radii, n_features):
    if n_radii * n_features**2 > _MAX_CELLS:
        raise ValueError(
            f"covariance='local' needs {n_radii} matrices of {n_features} x "
            f"{n_features} numbers for each row: too much memory. Use 'global' or "
            "'identity', or fewer columns."
        )
