"""Labels of many clusterings as bytes, and what rows and partitions share in them."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import csr_array
from scipy.spatial.distance import squareform

from manyminds.kernels.coassociation import average_nmi, fill_distances
from manyminds.utils.threads import run_in_threads

MAX_BASE_CLUSTERS = 250  # of one clustering: a label is a byte
MISSING = 255  # code of a row that a clustering does not label
_NOT_LEFT, _NOT_RIGHT = 254, 255  # never equal to each other
_BLOCK_CELLS = 2**22  # of rows by clusters that are added up at a time


@dataclass(frozen=True, eq=False)
class Labelings:
    """The labels of some rows in several clusterings.

    Parameters
    ----------
    codes : ndarray of uint8 of shape (n_members, n_rows)
        Cluster of each row; ``MISSING`` where there is none.
    drawn : ndarray of bool of shape (n_members, n_rows)
        Which rows count for the co-association of a clustering.
    n_clusters : ndarray of int64 of shape (n_members,)
        Number of clusters of each clustering.
    """

    codes: np.ndarray
    drawn: np.ndarray
    n_clusters: np.ndarray

    @property
    def n_rows(self):
        """Number of rows."""
        return self.codes.shape[1]

    def take(self, rows):
        """Return the labels of some rows."""
        return Labelings(
            np.ascontiguousarray(self.codes[:, rows]),
            np.ascontiguousarray(self.drawn[:, rows]),
            self.n_clusters,
        )

    def indicator(self):
        """Return a sparse matrix with ones where a row is in a cluster."""
        first = np.cumsum(self.n_clusters) - self.n_clusters
        member, row = np.nonzero(self.codes != MISSING)
        column = first[member] + self.codes[member, row]
        ones, shape = np.ones(len(row)), (self.n_rows, int(self.n_clusters.sum()))
        return csr_array((ones, (row, column)), shape=shape)


def read_labelings(labelings):
    """Check labels of clusterings, -1 where a row has none; return `Labelings`."""
    labels = np.asarray(labelings)
    if labels.ndim != 2 or labels.dtype.kind not in "iu" or 0 in labels.shape:
        raise ValueError(
            "labelings must be integers of shape (n_clusterings, n_samples); got "
            f"{labels.dtype} of shape {labels.shape}."
        )
    codes = np.full(labels.shape, MISSING, dtype=np.uint8)
    n_clusters = np.empty(len(labels), dtype=np.int64)
    for q, label in enumerate(labels):
        known = label >= 0
        names, place = np.unique(label[known], return_inverse=True)
        check_base_clusters(len(names))
        codes[q, known], n_clusters[q] = place, max(1, len(names))
    return Labelings(codes, codes != MISSING, n_clusters)


def check_base_clusters(n_clusters):
    """Raise if a base clustering has more clusters than a byte can name."""
    if n_clusters > MAX_BASE_CLUSTERS:
        raise ValueError(
            f"A base clustering may have {MAX_BASE_CLUSTERS} clusters at most; one has "
            f"{n_clusters}. Let the base clusterer find fewer."
        )


def measure_distances(labelings, normalize="cooccurrence", n_jobs=None):
    """Return one minus the co-association of all pairs of rows, condensed.

    Parameters
    ----------
    labelings : Labelings
    normalize : {"cooccurrence", "n_estimators"}, default="cooccurrence"
        Divide by the number of clusterings that drew both rows, or by that of all.
    n_jobs : int or None, default=None
        Number of threads.

    Returns
    -------
    distances : ndarray of shape (n_rows * (n_rows - 1) / 2,)
        As `scipy.spatial.distance.squareform` reads them.
    """
    codes, drawn = labelings.codes.T, labelings.drawn.T
    n_rows, n_members = codes.shape
    left = _view_words(np.where(drawn, codes, _NOT_LEFT), _NOT_LEFT)
    right = _view_words(np.where(drawn, codes, _NOT_RIGHT), _NOT_RIGHT)
    bits = _view_words(np.packbits(drawn, axis=1), 0)
    bits = bits if normalize == "cooccurrence" else bits[:, :0].copy()
    distances = np.empty(n_rows * (n_rows - 1) // 2)
    n_jobs = effective_n_jobs(n_jobs)
    # The first rows have the most pairs.
    bounds = n_rows * (1.0 - np.sqrt(np.linspace(1.0, 0.0, 8 * n_jobs + 1)))
    bounds = bounds.round().astype(np.int64)

    def fill(block):
        fill_distances(left, right, bits, *block, n_members, distances)

    run_in_threads(fill, pairwise(bounds), n_jobs)
    return distances


def _view_words(table, padding):
    """Return rows of bytes as words of eight, padded."""
    n_rows, n_bytes = table.shape
    words = np.full((n_rows, -(-n_bytes // 8) * 8), padding, dtype=np.uint8)
    words[:, :n_bytes] = table
    return words.view(np.uint64)


def coassociation(labelings, normalize="cooccurrence", n_jobs=None):
    """Return the co-association matrix, with ones in its diagonal."""
    return 1.0 - squareform(measure_distances(labelings, normalize, n_jobs))


def mean_nmi(partition, labelings):
    """Return the average normalized mutual information of a partition.

    Each clustering counts with the rows that it labels; the mutual information is
    divided by the geometric mean of the two entropies.
    """
    partition = np.ascontiguousarray(partition, dtype=np.int32)
    return average_nmi(partition, labelings.codes, labelings.n_clusters, MISSING)


def measure_affinity(partition, n_parts, labelings):
    """Return the share of each part's rows in each base cluster.

    Parameters
    ----------
    partition : ndarray of int of shape (n_rows,)
        The part of each row of ``labelings``.
    n_parts : int
    labelings : Labelings

    Returns
    -------
    affinity : list of ndarray of shape (n_clusters + 1, n_parts)
        For each clustering; the last row is that of a row without a label.
    """
    sizes = np.maximum(np.bincount(partition, minlength=n_parts), 1)
    affinity = []
    for code, n_clusters in zip(labelings.codes, labelings.n_clusters):
        place = np.minimum(code, n_clusters).astype(np.int64) * n_parts + partition
        counts = np.bincount(place, minlength=(n_clusters + 1) * n_parts)
        table = counts.reshape(n_clusters + 1, n_parts) / sizes
        table[-1] = 0.0
        affinity.append(table)
    return affinity


def assign_by_affinity(codes, affinity):
    """Assign rows to the part whose rows share the most base clusters with them.

    The score of a part is its rows' mean co-association with the row, all clusterings
    counted.

    Parameters
    ----------
    codes : ndarray of uint8 of shape (n_members, n_rows)
    affinity : list of ndarray
        See `measure_affinity`.

    Returns
    -------
    part : ndarray of int64 of shape (n_rows,)
    """
    n_rows, n_parts = codes.shape[1], affinity[0].shape[1]
    part = np.empty(n_rows, dtype=np.int64)
    step = max(1, _BLOCK_CELLS // n_parts)
    for first in range(0, n_rows, step):
        block = codes[:, first : first + step]
        score = np.zeros((block.shape[1], n_parts))
        for code, table in zip(block, affinity):
            score += table[np.minimum(code, len(table) - 1)]
        part[first : first + step] = score.argmax(axis=1)
    return part
