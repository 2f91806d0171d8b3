"""Unsupervised forest: features that tell rows from rows of independent columns."""

from numbers import Integral

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import validate_data

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.clusterings.unsupervised_forest import grow_unsupervised
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import (
    N_TO_SELECT,
    Selector,
    count_to_select,
    rank_scores,
)
from manyminds.feature_selection.unsupervised.scree import scree_test
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class UnsupervisedForestSelector(Selector):
    """Select the features by which a forest tells rows from synthetic ones.

    The columns of synthetic rows are drawn independently of each other. A feature is
    important if it depends on others [1]_.

    Parameters
    ----------
    n_features_to_select : int, float or None, default=None
        Number of features to select, or their share of all; None: by a scree test.
    n_estimators : int, default=500
        Number of trees.
    synthetic : {"marginals", "uniform"}, default="marginals"
        How to draw a column of the synthetic rows: from the values of the column, or
        uniformly between its extremes.
    n_jobs : int, default=None
        Number of threads.
    random_state : int, RandomState instance or None, default=None
        Draws synthetic rows, and seeds the forest.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        Mean decrease of impurity by each feature.
    ranking_ : ndarray of shape (n_features,)
        1 for the highest score; among equals the first goes first.
    oob_error_ : float
        Share of rows, real and synthetic, that the forest mistakes out of bag. At one
        half, it has found no dependence, and the selection means nothing.
    {support}
    {n_features_in}

    See Also
    --------
    manyminds.ensemble.UnsupervisedForest : Clusters by such a forest.

    References
    ----------
    .. [1] Shi and Horvath, "Unsupervised learning with random forest predictors",
       Journal of Computational and Graphical Statistics 15, 2006.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.feature_selection import UnsupervisedForestSelector
    >>> X = np.random.default_rng(0).normal(size=(200, 5))
    >>> X[:, 1] += 3.0 * X[:, 4]
    >>> selector = UnsupervisedForestSelector(2, n_estimators=50, random_state=0)
    >>> selector.fit(X).get_support(indices=True)
    array([1, 4])
    """

    _parameter_constraints = {
        "n_features_to_select": [*N_TO_SELECT, None],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "synthetic": [StrOptions({"marginals", "uniform"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_features_to_select=None,
        *,
        n_estimators=500,
        synthetic="marginals",
        n_jobs=None,
        random_state=None,
    ):
        self.n_features_to_select = n_features_to_select
        self.n_estimators = n_estimators
        self.synthetic = synthetic
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        """Grow the forest, and read the importance of each feature.

        Parameters
        ----------
        X : {array-like, dataframe} of shape (n_samples, n_features)
            Training samples; NaN is a missing value.
        y : None
            Ignored.

        Returns
        -------
        {fitted}
        """
        self._validate_params()
        X = validate_data(
            self,
            X,
            dtype=np.float64,
            ensure_all_finite="allow-nan",
            ensure_min_samples=2,
        )
        rng = check_random_state(self.random_state)

        forest = grow_unsupervised(
            X, self.n_estimators, self.synthetic, rng, self.n_jobs
        )
        self.oob_error_ = 1.0 - forest.oob_score_
        self.scores_ = forest.feature_importances_
        self.ranking_ = rank_scores(self.scores_)
        self.support_ = scree_test(self.scores_)
        if self.n_features_to_select is not None:
            n_kept = count_to_select(self.n_features_to_select, X.shape[1])
            self.support_ = self.ranking_ <= n_kept
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        tags.input_tags.allow_nan = True
        return tags
