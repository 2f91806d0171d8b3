"""Rules of dynamic selection: weights of members from how they do near a row.

All take a `Region` of rows to predict, and return weights of shape (n_rows, n_members),
0 for members that are not selected.
"""

from dataclasses import dataclass

import numpy as np

from manyminds.kernels import member_competence

MIN_SIMILARITY = 0.7  # MCB: of the members' votes for a neighbor and for the row
MIN_LEAD = 0.1  # MCB: members less competent by this are not selected
ACCURATE_SHARE = 0.5  # DES-kNN: members taken for their accuracy
DIVERSE_SHARE = 0.3  # DES-kNN: members of these taken for their diversity


@dataclass(frozen=True, eq=False)
class Region:
    """Rows to predict, with their neighbors among rows whose class is known.

    Parameters
    ----------
    right : ndarray of uint8 of shape (n_known, n_members)
        1 where a member is right about a known row.
    known_labels : ndarray of int32 of shape (n_known, n_members)
        Class number by each member.
    near : ndarray of int64 of shape (n_rows, n_near)
        Known rows near each row, the nearest first.
    labels : ndarray of int32 of shape (n_rows, n_members)
        Class number by each member.
    """

    right: np.ndarray
    known_labels: np.ndarray
    near: np.ndarray
    labels: np.ndarray


def weigh_ola(region):
    """Select the members that are right about most neighbors: local accuracy."""
    return _keep_best(_run(member_competence.count_right, region))


def weigh_lca(region):
    """Select the members most reliable for the class that they predict.

    That is the share of right ones among the neighbors to which a member assigns this
    class.
    """
    rate = member_competence.rate_same_class
    out = np.empty(region.labels.shape)
    rate(region.right, region.known_labels, region.near, region.labels, out)
    return _keep_best(out)


def weigh_knora_e(region):
    """Select the members that are right about all of the nearest neighbors.

    As many neighbors count as some member is right about; if none is right about the
    nearest one, all members are selected.
    """
    return _keep_best(_run(member_competence.count_right_in_turn, region))


def weigh_knora_u(region):
    """Weigh each member by the number of neighbors that it is right about."""
    return _run(member_competence.count_right, region)


def weigh_des_knn(region):
    """Select accurate members, and of these diverse ones, with the least double fault.

    Half of the members are taken for their accuracy, three tenths for diversity.
    """
    n_members = region.right.shape[1]
    n_accurate = max(1, int(np.ceil(ACCURATE_SHARE * n_members)))
    n_diverse = min(n_accurate, max(1, int(np.ceil(DIVERSE_SHARE * n_members))))
    out = np.empty(region.labels.shape)
    member_competence.choose_accurate_and_diverse(
        region.right, region.near, n_accurate, n_diverse, out
    )
    return out


def weigh_mcb(region):
    """Select by accuracy on the neighbors that members see like the row.

    Two rows are alike if more than 0.7 of the members assign both to the same class
    (multiple classifier behavior). Members within 0.1 of the best are selected.
    """
    out = np.empty(region.labels.shape)
    member_competence.rate_similar(
        region.right,
        region.known_labels,
        region.near,
        region.labels,
        MIN_SIMILARITY,
        out,
    )
    lead = out.max(axis=1, keepdims=True) - out
    return (lead < MIN_LEAD - 1e-9).astype(np.float64)


def _run(kernel, region):
    out = np.empty(region.labels.shape)
    kernel(region.right, region.near, out)
    return out


def _keep_best(competence):
    """Return 1 for the members with the greatest competence for a row."""
    best = competence.max(axis=1, keepdims=True)
    return (competence >= best - 1e-12).astype(np.float64)


RULES = {
    "des-knn": weigh_des_knn,
    "knora-e": weigh_knora_e,
    "knora-u": weigh_knora_u,
    "lca": weigh_lca,
    "mcb": weigh_mcb,
    "ola": weigh_ola,
}
