"""Structure by tests: a graph that agrees with tests of independence."""

import warnings
from numbers import Integral, Real

import numpy as np

from manyminds._compat import Interval, StrOptions
from manyminds.networks._parameters import PARAGRAPHS
from manyminds.networks.constraint.clock import TimeLimitWarning
from manyminds.networks.constraint.outcome import warn_untested
from manyminds.networks.constraint.whole_graphs import GRAPH_METHODS, learn_graph
from manyminds.networks.graphs.equivalence import complete_orientation, extend_pdag
from manyminds.networks.graphs.forms import to_networkx
from manyminds.networks.independence.coding import MAX_LEVELS
from manyminds.networks.independence.making import (
    TEST_NAMES,
    TESTS_OF_NUMBERS,
    make_coded_test,
    make_numeric_test,
)
from manyminds.networks.structure import StructureSearch
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class ConstraintSearch(StructureSearch):
    """Learn the graph of a Bayesian network from tests of conditional independence.

    The tests determine edges, and the direction of some of them, see `learn_graph`.
    The others get a direction that adds no collider and no cycle, see `extend_pdag`:
    all such graphs imply the same independencies, and parameters fit them equally well.

    Parameters
    ----------
    method : str, default="pc"
        Algorithm: "pc", "tpda", "mmpc", "hiton_pc", "grow_shrink", "iamb" or
        "inter_iamb", see `learn_graph`.
    test : str or callable, default="auto"
        "g2", "chi2", "mutual_information" or "permutation" for categories, "fisher_z"
        for numbers, "mixed" for both; "auto": "g2", "fisher_z" or "mixed", by the
        columns there are. A callable gets the table of the rows without missing values,
        categories as codes, and returns an `IndependenceTest`.
    alpha : float, default=0.01
        Significance level of all tests but "mutual_information".
    threshold : float, default=0.01
        Minimum information of dependent columns, in nats; of "mutual_information" only.
    dof : {"observed", "nominal"}, default="observed"
        Degrees of freedom of "g2" and "chi2", see `ContingencyTest`.
    min_count : float, default=5.0
        Tests of categories with fewer samples per cell are skipped.
    max_condition_size : int, default=3
        Maximum number of columns on which tests condition; None: no limit.
    extension : {"nearest", "strict"}, default="nearest"
        What to do if tests contradict each other, so that no graph without cycles has
        just the edges, arcs and colliders found: take one with these edges and few
        changes of arcs and colliders, and warn; or raise an error.
    required_arcs : list of pairs, default=None
        Arcs that the graph must have, as (parent, child), by names or positions.
    forbidden_arcs : list of pairs, default=None
        Arcs that it must not have.
    time_limit : float, default=None
        Seconds after which the search ends with what it has found, and a warning.
    {categorical_features}
    {random_state}
    {n_jobs}

    Attributes
    ----------
    parents_ : list of tuple of int
        Positions of the parents of each column.
    arcs_ : list of pairs
        Arcs as (parent, child), by names if the columns have names, else by positions.
    graph_ : networkx.DiGraph
        The same as a graph.
    pdag_ : networkx.DiGraph
        What the tests determine: edges without a direction are two arcs, with an
        attribute ``directed`` of False.
    is_consistent_ : bool
        Whether the graph has just the colliders and the arcs of ``pdag_``.
    test_name_ : str
        The test that was used.
    n_tests_ : int
        Number of tests.
    is_complete_ : bool
        Whether the search ended before its time limit.
    {names}

    See Also
    --------
    HillClimbingSearch : Searches by a score; needs no level, and makes no claim about
        single arcs.
    manyminds.feature_selection.PCSelector : Selects columns by the same tests.

    Notes
    -----
    Rows with missing values do not take part in tests; a column without any value has
    no edges. A categorical column has no numeric parents: such edges get the other
    direction.

    Examples
    --------
    >>> import numpy as np
    >>> from manyminds.networks import BayesianNetwork, ConstraintSearch
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(size=(2, 300))
    >>> X = np.column_stack([a, b, a + b + 0.5 * rng.normal(size=300)])
    >>> ConstraintSearch().fit(X).arcs_
    [(0, 2), (1, 2)]
    >>> BayesianNetwork("pc").fit(X).arcs_
    [(0, 2), (1, 2)]
    """

    _parameter_constraints = {
        "method": [StrOptions(set(GRAPH_METHODS))],
        "test": [StrOptions({"auto", *TEST_NAMES}), callable],
        "alpha": [Interval(Real, 0.0, 1.0, closed="neither")],
        "threshold": [Interval(Real, 0.0, None, closed="left")],
        "dof": [StrOptions({"observed", "nominal"})],
        "min_count": [Interval(Real, 0.0, None, closed="left")],
        "max_condition_size": [Interval(Integral, 0, None, closed="left"), None],
        "extension": [StrOptions({"nearest", "strict"})],
        "required_arcs": [list, tuple, None],
        "forbidden_arcs": [list, tuple, None],
        "time_limit": [Interval(Real, 0.0, None, closed="left"), None],
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }
    max_parents = None

    def __init__(
        self, method="pc", *, test="auto", alpha=0.01, threshold=0.01, dof="observed",
        min_count=5.0, max_condition_size=3, extension="nearest", required_arcs=None,
        forbidden_arcs=None, time_limit=None, categorical_features="from_dtype",
        random_state=None, n_jobs=None,
    ):  # fmt: skip
        self.method = method
        self.test = test
        self.alpha = alpha
        self.threshold = threshold
        self.dof = dof
        self.min_count = min_count
        self.max_condition_size = max_condition_size
        self.extension = extension
        self.required_arcs = required_arcs
        self.forbidden_arcs = forbidden_arcs
        self.time_limit = time_limit
        self.categorical_features = categorical_features
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X, y=None, sample_weight=None):
        """Test columns for independence, and direct the edges that remain.

        Parameters
        ----------
        {table}
        y : ignored
            Exists for consistency.
        {weights}

        Returns
        -------
        self : ConstraintSearch
        """
        self._validate_params()
        X, n_states, weight = self._read_training_table(X, sample_weight)
        limits = self._make_limits(n_states)
        weight = None if sample_weight is None else weight
        test = self._make_test(*_drop_incomplete(X, weight), n_states)

        learned = learn_graph(
            test, self.method, max_condition_size=self.max_condition_size,
            time_limit=self.time_limit,
        )  # fmt: skip
        self.n_tests_, self.is_complete_ = learned.n_tests, learned.is_complete
        if self.n_tests_ == 0 and self.is_complete_ and len(n_states) > 1:
            warn_untested("the columns", self.min_count)
        pdag, fixed = impose_limits(learned.adjacency, limits)
        self.pdag_ = to_networkx(pdag, self._name_nodes())
        self._set_graph(self._extend(pdag, fixed))
        if not self.is_complete_:
            warnings.warn(
                f"ConstraintSearch reached time_limit={self.time_limit}: what it found "
                "so far is not complete.",
                TimeLimitWarning,
                stacklevel=2,
            )
        return self

    def _make_test(self, X, weight, n_states):
        """Make the test of all columns."""
        is_categorical, names = n_states > 0, self._name_nodes()
        self.test_name_ = self.test
        if callable(self.test):
            self.test_name_ = getattr(self.test, "__name__", repr(self.test))
            return _check_test(self.test(X), len(names))
        if self.test == "auto":
            kinds = "g2" if is_categorical.all() else "fisher_z"
            self.test_name_ = "mixed" if len(set(is_categorical)) > 1 else kinds
        options = {"alpha": self.alpha, "sample_weight": weight, "names": names,
                   "n_jobs": self.n_jobs}  # fmt: skip
        if self.test_name_ in TESTS_OF_NUMBERS:
            return make_numeric_test(self.test_name_, X, is_categorical, **options)
        self._check_states(n_states, names)
        return make_coded_test(
            self.test_name_, np.ascontiguousarray(X.T).astype(np.uint8), n_states,
            threshold=self.threshold, dof=self.dof, min_count=self.min_count,
            random_state=self.random_state, **options,
        )  # fmt: skip

    def _check_states(self, n_states, names):
        numeric = [names[j] for j in np.flatnonzero(n_states == 0)]
        if numeric:
            raise ValueError(
                f"test={self.test!r} takes categories only; the columns {numeric} are "
                "numeric. Use 'mixed', or discretize them."
            )
        if n_states.max() > MAX_LEVELS:
            raise ValueError(
                f"Tests of categories take at most {MAX_LEVELS} states; the column "
                f"{names[int(n_states.argmax())]!r} has {n_states.max()}."
            )

    def _extend(self, pdag, fixed):
        """Return a DAG of a partially directed graph."""
        self.is_consistent_ = True
        try:
            return extend_pdag(pdag, fixed=fixed)
        except ValueError:
            if self.extension == "strict":
                raise ValueError(
                    "The tests contradict each other: no graph without cycles has just "
                    "the edges, arcs and colliders that they imply. Use "
                    "extension='nearest', more rows, or another alpha."
                ) from None
        self.is_consistent_ = False
        warnings.warn(
            "The tests contradict each other; the graph has their edges, but some "
            "directions that they exclude.",
            UserWarning,
            stacklevel=3,
        )
        return extend_pdag(pdag, fixed=fixed, strict=False)


def _drop_incomplete(X, weight):
    """Return the rows without missing values.

    A column without any value counts as constant: it is independent of all others.
    """
    is_missing = np.isnan(X)
    X = np.where(is_missing.all(axis=0), 0.0, X)
    known = ~np.isnan(X).any(axis=1)
    if not known.any():
        raise ValueError(
            "ConstraintSearch tests rows without missing values, and there is none. "
            "Impute them, or use HillClimbingSearch."
        )
    if known.all():
        return X, weight
    return X[known], None if weight is None else weight[known]


def _check_test(test, n_columns):
    """Raise unless a user's test is of all columns."""
    if getattr(test, "n_variables", None) != n_columns:
        raise ValueError(
            f"The callable test must return an IndependenceTest of the {n_columns} "
            f"columns; got {test!r}."
        )
    return test


def impose_limits(pdag, limits):
    """Change edges so that required arcs are there, and forbidden ones are not.

    Parameters
    ----------
    pdag : ndarray of int8 of shape (n_nodes, n_nodes)
    limits : ArcRules

    Returns
    -------
    pdag : ndarray of int8 of shape (n_nodes, n_nodes)
    fixed : ndarray of bool of shape (n_nodes, n_nodes)
        Arcs whose direction the limits determine.
    """
    required, allowed = limits.required > 0, limits.allowed > 0
    edges = (pdag > 0) | (pdag.T > 0)
    edges = (edges & (allowed | allowed.T)) | required | required.T
    fixed = required | (edges & allowed & ~allowed.T)
    if not fixed.any():
        return np.where(edges, pdag, 0).astype(np.int8), fixed
    graph = np.where(edges, np.maximum(pdag, fixed | fixed.T), 0).astype(np.int8)
    graph[fixed.T] = 0
    graph[fixed] = 1
    return complete_orientation(graph), fixed
