"""PC as a selector: what is connected with the target, or its Markov blanket."""

from numbers import Integral

from manyminds._compat import Interval
from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.causal.base import GraphSelector
from manyminds.networks import learn_pc
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class PCSelector(GraphSelector):
    """Select the features that the PC algorithm connects with the target.

    PC learns a graph of all features and the target [1]_, see
    :func:`~manyminds.networks.learn_pc`. A chapter [2]_ selects the features that are
    on some path with the target in it; its Markov blanket is a smaller choice.

    Parameters
    ----------
    {test}
    max_condition_size : int or None, default=2
        Maximum number of columns on which tests condition; None: no limit.
    stable : bool, default=True
        Whether the edges found do not depend on the order of the columns.
    {select}
    {coded}

    Attributes
    ----------
    {causal_attributes}

    See Also
    --------
    HybridCausalSelector : The same after redundant features were removed.
    IAMBSelector : Faster, for the blanket alone.

    Notes
    -----
    All pairs of columns are tested, and many of them given others: for hundreds of
    columns and more, remove redundant ones first. The chapter prints the rule for
    colliders without its condition on separating sets; see
    :func:`~manyminds.networks.orient_edges`.

    References
    ----------
    .. [1] Spirtes, Glymour and Scheines, Causation, prediction, and search, Springer,
       1993.
    .. [2] Duangsoithong and Windeatt, "Hybrid correlation and causal feature selection
       for ensemble classifiers", Ensembles in Machine Learning Applications, Springer,
       2011.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> from manyminds.feature_selection import PCSelector
    >>> X, y = make_lucas(random_state=0)
    >>> X = pd.DataFrame(X, columns=LUCAS_FEATURES)
    >>> selector = PCSelector().fit(X, y)
    >>> print(*selector.get_feature_names_out())
    Smoking Yellow_Fingers Anxiety Peer_Pressure Genetics Attention_Disorder
    Car_Accident Fatigue Allergy Coughing
    """

    _parameter_constraints = {
        **GraphSelector._parameter_constraints,
        "max_condition_size": [Interval(Integral, 0, None, closed="left"), None],
        "stable": ["boolean"],
    }

    def __init__(
        self,
        test="auto",
        *,
        alpha=0.01,
        threshold=0.01,
        dof="observed",
        min_count=5.0,
        max_condition_size=2,
        stable=True,
        select="connected",
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
        self.stable = stable
        self.select = select
        self.discretize = discretize
        self.n_bins = n_bins
        self.task = task
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.verbose = verbose
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _learn(self, test, target):
        return learn_pc(
            test,
            max_condition_size=self.max_condition_size,
            stable=self.stable,
            time_limit=self.time_limit,
            verbose=self.verbose,
        )
