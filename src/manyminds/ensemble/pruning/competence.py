"""Rules of dynamic selection: weights of members from how they do near a row.

All take a `Region` of rows to predict, and return weights of shape (n_rows, n_members),
0 for members that are not selected.
"""

from dataclasses import dataclass

import numpy as np

from manyminds.kernels import member_competence
from manyminds.trees.chunks import divide_rows
from manyminds.utils.threads import run_in_threads

MIN_SIMILARITY = 0.7  # MCB: of the members' votes for a neighbor and for the row
MIN_LEAD = 0.1  # MCB: members less competent by this are not selected
ACCURATE_SHARE = 0.5  # DES-kNN: members taken for their accuracy
BLOCK_ROWS = 2048  # for one call of a kernel
DIVERSE_SHARE = 0.3  # DES-kNN: members of these taken for their diversity


@dataclass(frozen=True, eq=False)
class Region:
    """Rows to predict, with their neighbors among rows whose class is known.

    Parameters
    ----------
    known_labels : ndarray of int32 of shape (n_known, n_members)
        Class number by each member.
    known_classes : ndarray of int32 of shape (n_known,)
        True ones.
    near : ndarray of int64 of shape (n_rows, n_near)
        Known rows near each row, the nearest first.
    labels : ndarray of int32 of shape (n_rows, n_members)
        Class number by each member.
    n_threads : int, default=1
        Number of threads.
    """

    known_labels: np.ndarray
    known_classes: np.ndarray
    near: np.ndarray
    labels: np.ndarray
    n_threads: int = 1


def weigh_ola(region):
    """Select the members that are right about most neighbors: local accuracy."""
    return _run(member_competence.weigh_by_right, region, True)


def weigh_lca(region):
    """Select the members most reliable for the class that they predict.

    That is the share of right ones among the neighbors to which a member assigns this
    class.
    """
    return _run(member_competence.choose_by_class, region)


def weigh_knora_e(region):
    """Select the members that are right about all of the nearest neighbors.

    As many neighbors count as some member is right about; if none is right about the
    nearest one, all members are selected.
    """
    return _run(member_competence.choose_longest_run, region)


def weigh_knora_u(region):
    """Weigh each member by the number of neighbors that it is right about."""
    return _run(member_competence.weigh_by_right, region, False)


def weigh_des_knn(region):
    """Select accurate members, and of these diverse ones, with the least double fault.

    Half of the members are taken for their accuracy, three tenths for diversity.
    """
    n_members = region.labels.shape[1]
    n_accurate = max(1, int(np.ceil(ACCURATE_SHARE * n_members)))
    n_diverse = min(n_accurate, max(1, int(np.ceil(DIVERSE_SHARE * n_members))))
    n_taken = np.array([n_accurate, n_diverse])
    return _run(member_competence.choose_accurate_and_diverse, region, n_taken)


def weigh_mcb(region):
    """Select by accuracy on the neighbors that members see like the row.

    Two rows are alike if more than 0.7 of the members assign both to the same class
    (multiple classifier behavior). Members within 0.1 of the best are selected.
    """
    limits = np.array([MIN_SIMILARITY, MIN_LEAD])
    return _run(member_competence.choose_by_similar, region, limits)


def _run(kernel, region, *options):
    """Return the weights that a kernel writes, for blocks of rows on threads."""
    known = region.known_labels, region.known_classes
    weights = np.empty(region.labels.shape)

    def weigh(rows):
        kernel(*known, region.near[rows], region.labels[rows], *options, weights[rows])

    blocks = divide_rows(len(weights), BLOCK_ROWS, region.n_threads)
    run_in_threads(weigh, blocks, region.n_threads)
    return weights


RULES = {
    "des-knn": weigh_des_knn,
    "knora-e": weigh_knora_e,
    "knora-u": weigh_knora_u,
    "lca": weigh_lca,
    "mcb": weigh_mcb,
    "ola": weigh_ola,
}
