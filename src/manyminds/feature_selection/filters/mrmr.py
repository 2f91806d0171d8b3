"""mRMR: select features of maximum relevance and minimum redundancy, one by one."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    TABLE_CONSTRAINTS,
    Selector,
    assign_folds,
    count_to_select,
    rank_in_order,
    read_target,
    read_weight,
)
from manyminds.feature_selection.filters.mrmr_cost import count_passes
from manyminds.feature_selection.filters.mrmr_measures import (
    INFORMATION,
    choose_measures,
    make_pairs,
    prepare_columns,
)
from manyminds.utils.docstrings import fill_docstring

EPSILON = 1e-12  # minimum redundancy that a relevance is divided by
LOWEST = -1e300  # score of a constant feature: worse than that of all others
TIE = 1e-10  # scores with a smaller relative difference are equal up to rounding
_BATCH = 64  # candidates whose redundancy is updated at a time, at first


@fill_docstring(**PARAMETERS)
class MRMRSelector(Selector):
    """Select features of maximum relevance and minimum redundancy, one by one.

    The first feature is the one with the highest relevance, its association with the
    target. Each further one maximizes the quotient (or difference) of its relevance and
    its mean redundancy, the association with the features selected so far [1]_.
    Ensembles make the selection more stable: every member searches without one fold of
    the samples, and the members vote. The fast ensemble [2]_ computes the associations
    of all members from the sums of one pass over the samples.

    Parameters
    ----------
    {n_features_to_select}
    criterion : {"quotient", "difference"}, default="quotient"
        How relevance and mean redundancy are combined.
    relevance : {"auto", "f", "pearson", "mutual_information", \
            "symmetrical_uncertainty", "by_dtype"}, default="auto"
        Association of a feature with the target:

        - "f": ANOVA's F; for a numeric target F of the regression on the feature.
        - "pearson": the absolute correlation, for a numeric target or two classes.
        - "mutual_information", in bits, "symmetrical_uncertainty": of discretized
          columns, see ``discretize``.
        - "by_dtype": for each column what "auto" uses for a table of such columns
          alone. The values of numeric and categorical columns differ in scale.
        - "auto": for numeric columns "f", or "pearson" if the target is numeric; for
          categorical columns "mutual_information"; for both together
          "symmetrical_uncertainty", which puts all on one scale. The same as
          ``redundancy``, if that is a measure of information.
    redundancy : {"auto", "pearson", "mutual_information", \
            "symmetrical_uncertainty", "by_dtype"}, default="auto"
        Association of two features. "by_dtype" is "pearson" for two numeric columns and
        "mutual_information" for all other pairs. "auto" is as above.
    redundancy_floor : float, default=0.0
        Minimum association of two features; smaller ones count as this. In a quotient,
        a feature with almost no redundancy by random variation outscores all others;
        some libraries use 0.001.
    ensemble : {"none", "inner", "fast", "full", "bagged"}, default="none"
        - "none": one search on all samples.
        - "inner": one search; each association is the mean over ``n_members`` training
          sets, each of which leaves out one fold. Almost no extra cost.
        - "fast": ``n_members`` searches, each without one fold, and a vote.
        - "full": the same result as "fast" by independent searches, for comparison.
        - "bagged": ``n_members`` searches on bootstrap samples, and a vote.
    n_members : int, default=20
        Number of folds, or of bootstrap samples.
    fold_assignment : {"round_robin", "shuffled", "stratified"}, default="round_robin"
        How samples are assigned to folds: in turn, in turn after shuffling, or in turn
        after sorting by target (with equal targets shuffled).
    discretize : {"mean_std", "mdl", "quantile", "uniform"} or None, default="mean_std"
        How numeric columns are discretized: cut at the mean plus and minus half a
        standard deviation; by minimum description length; into ``n_bins`` levels of
        about equally many samples; or of equal width. None: each value is a level.
    n_bins : int, default=10
        Number of levels of "quantile" and "uniform", and of a numeric target.
    {task}
    {categorical_features}
    n_jobs : int, default=None
        Number of threads that count codes, or that search in a full or a bagged
        ensemble. Products of numeric columns run on the threads of NumPy's BLAS.
    random_state : int, RandomState instance or None, default=None
        Shuffles the samples before they are assigned to folds; draws the bootstraps.

    Attributes
    ----------
    selected_ : ndarray of int of shape (n_selected,)
        The selected features, in order.
    {support}
    ranking_ : ndarray of int of shape (n_features,)
        1 for the feature selected first. In an ensemble all features that a member
        selected have a rank. All others share the next one.
    scores_ : ndarray of shape (n_features,)
        Relevance of each feature; in an ensemble its mean over the members.
    members_ : ndarray of int of shape (n_members, n_selected)
        Features that each member of a fast, full or bagged ensemble selected, in order.
    member_rankings_ : ndarray of int of shape (n_members, n_features)
        Their rankings; features that a member did not select share the next rank.
    support_counts_ : ndarray of int of shape (n_features,)
        Number of members that selected each feature.
    measures_ : tuple of two str
        The measures of relevance and of redundancy.
    n_passes_ : int
        Number of associations that the method needs, see
        :func:`~manyminds.feature_selection.count_passes`.
    n_evaluated_ : int
        Number of associations that were computed. A single search skips those of
        features that cannot be selected next.
    {n_features_in}

    See Also
    --------
    manyminds.feature_selection.count_passes : The cost of ensembles.
    manyminds.feature_selection.estimate_passes : The same, before they are run.

    Notes
    -----
    Among equal scores, up to rounding, the first feature is selected. A mean redundancy
    below 1e-12 counts as 1e-12. Constant features have no association with anything,
    and are selected only when nothing else is left. A feature that separates the
    classes perfectly would have an infinite F; it is capped, so that redundancy decides
    between several of them.

    A single search is lazy: as redundancy only grows, an old sum bounds a feature's
    score from above, and features whose bound is below the best score are not updated.

    References
    ----------
    .. [1] Ding and Peng, "Minimum redundancy feature selection from microarray gene
       expression data", Journal of Bioinformatics and Computational Biology 3(2),
       2005.
    .. [2] Schowe and Morik, "Fast-Ensembles of Minimum Redundancy Feature Selection",
       in Ensembles in Machine Learning Applications, Springer, 2011.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from manyminds.feature_selection import MRMRSelector
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> MRMRSelector(3).fit(X, y).selected_
    array([27, 22,  7])
    >>> fast = MRMRSelector(3, ensemble="fast").fit(X, y)
    >>> fast.selected_, fast.support_counts_[fast.selected_]
    (array([27, 22,  7]), array([20, 19, 14]))
    """

    _parameter_constraints = {
        "n_features_to_select": N_TO_SELECT,
        "criterion": [StrOptions({"quotient", "difference"})],
        "relevance": [StrOptions({"auto", "f", "pearson", *INFORMATION, "by_dtype"})],
        "redundancy": [StrOptions({"auto", "pearson", *INFORMATION, "by_dtype"})],
        "redundancy_floor": [Interval(Real, 0.0, None, closed="left")],
        "ensemble": [StrOptions({"none", "inner", "fast", "full", "bagged"})],
        "n_members": [Interval(Integral, 2, None, closed="left")],
        "fold_assignment": [StrOptions({"round_robin", "shuffled", "stratified"})],
        "discretize": [StrOptions({"mean_std", "mdl", "quantile", "uniform"}), None],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
        **TABLE_CONSTRAINTS,
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        criterion="quotient",
        relevance="auto",
        redundancy="auto",
        redundancy_floor=0.0,
        ensemble="none",
        n_members=20,
        fold_assignment="round_robin",
        discretize="mean_std",
        n_bins=10,
        task="auto",
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.criterion = criterion
        self.relevance = relevance
        self.redundancy = redundancy
        self.redundancy_floor = redundancy_floor
        self.ensemble = ensemble
        self.n_members = n_members
        self.fold_assignment = fold_assignment
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Select features one by one.

        Parameters
        ----------
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Training samples. Measures of information treat missing values as a level of
            their own; the other measures do not support them.
        {y}
        {sample_weight}

        Returns
        -------
        self : MRMRSelector
        """
        self._validate_params()
        X, is_categorical = self._read_features(X, self.categorical_features)
        y, classes = read_target(self, X, y, self.task)
        weight = None if sample_weight is None else read_weight(X, sample_weight)
        self._check(X, classes)
        self.measures_ = choose_measures(
            self.relevance, self.redundancy, is_categorical, classes
        )

        n_selected = count_to_select(self.n_features_to_select, X.shape[1])
        columns = prepare_columns(
            X, is_categorical, y, classes, weight,
            self.measures_, self.discretize, self.n_bins, self.n_jobs,
        )  # fmt: skip
        if self.ensemble in ("none", "inner"):
            order = self._search_once(columns, weight, n_selected)
        else:
            order = self._let_members_vote(columns, weight, n_selected)
        self.selected_ = order[:n_selected]
        self.support_ = np.zeros(X.shape[1], dtype=bool)
        self.support_[self.selected_] = True
        self.ranking_ = rank_in_order(order, X.shape[1])
        return self

    def _check(self, X, classes):
        if classes is not None and len(classes) < 2:
            raise ValueError("MRMRSelector needs two classes or more; y has 1 class.")
        if self.ensemble in ("inner", "fast", "full") and self.n_members > X.shape[0]:
            raise ValueError(
                f"n_members must be at most the number of samples, {X.shape[0]}, with "
                f"ensemble={self.ensemble!r}; got {self.n_members}."
            )

    def _search_once(self, columns, weight, n_selected):
        """Search once; with folds, an association is the mean over all splits."""
        fold = self._assign_folds(columns.y) if self.ensemble == "inner" else None
        pairs = make_pairs(columns, weight, fold, self.measures_, self.n_jobs)
        self.scores_ = pairs.relevance.mean(axis=0)
        rule = (self.criterion, self.redundancy_floor)
        order, self.n_evaluated_ = search_greedily(pairs, n_selected, *rule)
        return order

    def _let_members_vote(self, columns, weight, n_selected):
        """Let every member search on its own training set; combine their votes."""
        rule = (self.criterion, self.redundancy_floor)
        if self.ensemble == "fast":
            fold = self._assign_folds(columns.y)
            pairs = make_pairs(
                columns, weight, fold, self.measures_, self.n_jobs, lockstep=True
            )
            relevance = pairs.relevance
            found = search_in_lockstep(pairs, n_selected, *rule)
            self.members_, self.n_evaluated_ = found
        else:
            run = Parallel(n_jobs=self.n_jobs, require="sharedmem")
            found = run(
                delayed(_search_member)(columns, one, self.measures_, n_selected, *rule)
                for one in self._weigh_members(columns.y, weight)
            )
            orders, n_evaluated, relevance = zip(*found)
            self.members_, self.n_evaluated_ = np.stack(orders), sum(n_evaluated)
        self.scores_ = np.mean(relevance, axis=0)
        order, self.support_counts_ = combine_votes(self.members_, self.scores_)
        self.member_rankings_ = np.stack(
            [rank_in_order(one, len(self.scores_)) for one in self.members_]
        )
        return order

    def _assign_folds(self, y):
        rng = check_random_state(self.random_state)
        return assign_folds(len(y), self.n_members, self.fold_assignment, y, rng)

    def _weigh_members(self, y, weight):
        """Return the sample weights of each member."""
        if self.ensemble == "full":
            counts = self._assign_folds(y) != np.arange(self.n_members)[:, None]
        else:
            rng = check_random_state(self.random_state)
            drawn = rng.randint(len(y), size=(self.n_members, len(y)))
            counts = np.stack([np.bincount(one, minlength=len(y)) for one in drawn])
        return counts * (1.0 if weight is None else weight)

    @property
    def n_passes_(self):
        """Number of associations that the method needs."""
        n_features, n_selected = len(self.scores_), len(self.selected_)
        if self.ensemble == "fast":
            n_swept = len(np.unique(self.members_[:, :-1]))
            return count_passes(n_features, n_selected, n_swept=n_swept)
        is_single = self.ensemble in ("none", "inner")
        n_searches = 1 if is_single else len(self.members_)
        return count_passes(n_features, n_selected, n_searches)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        measures = (self.relevance, self.redundancy)
        tags.input_tags.allow_nan = all(
            one in INFORMATION or one == "auto" for one in measures
        ) and any(one in INFORMATION for one in measures)
        return tags


# ---------------------------------------------------------------- the rule


def score(relevance, redundancy, criterion):
    """Score candidates: relevance minus, or divided by, mean redundancy."""
    if criterion == "difference":
        return relevance - redundancy
    return relevance / np.maximum(redundancy, EPSILON)


def find_best(scores, criterion):
    """Return the position of the first of the best scores along the last axis."""
    best = scores.max(axis=-1, keepdims=True)
    return np.argmax(scores >= _find_tie(best, criterion), axis=-1)


def _find_tie(best, criterion):
    """Return the lowest score that equals the best one up to rounding."""
    scale = np.abs(best)
    if criterion == "difference":  # of two numbers that may be larger than it
        scale = np.maximum(scale, 1.0)
    return best - TIE * scale


def search_greedily(pairs, n_to_select, criterion, floor=0.0):
    """Add the best-scored feature again and again, with as few updates as possible.

    Returns
    -------
    selected : ndarray of int64 of shape (n_to_select,)
    n_evaluated : int
        Number of associations that were computed.
    """
    relevance, is_closed = pairs.relevance.mean(axis=0), pairs.constant.all(axis=0)
    constant = np.flatnonzero(is_closed)
    n_evaluated = n_features = len(relevance)
    n_searched = min(n_to_select, n_features - len(constant))
    selected, redundancy = [], np.zeros(n_features)
    n_counted = np.zeros(n_features, dtype=np.int64)  # selected ones in redundancy
    for step in range(n_searched):
        bounds = relevance.copy()
        if step > 0:
            bounds = score(relevance, redundancy / step, criterion)
        bounds[is_closed] = -np.inf
        batch = _BATCH
        while (stale := _find_stale(bounds, n_counted, step, batch, criterion)).size:
            batch = 2 * batch if step > 1 else n_features
            n_evaluated += _update_redundancy(
                pairs, selected, stale, floor, redundancy, n_counted
            )
            mean = redundancy[stale] / step
            bounds[stale] = score(relevance[stale], mean, criterion)
        selected.append(int(find_best(bounds, criterion)))
        is_closed[selected[-1]] = True
    selected += constant[: n_to_select - n_searched].tolist()
    return np.array(selected, dtype=np.int64), n_evaluated


def _find_stale(bounds, n_counted, step, max_found, criterion):
    """Find features whose bound is not exact, but not below the best exact score."""
    is_exact = n_counted == step
    best = bounds.max(where=is_exact, initial=LOWEST)
    stale = np.flatnonzero(~is_exact & (bounds >= _find_tie(best, criterion)))
    if len(stale) > max_found:
        stale = stale[np.argpartition(-bounds[stale], max_found)[:max_found]]
    return stale


def _update_redundancy(pairs, selected, stale, floor, redundancy, n_counted):
    """Bring the redundancy of features up to date; return the number of pairs."""
    first = n_counted[stale].min()
    everything = len(stale) + len(selected) >= len(redundancy)
    values = pairs.measure(selected[first:], None if everything else stale)
    values = values.mean(axis=1)[:, stale if everything else slice(None)]
    np.maximum(values, floor, out=values)
    is_missing = np.arange(first, len(selected))[:, None] >= n_counted[stale]
    redundancy[stale] += np.einsum("ij,ij->j", values, is_missing)
    n_counted[stale] = len(selected)
    return values.size


# ---------------------------------------------------------------- ensembles


def search_in_lockstep(pairs, n_to_select, criterion, floor=0.0):
    """Search in all splits in lockstep: one pass over the samples serves them all.

    Returns
    -------
    members : ndarray of int64 of shape (n_splits, n_to_select)
        Features that each member selected, in order.
    n_evaluated : int
        Number of pairs that were evaluated, each for all splits at once.
    """
    relevance = pairs.relevance
    n_splits, n_features = relevance.shape
    splits, redundancy = np.arange(n_splits), np.zeros_like(relevance)
    members = np.empty((n_splits, n_to_select), dtype=np.int64)
    limit = np.where(pairs.constant, LOWEST, np.inf)
    members[:, 0] = find_best(np.minimum(relevance, limit), criterion)
    for step in range(1, n_to_select):
        newest = members[:, step - 1]
        limit[splits, newest] = -np.inf
        redundancy += np.maximum(pairs.measure_splits(splits, newest), floor)
        scores = score(relevance, redundancy / step, criterion)
        np.minimum(scores, limit, out=scores)
        members[:, step] = find_best(scores, criterion)
    n_swept = len(np.unique(members[:, :-1]))
    n_pairs = n_swept * n_features - n_swept * (n_swept + 1) // 2
    return members, n_features + n_pairs


def _search_member(columns, weight, measures, n_to_select, criterion, floor):
    """Search with the sample weights of one member."""
    pairs = make_pairs(columns, weight, None, measures)
    return *search_greedily(pairs, n_to_select, criterion, floor), pairs.relevance[0]


def combine_votes(members, relevance):
    """Order the features by the votes of members.

    The feature that most members selected goes first; among equals the one with the
    best mean rank in those members, then with the best mean relevance, then the first.

    Parameters
    ----------
    members : ndarray of int of shape (n_members, n_selected)
        Features that each member selected, in order.
    relevance : ndarray of shape (n_features,)
        Mean relevance.

    Returns
    -------
    order : ndarray of int64
        All features that some member selected, best first.
    counts : ndarray of int64 of shape (n_features,)
        Number of members that selected each feature.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection.filters.mrmr import combine_votes
    >>> combine_votes(np.array([[2, 0], [1, 2]]), np.array([0.1, 0.2, 0.3, 0.4]))
    (array([2, 1, 0]), array([1, 1, 2, 0]))
    """
    n_features = len(relevance)
    counts = np.bincount(members.ravel(), minlength=n_features)
    ranks = np.broadcast_to(np.arange(members.shape[1]), members.shape)
    rank_sums = np.bincount(members.ravel(), ranks.ravel(), minlength=n_features)
    chosen = np.flatnonzero(counts)
    mean_rank = rank_sums[chosen] / counts[chosen]
    order = np.lexsort((chosen, -relevance[chosen], mean_rank, -counts[chosen]))
    return chosen[order], counts
