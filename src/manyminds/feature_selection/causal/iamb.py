"""IAMB and inter-IAMB as selectors of the Markov blanket."""

from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.causal.base import BlanketSelector
from manyminds.networks import find_blanket
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class IAMBSelector(BlanketSelector):
    """Select the Markov blanket of the target by incremental association.

    IAMB adds the feature with most information about the target given those added so
    far, as long as it is dependent; then it removes those that are independent of the
    target given the others [1]_, see :func:`~manyminds.networks.find_blanket`.

    Parameters
    ----------
    {test}
    interleave : bool, default=False
        Whether to remove after each addition (inter-IAMB), which keeps conditioning
        sets small.
    {coded}

    Attributes
    ----------
    {causal_attributes}

    See Also
    --------
    MMMBSelector : Conditions on small sets only, and makes more tests.

    Notes
    -----
    Tests condition on the whole blanket found so far: with categories it stays small
    if samples are few, since larger tables are not tested (``min_count``).

    References
    ----------
    .. [1] Tsamardinos, Aliferis and Statnikov, "Algorithms for large scale Markov
       blanket discovery", FLAIRS, 2003.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> from manyminds.feature_selection import IAMBSelector
    >>> X, y = make_lucas(random_state=0)
    >>> X = pd.DataFrame(X, columns=LUCAS_FEATURES)
    >>> selector = IAMBSelector().fit(X, y)
    >>> print(*selector.get_feature_names_out())
    Smoking Genetics Fatigue Allergy Coughing
    """

    _parameter_constraints = {
        **BlanketSelector._parameter_constraints,
        "interleave": ["boolean"],
    }

    def __init__(
        self,
        test="auto",
        *,
        alpha=0.01,
        threshold=0.01,
        dof="observed",
        min_count=5.0,
        interleave=False,
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
        self.interleave = interleave
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
            "inter_iamb" if self.interleave else "iamb",
            time_limit=self.time_limit,
            verbose=self.verbose,
        )
