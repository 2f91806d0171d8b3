"""Grow-Shrink as a selector of the Markov blanket."""

from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.causal.base import BlanketSelector
from manyminds.networks import find_blanket
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class GrowShrinkSelector(BlanketSelector):
    """Select the Markov blanket of the target by the Grow-Shrink algorithm.

    Features are added in the order of their dependence on the target, if they depend on
    it given those added so far; then those are removed that are independent of it given
    the others [1]_, see :func:`~manyminds.networks.find_blanket`.

    Parameters
    ----------
    {test}
    {coded}

    Attributes
    ----------
    {causal_attributes}

    See Also
    --------
    IAMBSelector : Chooses the next feature anew after each addition.

    Notes
    -----
    Tests condition on the whole blanket found so far: with categories it stays small
    if samples are few, since larger tables are not tested (``min_count``).

    References
    ----------
    .. [1] Margaritis and Thrun, "Bayesian network induction via local neighborhoods",
       NIPS, 1999.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> from manyminds.feature_selection import GrowShrinkSelector
    >>> X, y = make_lucas(random_state=0)
    >>> X = pd.DataFrame(X, columns=LUCAS_FEATURES)
    >>> selector = GrowShrinkSelector().fit(X, y)
    >>> print(*selector.get_feature_names_out())
    Smoking Genetics Fatigue Allergy Coughing
    """

    def __init__(
        self,
        test="auto",
        *,
        alpha=0.01,
        threshold=0.01,
        dof="observed",
        min_count=5.0,
        discretize="quantile",
        n_bins=5,
        task="auto",
        categorical_features="from_dtype",
        time_limit=None,
        verbose=0,
        random_state=None,
        n_jobs=None,
    ):
        self.test = test
        self.alpha = alpha
        self.threshold = threshold
        self.dof = dof
        self.min_count = min_count
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, test, target):
        return find_blanket(
            test,
            target,
            "grow_shrink",
            time_limit=self.time_limit,
            verbose=self.verbose,
        )
