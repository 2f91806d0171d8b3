"""Ensemble filtering: drop the rows that too many other learners get wrong."""

from numbers import Integral, Real

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.ensemble._parameters import PARAGRAPHS
from manyminds.ensemble.base import draw_member_seeds, make_member, run_on_members
from manyminds.ensemble.homogeneous import (
    HomogeneousClassifier,
    draw_counts,
    fit_member,
)
from manyminds.ensemble.rules.robust_c45 import find_lost_classes
from manyminds.trees.mdl_tree import MDLTreeClassifier
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class EnsembleFilterClassifier(HomogeneousClassifier):
    """Fit a learner to the rows that a committee does not call outliers.

    Members of the committee judge rows that they were not fitted to: trees on bootstrap
    samples the rows that they did not draw [2]_, or several learners the rows of
    the other folds [1]_. A row is an outlier if at least ``threshold`` of its judges
    get it wrong.

    Parameters
    ----------
    estimator : classifier, default=None
        Estimator to fit to the rows that are kept; None: `MDLTreeClassifier`.
    committee : classifier, list of classifiers or None, default=None
        A classifier is fitted to bootstrap samples; each one of a list, to all folds
        but one in turn. None: `MDLTreeClassifier`.
    n_estimators : int, default=50
        Number of bootstrap samples.
    n_splits : int, default=10
        Number of folds, for a list.
    threshold : {"majority", "strict_majority", "consensus"} or int or float, \
default="strict_majority"
        Number of judges that must be wrong; a fraction of them, if a float. "majority"
        is half of them, where a tie is enough, as the thesis [3]_ has it; "consensus",
        all of them. With bootstrap samples, where a row has only some of the judges,
        the same share of these.
    {n_jobs}
    random_state : int, RandomState instance or None, default=None
        Draws rows and folds, and seeds the learners.

    Attributes
    ----------
    estimator_ : classifier
        The learner, fitted on class numbers of the rows that are kept.
    estimators_ : list of one classifier
        The same.
    outliers_ : ndarray of bool of shape (n_samples,)
        Which training rows were dropped.
    n_wrong_, n_judges_ : ndarray of int of shape (n_samples,)
        How many judges of each training row got it wrong, and how many it had.
    {class_names}

    Notes
    -----
    "consensus" keeps outliers, "majority" drops good rows as well: the threshold is
    worth a search. A row without a judge is kept, and so are all rows of a class that
    would be lost.

    References
    ----------
    .. [1] Brodley and Friedl, "Identifying mislabeled training data", Journal of
       Artificial Intelligence Research 11, 1999.
    .. [2] Verbaeten and Van Assche, "Ensemble methods for noise elimination in
       classification problems", Multiple Classifier Systems, 2003.
    .. [3] Rogers, "Ensemble algorithms and feature selection", PhD thesis, University
       of Southampton, 2007, chapter 4.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble import EnsembleFilterClassifier
    >>> X = np.arange(200.0).reshape(-1, 1)
    >>> y = (X[:, 0] > 99).astype(int)
    >>> y[[20, 150]] = 1 - y[[20, 150]]  # two wrong labels
    >>> model = EnsembleFilterClassifier(threshold="consensus", random_state=0)
    >>> np.flatnonzero(model.fit(X, y).outliers_)
    array([ 20, 150])
    """

    _parameter_constraints = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "committee": [HasMethods(["fit", "predict"]), list, None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "n_splits": [Interval(Integral, 2, None, closed="left")],
        "threshold": [
            StrOptions({"majority", "strict_majority", "consensus"}),
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0.0, 1.0, closed="right"),
        ],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator=None,
        committee=None,
        *,
        n_estimators=50,
        n_splits=10,
        threshold="strict_majority",
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.committee = committee
        self.n_estimators = n_estimators
        self.n_splits = n_splits
        self.threshold = threshold
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y):
        """Let the committee judge all rows, and fit the learner to those it keeps.

        {fit}
        """
        self._validate_params()
        X, label, _ = self._read_training_set(X, y, None)
        rng = check_random_state(self.random_state)

        trials, n_learners = self._list_trials(label, rng)
        work = ((learner, X, label, *rows) for learner, *rows in trials)
        self.n_wrong_, self.n_judges_ = np.zeros((2, len(label)), dtype=np.intp)
        for judged, wrong in run_on_members(_judge, work, self.n_jobs):
            self.n_judges_[judged] += 1
            self.n_wrong_[judged] += wrong
        self.outliers_ = flag_outliers(
            self.n_wrong_, self.n_judges_, n_learners, self.threshold
        )
        self.outliers_ &= ~find_lost_classes(label, self.outliers_)
        kept = ~self.outliers_
        member = make_member(self._base, rng.randint(2**31 - 1))
        self.estimator_ = fit_member(member, X[kept], label[kept])
        self.estimators_ = [self.estimator_]
        return self

    def _list_trials(self, label, rng):
        """List the learners with the rows to fit and to judge; count the learners."""
        if isinstance(self.committee, list):
            return _list_folds(self.committee, label, self.n_splits, rng)
        one = MDLTreeClassifier() if self.committee is None else self.committee
        seeds = draw_member_seeds(rng, self.n_estimators)
        odds, trials = np.ones(len(label)), []
        for seed in seeds:
            counts = draw_counts(rng, odds)
            drawn = np.repeat(np.arange(len(label)), counts)
            trials.append((make_member(one, seed), drawn, np.flatnonzero(counts == 0)))
        return trials, self.n_estimators


def flag_outliers(n_wrong, n_judges, n_learners, threshold):
    """Flag the rows that too many judges get wrong.

    Parameters
    ----------
    n_wrong, n_judges : array-like of int of shape (n_samples,)
        How many judges of each row are wrong, and how many it has.
    n_learners : int
        Size of the committee.
    threshold : {"majority", "strict_majority", "consensus"} or int or float
        See `EnsembleFilterClassifier`.

    Returns
    -------
    outliers : ndarray of bool of shape (n_samples,)

    Examples
    --------
    >>> from manyminds.ensemble.committees.ensemble_filter import flag_outliers
    >>> flag_outliers([1, 2, 3, 4], 4, 4, "majority")
    array([False,  True,  True,  True])
    >>> flag_outliers([1, 2, 3, 4], 4, 4, "strict_majority")
    array([False, False,  True,  True])
    """
    named = {
        "majority": n_learners / 2,
        "strict_majority": n_learners // 2 + 1,
        "consensus": n_learners,
    }
    least = named.get(threshold, threshold) if isinstance(threshold, str) else threshold
    if not isinstance(threshold, str | Integral):
        least = threshold * n_learners
    n_wrong, n_judges = np.asarray(n_wrong), np.asarray(n_judges)
    return (n_judges > 0) & (n_wrong * n_learners >= least * n_judges)


def _list_folds(learners, label, n_splits, rng):
    """Let each learner judge every fold after it was fitted to the others."""
    n_splits = max(2, min(n_splits, np.bincount(label).max()))
    folds = StratifiedKFold(n_splits, shuffle=True, random_state=rng)
    pairs, trials = list(folds.split(label, label)), []
    for learner in learners:
        seeds = draw_member_seeds(rng, len(pairs))
        trials += [(make_member(learner, s), *pair) for s, pair in zip(seeds, pairs)]
    return trials, len(learners)


def _judge(learner, X, label, fitted, judged):
    """Fit a learner to some rows; return which of others it gets wrong."""
    if len(judged) == 0:
        return judged, np.zeros(0, dtype=bool)
    learner = fit_member(learner, X[fitted], label[fitted])
    return judged, learner.predict(X[judged]) != label[judged]
