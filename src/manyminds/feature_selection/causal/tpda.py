"""TPDA as a selector: what chains of dependent pairs connect with the target."""

from manyminds.feature_selection.causal._parameters import PARAMETERS
from manyminds.feature_selection.causal.base import GraphSelector
from manyminds.networks import learn_dependence_graph, learn_tpda
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAMETERS)
class TPDASelector(GraphSelector):
    """Select the features that TPDA, by mutual information, connects with the target.

    Three-phase dependency analysis learns a graph of all features and the target [1]_,
    see :func:`~manyminds.networks.learn_tpda`. A chapter [2]_ selects the features that
    are on some path with the target in it.

    Parameters
    ----------
    {test}
    shortcut : bool, default=False
        Whether to join all dependent pairs in place of learning the graph. The features
        that are connected with the target are the same, without any test given others.
    {select}
    {coded}

    Attributes
    ----------
    {causal_attributes}

    See Also
    --------
    PCSelector : Examines all sets up to a size, where TPDA examines few sets.

    Notes
    -----
    "auto" tests categories by "mutual_information", as the papers do.

    References
    ----------
    .. [1] Cheng, Greiner, Kelly, Bell and Liu, "Learning Bayesian networks from data:
       an information-theory based approach", Artificial Intelligence 137, 2002.
    .. [2] Duangsoithong and Windeatt, "Hybrid correlation and causal feature selection
       for ensemble classifiers", Ensembles in Machine Learning Applications, Springer,
       2011.

    Examples
    --------
    >>> import pandas as pd
    >>> from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
    >>> from manyminds.feature_selection import TPDASelector
    >>> X, y = make_lucas(random_state=0)
    >>> X = pd.DataFrame(X, columns=LUCAS_FEATURES)
    >>> selector = TPDASelector().fit(X, y)
    >>> print(*selector.get_feature_names_out())
    Smoking Yellow_Fingers Anxiety Genetics Attention_Disorder Car_Accident
    Fatigue Allergy Coughing
    """

    default_test = "mutual_information"
    _parameter_constraints = {
        **GraphSelector._parameter_constraints,
        "shortcut": ["boolean"],
    }

    def __init__(
        self,
        test="auto",
        *,
        alpha=0.01,
        threshold=0.01,
        dof="observed",
        min_count=5.0,
        shortcut=False,
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
        self.shortcut = shortcut
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
        if self.shortcut:
            if self.select != "connected":
                raise ValueError(
                    "shortcut=True knows only what is connected with the target; got "
                    f"select={self.select!r}."
                )
            learn = learn_dependence_graph
        else:
            learn = learn_tpda
        return learn(test, time_limit=self.time_limit, verbose=self.verbose)
