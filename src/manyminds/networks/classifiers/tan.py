"""Tree-augmented naive Bayes: each feature depends on the class and one other."""

import numpy as np

from manyminds.datasets.networks.table_network import sort_topologically
from manyminds.kernels.network_classes import (
    count_pairs,
    sum_conditional_information,
    sum_tree,
)
from manyminds.networks._parameters import PARAGRAPHS
from manyminds.networks.classifiers.base import (
    CLASSES,
    DISCRETIZE,
    FIT,
    CodedClassifier,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS, discretize=DISCRETIZE, classes=CLASSES, fit=FIT)
class TANClassifier(CodedClassifier):
    r"""Classify by naive Bayes with a tree of dependence among the features.

    The tree has the greatest sum of conditional mutual information
    :math:`I(x_i; x_k \mid c)` of all trees [1]_. Each feature depends on the class and
    on its parent in the tree:

    .. math::

       \hat P(c, x) = P(c) \prod_k P(x_k \mid c, x_{\text{parent of } k})

    Parameters
    ----------
    {discretize}
    {categorical_features}

    Attributes
    ----------
    parents_ : ndarray of shape (n_features,)
        Position of the parent of each feature; -1: only the class.
    arcs_ : list of pairs
        Arcs between features as (parent, child), by names if the columns have names,
        else by positions.
    information_ : ndarray of shape (n_features, n_features)
        Mutual information of two features given the class, in nats.
    {classes}
    {names}

    See Also
    --------
    AODEClassifier : Averages instead of selecting a tree; usually more accurate.

    Notes
    -----
    The distribution of a feature given the class alone, with ``smoothing`` rows spread
    evenly, is added with as many rows to its distributions given the parent. Missing
    values of the training rows are left out of counts; those of rows to predict are
    summed over exactly, by messages along the tree.

    References
    ----------
    .. [1] Friedman, Geiger and Goldszmidt, "Bayesian network classifiers", Machine
       Learning 29, 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.networks import TANClassifier
    >>> X, y = load_iris(as_frame=True, return_X_y=True)
    >>> tan = TANClassifier().fit(X, y)
    >>> tan.arcs_[-1]
    ('petal length (cm)', 'petal width (cm)')
    >>> print(round(tan.score(X, y), 2))
    0.95
    """

    _parameter_constraints = {
        name: constraints
        for name, constraints in CodedClassifier._parameter_constraints.items()
        if name != "n_jobs"
    }

    def __init__(
        self, *, discretize="mdl", n_bins=10, smoothing=1.0,
        categorical_features="from_dtype",
    ):  # fmt: skip
        self.discretize = discretize
        self.n_bins = n_bins
        self.smoothing = smoothing
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Learn the tree and the tables.

        {fit}

        Returns
        -------
        self : TANClassifier
        """
        return self._fit(X, y, sample_weight)

    def _fit_codes(self, codes, label, weight):
        n_features, n_classes = len(codes), len(self.classes_)
        self.information_ = np.empty((n_features, n_features))
        sum_conditional_information(
            codes, self.n_states_, label, weight, n_classes, self.information_
        )
        self.parents_ = span_tree(self.information_)
        names = self._name_nodes()
        self.arcs_ = [
            (names[u], names[v]) for v, u in enumerate(self.parents_) if u >= 0
        ]
        of_nodes = [[u] if u >= 0 else [] for u in self.parents_]
        self._order = np.array(sort_topologically(of_nodes), dtype=np.int64)
        self._count_tables(codes, label, weight)

    def _count_tables(self, codes, label, weight):
        """Set the probabilities of the classes, and of each feature's states."""
        n_classes, n_states, m = len(self.classes_), self.n_states_, self.smoothing
        sizes = np.bincount(label, weight, minlength=n_classes) + m / n_classes
        self._log_prior = np.log(sizes / sizes.sum())
        n_rows = np.where(self.parents_ >= 0, n_states[self.parents_], 1)
        ends = np.cumsum(n_classes * n_rows * n_states)
        self._first = np.append(0, ends[:-1]).astype(np.int64)
        cells = np.zeros(ends[-1])
        count_pairs(codes, self.parents_, n_states, label, weight, self._first, cells)
        for f, first in enumerate(self._first):
            shape = n_classes, n_rows[f], n_states[f]
            counts = cells[first : ends[f]].reshape(shape)
            alone = counts.sum(axis=1, keepdims=True) + m / n_states[f]
            alone = alone / alone.sum(axis=2, keepdims=True)
            counts += m * alone
            counts /= counts.sum(axis=2, keepdims=True)
        self._tables = cells

    def _join_classes(self, codes):
        out = np.empty((len(codes), len(self.classes_)))
        sum_tree(
            codes, self.parents_, self._order, self.n_states_, self._first,
            self._tables, self._log_prior, out,
        )  # fmt: skip
        return out


def span_tree(information):
    """Return each node's parent in the spanning tree of the greatest sum; -1: the root.

    Prim's algorithm from the first node; of ties the first.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks.classifiers.tan import span_tree
    >>> span_tree(np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0]]))
    array([-1,  2,  0])
    """
    n_nodes = len(information)
    parents = np.full(n_nodes, -1, dtype=np.int64)
    best = information[0].astype(np.float64)
    nearest, outside = np.zeros(n_nodes, dtype=np.int64), np.ones(n_nodes, dtype=bool)
    outside[0] = False
    while outside.any():
        node = int(np.where(outside, best, -np.inf).argmax())
        parents[node], outside[node] = nearest[node], False
        closer = information[node] > best
        best = np.where(closer, information[node], best)
        nearest[closer] = node
    return parents
