"""What surrounds every search for a graph: columns, limits of arcs, the result."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.kernels.network_search import ArcRules, Graph
from manyminds.networks.bayesian.columns import ColumnsMixin
from manyminds.networks.graphs.forms import (
    order_nodes,
    read_arcs,
    read_parents,
    to_networkx,
)


class StructureSearch(ColumnsMixin, DocLinkMixin, BaseEstimator):
    """Base class of searches for the graph of a network."""

    _parameter_constraints = {
        "scoring": [StrOptions({"bic", "aic", "bdeu"})],
        "equivalent_sample_size": [Interval(Real, 0.0, None, closed="neither")],
        "max_parents": [Interval(Integral, 0, None, closed="left"), None],
        "required_arcs": [list, tuple, None],
        "forbidden_arcs": [list, tuple, None],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    }

    def _make_limits(self, n_states):
        """Return which arcs are allowed, as kernels take it.

        A categorical node has no numeric parents: the network would have no exact
        answers.
        """
        n_nodes, names = len(n_states), self._name_nodes()
        allowed = 1 - np.eye(n_nodes, dtype=np.uint8)
        allowed[np.ix_(n_states == 0, n_states > 0)] = 0
        for u, v in read_arcs(self.forbidden_arcs, names, "forbidden_arcs"):
            allowed[u, v] = 0
        required = np.zeros((n_nodes, n_nodes), dtype=np.uint8)
        for u, v in read_arcs(self.required_arcs, names, "required_arcs"):
            if not allowed[u, v]:
                raise ValueError(
                    f"required_arcs has {(names[u], names[v])}, which is forbidden, or "
                    "leads from a numeric to a categorical column."
                )
            required[u, v] = 1
        order_nodes(required, names)  # raises if there is a cycle
        limit = n_nodes if self.max_parents is None else self.max_parents
        return ArcRules(allowed, required, int(limit))

    def _set_graph(self, arcs):
        """Set the attributes that describe a graph, from a matrix of arcs."""
        names = self._name_nodes()
        self.parents_ = read_parents(arcs)
        self.arcs_ = [
            (names[u], names[v]) for v, of_node in enumerate(self.parents_)
            for u in of_node
        ]  # fmt: skip
        self.graph_ = to_networkx(arcs, names)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def start_graph(arcs):
    """Return the state of a search that starts from a matrix of arcs."""
    n_nodes = len(arcs)
    return Graph(
        arcs.astype(np.uint8, order="C"),
        np.zeros(n_nodes, np.int64),
        np.zeros(n_nodes),
        np.zeros(n_nodes, np.int64),
        np.zeros(n_nodes, np.uint8),
    )
