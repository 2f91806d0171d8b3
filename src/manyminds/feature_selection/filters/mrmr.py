"""mRMR: choose features that tell most about the target and least about each other."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.parallel import Parallel, delayed

from manyminds._compat import Interval, StrOptions
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    Selector,
    count_to_select,
    read_target,
    read_weight,
)
from manyminds.feature_selection.filters.mrmr_ensembles import (
    LOWEST,
    combine,
    count_passes,
    deal_rows,
    find_bar,
    find_best,
    rate,
    search_together,
)
from manyminds.feature_selection.filters.mrmr_measures import (
    INFORMATION,
    choose_measures,
    gather,
    pair_up,
)

_BATCH = 64  # candidates that are looked at again at a time, at first


class MRMRSelector(Selector):
    """Select features of maximum relevance and minimum redundancy, one by one.

    The first feature is the one most associated with the target. Each further one has
    the largest quotient (or difference) of its association with the target and its
    mean association with the features chosen before [1]_. Ensembles make the choice
    more stable: the rows are cut into parts, every member searches without one of
    them, and the members vote. The fast ensemble [2]_ gets the associations of all
    members from the sums of one pass over the rows.

    Parameters
    ----------
    n_features_to_select : int or float, default=10
        Number of features to keep, or their share of all.
    criterion : {"quotient", "difference"}, default="quotient"
        How relevance is weighed against mean redundancy.
    relevance : {"auto", "f", "pearson", "mutual_information", \
            "symmetrical_uncertainty", "by_kind"}, default="auto"
        Association of a feature with the target:

        - "f": ANOVA's F; for a numeric target F of the regression on the feature.
        - "pearson": the absolute correlation, for a numeric target or two classes.
        - "mutual_information", in bits, "symmetrical_uncertainty": of codes; numbers
          are cut as ``discretize`` says.
        - "by_kind": as "auto" would for a table of numeric columns alone, or of
          categorical columns alone, column by column. The numbers of the two are on
          different scales.
        - "auto": for numeric columns "f", or "pearson" if the target is a number; for
          categorical columns "mutual_information"; if there are both,
          "symmetrical_uncertainty", which puts all on one scale. Or the same as
          ``redundancy``, if that is a measure of information.
    redundancy : {"auto", "pearson", "mutual_information", \
            "symmetrical_uncertainty", "by_kind"}, default="auto"
        Association of two features. "by_kind" is "pearson" for two numeric columns
        and "mutual_information" of codes for all other pairs. "auto" is as above.
    redundancy_floor : float, default=0.0
        Smaller associations of two features count as this. In a quotient, two features
        that have almost nothing in common by chance outdo all others; some libraries
        take 0.001.
    ensemble : {"none", "inner", "fast", "full", "bagged"}, default="none"
        - "none": one search on all rows.
        - "inner": one search; each association is the mean of its ``n_parts`` values,
          each of which leaves one part of the rows out. Almost free.
        - "fast": ``n_parts`` searches, each without one part of the rows, and a vote.
        - "full": the same result as "fast", each search by itself: to compare.
        - "bagged": ``n_parts`` searches on bootstrap samples, and a vote.
    n_parts : int, default=20
        Number of parts, or of bootstrap samples.
    parting : {"round_robin", "shuffled", "stratified"}, default="round_robin"
        How rows are dealt to parts: in turn, in turn after shuffling, or in turn after
        sorting by target (and shuffling among equals).
    discretize : {"mean_sd", "mdl", "quantile", "uniform"} or None, default="mean_sd"
        How numbers become codes: cut at the mean plus and minus half a standard
        deviation; by description length; into ``n_bins`` levels of equally many rows;
        or of equal width. None: each number is a level, for columns that are codes.
    n_bins : int, default=10
        Levels of "quantile" and "uniform", and of a numeric target.
    task : {"auto", "classification", "regression"}, default="auto"
        "auto": a target of numbers with decimals is a number, all else are classes.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Which columns are categorical: a mask, positions or names; "from_dtype" means
        those of a dataframe that have a categorical dtype.
    n_jobs : int, default=None
        Threads that count codes, or that search in a full or a bagged ensemble.
        Products of numeric columns run on the threads of NumPy's BLAS.
    random_state : int, RandomState instance or None, default=None
        For "shuffled" and "stratified" parting and for bootstrap samples.

    Attributes
    ----------
    selected_ : ndarray of int of shape (n_selected,)
        The features chosen, in order.
    support_ : ndarray of bool of shape (n_features,)
        Mask of the features chosen.
    ranking_ : ndarray of int of shape (n_features,)
        1 for the feature chosen first. In an ensemble all features that a member chose
        have a rank. All others share the next one.
    scores_ : ndarray of shape (n_features,)
        Relevance of each feature; in an ensemble its mean over the members.
    members_ : ndarray of int of shape (n_parts, n_selected)
        Features that each member of a fast, full or bagged ensemble chose, in order.
    member_rankings_ : ndarray of int of shape (n_parts, n_features)
        Their rankings; features that a member did not choose share the next rank.
    support_counts_ : ndarray of int of shape (n_features,)
        How many members chose each feature.
    measures_ : tuple of two str
        What was used for relevance and for redundancy.
    n_passes_ : int
        Associations that the method asks for, see
        :func:`~manyminds.feature_selection.count_passes`.
    n_evaluated_ : int
        Associations that were computed. A single search leaves out those of features
        that cannot win.
    n_features_in_ : int
        Number of features seen during ``fit``.
    feature_names_in_ : ndarray of shape (n_features,)
        Their names, if all of them are strings.

    See Also
    --------
    manyminds.feature_selection.count_passes : The cost of ensembles.
    manyminds.feature_selection.estimate_passes : The same, before they are run.

    Notes
    -----
    Among equals the first feature is chosen; scores that differ by rounding are equal.
    A mean redundancy below 1e-12 counts as 1e-12. Constant features have no
    association with anything, and are chosen only when nothing else is left. A feature
    that separates the classes perfectly would have an infinite F; it is capped, so
    that redundancy decides between several of them.

    A single search is lazy: as redundancy only grows, an old sum bounds a feature's
    score from above, and features whose bound is below the best score wait.

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
        "relevance": [StrOptions({"auto", "f", "pearson", *INFORMATION, "by_kind"})],
        "redundancy": [StrOptions({"auto", "pearson", *INFORMATION, "by_kind"})],
        "redundancy_floor": [Interval(Real, 0.0, None, closed="left")],
        "ensemble": [StrOptions({"none", "inner", "fast", "full", "bagged"})],
        "n_parts": [Interval(Integral, 2, None, closed="left")],
        "parting": [StrOptions({"round_robin", "shuffled", "stratified"})],
        "discretize": [StrOptions({"mean_sd", "mdl", "quantile", "uniform"}), None],
        "n_bins": [Interval(Integral, 2, None, closed="left")],
        "task": [StrOptions({"auto", "classification", "regression"})],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
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
        n_parts=20,
        parting="round_robin",
        discretize="mean_sd",
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
        self.n_parts = n_parts
        self.parting = parting
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Choose features one by one.

        Parameters
        ----------
        X : array-like, sparse matrix or dataframe of shape (n_samples, n_features)
            The table. Missing values are a level of their own for measures of
            information; the others take none.
        y : array-like of shape (n_samples,)
            Classes or numbers.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of 2 is two rows.

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
        data = gather(
            X, is_categorical, y, classes, weight,
            self.measures_, self.discretize, self.n_bins, self.n_jobs,
        )  # fmt: skip
        if self.ensemble in ("none", "inner"):
            order = self._search_once(data, weight, n_selected)
        else:
            order = self._search_often(data, weight, n_selected)
        self.selected_ = order[:n_selected]
        self.support_ = np.zeros(X.shape[1], dtype=bool)
        self.support_[self.selected_] = True
        self.ranking_ = _rank(order[None, :], X.shape[1])[0]
        return self

    def _check(self, X, classes):
        if classes is not None and len(classes) < 2:
            raise ValueError("MRMRSelector needs two classes or more; y has 1 class.")
        if self.ensemble in ("inner", "fast", "full") and self.n_parts > X.shape[0]:
            raise ValueError(
                f"n_parts={self.n_parts} parts cannot be made of {X.shape[0]} rows; "
                "take as many parts as rows, or fewer."
            )

    def _search_once(self, data, weight, n_selected):
        """Search once; an association is the mean of its values in all parts."""
        fold = self._deal(data) if self.ensemble == "inner" else None
        pairs = pair_up(data, weight, fold, self.measures_, self.n_jobs)
        self.scores_ = pairs.relevance.mean(axis=0)
        rule = (self.criterion, self.redundancy_floor)
        order, self.n_evaluated_ = _search(pairs, n_selected, *rule)
        self.n_passes_ = count_passes(len(self.scores_), n_selected)
        return order

    def _search_often(self, data, weight, n_selected):
        """Search in each part; let the parts vote."""
        rule = (self.criterion, self.redundancy_floor)
        if self.ensemble == "fast":
            fold = self._deal(data)
            pairs = pair_up(
                data, weight, fold, self.measures_, self.n_jobs, in_step=True
            )
            relevance = pairs.relevance
            self.members_, self.n_passes_ = search_together(pairs, n_selected, *rule)
            self.n_evaluated_ = self.n_passes_
        else:
            run = Parallel(n_jobs=self.n_jobs, require="sharedmem")
            found = run(
                delayed(_search_part)(data, part, self.measures_, n_selected, *rule)
                for part in self._weigh_parts(data, weight)
            )
            orders, evaluated, relevance = zip(*found)
            self.members_ = np.stack(orders)
            self.n_evaluated_ = sum(evaluated)
            n_features = len(data.is_numeric)
            self.n_passes_ = count_passes(n_features, n_selected, self.n_parts)
        self.scores_ = np.mean(relevance, axis=0)
        order, self.support_counts_ = combine(self.members_, self.scores_)
        self.member_rankings_ = _rank(self.members_, len(self.scores_))
        return order

    def _deal(self, data):
        rng = check_random_state(self.random_state)
        return deal_rows(len(data.y), self.n_parts, self.parting, data.y, rng)

    def _weigh_parts(self, data, weight):
        """Return the weights of the rows in each member."""
        n_samples = len(data.y)
        if self.ensemble == "full":
            counts = self._deal(data) != np.arange(self.n_parts)[:, None]
        else:
            rng = check_random_state(self.random_state)
            drawn = rng.randint(n_samples, size=(self.n_parts, n_samples))
            counts = np.stack([np.bincount(one, minlength=n_samples) for one in drawn])
        return counts * (1.0 if weight is None else weight)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        measures = (self.relevance, self.redundancy)
        tags.input_tags.allow_nan = all(
            one in INFORMATION or one == "auto" for one in measures
        ) and any(one in INFORMATION for one in measures)
        return tags


def _search(pairs, n_to_select, criterion, floor):
    """Choose features one by one, looking again at those alone that could be next.

    Returns
    -------
    selected : ndarray of int64 of shape (n_to_select,)
    n_evaluated : int
        Associations that were computed.
    """
    relevance, is_closed = pairs.relevance.mean(axis=0), pairs.constant.all(axis=0)
    constant = np.flatnonzero(is_closed)
    n_evaluated = n_features = len(relevance)
    n_searched = min(n_to_select, n_features - len(constant))
    selected, redundancy = [], np.zeros(n_features)
    n_counted = np.zeros(n_features, dtype=np.int64)  # of selected, in redundancy
    for step in range(n_searched):
        bounds = relevance.copy()
        if step > 0:
            bounds = rate(relevance, redundancy / step, criterion)
        bounds[is_closed] = -np.inf
        batch = _BATCH
        while (stale := _find_rivals(bounds, n_counted, step, batch, criterion)).size:
            batch = 2 * batch if step > 1 else n_features
            n_evaluated += _count_up(
                pairs, selected, stale, floor, redundancy, n_counted
            )
            mean = redundancy[stale] / step
            bounds[stale] = rate(relevance[stale], mean, criterion)
        selected.append(int(find_best(bounds, criterion)))
        is_closed[selected[-1]] = True
    selected += constant[: n_to_select - n_searched].tolist()
    return np.array(selected, dtype=np.int64), n_evaluated


def _find_rivals(bounds, n_counted, step, n_most, criterion):
    """Find features whose bound is not exact, and not below the best exact score."""
    is_exact = n_counted == step
    best = bounds.max(where=is_exact, initial=LOWEST)
    bar = find_bar(best, criterion)
    rivals = np.flatnonzero(~is_exact & (bounds >= bar))
    if len(rivals) > n_most:
        rivals = rivals[np.argpartition(-bounds[rivals], n_most)[:n_most]]
    return rivals


def _count_up(pairs, selected, stale, floor, redundancy, n_counted):
    """Add to the redundancy of features what is missing; return how much that was."""
    first = n_counted[stale].min()
    everything = len(stale) + len(selected) >= len(redundancy)
    values = pairs.measure(selected[first:], None if everything else stale)
    values = values.mean(axis=1)[:, stale if everything else slice(None)]
    np.maximum(values, floor, out=values)
    is_missing = np.arange(first, len(selected))[:, None] >= n_counted[stale]
    redundancy[stale] += np.einsum("ij,ij->j", values, is_missing)
    n_counted[stale] = len(selected)
    return values.size


def _search_part(data, weight, measures, n_to_select, criterion, floor):
    """Search with the rows as a member weighs them."""
    pairs = pair_up(data, weight, None, measures)
    return *_search(pairs, n_to_select, criterion, floor), pairs.relevance[0]


def _rank(orders, n_features):
    """Turn lists of features, best first, into ranks; all others share the next one."""
    n_ranked = orders.shape[1]
    ranking = np.full((len(orders), n_features), n_ranked + 1)
    np.put_along_axis(ranking, orders, np.arange(1, n_ranked + 1)[None, :], axis=1)
    return ranking
