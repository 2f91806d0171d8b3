"""Ensembles over drawn rows: of chains, of pruned sets, of binary relevance."""

from abc import abstractmethod
from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state

from manyminds._compat import Interval, RealNotInt, StrOptions
from manyminds.ensemble.bagging.base import draw_bags
from manyminds.ensemble.base import draw_member_seeds, run_on_members
from manyminds.ensemble.multilabel._parameters import PARAGRAPHS
from manyminds.ensemble.multilabel.base import MultiLabelClassifier
from manyminds.ensemble.multilabel.binary_relevance import Relevance
from manyminds.ensemble.multilabel.classifier_chain import Chain, read_order
from manyminds.ensemble.multilabel.members import MemberFitter
from manyminds.ensemble.multilabel.pruned_sets import PRUNING, fit_pruned_sets
from manyminds.trees.decision_tree import DecisionTreeClassifier
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import READ_2008, READ_2011, cite

_OPTIONS = """\
max_samples : float, default={share}
    Fraction of the rows that a member draws.
bootstrap : bool, default={bootstrap}
    Whether rows are drawn with replacement.
voting : {{"soft", "hard"}}, default="soft"
    Whether to average the members' probabilities, or their predictions.
"""
_PARAGRAPHS = {
    **PARAGRAPHS,
    "drawn": _OPTIONS.format(share="0.67", bootstrap="False"),
    "bagged": _OPTIONS.format(share="1.0", bootstrap="True"),
}


@fill_docstring(**_PARAGRAPHS)
class RowEnsemble(MultiLabelClassifier):
    """Fit members to drawn rows and average them; a subclass fits a member."""

    _parameter_constraints = {
        **MultiLabelClassifier._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "max_samples": [Interval(RealNotInt, 0.0, 1.0, closed="right")],
        "bootstrap": ["boolean"],
        "voting": [StrOptions({"soft", "hard"})],
        "threshold": [Interval(RealNotInt, 0.0, 1.0, closed="both")],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }
    _default = DecisionTreeClassifier

    @abstractmethod
    def _fit_member(self, fitter, Y, weights, rng):
        """Fit a member to the rows with a weight; it has ``score`` and ``choose``."""

    def fit(self, X, y):
        """Fit the members.

        {fit_unweighted}
        """
        self._validate_params()
        X, Y, weights = self._read_training_set(X, y)

        rng = check_random_state(self.random_state)
        fitter = MemberFitter(self._get_estimator(), X, self._encoder)
        tasks = [
            (fitter, Y, of_member, np.random.RandomState(seed))
            for of_member, seed in zip(
                self._draw_rows(rng, weights),
                draw_member_seeds(rng, self.n_estimators),
            )
        ]
        self._members = list(run_on_members(self._fit_member, tasks, self.n_jobs))
        return self

    def _draw_rows(self, rng, weights):
        """Return how often each member draws each row."""
        n_samples = len(weights)
        n_drawn = max(1, round(self.max_samples * n_samples))
        if self.bootstrap:
            return draw_bags(rng, self.n_estimators, n_drawn, weights)
        counts = np.zeros((self.n_estimators, n_samples))
        for of_member in counts:
            of_member[rng.permutation(n_samples)[:n_drawn]] = 1.0
        return counts

    def _score_labels(self, X):
        X = self._read_table(X)
        name = "score" if self.voting == "soft" else "choose"

        def read(member):
            return getattr(member, name)(X)

        tasks = ((member,) for member in self._members)
        return sum(run_on_members(read, tasks, self.n_jobs)) / len(self._members)


@fill_docstring(**_PARAGRAPHS, references=cite(READ_2011))
class EnsembleOfChainsClassifier(RowEnsemble):
    """Average classifier chains of random orders, fitted to random rows (ECC).

    Whichever label comes first in a chain, there are others where it is last [1]_.

    Parameters
    ----------
    {tree_estimator}
    n_estimators : int, default=10
        Number of chains.
    order : array-like of shape (n_labels,), "random" or None, default="random"
        Order of the labels; see `ClassifierChain`.
    {drawn}
    {threshold}
    {n_jobs}
    {draw_state}

    Attributes
    ----------
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import EnsembleOfChainsClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> model = EnsembleOfChainsClassifier(random_state=0).fit(X, y)
    >>> model.predict_proba(X).shape
    (100, 3)
    """

    _parameter_constraints = {
        **RowEnsemble._parameter_constraints,
        "order": ["array-like", StrOptions({"random"}), None],
    }

    def __init__(
        self,
        estimator=None,
        n_estimators=10,
        *,
        order="random",
        max_samples=0.67,
        bootstrap=False,
        voting="soft",
        threshold=0.5,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.order = order
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.voting = voting
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_member(self, fitter, Y, weights, rng):
        order = read_order(self.order, Y.shape[1], rng)
        return Chain.fit(fitter, Y, order, weights, draw_member_seeds(rng, 1)[0])


@fill_docstring(**_PARAGRAPHS, references=cite(READ_2008))
class EnsembleOfPrunedSetsClassifier(RowEnsemble):
    """Average classifiers of frequent label sets, fitted to random rows (EPS).

    Members that disagree on the set of a row can together predict a set that none of
    them knows [1]_.

    Parameters
    ----------
    {tree_estimator}
    n_estimators : int, default=10
        Number of members.
    max_rare : int, default=1
        A set of at most so many rows is rare; see `PrunedSetsClassifier`.
    max_subsets : int, default=2
        With how many frequent subsets a row of a rare set comes back at most.
    {drawn}
    {threshold}
    {n_jobs}
    {draw_state}

    Attributes
    ----------
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import EnsembleOfPrunedSetsClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> model = EnsembleOfPrunedSetsClassifier(random_state=0).fit(X, y)
    >>> model.predict_proba(X).shape
    (100, 3)
    """

    _parameter_constraints = {**RowEnsemble._parameter_constraints, **PRUNING}

    def __init__(
        self,
        estimator=None,
        n_estimators=10,
        *,
        max_rare=1,
        max_subsets=2,
        max_samples=0.67,
        bootstrap=False,
        voting="soft",
        threshold=0.5,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_rare = max_rare
        self.max_subsets = max_subsets
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.voting = voting
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_member(self, fitter, Y, weights, rng):
        seed = draw_member_seeds(rng, 1)[0]
        pruning = self.max_rare, self.max_subsets
        return fit_pruned_sets(fitter, Y, weights, seed, *pruning)


@fill_docstring(**_PARAGRAPHS, references=cite(READ_2011))
class BaggedRelevanceClassifier(RowEnsemble):
    """Average binary relevance over bootstrap samples (EBR).

    The baseline of ensembles over many labels [1]_: all that bagging gains, and nothing
    that labels tell about each other.

    Parameters
    ----------
    {tree_estimator}
    n_estimators : int, default=10
        Number of members.
    {bagged}
    {threshold}
    {n_jobs}
    {draw_state}

    Attributes
    ----------
    {label_names}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from manyminds.ensemble import BaggedRelevanceClassifier
    >>> X, y = make_multilabel_classification(n_classes=3, random_state=0)
    >>> BaggedRelevanceClassifier(random_state=0).fit(X, y).predict_proba(X).shape
    (100, 3)
    """

    def __init__(
        self,
        estimator=None,
        n_estimators=10,
        *,
        max_samples=1.0,
        bootstrap=True,
        voting="soft",
        threshold=0.5,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.voting = voting
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_member(self, fitter, Y, weights, rng):
        seeds = draw_member_seeds(rng, Y.shape[1])
        return Relevance.fit(fitter, Y, weights, seeds)
