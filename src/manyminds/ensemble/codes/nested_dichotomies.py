"""Ensembles of nested dichotomies: random binary trees over the classes."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble.base import run_on_members
from manyminds.ensemble.codes._parameters import PARAGRAPHS
from manyminds.ensemble.codes.base import ColumnsClassifier
from manyminds.ensemble.codes.decoders import decode
from manyminds.ensemble.codes.distances import canonical_columns
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.docstrings import fill_docstring

BLOCK_CELLS = 2**22  # probabilities held at once: samples by dichotomies


@fill_docstring(**PARAGRAPHS)
class NestedDichotomiesClassifier(ColumnsClassifier):
    r"""Classify by random trees of classes, with a binary learner at each node.

    A nested dichotomy splits the classes in two, each half in two again, and so on
    until single classes are left. A binary learner at each node estimates the
    probability of its two sides; the probability of a class is the product along the
    path to it. The trees are drawn uniformly among all :math:`(2 C - 3)!!` trees of
    :math:`C` classes, and their probabilities averaged [1]_.

    Parameters
    ----------
    estimator : classifier, default=None
        Binary learner with ``predict_proba`` to clone for each node; None: a decision
        tree.
    n_estimators : int, default=20
        Number of trees of classes.
    {n_jobs}
    random_state : int, RandomState instance or None, default=None
        Draws the trees, and the seeds of the learners, which depend on what a node
        splits, not on its place.

    Attributes
    ----------
    code_ : ndarray of shape (n_classes, n_dichotomies)
        The different nodes of all trees: 1 and -1 for the classes on either side, 0
        for those that are in neither.
    estimators_ : list of classifiers
        Learner of each of them, fitted to 0 and 1: the column turned so that the first
        class in it is 0.
    trees_ : ndarray of shape (n_estimators, n_classes - 1)
        Columns of ``code_`` that are the nodes of each tree.
    {class_names}

    See Also
    --------
    ECOCClassifier : Codes without such a structure, decoded by distance.
    DecisionDAGClassifier : Pairs of classes, in a graph.

    Notes
    -----
    A split that occurs in several trees is fitted once. Sides that are a pair of
    classes recur often, so that the number of fits grows more slowly than
    ``n_estimators``.

    References
    ----------
    .. [1] Frank and Kramer, "Ensembles of nested dichotomies for multi-class
       problems", ICML, 2004.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from manyminds.ensemble import NestedDichotomiesClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> model = NestedDichotomiesClassifier(random_state=0).fit(X[::2], y[::2])
    >>> model.trees_.shape
    (20, 9)
    >>> print(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict_proba"]), None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self, estimator=None, n_estimators=20, *, n_jobs=None, random_state=None
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _base(self):
        if self.estimator is None:
            return DecisionTreeClassifier()
        return self.estimator

    def fit(self, X, y, sample_weight=None):
        """Draw the trees of classes, and fit a learner to each of their splits.

        {fit}
        """
        self._validate_params()
        X, label, weight = self._read_training_set(X, y, sample_weight)
        rng = check_random_state(self.random_state)

        n_trees, n_classes = self.n_estimators, self.n_classes_
        drawn = np.hstack([draw_dichotomies(n_classes, rng) for _ in range(n_trees)])
        turned, _ = canonical_columns(drawn)
        self.code_, number = np.unique(turned, axis=1, return_inverse=True)
        self.trees_ = number.reshape(n_trees, n_classes - 1)
        self._fit_learners(X, label, weight, rng)
        return self

    def predict_proba(self, X):
        """Predict the probability of each class for each row of X.

        {classify_array}
        p : ndarray of shape (n_samples, n_classes)
            Mean over the trees. Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._list_checks())
        step = max(1, BLOCK_CELLS // self.code_.shape[1])
        blocks = (X[i : i + step] for i in range(0, X.shape[0], step))
        return np.concatenate([self._average_trees(block) for block in blocks])

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_array}
        y : ndarray of shape (n_samples,)
            The class with the highest probability; the first of equals.
        """
        p = self.predict_proba(X)
        return self.classes_[p.argmax(axis=1)]

    def _average_trees(self, X):
        """Return the mean of the probabilities of all trees."""
        pairs = ((member, X) for member in self.estimators_)
        sides = list(run_on_members(_read_side, pairs, self.n_jobs))
        sides = np.stack(sides, axis=1) * self._sign
        p = np.zeros((X.shape[0], self.n_classes_))
        for columns in self.trees_:
            p += np.exp(
                -decode(sides[:, columns], self.code_[:, columns], "probabilistic")
            )
        return p / p.sum(axis=1, keepdims=True)


def draw_dichotomies(n_classes, rng):
    """Draw a binary tree over classes, all trees being equally likely.

    A tree of k classes has 2 k - 1 nodes. The next class becomes the sibling of one of
    them: each tree of k + 1 classes results from just one tree and node.

    Parameters
    ----------
    n_classes : int
        Two or more.
    rng : RandomState

    Returns
    -------
    code : ndarray of shape (n_classes, n_classes - 1)
        A column for each inner node: 1 and -1 for the classes on either side.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.codes.nested_dichotomies import draw_dichotomies
    >>> draw_dichotomies(3, np.random.RandomState(0))
    array([[ 1,  1],
           [-1,  0],
           [ 1, -1]], dtype=int8)
    """
    # Nodes 0 to n_classes - 1 are the classes; the rest are inner nodes, as they come.
    parent = np.full(2 * n_classes - 1, -1)
    children = np.zeros((n_classes - 1, 2), dtype=np.intp)
    for k in range(1, n_classes):
        inner = n_classes + k - 1
        sibling = rng.randint(2 * k - 1)
        sibling = sibling if sibling < k else n_classes + sibling - k
        above = parent[sibling]
        parent[inner], parent[sibling], parent[k] = above, inner, inner
        children[k - 1] = sibling, k
        if above >= 0:
            mine = children[above - n_classes]
            mine[mine == sibling] = inner
    code = np.zeros((n_classes, n_classes - 1), dtype=np.int8)
    for c in range(n_classes):
        node = c
        while parent[node] >= 0:
            above = parent[node] - n_classes
            code[c, above] = 1 if children[above, 0] == node else -1
            node = parent[node]
    return code


def _read_side(member, X):
    """Return the probability of the side 1 of a dichotomy, stretched to -1 and 1."""
    if member is None:
        return np.zeros(X.shape[0])
    if len(member.classes_) == 1:
        return np.full(X.shape[0], 2.0 * member.classes_[0] - 1.0)
    return 2.0 * np.asarray(member.predict_proba(X))[:, 1] - 1.0
