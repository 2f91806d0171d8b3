"""The partition that many clusterings agree on, and its number of parts."""

from dataclasses import dataclass
from math import isqrt
from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds.ensemble.clusterings.graphs import (
    partition_both,
    partition_clusters,
    partition_rows,
)
from manyminds.ensemble.clusterings.labelings import (
    assign_by_affinity,
    mean_nmi,
    measure_affinity,
    read_labelings,
)
from manyminds.ensemble.clusterings.linkage import accumulate_evidence, link_average

CONSENSUS = {
    "average": link_average,
    "evidence": accumulate_evidence,
    "cspa": partition_rows,
    "mcla": partition_clusters,
    "hbgf": partition_both,
}
NORMALIZATIONS = ("cooccurrence", "n_estimators")


@dataclass(frozen=True, eq=False)
class Consensus:
    """A consensus partition, and how it was chosen.

    Attributes
    ----------
    labels : ndarray of int64 of shape (n_samples,)
        Part of each sample.
    n_clusters : int
        Number of parts.
    agreement : dict of int to float
        Average normalized mutual information with the clusterings, for each number of
        parts that was compared.
    rows : ndarray of int64
        Samples between which the co-association was computed; all, if there are few.
    affinity : list of ndarray
        For each clustering the share of each part's rows in each base cluster.
    """

    labels: np.ndarray
    n_clusters: int
    agreement: dict
    rows: np.ndarray
    affinity: list


def combine_clusterings(
    labelings,
    n_clusters="auto",
    *,
    consensus="average",
    normalize="cooccurrence",
    max_clusters=None,
    n_landmarks=5000,
    n_jobs=None,
    random_state=None,
):
    r"""Return the partition that several clusterings of the same samples agree on.

    Parameters
    ----------
    labelings : array-like of int of shape (n_clusterings, n_samples)
        Cluster of each sample; -1 where a clustering has no label for it.
    n_clusters : int or "auto", default="auto"
        Number of parts. "auto": that with the highest average normalized mutual
        information :math:`\frac{1}{r} \sum_q I(\lambda; \lambda_q) /
        \sqrt{H(\lambda) H(\lambda_q)}` with the clusterings [1]_; for
        ``consensus="evidence"`` that with the longest lifetime [2]_.
    consensus : {"average", "evidence", "cspa", "mcla", "hbgf"}, default="average"
        Average linkage of the co-association; evidence accumulation by single linkage
        [2]_; or a partition of a graph: of samples (CSPA), of base clusters (MCLA)
        [1]_, or of both (HBGF) [3]_.
    normalize : {"cooccurrence", "n_estimators"}, default="cooccurrence"
        Divide how often two samples are together by the number of clusterings that
        label both, or by the number of all.
    max_clusters : int, default=None
        Largest number of parts that "auto" compares; None: the largest number of
        clusters of a clustering, and at most the root of the number of samples.
    n_landmarks : int or None, default=5000
        Of more samples, so many are drawn and partitioned; each other sample goes to
        the part with the highest mean co-association. None: all, which takes 8 bytes
        for each pair twice.
    n_jobs : int, default=None
        Number of threads.
    random_state : int, RandomState instance or None, default=None
        Draws landmarks, and starts of partitions of graphs.

    Returns
    -------
    consensus : Consensus
        With ``labels``, ``n_clusters``, ``agreement``, ``rows`` and ``affinity``.

    Notes
    -----
    The papers partition graphs by METIS; here it is k-means on eigenvectors of the
    normalized graph.

    References
    ----------
    .. [1] Strehl and Ghosh, "Cluster ensembles: a knowledge reuse framework for
       combining multiple partitions", JMLR 3, 2002.
    .. [2] Fred and Jain, "Combining multiple clusterings using evidence accumulation",
       IEEE TPAMI 27, 2005.
    .. [3] Fern and Brodley, "Solving cluster ensemble problems by bipartite graph
       partitioning", ICML, 2004.

    Examples
    --------
    >>> from manyminds.ensemble import combine_clusterings
    >>> combine_clusterings([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 2, 2]]).labels
    array([0, 0, 1, 1])
    """
    _check_choice("consensus", consensus, CONSENSUS)
    _check_choice("normalize", normalize, NORMALIZATIONS)
    for name, number in (("n_landmarks", n_landmarks), ("max_clusters", max_clusters)):
        if number is not None and not _is_count(number):
            raise ValueError(f"{name} must be an int of 2 or more; got {number!r}.")
    if n_clusters != "auto" and not _is_count(n_clusters, low=1):
        raise ValueError(
            f"n_clusters must be 'auto' or a positive int; got {n_clusters!r}."
        )
    return find_consensus(
        read_labelings(labelings),
        n_clusters,
        consensus=consensus,
        normalize=normalize,
        max_clusters=max_clusters,
        n_landmarks=n_landmarks,
        n_jobs=n_jobs,
        rng=check_random_state(random_state),
    )


def find_consensus(
    labelings, n_clusters, *, consensus, max_clusters, n_landmarks, rng, **options
):
    """Partition the rows, or landmarks among them; see `combine_clusterings`."""
    n_rows = labelings.n_rows
    if n_clusters != "auto" and n_clusters > n_rows:
        raise ValueError(
            f"n_clusters must be at most the number of samples, {n_rows}; got "
            f"{n_clusters}."
        )
    rows = np.arange(n_rows)
    if n_landmarks is not None and n_rows > n_landmarks:
        rows = np.sort(rng.choice(n_rows, n_landmarks, replace=False))
    some = labelings if len(rows) == n_rows else labelings.take(rows)

    candidates = _list_candidates(n_clusters, max_clusters, some)
    if candidates[-1] == 1:
        partitions, preferred = {1: np.zeros(len(rows), dtype=np.int64)}, 1
    else:
        method = CONSENSUS[consensus]
        partitions, preferred = method(some, candidates, rng=rng, **options)
    agreement = {k: mean_nmi(part, some) for k, part in partitions.items()}
    chosen = preferred or max(agreement, key=lambda k: agreement[k])
    labels = partitions[chosen]
    n_found = int(labels.max()) + 1
    affinity = measure_affinity(labels, n_found, some)
    if len(rows) < n_rows:
        everything = assign_by_affinity(labelings.codes, affinity)
        everything[rows] = labels
        labels = everything
    return Consensus(labels, n_found, agreement, rows, affinity)


def _list_candidates(n_clusters, max_clusters, labelings):
    """Return the numbers of parts to compare.

    Mutual information is not corrected for chance: up to the root of the number of
    rows, it prefers many tiny parts.
    """
    if n_clusters != "auto":
        return [int(n_clusters)]
    if max_clusters is None:
        max_clusters = min(isqrt(labelings.n_rows), int(labelings.n_clusters.max()))
    return list(range(2, min(max(2, max_clusters), labelings.n_rows) + 1)) or [1]


def _check_choice(name, value, known):
    if value not in known:
        raise ValueError(f"{name} must be one of {sorted(known)}; got {value!r}.")


def _is_count(number, low=2):
    return isinstance(number, Integral) and number >= low
