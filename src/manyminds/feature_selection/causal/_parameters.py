"""Paragraphs that docstrings of the causal selectors share; see `fill_docstring`."""

from manyminds.feature_selection._parameters import PARAMETERS as SHARED

PARAMETERS = {
    "test": """
test : str, default="auto"
    Test of conditional independence:

    - "g2", "chi2": of categories, see
      :class:`~manyminds.networks.ContingencyTest`. Numeric columns are
      discretized.
    - "mutual_information": the same, against ``threshold``.
    - "permutation": the same, by 199 permutations.
    - "fisher_z": of numbers, see :class:`~manyminds.networks.FisherZTest`.
    - "mixed": of numbers and categories, see
      :class:`~manyminds.networks.ConditionalGaussianTest`.
    - "auto": "fisher_z" if the target and all columns are numeric and none is
      missing, else "g2".
alpha : float, default=0.01
    Significance level of all tests but "mutual_information".
threshold : float, default=0.01
    Minimum information of dependent columns, in nats; of "mutual_information"
    only.
dof : {"observed", "nominal"}, default="observed"
    Degrees of freedom of "g2" and "chi2", see
    :class:`~manyminds.networks.ContingencyTest`: "nominal" ones, as most papers
    have them, find fewer dependences, right and false.
min_count : float, default=5.0
    Tests of categories with fewer samples per cell of their table, on average,
    are skipped: they add no feature and remove none.
""",
    "max_condition_size": """
max_condition_size : int or None, default=3
    Maximum number of columns on which tests condition; None: no limit.
""",
    "discretize": """
discretize : {"quantile", "uniform", "mean_std", "mdl"} or None, default="quantile"
    How tests of categories discretize numeric columns, see
    :func:`~manyminds.feature_selection.make_code_table`; None: each value is a
    level. "mdl" cuts where classes differ, and so leaves columns in one piece that
    depend on the target only together with others: it loses spouses.
n_bins : int, default=5
    Number of levels of "quantile" and "uniform", and of a numeric target.
""",
    "run": """
time_limit : float or None, default=None
    Seconds after which the search ends with what it has found, and a warning.
verbose : int, default=0
    Whether to report progress on the error stream.
random_state : int, RandomState instance or None, default=None
    Draws the permutations of ``test="permutation"``.
""",
    "attributes": """
support_ : ndarray of bool of shape (n_features,)
    Mask of the selected features.
graph_ : networkx.DiGraph
    The learned graph of the features and the target. Edges without a direction are
    two arcs, with an attribute ``directed`` of False.
target_name_ : str
    Name of the target in the graph.
markov_blanket_ : ndarray of int
    Positions of the features in the Markov blanket of the target.
n_tests_ : int
    Number of tests of independence.
test_name_ : str
    The test that was used.
is_complete_ : bool
    Whether the search ended before the time limit.
""",
    "select": """
select : {"connected", "blanket", "neighbors"}, default="connected"
    Which features to select: those on a path with the target, those in its Markov
    blanket, or those that are adjacent to it.
""",
    "x_of_tests": """
X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
    Training samples. Missing values are a level of their own in tests of
    categories; the other tests do not take them, nor sparse matrices.
""",
}
PARAMETERS = {**SHARED, **{k: v for k, v in PARAMETERS.items()}}
PARAMETERS["coded"] = "\n".join(
    PARAMETERS[name].strip("\n")
    for name in ("discretize", "task", "categorical_features", "run", "n_jobs")
)
PARAMETERS["causal_attributes"] = "\n".join(
    PARAMETERS[name].strip("\n") for name in ("attributes", "n_features_in")
)
PARAMETERS["fit_causal"] = "Parameters\n----------\n{}\n\nReturns\n-------\n{}".format(
    "\n".join(
        PARAMETERS[name].strip("\n") for name in ("x_of_tests", "y", "sample_weight")
    ),
    PARAMETERS["fitted"].strip("\n"),
)
