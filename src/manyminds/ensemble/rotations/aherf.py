"""Anticipative hybrid extreme rotation forests: a pilot sets the families' shares."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils import check_random_state

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.base import run_on_members
from manyminds.ensemble.rotations._parameters import PARAGRAPHS
from manyminds.ensemble.rotations.composition import draw_families
from manyminds.ensemble.rotations.hybrids import (
    HybridClassifier,
    HybridRegressor,
)
from manyminds.ensemble.rotations.pilots import (
    assign_folds,
    assign_odds,
    draw_pilot,
    rank_families,
    read_ranking,
    take,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import AYERDI_2016, RODRIGUEZ_2006, cite


class Anticipation:
    """The algorithm, for classes and targets; goes before a hybrid forest."""

    _parameter_constraints = {
        "pilot_size": [Interval(Real, 0.0, 1.0, closed="neither")],
        "min_pilot": [Interval(Integral, 0, None, closed="left")],
        "cv": [Interval(Integral, 2, None, closed="left")],
        "ranking": [StrOptions({"fibonacci", "uniform", "winner"}), "array-like"],
        "ties": [StrOptions({"share", "random", "last"})],
        "refit_on_all": ["boolean"],
    }

    def _anticipate(self, X, y, sample_weight):
        families = self._read_families()
        odds = read_ranking(self.ranking, len(families))
        X, y, weight = self._read_training_set(X, y, sample_weight)
        n_pilot = self._count_pilot(len(y))
        rng = check_random_state(self.random_state)

        self.pilot_rows_ = draw_pilot(y, n_pilot, rng)
        pilot = take(self.pilot_rows_, X, y, weight)
        self.pilot_scores_ = self._score_families(families, *pilot, rng)
        self.ranks_ = rank_families(self.pilot_scores_.mean(axis=1), self.ties, rng)
        self.probabilities_ = assign_odds(self.ranks_, odds)
        self.member_families_ = draw_families(
            self.probabilities_, self.n_estimators, rng
        )
        if not self.refit_on_all:
            others = np.setdiff1d(np.arange(len(y)), self.pilot_rows_)
            X, y, weight = take(others, X, y, weight)
        return self._fit_members(families, X, y, weight, rng)

    def _count_pilot(self, n_samples):
        """Return the number of rows of the pilot."""
        n_pilot = max(2, round(self.pilot_size * n_samples))
        if self.refit_on_all:
            return min(max(n_pilot, self.min_pilot), n_samples)
        if n_samples - n_pilot < 2:
            raise ValueError(
                f"X has {n_samples} rows: too few for a pilot and other rows to fit "
                "members; set refit_on_all=True."
            )
        return n_pilot

    def _score_families(self, families, X, y, weight, rng):
        """Cross-validate each family on the rows of the pilot, without any rotation."""
        fold = assign_folds(y, min(self.cv, len(y)), rng)
        seeds = rng.randint(2**31 - 1, size=(len(families), fold.max() + 1))
        jobs = (
            (families[k], X, y, weight, fold == f, seed)
            for (k, f), seed in np.ndenumerate(seeds)
        )
        scores = list(run_on_members(self._score_family, jobs, self.n_jobs))
        return np.reshape(scores, seeds.shape)

    def _score_family(self, family, X, y, weight, is_test, seed):
        """Fit a family to all folds but one, and score it on that one."""
        X_fit, y_fit, w_fit = take(~is_test, X, y, weight)
        X_new, y_new, w_new = take(is_test, X, y, weight)
        if is_classifier(self) and (y_fit == y_fit[0]).all():
            predicted = y_fit[0]  # the only row of another class is in the other fold
        else:
            member, _ = self._fit_member(family, "none", X_fit, y_fit, w_fit, seed)
            predicted = member.predict(X_new)
        if is_classifier(self):
            return np.average(predicted == y_new, weights=w_new)
        return 1.0 - np.average((predicted - y_new) ** 2, weights=w_new)


@fill_docstring(**PARAGRAPHS, references=cite(AYERDI_2016, RODRIGUEZ_2006))
class AHERFClassifier(Anticipation, HybridClassifier):
    """Classify by members of several families, more of those that do well in a pilot.

    A random subset of the training rows is the pilot, on which each family of
    classifiers is cross-validated. Their ranks by accuracy determine the probability of
    each family: by Fibonacci's numbers, nearly twice that of the next. Each member then
    draws its family, and its own rotation of the standardized features, as in a
    rotation forest [2]_. The members vote [1]_.

    Parameters
    ----------
    {n_members}
    families : sequence of str or (str, estimator), \
default=("tree", "elm", "knn", "svm", "forest", "adaboost", "bayes")
        {classifier_families}
    {pilot}
    {classifier_rotation}
    random_state : int, RandomState instance or None, default=None
        Draws the pilot, families, rotations and rows, and seeds the members.

    Attributes
    ----------
    {pilot_rows}
    pilot_scores_ : ndarray of shape (n_families, cv)
        Accuracy of each family in each fold of the pilot.
    {ranked_classes}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.ensemble import AHERFClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> forest = AHERFClassifier(random_state=0).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 1)
    1.0
    """

    _parameter_constraints = {
        **HybridClassifier._parameter_constraints,
        **Anticipation._parameter_constraints,
    }

    def __init__(
        self,
        n_estimators=35,
        *,
        families=("tree", "elm", "knn", "svm", "forest", "adaboost", "bayes"),
        pilot_size=0.3,
        min_pilot=50,
        cv=5,
        ranking="fibonacci",
        ties="share",
        refit_on_all=True,
        rotate="always",
        features_per_block=4,
        row_share=0.75,
        class_subsets=True,
        invariant="bootstrap",
        voting="hard",
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.families = families
        self.pilot_size = pilot_size
        self.min_pilot = min_pilot
        self.cv = cv
        self.ranking = ranking
        self.ties = ties
        self.refit_on_all = refit_on_all
        self.rotate = rotate
        self.features_per_block = features_per_block
        self.row_share = row_share
        self.class_subsets = class_subsets
        self.invariant = invariant
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Rank the families in a pilot, draw the members' families, fit the members.

        {fit_hybrid_classes}
        """
        self._validate_params()
        return self._anticipate(X, y, sample_weight)


@fill_docstring(**PARAGRAPHS, references=cite(AYERDI_2016, RODRIGUEZ_2006))
class AHERFRegressor(Anticipation, HybridRegressor):
    """Predict a number by several families, more of those that do well in a pilot.

    A random subset of the training rows is the pilot, on which each family of
    regressors is cross-validated. Their ranks by squared error determine the
    probability of each family: by Fibonacci's numbers, nearly twice that of the next.
    Each member then draws its family, and its own rotation of the standardized
    features, as in a rotation forest [2]_. The members' predictions are averaged. The
    paper [1]_ has classes only.

    Parameters
    ----------
    {n_members}
    families : sequence of str or (str, estimator), \
default=("tree", "elm", "knn", "svm", "forest", "adaboost", "ridge")
        {regressor_families}
    {pilot}
    {regressor_rotation}
    random_state : int, RandomState instance or None, default=None
        Draws the pilot, families, rotations and rows, and seeds the members.

    Attributes
    ----------
    {pilot_rows}
    pilot_scores_ : ndarray of shape (n_families, cv)
        1 less the mean squared error for the standardized target, of each family in
        each fold of the pilot.
    {ranked_targets}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.ensemble import AHERFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = AHERFRegressor(random_state=0).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 1)
    0.4
    """

    _parameter_constraints = {
        **HybridRegressor._parameter_constraints,
        **Anticipation._parameter_constraints,
    }

    def __init__(
        self,
        n_estimators=35,
        *,
        families=("tree", "elm", "knn", "svm", "forest", "adaboost", "ridge"),
        pilot_size=0.3,
        min_pilot=50,
        cv=5,
        ranking="fibonacci",
        ties="share",
        refit_on_all=True,
        rotate="always",
        features_per_block=4,
        row_share=0.75,
        invariant="bootstrap",
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.families = families
        self.pilot_size = pilot_size
        self.min_pilot = min_pilot
        self.cv = cv
        self.ranking = ranking
        self.ties = ties
        self.refit_on_all = refit_on_all
        self.rotate = rotate
        self.features_per_block = features_per_block
        self.row_share = row_share
        self.invariant = invariant
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Rank the families in a pilot, draw the members' families, fit the members.

        {fit_hybrid_targets}
        """
        self._validate_params()
        return self._anticipate(X, y, sample_weight)
