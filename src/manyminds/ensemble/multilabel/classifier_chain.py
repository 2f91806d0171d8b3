"""Classifier chains: each label is a feature of the classifiers after it."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import StrOptions
from manyminds.ensemble.base import draw_member_seeds, run_on_members
from manyminds.ensemble.forests.random_forest import RandomForestClassifier
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.members import MemberFitter, read_member
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import READ_2011, cite


@fill_docstring(**PARAGRAPHS, references=cite(READ_2011))
class ClassifierChain(MultiLabelClassifier):
    """Predict labels one after the other, each from the features and those before it.

    The classifier of a label is trained with the true labels before it as features; to
    predict, it gets their predictions [1]_. scikit-learn's chain of the same name and
    ``order`` makes the same predictions.

    Parameters
    ----------
    {estimator}
    order : array-like of shape (n_labels,), "random" or None, default=None
        Order of the labels in the chain; None: that of the columns of ``y``.
    {n_jobs}
    random_state : int, RandomState instance or None, default=None
        Seeds of the members, and a random order.

    Attributes
    ----------
    order_ : ndarray of shape (n_labels,)
        Order of the labels in the chain.
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import ClassifierChain
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> ClassifierChain(order=[2, 0, 1], random_state=0).fit(X, y).predict(X[:2]).shape
    (2, 3)
    """

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        "order": ["array-like", StrOptions({"random"}), None],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    _default = RandomForestClassifier

    def __init__(self, estimator=None, *, order=None, n_jobs=None, random_state=None):
        self.estimator = estimator
        self.order = order
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit one classifier for each label.

        {fit}
        """
        self._validate_params()
        X, Y, weights = self._read_training_set(X, y, sample_weight)
        rng = check_random_state(self.random_state)
        self.order_ = read_order(self.order, self.n_labels_, rng)

        fitter = MemberFitter(self._get_estimator(), X, self._encoder)
        seed = draw_member_seeds(rng, 1)[0]
        self._chain = Chain.fit(fitter, Y, self.order_, weights, seed, self.n_jobs)
        return self

    def _score_labels(self, X):
        return self._chain.score(self._read_table(X))


class Chain:
    """Members of a chain, in its order; see `MemberFitter.fit`."""

    def __init__(self, members, order):
        self.members, self.order = members, order

    @classmethod
    def fit(cls, fitter, Y, order, weights, seed, n_jobs=None):
        """Fit a member to each label, with the true labels before it as features."""
        ordered = Y[:, order]
        fitter = fitter.add_columns(ordered)
        seeds = draw_member_seeds(int(seed), len(order))
        tasks = ((ordered[:, j], 2, weights, s, j) for j, s in enumerate(seeds))
        return cls(list(run_on_members(fitter.fit, tasks, n_jobs)), order)

    def score(self, X):
        """Return the probability of each label, given predictions of those before."""
        n_features, scores = X.shape[1], np.empty((len(X), len(self.order)))
        seen = np.column_stack([X, np.zeros_like(scores)])
        for j, (label, member) in enumerate(zip(self.order, self.members)):
            scores[:, label] = read_member(member, seen, 2)[:, 1]
            seen[:, n_features + j] = scores[:, label] > 0.5
        return scores

    def choose(self, X):
        """Return which labels are more probable than not."""
        return self.score(X) > 0.5


def read_order(order, n_labels, rng):
    """Return the order of a chain: as passed, drawn, or that of the columns."""
    if order is None:
        return np.arange(n_labels)
    if isinstance(order, str):
        return rng.permutation(n_labels)
    given = np.asarray(order)
    if given.shape != (n_labels,) or not np.array_equal(
        np.sort(given), np.arange(n_labels)
    ):
        raise ValueError(
            f"order must name each of the {n_labels} labels once, by number; got "
            f"{order!r}."
        )
    return given.astype(np.intp)
