"""The structure that a user names, lists or lets a search learn."""

from sklearn.base import clone
from sklearn.utils import check_random_state

from manyminds._compat import HasMethods, StrOptions
from manyminds.networks.annealing import AnnealingSearch
from manyminds.networks.constraint.whole_graphs import GRAPH_METHODS
from manyminds.networks.constraint_search import ConstraintSearch
from manyminds.networks.graphs.forms import list_parents, read_arcs
from manyminds.networks.hill_climbing import HillClimbingSearch

SEARCHES = {"hill_climbing": HillClimbingSearch, "annealing": AnnealingSearch}
STRUCTURE_CONSTRAINT = [
    list, tuple, StrOptions({*SEARCHES, *GRAPH_METHODS}), HasMethods(["fit"]), None,
]  # fmt: skip


def find_parents(
    estimator, structure, X, n_states, sample_weight, categorical_features
):
    """Return the parents of each column: given, or learned by a search.

    Parameters
    ----------
    estimator : ColumnsMixin
        With a ``random_state``, from which a search without one gets its own.
    structure : list of pairs, str, estimator or None
        Arcs, or a search for them, see `make_search`.
    X : array-like or dataframe of shape (n_samples, n_features)
        What a search is fitted to.
    n_states : ndarray of int of shape (n_features,)
    sample_weight : array-like of shape (n_samples,) or None
    categorical_features : array-like, "from_dtype" or None
        What the search takes for categories.

    Returns
    -------
    parents : list of tuple of int
    """
    if isinstance(structure, list | tuple):
        names = estimator._name_nodes()
        parents = list_parents(read_arcs(structure, names, "structure"), names)
        check_types(parents, n_states, names)
        return parents
    search = make_search(structure)
    own = search.get_params(deep=False)
    if "categorical_features" in own:
        search.set_params(categorical_features=categorical_features)
    if own.get("random_state", 0) is None:
        rng = check_random_state(estimator.random_state)
        search.set_params(random_state=rng.randint(2**31 - 1))
    return search.fit(X, sample_weight=sample_weight).parents_


def make_search(structure):
    """Return a new search: by its name, a copy of the one given, or the default.

    Examples
    --------
    >>> from manyminds.networks.bayesian.structures import make_search
    >>> make_search("iamb")
    ConstraintSearch(method='iamb')
    """
    if structure is None:
        return HillClimbingSearch()
    if not isinstance(structure, str):
        return clone(structure)
    if structure in SEARCHES:
        return SEARCHES[structure]()
    return ConstraintSearch(structure)


def check_types(parents, n_states, names):
    """Raise if a categorical node has a numeric parent."""
    for v, of_node in enumerate(parents):
        numeric = [names[u] for u in of_node if n_states[u] == 0]
        if n_states[v] > 0 and numeric:
            raise ValueError(
                f"The categorical column {names[v]!r} has numeric parents {numeric}: "
                "reverse the arcs, or discretize them."
            )
