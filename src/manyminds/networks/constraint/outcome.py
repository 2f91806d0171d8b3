"""What structure learning returns: a graph, or the blanket of one variable."""

import warnings
from dataclasses import dataclass, field

import numpy as np

from manyminds.networks.graphs.forms import to_networkx
from manyminds.networks.graphs.separation import find_component, find_markov_blanket


def warn_untested(what, min_count):
    """Warn that there were too few samples for any test of something."""
    warnings.warn(
        f"Nothing was tested of {what}: no table has min_count={min_count} samples per "
        "cell on average. Merge categories or classes, or lower min_count.",
        UserWarning,
        stacklevel=4,
    )


@dataclass(frozen=True)
class LearnedGraph:
    """A graph learned from tests of independence.

    Attributes
    ----------
    adjacency : ndarray of int8 of shape (n_variables, n_variables)
        1 for an arc from row to column; both ways: an edge without a direction.
    names : list of str
    separators : dict
        The separating set of each pair of variables without an edge, as tuples of
        positions; keys are pairs (i, j) with i < j.
    n_tests : int
        Number of tests made.
    is_complete : bool
        Whether the search ended before its time limit.
    """

    adjacency: np.ndarray
    names: list
    separators: dict = field(default_factory=dict)
    n_tests: int = 0
    is_complete: bool = True

    @property
    def graph(self):
        """The graph as a ``networkx.DiGraph``."""
        return to_networkx(self.adjacency, self.names)

    def find_blanket(self, target):
        """Return the Markov blanket of a variable, as positions."""
        return find_markov_blanket(self.adjacency, target)

    def find_neighbors(self, target):
        """Return the variables that are adjacent to one, as positions."""
        near = self.adjacency[target] | self.adjacency[:, target]
        return np.flatnonzero(near).tolist()

    def find_component(self, target):
        """Return all variables that are connected with one, as positions."""
        return find_component(self.adjacency, target)


@dataclass(frozen=True)
class Blanket:
    """The Markov blanket of one variable.

    Attributes
    ----------
    target : int
    members : list of int
        The blanket, sorted.
    neighbors : list of int or None
        Parents and children, sorted; None if the method does not tell them from the
        other parents of the children.
    spouses : dict
        For each other member, the children that it shares with the target.
    n_tests : int
    is_complete : bool
        Whether the search ended before its time limit.
    """

    target: int
    members: list
    neighbors: list | None = None
    spouses: dict = field(default_factory=dict)
    n_tests: int = 0
    is_complete: bool = True

    def make_adjacency(self, n_variables):
        """Return the edges around the target that were learned, as a matrix.

        Arcs point to shared children; other edges have no direction. Without
        ``neighbors`` each member is joined to the target: such an edge means that it is
        in the blanket, and not that it is a cause or an effect.
        """
        adjacency = np.zeros((n_variables, n_variables), dtype=np.int8)
        near = self.members if self.neighbors is None else self.neighbors
        adjacency[self.target, near] = adjacency[near, self.target] = 1
        for spouse, children in self.spouses.items():
            for child in children:
                adjacency[spouse, child] = 1
                adjacency[child, self.target] = 0
        return adjacency
