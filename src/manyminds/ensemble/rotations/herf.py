"""Hybrid extreme rotation forests: trees and networks, each on its own rotation."""

import numpy as np
from sklearn.utils import check_random_state

from manyminds.ensemble.rotations._parameters import PARAGRAPHS
from manyminds.ensemble.rotations.composition import (
    draw_families,
)
from manyminds.ensemble.rotations.hybrids import (
    HybridClassifier,
    HybridRegressor,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import AYERDI_2014, RODRIGUEZ_2006, cite


@fill_docstring(**PARAGRAPHS, references=cite(AYERDI_2014, RODRIGUEZ_2006))
class HERFClassifier(HybridClassifier):
    """Classify by trees and neural networks on tables that are rotated for each.

    Each member draws its family, a decision tree or an extreme learning machine, and
    its own rotation of the standardized features: these are divided into blocks at
    random, and each block is rotated to its principal components in a random subset of
    the rows [2]_. The members vote [1]_. The authors do not state the probabilities of
    the families; here all are equal unless ``odds`` is set.

    Parameters
    ----------
    {n_members}
    families : sequence of str or (str, estimator), default=("tree", "elm")
        {classifier_families}
    {odds}
    {classifier_rotation}
    random_state : int, RandomState instance or None, default=None
        Draws families, rotations and rows, and seeds the members.

    Attributes
    ----------
    {families}
    {class_members}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.ensemble import HERFClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> forest = HERFClassifier(random_state=0).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 1)
    1.0
    """

    _parameter_constraints = {
        **HybridClassifier._parameter_constraints,
        "odds": ["array-like", None],
    }

    def __init__(
        self,
        n_estimators=35,
        *,
        families=("tree", "elm"),
        odds=None,
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
        self.odds = odds
        self.rotate = rotate
        self.features_per_block = features_per_block
        self.row_share = row_share
        self.class_subsets = class_subsets
        self.invariant = invariant
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw the families of the members, and fit each to its rotated table.

        {fit_hybrid_classes}
        """
        self._validate_params()
        families = self._read_families()
        X, y, weight = self._read_training_set(X, y, sample_weight)
        self.probabilities_ = _read_odds(self.odds, self.family_names_)

        rng = check_random_state(self.random_state)
        self.member_families_ = draw_families(
            self.probabilities_, self.n_estimators, rng
        )
        return self._fit_members(families, X, y, weight, rng)


@fill_docstring(**PARAGRAPHS, references=cite(AYERDI_2014, RODRIGUEZ_2006))
class HERFRegressor(HybridRegressor):
    """Predict a number by trees and neural networks on tables rotated for each.

    Each member draws its family, a decision tree or an extreme learning machine, and
    its own rotation of the standardized features: these are divided into blocks at
    random, and each block is rotated to its principal components in a random subset of
    the rows [2]_. The members' predictions are averaged. The paper [1]_ has classes
    only.

    Parameters
    ----------
    {n_members}
    families : sequence of str or (str, estimator), default=("tree", "elm")
        {regressor_families}
    {odds}
    {regressor_rotation}
    random_state : int, RandomState instance or None, default=None
        Draws families, rotations and rows, and seeds the members.

    Attributes
    ----------
    {families}
    {target_members}

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from manyminds.ensemble import HERFRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = HERFRegressor(random_state=0).fit(X[::2], y[::2])
    >>> round(forest.score(X[1::2], y[1::2]), 1)
    0.4
    """

    _parameter_constraints = {
        **HybridRegressor._parameter_constraints,
        "odds": ["array-like", None],
    }

    def __init__(
        self,
        n_estimators=35,
        *,
        families=("tree", "elm"),
        odds=None,
        rotate="always",
        features_per_block=4,
        row_share=0.75,
        invariant="bootstrap",
        n_jobs=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.families = families
        self.odds = odds
        self.rotate = rotate
        self.features_per_block = features_per_block
        self.row_share = row_share
        self.invariant = invariant
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw the families of the members, and fit each to its rotated table.

        {fit_hybrid_targets}
        """
        self._validate_params()
        families = self._read_families()
        X, y, weight = self._read_training_set(X, y, sample_weight)
        self.probabilities_ = _read_odds(self.odds, self.family_names_)

        rng = check_random_state(self.random_state)
        self.member_families_ = draw_families(
            self.probabilities_, self.n_estimators, rng
        )
        return self._fit_members(families, X, y, weight, rng)


def _read_odds(odds, names):
    """Turn odds of families into probabilities."""
    if odds is None:
        return np.full(len(names), 1.0 / len(names))
    given = np.asarray(odds, dtype=np.float64)
    if given.shape != (len(names),) or not (given >= 0.0).all() or given.sum() <= 0.0:
        raise ValueError(
            f"odds takes a number from 0 on for each of the {len(names)} families, not "
            f"all 0; got {odds!r}."
        )
    return given / given.sum()
