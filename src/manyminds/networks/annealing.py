"""Simulated annealing on bootstrap samples, averaged into posteriors of arcs."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed

from manyminds._compat import Interval, StrOptions
from manyminds.datasets.networks.table_network import sort_topologically
from manyminds.kernels.network_scores import N_LOOKED_UP, N_SCORED
from manyminds.kernels.network_search import anneal, climb
from manyminds.networks._parameters import PARAGRAPHS
from manyminds.networks.scores import FamilyScores, make_memory
from manyminds.networks.structure import StructureSearch, start_graph
from manyminds.utils.docstrings import fill_docstring

TABU_LENGTH, MAX_WORSE = 200, 100  # of the hill climbing at the end
N_RANDOM_MOVES = 100  # their mean change of the score is the first temperature


@fill_docstring(**PARAGRAPHS)
class AnnealingSearch(StructureSearch):
    r"""Learn a graph by simulated annealing on bootstrap samples.

    On each bootstrap sample, arcs are added, removed, or two nodes exchange their
    places, at random [1]_. A change that lowers the score by :math:`\Delta` is accepted
    with the probability :math:`\exp(-\Delta / T)`, where the temperature :math:`T`
    falls geometrically. The share of the best graphs of all samples that have an arc is
    the posterior of this arc; arcs are put into the final graph by decreasing
    posterior, as long as it is above a threshold and there is no cycle.

    Parameters
    ----------
    {scoring}
    {arc_limits}
    n_resamples : int, default=100
        Number of bootstrap samples.
    n_operations : int, default=2100
        Number of changes that are tried on each.
    cooling : float, default=0.995
        Factor of the temperature after each operation. The first temperature is the
        mean absolute change of the score in 100 random changes.
    polish : bool, default=True
        Whether the best graph of a sample is improved by hill climbing, which also
        reverses arcs. Without, as in the paper, the parents of a collider often stay
        connected: no single addition or removal leads out of the wrong direction.
    weights : {"uniform", "score"}, default="uniform"
        Weights of the graphs in the posterior: equal, or proportional to the
        exponential of their score on all rows, which is dominated by the best graph if
        there are more than a few rows.
    average : {"edges", "arcs"}, default="edges"
        What has a posterior above the threshold: an edge in either direction, which
        gets the more frequent direction; or, as in the paper, an arc. Graphs of one
        equivalence class differ in directions that no data determine, so that an edge
        which is in all graphs can fail to be an arc of half of them.
    threshold : float, default=0.5
        Edges or arcs have a posterior above this.
    {categorical_features}
    {random_state}
    {n_jobs}

    Attributes
    ----------
    {structure}
    arc_posteriors_ : ndarray of shape (n_features, n_features)
        Posterior of each arc, from row to column.
    samples_ : ndarray of bool of shape (n_resamples, n_features, n_features)
        Arcs of the best graph of each bootstrap sample.
    sample_scores_ : ndarray of shape (n_resamples,)
        Score of each of these graphs on all rows.
    n_looked_up_ : int
        Number of families whose score was needed; ``n_scored_`` of them were computed.
    {names}

    See Also
    --------
    HillClimbingSearch : Makes the best change; faster for one graph.

    Notes
    -----
    The paper [1]_ weighs graphs that were scored on different samples by these scores,
    which are not comparable; "score" rescores all graphs on all rows. It names neither
    the cooling nor the threshold: both are our choice. It has 100 samples with 2,100
    operations each.

    References
    ----------
    .. [1] Ceccon, Garway-Heath, Crabb and Tucker, "Combining expertise-driven and
       semi-supervised Bayesian networks for classification of early glaucoma", 2010.
    .. [2] Friedman and Koller, "Being Bayesian about network structure", Machine
       Learning 50, 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import AnnealingSearch
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 300))
    >>> X = np.column_stack([a, b, a + b + 0.5 * rng.normal(size=300)])
    >>> search = AnnealingSearch(n_resamples=20, random_state=0).fit(X)
    >>> search.arcs_
    [(0, 2), (1, 2)]
    """

    _parameter_constraints = {
        **StructureSearch._parameter_constraints,
        "n_resamples": [Interval(Integral, 1, None, closed="left")],
        "n_operations": [Interval(Integral, 1, None, closed="left")],
        "cooling": [Interval(Real, 0.0, 1.0, closed="right")],
        "polish": ["boolean"],
        "weights": [StrOptions({"uniform", "score"})],
        "average": [StrOptions({"edges", "arcs"})],
        "threshold": [Interval(Real, 0.0, 1.0, closed="left")],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self, scoring="bic", *, equivalent_sample_size=10.0, max_parents=None,
        required_arcs=None, forbidden_arcs=None, n_resamples=100, n_operations=2100,
        cooling=0.995, polish=True, weights="uniform", average="edges", threshold=0.5,
        categorical_features="from_dtype", random_state=None, n_jobs=None,
    ):  # fmt: skip
        self.scoring = scoring
        self.equivalent_sample_size = equivalent_sample_size
        self.max_parents = max_parents
        self.required_arcs = required_arcs
        self.forbidden_arcs = forbidden_arcs
        self.n_resamples = n_resamples
        self.n_operations = n_operations
        self.cooling = cooling
        self.polish = polish
        self.weights = weights
        self.average = average
        self.threshold = threshold
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y=None, sample_weight=None):
        """Search graphs on bootstrap samples and average them.

        Parameters
        ----------
        {table}
        y : ignored
            Exists for consistency.
        {weights}

        Returns
        -------
        self : AnnealingSearch
        """
        self._validate_params()
        X, n_states, weight = self._read_training_table(X, sample_weight)
        limits, rng = self._make_limits(n_states), check_random_state(self.random_state)
        scores = self._make_scores(X, n_states, weight)

        draws = _draw_bootstrap(rng, weight, self.n_resamples)
        seeds = rng.randint(1, 2**31 - 1, size=self.n_resamples)
        run = Parallel(self.n_jobs, prefer="threads")
        found = run(
            delayed(self._anneal)(X, n_states, drawn, limits, seed)
            for drawn, seed in zip(draws, seeds)
        )
        self.samples_ = np.array([arcs for arcs, _ in found], dtype=bool)
        self.n_scored_, self.n_looked_up_ = np.sum(
            [n for _, n in found], axis=0
        ).tolist()
        self.sample_scores_ = np.array([_score_graph(scores, a) for a in self.samples_])
        self.arc_posteriors_ = _average(self.samples_, self._weigh_samples())
        arcs = join_arcs(
            self.arc_posteriors_, self.threshold, limits, self.average == "edges"
        )
        self.score_ = _score_graph(scores, arcs)
        self._set_graph(arcs)
        return self

    def _make_scores(self, X, n_states, weight):
        return FamilyScores(
            X, n_states, scoring=self.scoring, sample_weight=weight,
            equivalent_sample_size=self.equivalent_sample_size,
        )  # fmt: skip

    def _anneal(self, X, n_states, weight, limits, seed):
        """Return the best graph of a bootstrap sample, and how many were scored."""
        kept = weight > 0.0
        scores = self._make_scores(X[kept], n_states, weight[kept])
        memory, graph = make_memory(len(n_states)), start_graph(limits.required)
        best = np.empty_like(graph.arcs)
        schedule = np.array([self.n_operations, self.cooling, N_RANDOM_MOVES], float)
        anneal(
            scores.data, scores.rules, limits, memory, scores.room, graph,
            np.array([seed], np.int64), schedule, best, np.empty(0),
        )  # fmt: skip
        if self.polish:
            graph = start_graph(best)
            climb(
                scores.data, scores.rules, limits, memory, scores.room, graph,
                np.empty(TABU_LENGTH, np.uint64), 2**62, MAX_WORSE, best,
            )  # fmt: skip
        return best, memory.counts[[N_SCORED, N_LOOKED_UP]]

    def _weigh_samples(self):
        """Return the weight of each sample's graph; the weights add up to 1."""
        if self.weights == "uniform":
            return np.full(len(self.samples_), 1.0 / len(self.samples_))
        weights = np.exp(self.sample_scores_ - self.sample_scores_.max())
        return weights / weights.sum()


def _draw_bootstrap(rng, weight, n_resamples):
    """Draw how often each row is in each sample, in proportion to the weights."""
    n_draws = max(1, round(weight.sum()))
    bounds = np.cumsum(weight) / weight.sum()
    bounds[-1] = 1.0
    for _ in range(n_resamples):
        rows = np.searchsorted(bounds, rng.uniform(size=n_draws), side="right")
        yield np.bincount(rows, minlength=len(weight)).astype(np.float64)


def _score_graph(scores, arcs):
    return scores.total([np.flatnonzero(column) for column in arcs.T])


def _average(samples, weights):
    """Return the weighted share of the graphs that have each arc."""
    return np.clip(np.tensordot(weights, samples, axes=1), 0.0, 1.0)


def join_arcs(posteriors, threshold, limits, by_edges=True):
    """Add arcs by decreasing posterior while it is above a threshold and acyclic.

    Parameters
    ----------
    posteriors : ndarray of shape (n_nodes, n_nodes)
        Posterior of each arc, from row to column.
    threshold : float
    limits : ArcRules
    by_edges : bool, default=True
        Whether the posterior of an edge, in either direction, is what counts; the
        edge gets the more frequent direction, or the other if that made a cycle.

    Returns
    -------
    arcs : ndarray of uint8 of shape (n_nodes, n_nodes)
    """
    arcs = limits.required.copy()
    strength = np.triu(posteriors + posteriors.T) if by_edges else posteriors
    order = np.argsort(-strength, axis=None, kind="stable")
    for u, v in zip(*np.unravel_index(order, strength.shape)):
        if strength[u, v] <= threshold:
            break
        pairs = [(u, v), (v, u)] if by_edges else [(u, v)]
        pairs.sort(key=lambda pair: -posteriors[pair])
        if not (arcs[u, v] or arcs[v, u]):
            for pair in pairs:
                if _add_arc(arcs, *pair, limits):
                    break
    return arcs


def _add_arc(arcs, u, v, limits):
    """Add an arc if it is allowed; return whether it is."""
    if not limits.allowed[u, v] or arcs[:, v].sum() >= limits.max_parents:
        return False
    arcs[u, v] = 1
    try:
        sort_topologically([np.flatnonzero(column) for column in arcs.T])
    except ValueError:
        arcs[u, v] = 0
        return False
    return True
