"""Hybrid selection: remove redundant features first, then learn the network."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import clone

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.causal.base import CausalSelector
from manyminds.feature_selection.causal.grow_shrink import GrowShrinkSelector
from manyminds.feature_selection.causal.hiton import HITONSelector
from manyminds.feature_selection.causal.iamb import IAMBSelector
from manyminds.feature_selection.causal.mmmb import MMMBSelector
from manyminds.feature_selection.causal.pc import PCSelector
from manyminds.feature_selection.causal.tpda import TPDASelector
from manyminds.feature_selection.filters.cfs import CFSSelector
from manyminds.feature_selection.filters.fcbf import FCBFSelector
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.weights import pass_weights

METHODS = {
    "pc": (PCSelector, {}),
    "tpda": (TPDASelector, {}),
    "grow_shrink": (GrowShrinkSelector, {}),
    "iamb": (IAMBSelector, {}),
    "inter_iamb": (IAMBSelector, {"interleave": True}),
    "mmmb": (MMMBSelector, {}),
    "hiton_mb": (HITONSelector, {}),
}


@fill_docstring(**PARAMETERS)
class HybridCausalSelector(CausalSelector):
    """Remove redundant features by a filter, then select by a causal algorithm.

    Algorithms that learn a whole network do not scale to thousands of features. A fast
    filter first removes features with an approximate Markov blanket among the others;
    the causal algorithm then decides among what is left, irrelevant features included
    [1]_.

    Parameters
    ----------
    causal : str or causal selector, default="pc"
        One of "pc", "tpda", "grow_shrink", "iamb", "inter_iamb", "mmmb" and "hiton_mb",
        with the parameters below; or a selector of this family with its own.
    prefilter : {"fcbf", "cfs"}, selector or None, default="fcbf"
        What removes redundant features: :class:`FCBFSelector`, :class:`CFSSelector`,
        any other selector, or nothing.
    prefilter_threshold : float, default=0.0
        Features whose symmetrical uncertainty with the target is not above it are
        removed by "fcbf", too. The causal step is meant to decide on irrelevance.
    {test}
    max_condition_size : int or None, default=2
        Maximum number of columns on which tests condition; None: no limit.
    {coded}

    Attributes
    ----------
    {causal_attributes}
    prefilter_support_ : ndarray of bool of shape (n_features,)
        Features that the filter left.
    causal_ : causal selector
        The second step, fitted to these features.

    Notes
    -----
    The number of tests depends on the features that the filter leaves, not on all. The
    filter looks at pairs only: it may remove a cause of the target in favor of a proxy,
    and a feature that matters only together with others. The selected features predict
    well; the graph around them is that of the features that were left.

    The chapter [1]_ never writes the algorithm out. This reading, redundancy first and
    without a relevance threshold, follows its Table 1. Of its counts for LUCAS, one of
    four agrees with ours; see the evidence on hybrid causal selection.

    References
    ----------
    .. [1] Duangsoithong and Windeatt, "Hybrid correlation and causal feature selection
       for ensemble classifiers", Ensembles in Machine Learning Applications, Springer,
       2011.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> from manyminds.feature_selection import HybridCausalSelector
    >>> X, y = make_lucas(random_state=0)
    >>> X = pd.DataFrame(X, columns=LUCAS_FEATURES)
    >>> selector = HybridCausalSelector().fit(X, y)
    >>> print(*selector.get_feature_names_out())
    Smoking Genetics Coughing
    """

    _parameter_constraints = {
        **CausalSelector._parameter_constraints,
        "causal": [StrOptions(set(METHODS)), HasMethods(["fit", "get_support"])],
        "prefilter": [
            StrOptions({"fcbf", "cfs"}),
            HasMethods(["fit", "get_support"]),
            None,
        ],
        "prefilter_threshold": [Interval(Real, 0.0, None, closed="left")],
        "max_condition_size": [Interval(Integral, 0, None, closed="left"), None],
    }

    def __init__(
        self,
        causal="pc",
        *,
        prefilter="fcbf",
        prefilter_threshold=0.0,
        test="auto",
        alpha=0.01,
        threshold=0.01,
        dof="observed",
        min_count=5.0,
        max_condition_size=2,
        discretize="quantile",
        n_bins=5,
        task="auto",
        categorical_features="from_dtype",
        time_limit=None,
        verbose=0,
        random_state=None,
        n_jobs=None,
    ):
        self.causal = causal
        self.prefilter = prefilter
        self.prefilter_threshold = prefilter_threshold
        self.test = test
        self.alpha = alpha
        self.threshold = threshold
        self.dof = dof
        self.min_count = min_count
        self.max_condition_size = max_condition_size
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y, sample_weight=None):
        """Remove redundant features, then learn the network around the target.

        {fit_causal}
        """
        self._validate_params()
        columns = self._read_columns(X, y, sample_weight)
        causal = self._make_causal()

        kept = self._filter(X, y, sample_weight)
        found = causal._fit_columns(columns.take(kept))
        self.prefilter_support_, self.causal_ = kept, found
        left = np.flatnonzero(kept)
        self.support_ = np.zeros(len(kept), dtype=bool)
        self.support_[left[found.support_]] = True
        self.markov_blanket_ = left[found.markov_blanket_]
        self.graph_, self.target_name_ = found.graph_, found.target_name_
        self.n_tests_, self.test_name_ = found.n_tests_, found.test_name_
        self.is_complete_ = found.is_complete_
        return self

    def _make_causal(self):
        """Return the second step, unfitted."""
        if not isinstance(self.causal, str):
            if not isinstance(self.causal, CausalSelector):
                raise TypeError(
                    "causal must be a causal selector or one of "
                    f"{sorted(METHODS)}; got {self.causal!r}."
                )
            return clone(self.causal)
        make, options = METHODS[self.causal]
        selector = make(**options)
        shared = selector.get_params().keys() & self.get_params(deep=False).keys()
        mine = {name: getattr(self, name) for name in shared}
        return selector.set_params(**mine)

    def _filter(self, X, y, sample_weight):
        """Return the mask of the features that the filter leaves."""
        if self.prefilter is None:
            return np.ones(self.n_features_in_, dtype=bool)
        shared = {
            name: getattr(self, name)
            for name in ("discretize", "n_bins", "task", "categorical_features",
                         "n_jobs")
        }  # fmt: skip
        if self.prefilter == "fcbf":
            prefilter = FCBFSelector(self.prefilter_threshold, **shared)
        elif self.prefilter == "cfs":
            prefilter = CFSSelector("floating", **shared)
        else:
            prefilter = clone(self.prefilter)
        weights = pass_weights(prefilter, sample_weight)
        return prefilter.fit(X, y, **weights).get_support()
