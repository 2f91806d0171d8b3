"""What the splits of a forest gain, node by node and added up for each feature."""

from dataclasses import dataclass

import numpy as np

from manyminds.trees.nodes.node_complexity import (
    node_complexity,
    number_complexity,
)

ESS = ("kish", "unit", "count")


@dataclass(frozen=True, eq=False)
class NodeGains:
    """The nodes of trees that are split, and what each split gains.

    Parameters
    ----------
    nodes : ndarray of shape (n_splits,), int64
        Numbers of the nodes among the nodes of all trees.
    feature : ndarray of shape (n_splits,), int32
        Feature that the node is split by.
    gain : ndarray of shape (n_splits,)
        Fall of the impurity: information gain, for trees that were grown by entropy.
    complexity : ndarray of shape (n_splits,)
        See `node_complexity`.
    counts : ndarray of shape (n_splits, n_values)
        Weight of each class in the node; for numbers, the node's weight.
    """

    nodes: np.ndarray
    feature: np.ndarray
    gain: np.ndarray
    complexity: np.ndarray
    counts: np.ndarray


def list_node_gains(trees):
    """List what every split of some trees gains.

    Parameters
    ----------
    trees : Trees
        Grown trees, such as the ``trees_`` of a forest.

    Returns
    -------
    gains : NodeGains
        The split nodes, tree after tree. The gain of a split is the node's impurity
        less the mean impurity of its children, weighted by their weights.

    Examples
    --------
    >>> from manyminds.trees.nodes.gain_statistics import list_node_gains
    >>> from manyminds.trees import DecisionTreeClassifier
    >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
    >>> tree = DecisionTreeClassifier(criterion="entropy").fit(X, y)
    >>> gains = list_node_gains(tree.tree_)
    >>> gains.feature, gains.gain, gains.complexity.round(3)
    (array([0], dtype=int32), array([1.]), array([1.918]))
    """
    nodes = np.flatnonzero(trees.left >= 0)
    first = np.repeat(trees.starts[:-1], trees.node_counts)[nodes]
    left = first + trees.left[nodes]
    loss = trees.weight * trees.impurity
    after = (loss[left] + loss[left + 1]) / trees.weight[nodes]
    gain = np.maximum(trees.impurity[nodes] - after, 0.0)
    counts = trees.weight[nodes, np.newaxis]
    if trees.n_values > 1:
        counts = counts * trees.value[nodes]
        complexity = node_complexity(counts)
    else:
        complexity = number_complexity(trees.n_samples[nodes])
    return NodeGains(nodes, trees.feature[nodes], gain, complexity, counts)


@dataclass(frozen=True, eq=False)
class GainStatistics:
    r"""Sums over the nodes that split by each feature; those of two forests add up.

    Parameters
    ----------
    weight : ndarray of shape (n_features,)
        :math:`\sum \varphi`, the total weight of the feature's nodes.
    gain : ndarray of shape (n_features,)
        :math:`\sum \varphi g` of their gains g, or of what replaces these.
    square : ndarray of shape (n_features,)
        :math:`\sum \varphi g^2`.
    squared_weight : ndarray of shape (n_features,)
        :math:`\sum \varphi^2`.
    n_nodes : ndarray of shape (n_features,)
        Number of nodes with a weight.
    """

    weight: np.ndarray
    gain: np.ndarray
    square: np.ndarray
    squared_weight: np.ndarray
    n_nodes: np.ndarray

    def __add__(self, other):
        names = self.__dataclass_fields__
        return GainStatistics(
            *(getattr(self, name) + getattr(other, name) for name in names)
        )

    @classmethod
    def empty(cls, n_features):
        """Return the statistics of no node at all."""
        return cls(*(np.zeros(n_features) for _ in cls.__dataclass_fields__))

    @property
    def mean(self):
        """Weighted mean gain of each feature; 0 where there is no node."""
        has_nodes = self.weight > 0.0
        return np.divide(
            self.gain, self.weight, out=np.zeros_like(self.gain), where=has_nodes
        )

    def count(self, ess="kish", unit=None):
        r"""Return how many equal, independent nodes those of a feature are worth.

        Parameters
        ----------
        ess : {"kish", "unit", "count"}, default="kish"
            - "kish": :math:`(\sum \varphi)^2 / \sum \varphi^2`.
            - "unit": :math:`\sum \varphi / u`.
            - "count": the number of nodes.
        unit : float, default=None
            :math:`u`, the weight that one node should have; only for "unit".

        Returns
        -------
        size : ndarray of shape (n_features,)
            The effective sample size; 0 where there is no node.
        """
        if ess == "count":
            return self.n_nodes
        if ess == "unit":
            return self.weight / unit
        size = np.zeros_like(self.weight)
        has_nodes = self.squared_weight > 0.0
        return np.divide(self.weight**2, self.squared_weight, out=size, where=has_nodes)

    def variance(self, size):
        """Estimate the variance of a gain of each feature.

        Parameters
        ----------
        size : ndarray of shape (n_features,)
            From ``count``.

        Returns
        -------
        variance : ndarray of shape (n_features,)
            NaN where the size is 1 or less.
        """
        has_nodes, is_known = self.weight > 0.0, size > 1.0
        mean_square = np.divide(
            self.square, self.weight, out=np.zeros_like(self.weight), where=has_nodes
        )
        spread = np.maximum(mean_square - self.mean**2, 0.0)
        spread[spread < 1e-12 * mean_square] = 0.0  # all the same, but for rounding
        factor = np.full_like(spread, np.nan)
        np.divide(size, size - 1.0, out=factor, where=is_known)
        return spread * factor


def collect_gains(trees, *, expected=None, weighting="complexity"):
    """Add up what the splits of some trees gain, feature by feature.

    Parameters
    ----------
    trees : Trees
        Grown trees.
    expected : ndarray of shape (n_splits,) or callable, default=None
        What is subtracted from the gain of each split, in the order of
        `list_node_gains`; a callable gets the `NodeGains` and returns it.
    weighting : {"complexity", "uniform"}, default="complexity"
        Whether a node counts by its complexity, or all nodes count the same.

    Returns
    -------
    statistics : GainStatistics
        Of all features.

    Examples
    --------
    >>> from manyminds.trees.nodes.gain_statistics import collect_gains
    >>> from manyminds.ensemble import RandomForestClassifier
    >>> X, y = [[0, 5], [1, 3], [2, 4], [3, 6]], [0, 0, 1, 1]
    >>> forest = RandomForestClassifier(
    ...     criterion="entropy", max_features=1, random_state=0
    ... ).fit(X, y)
    >>> mean = collect_gains(forest.trees_).mean
    >>> bool(mean[0] > mean[1])
    True
    """
    gains = list_node_gains(trees)
    expected = expected(gains) if callable(expected) else expected
    gain = gains.gain if expected is None else gains.gain - expected
    weight = gains.complexity
    if weighting == "uniform":
        weight = np.ones_like(weight)

    def add_up(values):
        sums = np.bincount(gains.feature, weights=values, minlength=trees.n_features)
        return sums.astype(np.float64)  # without a split they would be whole numbers

    return GainStatistics(
        weight=add_up(weight),
        gain=add_up(weight * gain),
        square=add_up(weight * gain**2),
        squared_weight=add_up(weight**2),
        n_nodes=add_up((weight > 0.0).astype(np.float64)),
    )
