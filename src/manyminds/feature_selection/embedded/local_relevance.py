"""Local relevance: the contribution of each feature to classify each sample."""

from numbers import Integral

import numpy as np
from sklearn.utils import get_tags

from manyminds._compat import HasMethods, StrOptions
from manyminds.ensemble.base import draw_member_seeds, make_member
from manyminds.ensemble.local.local_gains import (
    average_gains,
    check_forest,
    make_uniform_forest,
    read_forest_rows,
    sum_gains,
)
from manyminds.feature_selection._parameters import PARAMETERS
from manyminds.feature_selection.base import N_TO_SELECT, ScoreSelector, read_weight
from manyminds.trees.base import TreeModel
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.references import ROGERS_2007, cite


@fill_docstring(**PARAMETERS, references=cite(f"{ROGERS_2007}, section 7.5"))
class LocalRelevance(ScoreSelector):
    r"""Compute the relevance of each feature for each sample; select the best features.

    When a node of a tree splits by a feature and a sample goes to one of its children,
    the share of the sample's class changes. The gain of the sample, in bits, is

    .. math:: g_i = \log_2 p_\mathrm{child}(y_i) - \log_2 p_\mathrm{node}(y_i),

    where :math:`p(y_i)` is the share of the sample's class. The relevance of a feature
    for a sample is the mean of these gains over all splits by the feature on the path
    of the sample, in all trees that have drawn it [1]_. The mean gain of all samples of
    a node is the information gain of its split.

    Parameters
    ----------
    n_features_to_select : int or float, default=10
        Number of features to select, or their share of all features.
    estimator : forest classifier, default=None
        The forest whose splits are used. None: ``RandomForestClassifier(
        criterion="entropy", max_features=1)`` of 100 trees. A sample passes about
        ``0.63 * n_trees * depth / n_features`` splits by a feature: use more trees for
        many features.
    unseen : {"zero", "mean"}, default="zero"
        Relevance of a feature for a sample that passes no split by it: 0, or the mean
        gain of all samples that do.
    {n_jobs}
    random_state : int, RandomState instance or None, default=None
        Seeds the forest.
    categorical_features : array-like, "from_dtype" or None, default="from_dtype"
        Categorical columns of the default forest: a boolean mask, positions or names;
        "from_dtype": the columns of a dataframe with a categorical dtype; None: none.

    Attributes
    ----------
    relevance_ : ndarray of shape (n_samples, n_features)
        Relevance of each feature for each training sample, in bits; may be negative.
    counts_ : ndarray of int of shape (n_samples, n_features)
        Number of splits that each relevance is the mean of.
    forest_ : forest classifier
        The fitted forest.
    scores_ : ndarray of shape (n_features,)
        Mean relevance of each feature over the training samples.
    {ranking}
    {n_features_in}

    See Also
    --------
    relevance_matrix : The same for a fitted forest.

    {references}

    Examples
    --------
    The relevant one of the four inputs of a multiplexer depends on two control bits:

    >>> import numpy as np
    >>> from manyminds.datasets import make_multiplexer
    >>> from manyminds.feature_selection import LocalRelevance
    >>> X, y = make_multiplexer(2000, random_state=0)
    >>> relevance = LocalRelevance(random_state=0).fit(X, y).relevance_
    >>> control = (2 * X[:, 0] + X[:, 1]).astype(int)
    >>> means = [relevance[control == k, 2:].mean(axis=0) for k in range(4)]
    >>> print(np.argmax(means, axis=1))
    [0 1 2 3]
    """

    _parameter_constraints = {
        "n_features_to_select": N_TO_SELECT,
        "estimator": [HasMethods(["fit", "apply"]), None],
        "unseen": [StrOptions({"zero", "mean"})],
        "n_jobs": [Integral, None],
        "random_state": ["random_state"],
        "categorical_features": TreeModel._parameter_constraints[
            "categorical_features"
        ],
    }

    def __init__(
        self,
        n_features_to_select=10,
        *,
        estimator=None,
        unseen="zero",
        n_jobs=None,
        random_state=None,
        categorical_features="from_dtype",
    ):
        self.n_features_to_select = n_features_to_select
        self.estimator = estimator
        self.unseen = unseen
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.categorical_features = categorical_features

    def fit(self, X, y, sample_weight=None):
        """Grow the forest and sum the gains of its splits for each sample.

        Parameters
        ----------
        {x}
        {y_of_classes}
        sample_weight : array-like of shape (n_samples,), default=None
            Relative probability that a tree draws a sample, and its weight in the
            scores.

        Returns
        -------
        self : LocalRelevance
            The fitted selector.
        """
        self._validate_params()
        base = self._base
        check_forest("estimator", base)
        weights = read_weight(
            self._read_features(X, self.categorical_features)[0], sample_weight
        )

        seed = draw_member_seeds(self.random_state, 1)[0]
        self.forest_ = make_member(base, seed).fit(X, y, sample_weight)
        table, label = read_forest_rows(self.forest_, X, y)
        total, self.counts_ = sum_gains(self.forest_, table, label, self.n_jobs)
        self.relevance_ = average_gains(total, self.counts_, self.unseen)
        self.scores_ = np.average(self.relevance_, axis=0, weights=weights)
        return self

    @property
    def _base(self):
        if self.estimator is not None:
            return self.estimator
        return make_uniform_forest(
            n_jobs=self.n_jobs, categorical_features=self.categorical_features
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._base).input_tags
        tags.input_tags.categorical = True
        tags.target_tags.required = True
        return tags


def relevance_matrix(forest, X, y, *, unseen="zero", n_jobs=None):
    """Compute the relevance of each feature for each training sample of a forest.

    Parameters
    ----------
    forest : fitted forest classifier
        One of ours, such as ``RandomForestClassifier(criterion="entropy",
        max_features=1)``. Only samples that a tree has drawn count in it; without a
        bootstrap, all do.
    X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
        The samples that the forest was fitted on, in the same order.
    y : array-like of shape (n_samples,)
        Class labels.
    unseen : {"zero", "mean"}, default="zero"
        Relevance of a feature for a sample that passes no split by it: 0, or the mean
        gain of all samples that do.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    relevance : ndarray of shape (n_samples, n_features)
        Mean gain of each sample by each feature, in bits; see `LocalRelevance`.
    counts : ndarray of int of shape (n_samples, n_features)
        Number of splits that each relevance is the mean of.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.ensemble import RandomForestClassifier
    >>> from manyminds.feature_selection import relevance_matrix
    >>> X = np.random.default_rng(0).uniform(size=(500, 2))
    >>> y = X[:, 1] > 2.5 * X[:, 0] - 0.75
    >>> forest = RandomForestClassifier(max_features=1, random_state=0).fit(X, y)
    >>> relevance, counts = relevance_matrix(forest, X, y)
    >>> steep = (X[:, 0] > 0.3) & (X[:, 0] < 0.7)  # where the border is
    >>> print(relevance[steep, 1].mean() > 2 * relevance[~steep, 1].mean())
    True
    """
    check_forest("forest", forest)
    if unseen not in ("zero", "mean"):
        raise ValueError(f"unseen must be 'zero' or 'mean'; got {unseen!r}.")
    table, label = read_forest_rows(forest, X, y)
    total, counts = sum_gains(forest, table, label, n_jobs)
    return average_gains(total, counts, unseen), counts
