"""HOMER: a tree over the labels, with a learner of few meta-labels at each node."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state, get_tags

from manyminds._compat import Interval
from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.binary_relevance import BinaryRelevanceClassifier
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TSOUMAKAS_2008, cite

_N_ITERATIONS = 10


@fill_docstring(**PARAGRAPHS, references=cite(TSOUMAKAS_2008))
class HOMERClassifier(MultiLabelClassifier):
    """Predict groups of similar labels first, then the labels of the groups found.

    Balanced k-means over the columns of ``y`` divides the labels into ``n_children``
    groups of equal size, each of them again, down to single labels. A learner at each
    node predicts which groups have a label of the row; it is trained on the rows that
    have any label of the node [1]_. A row passes few of the nodes: with hundreds of
    labels, that saves most of the time.

    Parameters
    ----------
    estimator : estimator, default=None
        Learner of many labels to clone; None: a `BinaryRelevanceClassifier`.
    n_children : int, default=3
        Number of groups of a node.
    random_state : int, RandomState instance or None, default=None
        First centers of the groups, and seeds of the learners.

    Attributes
    ----------
    groups_ : list of list of ndarray
        For each node, the labels of each of its groups; the root is first.
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import HOMERClassifier
    >>> X, y = make_multilabel_classification(n_classes=6, random_state=0)
    >>> model = HOMERClassifier(random_state=0).fit(X, y)
    >>> [len(labels) for labels in model.groups_[0]]
    [2, 2, 2]
    """

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        "n_children": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state"],
    }
    _default = BinaryRelevanceClassifier

    def __init__(self, estimator=None, *, n_children=3, random_state=None):
        self.estimator = estimator
        self.n_children = n_children
        self.random_state = random_state

    def fit(self, X, y):
        """Build the tree over the labels, and fit a learner to each node.

        {fit_unweighted}
        """
        self._validate_params()
        self._check_estimator()
        X, Y, _ = self._read_training_set(X, y)

        rng = check_random_state(self.random_state)
        self.groups_, self._learners = [], []
        open_nodes = [np.arange(self.n_labels_)]
        while open_nodes:
            labels = open_nodes.pop(0)
            groups = self._divide(Y, labels, rng)
            rows = np.flatnonzero(Y[:, labels].any(axis=1))
            if not self.groups_ or len(rows) == 0:
                rows = np.arange(len(Y))  # the root sees all rows
            meta = np.column_stack([Y[rows][:, g].any(axis=1) for g in groups])
            learner = make_member(self._get_estimator(), draw_member_seeds(rng, 1)[0])
            self.groups_.append(groups)
            self._learners.append(learner.fit(X[rows], meta.astype(int)))
            open_nodes += [group for group in groups if len(group) > 1]
        return self

    def _check_estimator(self):
        tags = get_tags(self._get_estimator()).classifier_tags
        if tags is None or not tags.multi_label:
            raise ValueError(
                f"estimator must be a learner of many labels; got {self.estimator!r}."
            )

    def _divide(self, Y, labels, rng):
        """Return the groups of a node's labels."""
        if len(labels) <= self.n_children:
            return [labels[[j]] for j in range(len(labels))]
        cluster = balance_clusters(Y[:, labels].T.astype(float), self.n_children, rng)
        return [labels[cluster == c] for c in range(self.n_children)]

    def _score_labels(self, X):
        """Multiply the scores along the path from the root to each label."""
        X = self._read_table(X)
        scores = np.ones((len(X), self.n_labels_))
        for groups, learner in zip(self.groups_, self._learners):
            of_groups = _read_scores(learner, X)
            for g, labels in enumerate(groups):
                scores[:, labels] *= of_groups[:, [g]]
        return scores

    def _choose_labels(self, X):
        """Pass each row to the groups that are predicted, and to no others."""
        X = self._read_table(X)
        chosen = np.ones((len(X), self.n_labels_), bool)
        for groups, learner in zip(self.groups_, self._learners):
            node = np.concatenate(groups)
            rows = np.flatnonzero(chosen[:, node[0]])
            if len(rows) == 0:
                continue
            of_groups = np.asarray(learner.predict(X[rows])).reshape(len(rows), -1)
            for g, labels in enumerate(groups):
                chosen[np.ix_(rows, labels)] = of_groups[:, [g]] == 1
        return chosen


def _read_scores(learner, X):
    """Return the scores of the meta-labels, or predictions if there are no scores."""
    if not hasattr(learner, "predict_proba"):
        return np.asarray(learner.predict(X), dtype=float)
    scores = learner.predict_proba(X)
    if isinstance(scores, list):  # of scikit-learn: two columns for each label
        of_labels = zip(scores, learner.classes_)
        return np.column_stack([p @ values for p, values in of_labels])
    return scores


def balance_clusters(points, n_children, rng):
    """Divide points into clusters of equal size, up to one: balanced k-means.

    In each of ten iterations, a point goes to its nearest center; a cluster that is
    full hands its farthest point on to the next nearest center of that point.

    Parameters
    ----------
    points : ndarray of shape (n_points, n_dimensions)
    n_children : int
    rng : RandomState

    Returns
    -------
    cluster : ndarray of shape (n_points,)
        Number of the cluster of each point.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.multilabel.homer import balance_clusters
    >>> points = np.array([[0.0], [9.0], [0.1], [9.1]])
    >>> cluster = balance_clusters(points, 2, np.random.RandomState(0))
    >>> bool(cluster[0] == cluster[2] != cluster[1] == cluster[3])
    True
    """
    n_points = len(points)
    centers = points[rng.permutation(n_points)[:n_children]]
    cluster = np.zeros(n_points, np.intp)
    for _ in range(_N_ITERATIONS):
        squares = ((points**2).sum(axis=1)[:, None] + (centers**2).sum(axis=1)) - (
            2.0 * points @ centers.T
        )
        cluster = _assign_evenly(squares)
        centers = np.stack(
            [points[cluster == c].mean(axis=0) for c in range(n_children)]
        )
    return cluster


def _assign_evenly(squares):
    """Assign points to near centers; sizes of clusters differ by one at most."""
    n_points, n_children = squares.shape
    room = np.full(n_children, n_points // n_children)
    n_larger = n_points % n_children
    nearest = np.argsort(squares, axis=1, kind="stable")
    members: list[list[tuple[float, int, int]]] = [[] for _ in range(n_children)]
    waiting = [(point, 0) for point in range(n_points)]
    while waiting:
        point, choice = waiting.pop(0)
        c = nearest[point, choice]
        members[c].append((squares[point, c], point, choice))
        n_over = sum(len(some) > size for some, size in zip(members, room))
        if len(members[c]) > room[c] + (n_over <= n_larger):
            last = max(members[c])
            members[c].remove(last)
            waiting.append((last[1], last[2] + 1))
    cluster = np.empty(n_points, np.intp)
    for c, some in enumerate(members):
        cluster[[point for _, point, _ in some]] = c
    return cluster
