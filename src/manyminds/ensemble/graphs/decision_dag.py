"""Decision directed acyclic graph: exclude one class after the other."""

import numpy as np

from manyminds._compat import StrOptions
from manyminds.ensemble.base import run_on_members
from manyminds.ensemble.graphs._parameters import PARAGRAPHS
from manyminds.ensemble.graphs.base import PairwiseClassifier
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import PLATT_2000, ROZZA_2010, cite


@fill_docstring(**PARAGRAPHS, references=cite(PLATT_2000, ROZZA_2010))
class DecisionDAGClassifier(PairwiseClassifier):
    """Classify by a graph of pairwise decisions, each of which excludes a class.

    All classes are candidates at first. The first candidate of the list is tested
    against the last by the member that was fitted to these two, and the loser is
    removed, until one is left [1]_. Of the :math:`C (C - 1) / 2` members only
    :math:`C - 1` predict a sample.

    Parameters
    ----------
    {estimator}
    {order}
    {run}

    Attributes
    ----------
    {members}
    class_order_ : ndarray of shape (n_classes,)
        Numbers of the classes in the order of the list of candidates.
    {class_names}

    See Also
    --------
    MaxWinsClassifier : All members vote.
    PairwiseCouplingClassifier : Probabilities of all members are coupled.
    DDAGKTIPCACClassifier : The graph in the Fisher subspace [2]_.

    Notes
    -----
    A class that wins all its pairs is predicted whatever the order. Elsewhere the order
    matters: a class in the middle of the list is tested less often than one at its
    ends. There are no probabilities, for most pairs are never tested.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.svm import LinearSVC
    >>> from manyminds.ensemble import DecisionDAGClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> graph = DecisionDAGClassifier(LinearSVC()).fit(X[::2], y[::2])
    >>> len(graph.estimators_), graph.decision_path(X[:1]).shape
    (45, (1, 9, 2))
    >>> print(graph.score(X[1::2], y[1::2]) > 0.95)
    True
    """

    _parameter_constraints = {
        **PairwiseClassifier._parameter_constraints,
        "class_order": ["array-like", StrOptions({"sorted"})],
    }

    def __init__(
        self,
        estimator=None,
        *,
        class_order="sorted",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.class_order = class_order
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit a member to each pair of classes.

        {fit_pairs}
        """
        self._validate_params()
        X, label, weight = self._read_training_set(X, y, sample_weight)
        self.class_order_ = read_order(self.class_order, self.classes_)

        self._fit_pairs(self._base, X, label, weight)
        return self

    def predict(self, X):
        """Predict the class of each row of X.

        {classify_rows}
        y : ndarray of shape (n_samples,)
            The class that is not excluded.
        """
        X = self._read_table(X)
        first = np.zeros(X.shape[0], dtype=np.intp)
        with self._limit_threads():
            for _, _, rows, wins in self._walk(X):
                first[rows[~wins]] += 1
        return self.classes_[self.class_order_[first]]

    def decision_path(self, X):
        """Return the decisions that lead to the class of each row of X.

        {classify_rows}
        path : ndarray of shape (n_samples, n_classes - 1, 2)
            Labels of the winner and of the loser of each decision.
        """
        X = self._read_table(X)
        path = np.empty((X.shape[0], self.n_classes_ - 1, 2), dtype=np.intp)
        n_passed = np.zeros(X.shape[0], dtype=np.intp)
        with self._limit_threads():
            for first, last, rows, wins in self._walk(X):
                both = self.class_order_[[first, last]]
                path[rows, n_passed[rows]] = np.where(
                    wins[:, np.newaxis], both, both[::-1]
                )
                n_passed[rows] += 1
        return self.classes_[path]

    def _walk(self, X):
        """Yield places of two candidates, the rows at this node, and who wins.

        A node of layer t tests a class against the one C - 1 - t places after it; so
        the place of the first candidate is where a row is. The nodes of a layer are
        independent.
        """
        first = np.zeros(X.shape[0], dtype=np.intp)
        for width in range(self.n_classes_ - 1, 0, -1):
            order = np.argsort(first, kind="stable")
            places, starts = np.unique(first[order], return_index=True)
            groups = np.split(order, starts[1:])
            tests = (
                (place, place + width, X[rows]) for place, rows in zip(places, groups)
            )
            answers = run_on_members(self._test, tests, self.n_jobs)
            for place, rows, wins in zip(places, groups, answers):
                first[rows[~wins]] += 1
                yield place, place + width, rows, wins

    def _test(self, first, last, X):
        """Return for each row whether the first of two candidates wins."""
        pair = self.class_order_[[first, last]]
        wins = self._decide(np.sort(pair), X)
        return wins if pair[0] < pair[1] else ~wins


def read_order(order, classes):
    """Return the numbers of the classes in a given order of their labels.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.graphs.decision_dag import read_order
    >>> read_order(["c", "a", "b"], np.array(["a", "b", "c"]))
    array([2, 0, 1])
    """
    if isinstance(order, str):
        return np.arange(len(classes))
    labels = list(classes)
    number = {label: c for c, label in enumerate(labels)}
    found = [number.get(label) for label in np.asarray(order).tolist()]
    if None in found or sorted(found) != list(range(len(labels))):
        raise ValueError(
            f"class_order must have each of the classes {labels} once; got {order!r}."
        )
    return np.array(found, dtype=np.intp)
