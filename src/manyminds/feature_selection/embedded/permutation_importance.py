"""Out-of-bag permutation importance: select the features a forest depends on."""

from numbers import Integral

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, Interval
from manyminds.ensemble.forests.random_forest import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    TABLE_CONSTRAINTS,
    ScoreSelector,
    SupervisedSelector,
    read_target,
    read_weight,
)
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import BREIMAN_2001, cite


@fill_docstring(**PARAMETERS, references=cite(BREIMAN_2001))
class PermutationImportanceSelector(ScoreSelector, SupervisedSelector):
    """Select the features whose permutation increases a forest's out-of-bag error most.

    Each tree predicts its out-of-bag samples before and after the values of a feature
    are shuffled among them [1]_. The forest is not grown again without the feature, so
    that two copies of a feature share its importance.

    Parameters
    ----------
    {n_features_to_select}
    estimator : forest, default=None
        One of our forests, with bootstrap samples; None: a random forest of 100 trees.
    n_repeats : int, default=1
        Number of permutations of each feature in each tree.
    task : {"auto", "classification", "regression"}, default="auto"
        Type of the target; ignored if there is an estimator.
    {categorical_features}
    random_state : int, RandomState instance or None, default=None
        Permutes the features; also grows the forest if its ``random_state`` is None.
    n_jobs : int, default=None
        Number of threads; ignored if there is an estimator.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean increase of the error over the trees.
    {ranking}
    standard_errors_ : ndarray of shape (n_features,)
        Standard error of each score, over the trees.
    estimator_ : forest
        The fitted forest.
    {n_features_in}

    See Also
    --------
    ForestGainSelector : Scores features by the gains of splits.

    {references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.feature_selection import PermutationImportanceSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> selector = PermutationImportanceSelector(2, random_state=0).fit(X, y)
    >>> selector.get_support(indices=True)
    array([2, 3])
    """

    _parameter_constraints = {
        "n_features_to_select": N_TO_SELECT,
        "estimator": [HasMethods(["fit", "oob_permutation_importance"]), None],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        **TABLE_CONSTRAINTS,
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        estimator=None,
        n_repeats=1,
        task="auto",
        categorical_features="from_dtype",
        random_state=None,
        n_jobs=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.n_repeats = n_repeats
        self.task = task
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Grow the forest and permute one feature after the other.

        {fit_weighted}
        """
        self._validate_params()
        X, is_categorical = self._read_features(X, self.categorical_features)
        y, classes = read_target(self, X, y, self.task)
        if sample_weight is not None:
            sample_weight = read_weight(X, sample_weight)
        if X.shape[0] < 2:
            raise ValueError(
                "PermutationImportanceSelector needs out-of-bag samples, so at least 2 "
                f"samples; got n_samples={X.shape[0]}."
            )

        rng = check_random_state(self.random_state)
        forest = self._make_forest(classes is not None, is_categorical, rng)
        self.estimator_ = forest.fit(X, y, sample_weight)
        importance = forest.oob_permutation_importance(
            X, y, n_repeats=self.n_repeats, random_state=rng
        )
        self.scores_ = importance.importances_mean
        self.standard_errors_ = importance.importances_se
        return self

    def _make_forest(self, has_classes, is_categorical, rng):
        """Return the forest, not fitted, with its categorical columns set."""
        forest = self.estimator
        if forest is None:
            Forest = RandomForestClassifier if has_classes else RandomForestRegressor
            forest = Forest(n_jobs=self.n_jobs)
        forest, codes = clone(forest), None
        if is_categorical.any():
            codes = np.flatnonzero(is_categorical)
        forest.set_params(categorical_features=codes)
        if forest.random_state is None:
            forest.set_params(random_state=rng.randint(2**31 - 1))
        return forest
