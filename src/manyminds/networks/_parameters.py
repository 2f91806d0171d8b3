"""Paragraphs that docstrings of networks share; see ``fill_docstring``."""

from manyminds.trees._parameters import CATEGORICAL_FEATURES, NAMES

SCORING = """\
scoring : {"bic", "aic", "bdeu"}, default="bic"
    What a graph is scored by; higher is better. "bic" and "aic" are log likelihoods
    minus a penalty for each free parameter; "bdeu" is the marginal likelihood under an
    even Dirichlet prior, for categorical columns only.
equivalent_sample_size : float, default=10.0
    Weight of the prior of "bdeu", in rows.
"""
ARC_LIMITS = """\
max_parents : int, default=None
    Maximum number of parents of a node; None: no limit.
required_arcs : list of pairs, default=None
    Arcs that the graph must have, as (parent, child), by names or positions.
forbidden_arcs : list of pairs, default=None
    Arcs that it must not have.
"""
STRUCTURE = """\
parents_ : list of tuple of int
    Positions of the parents of each column.
arcs_ : list of pairs
    Arcs as (parent, child), by names if the columns have names, else by positions.
graph_ : networkx.DiGraph
    The same as a graph.
score_ : float
    Score of the graph.
n_scored_ : int
    Number of families that were scored; further ones were looked up.
"""
RANDOM_STATE = """\
random_state : int, RandomState instance or None, default=None
    Determines random number generation.
"""
N_JOBS = """\
n_jobs : int, default=None
    Number of threads.
"""
TABLE = """\
X : array-like or dataframe of shape (n_samples, n_features)
    Samples. Missing values are allowed.
"""
WEIGHTS = """\
sample_weight : array-like of shape (n_samples,), default=None
    Sample weights; a weight of 2 counts as two rows.
"""
PARAGRAPHS = {
    "scoring": SCORING,
    "arc_limits": ARC_LIMITS,
    "structure": STRUCTURE,
    "categorical_features": CATEGORICAL_FEATURES,
    "names": NAMES,
    "random_state": RANDOM_STATE,
    "n_jobs": N_JOBS,
    "table": TABLE,
    "weights": WEIGHTS,
}
