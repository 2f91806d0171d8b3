"""Hill climbing: change the one arc that raises the score most."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval
from manyminds.kernels.network_scores import N_SCORED
from manyminds.kernels.network_search import climb
from manyminds.networks._parameters import PARAGRAPHS
from manyminds.networks.scores import FamilyScores, make_memory
from manyminds.networks.structure import StructureSearch, start_graph
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class HillClimbingSearch(StructureSearch):
    """Learn the graph of a Bayesian network by adding, removing and reversing arcs.

    From a graph without arcs, the change that raises the score most is made as long as
    there is one; with ``tabu_length``, the least harmful change is made as well, for a
    number of times, to a graph that was not visited recently [1]_. Only the families
    that a change touches are scored again, and no family is scored twice.

    Parameters
    ----------
    {scoring}
    {arc_limits}
    tabu_length : int, default=100
        Number of recent graphs that are not visited again.
    max_worse : int, default=15
        Number of changes in a row that may fail to improve on the best graph; 0: stop
        at the first graph that no change improves.
    max_steps : int, default=None
        Maximum number of changes; None: no limit.
    {categorical_features}

    Attributes
    ----------
    {structure}
    n_steps_ : int
        Number of changes.
    {names}

    See Also
    --------
    AnnealingSearch : Draws changes at random, on bootstrap samples.
    BayesianNetwork : Fits parameters to the graph.

    Notes
    -----
    Graphs that imply the same independencies have the same BIC: the direction of some
    arcs is not determined by the data. A categorical column has no numeric parents.

    References
    ----------
    .. [1] Scutari, Graafland and Gutiérrez, "Who learns better Bayesian network
       structures: Accuracy and speed of structure learning algorithms", International
       Journal of Approximate Reasoning 115, 2019.

    Examples
    --------
    >>> from manyminds.datasets import load_network
    >>> from manyminds.networks import HillClimbingSearch
    >>> rows = load_network("asia").sample(5000, random_state=0)
    >>> search = HillClimbingSearch().fit(rows)
    >>> sorted(search.graph_.to_undirected().neighbors("either"))
    ['dysp', 'lung', 'tub', 'xray']
    """

    _parameter_constraints = {
        **StructureSearch._parameter_constraints,
        "tabu_length": [Interval(Integral, 0, None, closed="left")],
        "max_worse": [Interval(Integral, 0, None, closed="left")],
        "max_steps": [Interval(Integral, 0, None, closed="left"), None],
    }

    def __init__(
        self, scoring="bic", *, equivalent_sample_size=10.0, max_parents=None,
        required_arcs=None, forbidden_arcs=None, tabu_length=100, max_worse=15,
        max_steps=None, categorical_features="from_dtype",
    ):  # fmt: skip
        self.scoring = scoring
        self.equivalent_sample_size = equivalent_sample_size
        self.max_parents = max_parents
        self.required_arcs = required_arcs
        self.forbidden_arcs = forbidden_arcs
        self.tabu_length = tabu_length
        self.max_worse = max_worse
        self.max_steps = max_steps
        self.categorical_features = categorical_features

    def fit(self, X, y=None, sample_weight=None):
        """Search the graph of the columns of a table.

        Parameters
        ----------
        {table}
        y : ignored
            Exists for consistency.
        {weights}

        Returns
        -------
        self : HillClimbingSearch
        """
        self._validate_params()
        X, n_states, weight = self._read_training_table(X, sample_weight)
        limits = self._make_limits(n_states)
        scores = FamilyScores(
            X, n_states, scoring=self.scoring, sample_weight=weight,
            equivalent_sample_size=self.equivalent_sample_size,
        )  # fmt: skip

        memory, graph = make_memory(len(n_states)), start_graph(limits.required)
        best = np.empty_like(graph.arcs)
        max_steps = 2**62 if self.max_steps is None else self.max_steps
        self.score_, self.n_steps_ = climb(
            scores.data, scores.rules, limits, memory, scores.room, graph,
            np.empty(self.tabu_length, np.uint64), max_steps, self.max_worse, best,
        )  # fmt: skip
        self.n_scored_ = int(memory.counts[N_SCORED])
        self._set_graph(best)
        return self
