"""Ensemble selection: add the member that helps most, again and again."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval, RealNotInt, StrOptions
from manyminds.ensemble.pruning._parameters import PARAGRAPHS
from manyminds.ensemble.pruning.base import (
    PoolClassifier,
    PoolEstimator,
    PoolRegressor,
    PrunedClassifierMixin,
    PrunedRegressorMixin,
)
from manyminds.ensemble.pruning.error_orderings import (
    add_by_mean_error,
    multiply_errors,
)
from manyminds.ensemble.pruning.votes import (
    by_row,
    count_votes,
    fill_weight,
    member_accuracy,
)
from manyminds.kernels import member_votes
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import CARUANA_2004, cite

PARAMETERS = """\
n_iterations : int, default=100
    Number of members added, the same member counted each time. The number after
    which the held-out rows are predicted best is kept; the least of equals.
n_initial : int, default=5
    Number of the members best by themselves from which each selection starts.
n_bags : int, default=20
    Number of selections, each from a random subset of the members; their weights
    are averaged. 1: one selection from all members.
bag_fraction : float, default=0.5
    Share of the members in a subset.
replacement : bool, default=True
    Whether a member may be added again, which raises its weight.
"""


class _Selection(PoolEstimator):
    """Select from random subsets of the members; average the weights."""

    _parameter_constraints = {
        **PoolEstimator._parameter_constraints,
        "n_iterations": [Interval(Integral, 1, None, closed="left")],
        "n_initial": [Interval(Integral, 0, None, closed="left")],
        "n_bags": [Interval(Integral, 1, None, closed="left")],
        "bag_fraction": [Interval(RealNotInt, 0.0, 1.0, closed="right")],
        "replacement": ["boolean"],
    }

    def _weigh(self, quality, add, rng):
        """Return the members with a weight, and the weights.

        Parameters
        ----------
        quality : ndarray of shape (n_members,)
            Of each member alone; higher is better.
        add : callable
            Takes a subset of the members, the numbers of those at the start, both
            arrays of int, and the number of steps; returns the members added, as
            numbers within the subset, and the scores after each step.
        rng : RandomState
            Draws the subsets.
        """
        n_members = len(quality)
        weights = np.zeros(n_members)
        for subset in self._draw_subsets(n_members, rng):
            best = np.argsort(-quality[subset], kind="stable")
            start = best[: min(self.n_initial, len(subset))]
            n_steps = self.n_iterations
            if not self.replacement:
                n_steps = min(n_steps, len(subset) - len(start))
            added, scores = add(subset, start, n_steps)
            n_added = 0
            if n_steps > 0:
                n_added = int(np.argmax(scores)) + 1
            taken = subset[np.concatenate([start, added[:n_added]])]
            weights += np.bincount(taken, minlength=n_members) / len(taken)
        kept = np.flatnonzero(weights)
        return kept, weights[kept]

    def _draw_subsets(self, n_members, rng):
        if self.n_bags == 1:
            return [np.arange(n_members)]
        size = max(1, round(self.bag_fraction * n_members))
        return [np.sort(rng.permutation(n_members)[:size]) for _ in range(self.n_bags)]


@fill_docstring(**PARAGRAPHS, parameters=PARAMETERS, references=cite(CARUANA_2004))
class EnsembleSelectionClassifier(PrunedClassifierMixin, PoolClassifier, _Selection):
    """Weigh the classifiers of a library by greedy forward selection.

    Starting from the best ones, the member with which the combined prediction is best
    on held-out rows is added again and again; a member that is added several times has
    more weight. Selections from random subsets of the library are averaged, which
    protects from overfitting the held-out rows [1]_.

    Parameters
    ----------
    {classifier}
    {parameters}
    metric : {"accuracy", "brier"}, default="accuracy"
        What is optimized: the accuracy of votes, or the squared error of averaged
        probabilities, which then are also how the members predict.
    {validation}
    {common}

    Attributes
    ----------
    {kept}
    {class_names}

    See Also
    --------
    PrunedClassifier : Keep each member at most once, all with the same weight.

    Notes
    -----
    The library should be diverse: of the trees of one random forest, a selection is
    often worse than the whole forest.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from manyminds.ensemble import EnsembleSelectionClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> library = [GaussianNB(), DecisionTreeClassifier(max_depth=1)]
    >>> chosen = EnsembleSelectionClassifier(library, n_initial=1, random_state=0)
    >>> print(chosen.fit(X, y).score(X, y) > 0.9)
    True
    """

    _parameter_constraints = {
        **_Selection._parameter_constraints,
        "metric": [StrOptions({"accuracy", "brier"})],
    }

    def __init__(
        self,
        estimator=None,
        *,
        n_iterations=100,
        n_initial=5,
        n_bags=20,
        bag_fraction=0.5,
        replacement=True,
        metric="accuracy",
        validation_fraction=0.3,
        prefit=False,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_iterations = n_iterations
        self.n_initial = n_initial
        self.n_bags = n_bags
        self.bag_fraction = bag_fraction
        self.replacement = replacement
        self.metric = metric
        self.validation_fraction = validation_fraction
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the members, and select on rows that they have not seen.

        {weighted_fit}
        """
        self._validate_params()
        pool, X, label, weight, rng = self._make_pool(X, y, sample_weight)
        n_classes = len(self.classes_)

        if self.metric == "brier":
            truth = np.eye(n_classes)[label]
            values = pool.values(X, self.classes_)
            products = multiply_errors(values, truth, weight)
            quality, add = -products.diagonal(), _make_mean_adder(products, self)
        else:
            labels = pool.labels(X, self.classes_)
            quality = member_accuracy(labels, label, weight)
            weight = fill_weight(weight, len(label))
            add = _make_vote_adder(labels, label, weight, n_classes, self.replacement)
        kept, weights = self._weigh(quality, add, rng)
        self._keep([pool], [kept], [weights], is_hard=self.metric == "accuracy")
        return self


@fill_docstring(**PARAGRAPHS, parameters=PARAMETERS, references=cite(CARUANA_2004))
class EnsembleSelectionRegressor(PrunedRegressorMixin, PoolRegressor, _Selection):
    """Weigh the regressors of a library by greedy forward selection.

    Starting from the best ones, the member with which the mean has the least squared
    error on held-out rows is added again and again; a member that is added several
    times has more weight. Selections from random subsets of the library are averaged
    [1]_.

    Parameters
    ----------
    {regressor}
    {parameters}
    {validation}
    {common}

    Attributes
    ----------
    {kept}
    {names}

    See Also
    --------
    PrunedRegressor : Keep each member at most once, all with the same weight.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from sklearn.neighbors import KNeighborsRegressor
    >>> from manyminds.ensemble import EnsembleSelectionRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> library = [Ridge(), KNeighborsRegressor(20)]
    >>> model = EnsembleSelectionRegressor(library, n_initial=0, random_state=0)
    >>> print(model.fit(X, y).score(X, y) > 0.4)
    True
    """

    def __init__(
        self,
        estimator=None,
        *,
        n_iterations=100,
        n_initial=5,
        n_bags=20,
        bag_fraction=0.5,
        replacement=True,
        validation_fraction=0.3,
        prefit=False,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.n_iterations = n_iterations
        self.n_initial = n_initial
        self.n_bags = n_bags
        self.bag_fraction = bag_fraction
        self.replacement = replacement
        self.validation_fraction = validation_fraction
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the members, and select on rows that they have not seen.

        {weighted_fit}
        """
        self._validate_params()
        pool, X, y, weight, rng = self._make_pool(X, y, sample_weight)

        products = multiply_errors(pool.values(X)[:, :, 0], y, weight)
        add = _make_mean_adder(products, self)
        kept, weights = self._weigh(-products.diagonal(), add, rng)
        self._keep([pool], [kept], [weights])
        return self


def _make_mean_adder(products, model):
    """Return the function that adds members to a mean; see ``_Selection._weigh``."""

    def add(subset, start, n_steps):
        inside = products[np.ix_(subset, subset)]
        counts = np.bincount(start, minlength=len(subset))
        order, errors = add_by_mean_error(inside, counts, n_steps, model.replacement)
        return order, -errors

    return add


def _make_vote_adder(labels, y, weight, n_classes, replacement):
    """Return the function that adds members to a vote; see ``_Selection._weigh``."""

    def add(subset, start, n_steps):
        inside = labels[subset]
        is_usable = np.ones(len(subset), dtype=bool)
        if not replacement:
            is_usable[start] = False
        order, right = np.empty(n_steps, dtype=np.int64), np.empty(n_steps)
        member_votes.add_greedily(
            by_row(inside),
            y.astype(np.int32),
            weight,
            is_usable,
            replacement,
            False,
            count_votes(inside[start], n_classes),
            order,
            right,
        )
        return order, right

    return add
