"""MMPC and MMMB as selectors."""

from numbers import Integral

from manyminds._compat import Interval
from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.causal.base import BlanketSelector
from manyminds.networks import find_blanket
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class MMMBSelector(BlanketSelector):
    """Select the Markov blanket of the target by the max-min algorithm.

    MMPC adds the feature whose weakest dependence on the target, given any small set of
    those added so far, is strongest, and removes what such a set separates from it.
    MMMB adds the spouses: neighbors of neighbors that depend on the target once a
    shared neighbor is given [1]_, see :func:`~manyminds.networks.find_blanket`.

    Parameters
    ----------
    {test}
    {max_condition_size}
    spouses : bool, default=True
        Whether to add the other parents of the children, which makes the Markov blanket
        of the neighbors.
    {coded}

    Attributes
    ----------
    {causal_attributes}

    See Also
    --------
    HITONSelector : Adds features in a fixed order, and is faster.

    Notes
    -----
    Tests condition on at most ``max_condition_size`` columns, so that few samples
    suffice for large blankets. Edges of ``graph_`` have directions where a shared child
    shows them.

    References
    ----------
    .. [1] Tsamardinos, Aliferis and Statnikov, "Time and sample efficient discovery of
       Markov blankets and direct causal relations", KDD, 2003.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> from manyminds.feature_selection import MMMBSelector
    >>> X, y = make_lucas(random_state=0)
    >>> X = pd.DataFrame(X, columns=LUCAS_FEATURES)
    >>> selector = MMMBSelector().fit(X, y)
    >>> print(*selector.get_feature_names_out())
    Smoking Genetics Fatigue Allergy Coughing
    """

    _parameter_constraints = {
        **BlanketSelector._parameter_constraints,
        "max_condition_size": [Interval(Integral, 0, None, closed="left"), None],
        "spouses": ["boolean"],
    }

    def __init__(
        self,
        test="auto",
        *,
        alpha=0.01,
        threshold=0.01,
        dof="observed",
        min_count=5.0,
        max_condition_size=3,
        spouses=True,
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
        self.max_condition_size = max_condition_size
        self.spouses = spouses
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
            "mmmb" if self.spouses else "mmpc",
            max_condition_size=self.max_condition_size,
            time_limit=self.time_limit,
            verbose=self.verbose,
        )
