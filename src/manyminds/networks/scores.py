"""Scores of families: how well parents explain a node, and what they cost."""

import numpy as np

from manyminds.kernels.network_scores import (
    AIC,
    BDEU,
    BIC,
    LOG_LIKELIHOOD,
    Memory,
    Room,
    ScoreRules,
    score_families,
)
from manyminds.networks.bayesian.columns import make_family_data

SCORES = {"bic": BIC, "aic": AIC, "bdeu": BDEU, "log_likelihood": LOG_LIKELIHOOD}
MIN_CELLS = 2**16  # room for counts
CELLS_PER_ROW = 8  # a table with more cells never has the best BIC
N_PLACES = 2**16  # of remembered scores


class FamilyScores:
    r"""Score families of columns of a table, each once.

    The score of a graph is the sum of the scores of its families. With tables,

    .. math::

       \text{BIC}(v, P) = \sum_{p, s} n_{ps} \log \frac{n_{ps}}{n_p}
       - \frac{\log n}{2} \, q_P (r_v - 1)

    where :math:`n_{ps}` rows have the state :math:`s` of the node and the configuration
    :math:`p` of its parents, :math:`q_P` is the number of configurations and
    :math:`r_v` that of states. A numeric node is linear in its numeric parents, with
    coefficients and a variance for each configuration of the categorical ones.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_nodes)
        Codes 0, 1, ... of categories, and numbers; NaN where missing.
    n_states : array-like of int of shape (n_nodes,), default=None
        Number of states of each column, 0 for numbers; None: all are numbers.
    scoring : {"bic", "aic", "bdeu", "log_likelihood"}, default="bic"
        Which score.
    equivalent_sample_size : float, default=10.0
        Weight of the prior of "bdeu", in rows.
    sample_weight : ndarray of shape (n_samples,), default=None
        Sample weights.

    Attributes
    ----------
    n_scored : int
        Number of families that were scored.

    Notes
    -----
    A family is scored on the rows in which none of its columns is missing; likelihoods
    are scaled to the number of all rows, so that a column does not look better for
    being known less often. A family whose table has more than eight cells for each row
    (and more than 65,536) has the score minus infinity.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import FamilyScores
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.normal(size=500)
    >>> scores = FamilyScores(np.column_stack([cause, cause + rng.normal(size=500)]))
    >>> scores.score(1, [0]) > scores.score(1, [])
    True
    """

    def __init__(
        self, X, n_states=None, *, scoring="bic", equivalent_sample_size=10.0,
        sample_weight=None,
    ):  # fmt: skip
        X = np.asarray(X, dtype=np.float64)
        if n_states is None:
            n_states = np.zeros(X.shape[1])
        n_states = np.asarray(n_states, dtype=np.int64)
        weight = np.ones(len(X)) if sample_weight is None else sample_weight
        if scoring not in SCORES:
            raise ValueError(f"scoring must be one of {list(SCORES)}; got {scoring!r}.")
        if scoring == "bdeu" and (n_states == 0).any():
            raise ValueError(
                "scoring='bdeu' needs categorical columns; these are numeric: "
                f"{np.flatnonzero(n_states == 0).tolist()}. Take scoring='bic', or "
                "discretize them."
            )
        self.data = make_family_data(X, n_states, weight)
        self.rules = ScoreRules(SCORES[scoring], float(equivalent_sample_size))
        self.room = make_room(self.data)
        self._known = {}

    @property
    def n_scored(self):
        """Number of families that were scored."""
        return len(self._known)

    def score(self, node, parents=()):
        """Return the score of a node given its parents, in any order."""
        key = (int(node), tuple(sorted(int(parent) for parent in parents)))
        if key not in self._known:
            out = np.empty(1)
            listed = np.array([key[1]], dtype=np.int64).reshape(1, -1)
            score_families(
                self.data, self.rules, np.array([node], np.int64), listed,
                np.array([listed.shape[1]], np.int64), self.room, out,
            )  # fmt: skip
            self._known[key] = float(out[0])
        return self._known[key]

    def total(self, parents):
        """Return the score of a graph: the sum over its families."""
        return sum(self.score(node, of_node) for node, of_node in enumerate(parents))


def make_room(data):
    """Return the arrays that scores of families are computed in."""
    n_nodes, n_samples = len(data.n_states), len(data.weight)
    return Room(
        np.empty(n_samples, np.int64),
        np.empty(max(MIN_CELLS, CELLS_PER_ROW * n_samples)),
        np.empty((n_nodes + 2, n_nodes + 2)),
        np.empty(n_nodes + 1, np.int64),
    )


def make_memory(n_nodes, n_places=N_PLACES):
    """Return an empty memory of scores; the random bits of arcs are always the same."""
    rng = np.random.default_rng(0)
    bits = rng.integers(1, 2**63, size=(n_nodes, n_nodes), dtype=np.uint64)
    return Memory(
        bits, np.zeros(n_places, np.uint64), np.empty(n_places), np.zeros(3, np.int64)
    )
