"""Pruned ensembles: order or search the members on held-out rows, keep the best."""

from numbers import Integral, Real

import numpy as np

from manyminds._compat import Interval, RealNotInt, StrOptions
from manyminds.analysis.diversity import disagreement
from manyminds.ensemble.pruning import error_orderings, orderings
from manyminds.ensemble.pruning._parameters import PARAGRAPHS, describe_weighted_fit
from manyminds.ensemble.pruning.base import (
    PoolClassifier,
    PoolEstimator,
    PoolRegressor,
    PrunedClassifierMixin,
    PrunedRegressorMixin,
)
from manyminds.ensemble.pruning.clustering import pick_from_clusters
from manyminds.ensemble.pruning.fitselect import order_by_fitness
from manyminds.ensemble.pruning.genetic import (
    make_error_fitness,
    make_vote_fitness,
    search_subset,
)
from manyminds.ensemble.pruning.kappa_hull import find_kappa_hull
from manyminds.ensemble.pruning.quadratic import (
    choose_by_quadratic_form,
    make_joint_errors,
)
from manyminds.ensemble.pruning.votes import (
    choose_size,
    list_sizes,
    member_accuracy,
    member_diversity,
    score_prefixes,
)
from manyminds.utils.docstrings import fill_docstring

N_SIZES = 8  # that are tried by methods without an order

VOTE_ORDERS = {
    "accuracy": orderings.order_by_accuracy,
    "backward": orderings.order_by_removal,
    "complementarity": orderings.order_by_complementarity,
    "kappa": orderings.order_by_kappa,
    "margin-distance": orderings.order_by_margin_distance,
    "orientation": orderings.order_by_orientation,
    "reduced-error": orderings.order_by_reduced_error,
}
MEAN_ORDERS = {
    "accuracy": error_orderings.order_by_own_error,
    "backward": error_orderings.order_by_mean_removal,
    "reduced-error": error_orderings.order_by_mean_error,
}
# By pairs, or by signatures of the rows: their definitions know no weights.
UNWEIGHTED = ("clustering", "kappa", "kappa-hull", "margin-distance", "orientation")
SIZES = """\
size : int, float or "best", default="best"
    Number of members kept, or their share of all. "best": the number that predicts
    the held-out rows best; the least of equals.
step : int, default=1
    Numbers of members that "best" compares are its multiples.
"""


class _Pruned(PoolEstimator):
    """Choose the size of an ensemble; see ``fit``."""

    _parameter_constraints = {
        **PoolEstimator._parameter_constraints,
        "size": [
            StrOptions({"best"}),
            Interval(Integral, 1, None, closed="left"),
            Interval(RealNotInt, 0.0, 1.0, closed="right"),
        ],
        "step": [Interval(Integral, 1, None, closed="left")],
    }

    def _get_size(self, n_members):
        """Return the number of members to keep; None if the rows decide."""
        if self.size == "best":
            return None
        if isinstance(self.size, Integral):
            return min(int(self.size), n_members)
        return max(1, round(self.size * n_members))

    def _keep_first(self, order, scores):
        """Return the first members of an order, as many as are best."""
        size = self._get_size(len(order))
        if size is None:
            size = choose_size(scores, list_sizes(len(order), self.step))
        self.scores_by_size_ = scores
        return order[:size]

    def _try_sizes(self, n_members, choose, rate):
        """Return the best of the subsets of several sizes that ``choose`` returns."""
        size = self._get_size(n_members)
        if size is not None:
            return choose(size)
        grid = np.geomspace(1.0, n_members, N_SIZES).round().astype(int)
        subsets = [choose(int(size)) for size in np.unique(grid)]
        return subsets[int(np.argmax([rate(some) for some in subsets]))]


@fill_docstring(
    **PARAGRAPHS
    | {"weighted_fit": describe_weighted_fit(f"Not of {', '.join(UNWEIGHTED)}.")},
    sizes=SIZES,
)
class PrunedClassifier(PrunedClassifierMixin, PoolClassifier, _Pruned):
    """Keep a few members of an ensemble, which vote as well as all, or better.

    The members predict the held-out rows once; whatever is selected follows from that
    one matrix. The kept members are all that is stored and that predicts: an ensemble
    of a tenth of the members predicts about ten times as fast.

    Parameters
    ----------
    {classifier}
    method : str, default="reduced-error"
        How members are selected. By an order, of which the first are kept:

        - "accuracy": their own accuracy ("choose best")
        - "fitness": accuracy and diversity, with ``alpha`` [1]_
        - "reduced-error": with which the vote is right most often, one after the
          other; forward selection without replacement [2]_
        - "backward": without which the vote is right least often, one by one
        - "complementarity": right where the vote so far is wrong [3]_
        - "margin-distance": brings all rows to a small margin [3]_
        - "orientation": points to the rows that all members get wrong [3]_
        - "kappa": pairs that agree least [2]_

        By a search:

        - "kappa-hull": pairs of which none is both more diverse and more accurate;
          ``size`` must be "best" and has no effect [2]_
        - "clustering": the most accurate of each cluster of members that vote alike
        - "genetic": subsets with the greatest accuracy and diversity, with ``alpha``
        - "quadratic": the relaxed quadratic program of errors alone and together [4]_
    {sizes}
    alpha : float, default=0.8
        Weight of accuracy, of "fitness" and "genetic"; diversity has the rest.
    voting : {"hard", "soft"}, default="hard"
        Whether kept members vote for one class each, or by their probabilities.
        Members are selected by hard votes.
    {validation}
    {common}

    Attributes
    ----------
    scores_by_size_ : ndarray of shape (n_members,)
        Accuracy of the vote of the first 1, 2, 3 ... members on the held-out rows; only
        of methods with an order.
    {kept}
    {class_names}

    See Also
    --------
    FitselectClassifier : Cross-validated, all rows are held out once.
    EnsembleSelectionClassifier : Members may be kept several times.
    DynamicSelectionClassifier : Members are selected for each row.

    References
    ----------
    .. [1] Elghazel, Aussem and Perraud, "Trading-off diversity and accuracy for optimal
       ensemble tree selection in random forests", SUEMA, 2010.
    .. [2] Margineantu and Dietterich, "Pruning adaptive boosting", ICML, 1997.
    .. [3] Martínez-Muñoz, Hernández-Lobato and Suárez, "An analysis of ensemble pruning
       techniques based on ordered aggregation", IEEE Transactions on Pattern Analysis
       and Machine Intelligence 31, 2009.
    .. [4] Zhang, Burer and Street, "Ensemble pruning via semi-definite programming",
       Journal of Machine Learning Research 7, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.ensemble import PrunedClassifier, RandomForestClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> forest = RandomForestClassifier(random_state=0).fit(X[::3], y[::3])
    >>> pruned = PrunedClassifier(forest, size=0.2, prefit=True).fit(X[1::3], y[1::3])
    >>> len(pruned.selected_members_)
    20
    >>> print(pruned.score(X[2::3], y[2::3]) > 0.9)
    True
    """

    _parameter_constraints = {
        **_Pruned._parameter_constraints,
        "method": [
            StrOptions(
                {*VOTE_ORDERS, "fitness", "kappa-hull", "clustering", "genetic"}
                | {"quadratic"}
            )
        ],
        "alpha": [Interval(Real, 0.0, 1.0, closed="both")],
        "voting": [StrOptions({"hard", "soft"})],
    }

    def __init__(
        self,
        estimator=None,
        method="reduced-error",
        *,
        size="best",
        step=1,
        alpha=0.8,
        voting="hard",
        validation_fraction=0.3,
        prefit=False,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.method = method
        self.size = size
        self.step = step
        self.alpha = alpha
        self.voting = voting
        self.validation_fraction = validation_fraction
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the members, rate them on rows that they have not seen, and select.

        {weighted_fit}
        """
        self._validate_params()
        if self.method == "kappa-hull" and self.size != "best":
            raise ValueError(
                "method='kappa-hull' has a size of its own and takes size='best' only; "
                f"got size={self.size!r}."
            )
        if sample_weight is not None and self.method in UNWEIGHTED:
            raise ValueError(
                "sample_weight must be None for the methods "
                f"{', '.join(UNWEIGHTED)}; got method={self.method!r}."
            )
        pool, X, label, weight, rng = self._make_pool(X, y, sample_weight)
        vars(self).pop("scores_by_size_", None)

        labels = pool.labels(X, self.classes_)
        kept = self._select(labels, label, weight, rng)
        self._keep([pool], [kept], is_hard=self.voting == "hard")
        return self

    def _select(self, labels, y, weight, rng):
        """Return the members to keep."""
        n_classes, n_members = len(self.classes_), len(labels)
        if self.method == "kappa-hull":
            return find_kappa_hull(labels, y)
        if self.method == "genetic":
            fitness = make_vote_fitness(labels, y, n_classes, self.alpha, weight)
            return search_subset(fitness, n_members, self._get_size(n_members), rng)

        def rate(order):
            return score_prefixes(labels, order, y, n_classes, weight=weight)

        if self.method in ("clustering", "quadratic"):
            choose = self._make_chooser(labels, y, weight)
            return self._try_sizes(n_members, choose, lambda some: rate(some)[-1])
        order = self._order(labels, y, n_classes, weight)
        return self._keep_first(order, rate(order))

    def _order(self, labels, y, n_classes, weight):
        if self.method == "fitness":
            accuracy = member_accuracy(labels, y, weight)
            return order_by_fitness(
                accuracy, member_diversity(labels, weight), self.alpha
            )
        if self.method in UNWEIGHTED:
            return VOTE_ORDERS[self.method](labels, y, n_classes)
        return VOTE_ORDERS[self.method](labels, y, n_classes, weight)

    def _make_chooser(self, labels, y, weight):
        """Return the function that returns a subset of a size."""
        if len(labels) < 2:
            return lambda size: np.arange(len(labels))
        if self.method == "quadratic":
            matrix = make_joint_errors(labels, y, weight)
            return lambda size: choose_by_quadratic_form(matrix, size)[0]
        distance = disagreement(None, labels, average=None)
        quality = member_accuracy(labels, y)
        return lambda size: pick_from_clusters(distance, quality, size)


@fill_docstring(**PARAGRAPHS, sizes=SIZES)
class PrunedRegressor(PrunedRegressorMixin, PoolRegressor, _Pruned):
    """Keep a few members of an ensemble, whose mean is as good as that of all.

    All mean squared errors follow from the products of the members' errors on held-out
    rows, which are computed once. The kept members are all that is stored and that
    predicts.

    Parameters
    ----------
    {regressor}
    method : str, default="reduced-error"
        How members are selected. By an order, of which the first are kept:

        - "accuracy": their own squared error
        - "reduced-error": with which the mean has the least error, one after the
          other [1]_
        - "backward": without which the mean has the least error, one by one

        By a search:

        - "clustering": the best of each cluster of members that predict alike
        - "genetic": subsets whose mean has the least error
        - "quadratic": the relaxed quadratic program of the mean's error
    {sizes}
    {validation}
    {common}

    Attributes
    ----------
    scores_by_size_ : ndarray of shape (n_members,)
        Minus the mean squared error of the mean of the first 1, 2, 3 ... members on the
        held-out rows; only of methods with an order.
    {kept}
    {names}

    See Also
    --------
    EnsembleSelectionRegressor : Members may be kept several times.

    References
    ----------
    .. [1] Hernández-Lobato, Martínez-Muñoz and Suárez, "Pruning in ordered regression
       bagging ensembles", IJCNN, 2006.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.ensemble import PrunedRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = PrunedRegressor(size=20, random_state=0).fit(X, y)
    >>> len(forest.selected_members_), forest.n_members_
    (20, 100)
    """

    _parameter_constraints = {
        **_Pruned._parameter_constraints,
        "method": [StrOptions({*MEAN_ORDERS, "clustering", "genetic", "quadratic"})],
    }

    def __init__(
        self,
        estimator=None,
        method="reduced-error",
        *,
        size="best",
        step=1,
        validation_fraction=0.3,
        prefit=False,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.method = method
        self.size = size
        self.step = step
        self.validation_fraction = validation_fraction
        self.prefit = prefit
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Fit the members, rate them on rows that they have not seen, and select.

        {weighted_fit}
        """
        self._validate_params()
        pool, X, y, weight, rng = self._make_pool(X, y, sample_weight)
        vars(self).pop("scores_by_size_", None)

        products = error_orderings.multiply_errors(pool.values(X)[:, :, 0], y, weight)
        self._keep([pool], [self._select(products, rng)])
        return self

    def _select(self, products, rng):
        """Return the members to keep."""
        n_members = len(products)
        if self.method in MEAN_ORDERS:
            order = MEAN_ORDERS[self.method](products)
            errors = error_orderings.rate_mean_prefixes(products, order)
            return self._keep_first(order, -errors)
        if self.method == "genetic":
            fitness = make_error_fitness(products)
            return search_subset(fitness, n_members, self._get_size(n_members), rng)
        distance = error_orderings.measure_distances(products)
        own = products.diagonal()

        def choose(size):
            if self.method == "quadratic":
                return choose_by_quadratic_form(products, size)[0]
            return pick_from_clusters(distance, -own, size)

        def rate(some):
            return -products[np.ix_(some, some)].mean()

        return self._try_sizes(n_members, choose, rate)
