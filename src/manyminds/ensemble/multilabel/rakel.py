"""RAkEL: a label powerset for each of many small random sets of labels."""

from itertools import combinations
from math import comb
from numbers import Integral
from warnings import warn

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval, RealNotInt, StrOptions
from manyminds.ensemble.base import draw_member_seeds, run_on_members
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.label_powerset import Powerset
from manyminds.ensemble.multilabel.members import MemberFitter
from manyminds.trees.decision_tree import DecisionTreeClassifier
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import TSOUMAKAS_2011, cite


@fill_docstring(**PARAGRAPHS)
class LabelsetEnsemble(MultiLabelClassifier):
    """Fit a label powerset to each of some sets of labels; a subclass draws them."""

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        "labelset_size": [Interval(Integral, 1, None, closed="left")],
        "voting": [StrOptions({"soft", "hard"})],
        "threshold": [Interval(RealNotInt, 0.0, 1.0, closed="both")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    _default = DecisionTreeClassifier

    def _draw_labelsets(self, rng):
        """Return sets of labels as a list of arrays of their numbers."""
        raise NotImplementedError

    def fit(self, X, y, sample_weight=None):
        """Fit one classifier for each set of labels.

        {fit}
        """
        self._validate_params()
        X, Y, weights = self._read_training_set(X, y, sample_weight)
        rng = check_random_state(self.random_state)
        self.labelsets_ = self._draw_labelsets(rng)

        fitter = MemberFitter(self._get_estimator(), X, self._encoder)
        seeds = draw_member_seeds(rng, len(self.labelsets_))
        tasks = (
            (fitter, Y[:, labels], weights, seed)
            for labels, seed in zip(self.labelsets_, seeds)
        )
        self._members = list(run_on_members(Powerset.fit, tasks, self.n_jobs))
        return self

    def _score_labels(self, X):
        X = self._read_table(X)
        name = "score" if self.voting == "soft" else "choose"

        def read(member):
            return getattr(member, name)(X)

        votes = np.zeros((len(X), self.n_labels_))
        n_voters = np.zeros(self.n_labels_)
        tasks = ((member,) for member in self._members)
        for labels, of_member in zip(
            self.labelsets_, run_on_members(read, tasks, self.n_jobs)
        ):
            votes[:, labels] += of_member
            n_voters[labels] += 1.0
        return votes / np.maximum(n_voters, 1.0)


_OPTIONS = """\
voting : {"hard", "soft"}, default="hard"
    Whether to average the members' predictions, or their probabilities.
"""


@fill_docstring(**PARAGRAPHS, voting=_OPTIONS, references=cite(TSOUMAKAS_2011))
class RAkELClassifier(LabelsetEnsemble):
    """Let label powersets of small random sets of labels vote on each label.

    A powerset of few labels has few classes and many rows for each, and still sees how
    its labels depend on each other. The sets overlap: each label gets several votes,
    and has the share of them as its score [1]_.

    Parameters
    ----------
    {tree_estimator}
    labelset_size : int, default=3
        Number of labels of a set; all of them if there are fewer.
    n_estimators : int, default=None
        Number of distinct sets, all that exist if these are fewer; None: twice the
        number of labels.
    {voting}
    {threshold}
    {n_jobs}
    {draw_state}

    Attributes
    ----------
    labelsets_ : list of ndarray of shape (labelset_size,)
        The sets of labels.
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import RAkELClassifier
    >>> X, y = make_multilabel_classification(n_classes=6, random_state=0)
    >>> model = RAkELClassifier(random_state=0).fit(X, y)
    >>> len(model.labelsets_)
    12
    """

    _parameter_constraints = {
        **LabelsetEnsemble._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        estimator=None,
        *,
        labelset_size=3,
        n_estimators=None,
        voting="hard",
        threshold=0.5,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.labelset_size = labelset_size
        self.n_estimators = n_estimators
        self.voting = voting
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _draw_labelsets(self, rng):
        n_labels = self.n_labels_
        size = min(self.labelset_size, n_labels)
        n_wanted = 2 * n_labels if self.n_estimators is None else self.n_estimators
        n_sets = min(n_wanted, comb(n_labels, size))
        sets = draw_subsets(rng, n_labels, size, n_sets)
        missing = np.setdiff1d(np.arange(n_labels), np.concatenate(sets))
        if len(missing) > 0:
            warn(
                f"Labels {missing.tolist()} are in no labelset and get the score 0; "
                "more n_estimators would help.",
                stacklevel=3,
            )
        return sets


@fill_docstring(**PARAGRAPHS, references=cite(TSOUMAKAS_2011))
class DisjointRAkELClassifier(LabelsetEnsemble):
    """Partition the labels at random, and fit a label powerset to each part.

    Each label is in one set: there is no vote, and few members [1]_.

    Parameters
    ----------
    {tree_estimator}
    labelset_size : int, default=3
        Number of labels of a set; the last one may have fewer.
    {n_jobs}
    {draw_state}

    Attributes
    ----------
    labelsets_ : list of ndarray
        The sets of labels.
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import DisjointRAkELClassifier
    >>> X, y = make_multilabel_classification(n_classes=5, random_state=0)
    >>> model = DisjointRAkELClassifier(random_state=0).fit(X, y)
    >>> [len(labels) for labels in model.labelsets_]
    [3, 2]
    """

    voting = "soft"

    def __init__(
        self, estimator=None, *, labelset_size=3, n_jobs=None, random_state=None
    ):
        self.estimator = estimator
        self.labelset_size = labelset_size
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _draw_labelsets(self, rng):
        order = rng.permutation(self.n_labels_)
        return [
            np.sort(order[first : first + self.labelset_size])
            for first in range(0, len(order), self.labelset_size)
        ]

    def _choose_labels(self, X):
        X = self._read_table(X)
        chosen = np.empty((len(X), self.n_labels_), bool)
        for labels, member in zip(self.labelsets_, self._members):
            chosen[:, labels] = member.choose(X)
        return chosen


def draw_subsets(rng, n, size, n_sets):
    """Draw distinct subsets of 0 ... n - 1, each as likely as any other.

    Parameters
    ----------
    rng : RandomState
    n, size, n_sets : int
        Number of elements, of elements in a subset, and of subsets.

    Returns
    -------
    subsets : list of ndarray of shape (size,)
        Their elements in rising order.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble.multilabel.rakel import draw_subsets
    >>> subsets = draw_subsets(np.random.RandomState(0), 4, 2, 6)
    >>> sorted(subset.tolist() for subset in subsets)
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    found: dict[tuple[int, ...], None] = {}
    # Draw the sets to leave out if these are fewer: no draw then repeats many others.
    n_possible = comb(n, size)
    leave_out = 2 * n_sets > n_possible
    n_drawn = n_possible - n_sets if leave_out else n_sets
    while len(found) < n_drawn:
        found.setdefault(tuple(np.sort(rng.permutation(n)[:size]).tolist()))
    if leave_out:
        every = list(combinations(range(n), size))
        rng.shuffle(every)
        found = dict.fromkeys(subset for subset in every if subset not in found)
    return [np.array(subset) for subset in found]
