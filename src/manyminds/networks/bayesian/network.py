"""A Bayesian network of categories and numbers as a density estimator."""

from numbers import Integral, Real

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from manyminds._compat import DocLinkMixin, Interval, StrOptions
from manyminds.datasets import TableNetwork
from manyminds.datasets.networks.table_network import sort_topologically
from manyminds.networks._parameters import PARAGRAPHS
from manyminds.networks.bayesian.columns import ColumnsMixin
from manyminds.networks.bayesian.cpds import TableCPD
from manyminds.networks.bayesian.elimination import eliminate
from manyminds.networks.bayesian.em import FitOptions, fit_parameters
from manyminds.networks.bayesian.posteriors import (
    find_posterior,
    log_densities,
    make_tree,
)
from manyminds.networks.bayesian.structures import STRUCTURE_CONSTRAINT, find_parents
from manyminds.networks.graphs.forms import (
    make_adjacency,
    read_arcs,
    to_networkx,
)
from manyminds.trees.columns import ColumnEncoder
from manyminds.utils.docstrings import fill_docstring

EM_CONSTRAINTS = {
    "prior_count": [Interval(Real, 0.0, None, closed="left")],
    "var_smoothing": [Interval(Real, 0.0, None, closed="left")],
    "tol": [Interval(Real, 0.0, None, closed="left")],
    "max_iter": [Interval(Integral, 1, None, closed="left")],
}


@fill_docstring(**PARAGRAPHS)
class BayesianNetwork(ColumnsMixin, DensityMixin, DocLinkMixin, BaseEstimator):
    r"""Model the joint distribution of columns by a directed acyclic graph.

    .. math::

       p(x) = \prod_v p(x_v \mid x_{\text{parents of } v})

    A categorical column has a table of probabilities for each configuration of its
    parents, which are categorical. A numeric column is normal, with a mean that is
    linear in its numeric parents; coefficients and variance depend on the configuration
    of the categorical ones [1]_. Missing values, in training and afterwards, are summed
    out exactly.

    Parameters
    ----------
    structure : list of pairs, str, estimator or None, default=None
        Arcs as (parent, child), by names or positions; or a search for them, such as
        ``AnnealingSearch(...)``; or the name of one with its defaults: "hill_climbing",
        "annealing", or a method of `ConstraintSearch`, which tests for independence:
        "pc", "tpda", "mmpc", "hiton_pc", "grow_shrink", "iamb", "inter_iamb". None:
        "hill_climbing".
    prior_count : float, default=1.0
        Dirichlet prior: rows that are added to each cell of a table.
    var_smoothing : float, default=1e-9
        Share of a column's variance that is added to its variances.
    tol : float, default=1e-4
        EM stops when the log likelihood rises by less than this share of itself.
    max_iter : int, default=200
        Maximum number of iterations of EM, which runs if values are missing.
    {categorical_features}
    {random_state}

    Attributes
    ----------
    parents_ : list of tuple of int
        Positions of the parents of each column.
    arcs_ : list of pairs
        Arcs as (parent, child), by names if the columns have names, else by positions.
    graph_ : networkx.DiGraph
        The same as a graph.
    cpds_ : list of TableCPD or LinearGaussianCPD
        Distribution of each column given its parents.
    n_states_ : ndarray of shape (n_features,)
        Number of states of each column; 0 for a numeric one.
    n_parameters_ : int
        Number of free parameters.
    log_likelihoods_ : list of float
        Log likelihood in each iteration of EM, with that of the prior; empty if nothing
        was missing.
    n_iter_ : int
        Number of iterations; 1 if nothing was missing.
    {names}

    See Also
    --------
    HillClimbingSearch, AnnealingSearch, ConstraintSearch : Learn a graph.
    BayesianNetworkClassifier : Classify by a network.

    Notes
    -----
    Rows of categories with missing values are summed by a junction tree, whose cost
    grows exponentially with the size of the cliques; those with numbers by enumerating
    the states of their missing categories, of which there may be 4,096.

    An arc of a learned graph is no proof of a cause: graphs that imply the same
    independencies fit equally well.

    References
    ----------
    .. [1] Lauritzen and Wermuth, "Graphical models for associations between variables,
       some of which are qualitative and some quantitative", Annals of Statistics 17,
       1989.
    .. [2] Koller and Friedman, "Probabilistic graphical models", MIT Press, 2009.

    Examples
    --------
    >>> from manyminds.datasets import load_network
    >>> from manyminds.networks import BayesianNetwork
    >>> rows = load_network("asia").sample(10_000, random_state=0)
    >>> network = BayesianNetwork().fit(rows)
    >>> found = network.query("lung", {"smoke": "yes", "xray": "yes"})
    >>> print(abs(found["yes"] - 0.65) < 0.05)  # 0.65 in the true network
    True
    """

    _parameter_constraints = {
        "structure": STRUCTURE_CONSTRAINT,
        **EM_CONSTRAINTS,
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self, structure=None, *, prior_count=1.0, var_smoothing=1e-9, tol=1e-4,
        max_iter=200, categorical_features="from_dtype", random_state=None,
    ):  # fmt: skip
        self.structure = structure
        self.prior_count = prior_count
        self.var_smoothing = var_smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y=None, sample_weight=None):
        """Learn the graph, unless it is given, and the parameters.

        Parameters
        ----------
        {table}
        y : ignored
            Exists for consistency.
        {weights}

        Returns
        -------
        self : BayesianNetwork
        """
        self._validate_params()
        rows, self.n_states_, weight = self._read_training_table(X, sample_weight)
        rng = check_random_state(self.random_state)

        self.parents_ = find_parents(
            self, self.structure, X, self.n_states_, sample_weight,
            self.categorical_features,
        )  # fmt: skip
        options = FitOptions(
            self.prior_count, self.var_smoothing, self.tol, self.max_iter
        )
        fitted = fit_parameters(
            rows, weight, self.n_states_, self.parents_, options, rng
        )
        self.log_likelihoods_ = fitted.log_likelihoods
        self.n_iter_ = max(1, len(fitted.log_likelihoods))
        return self._set_cpds(fitted.cpds)

    def _set_cpds(self, cpds):
        """Set the distributions, and what follows from them."""
        names = self._name_nodes()
        self.cpds_ = cpds
        self.n_parameters_ = sum(cpd.n_parameters for cpd in cpds)
        self.graph_ = to_networkx(make_adjacency(self.parents_), names)
        self.arcs_ = [
            (names[u], names[v]) for v, p in enumerate(self.parents_) for u in p
        ]
        return self

    # ------------------------------------------------------------ densities

    def score_samples(self, X):
        """Return the log density of what is known in each row.

        Parameters
        ----------
        {table}

        Returns
        -------
        log_density : ndarray of shape (n_samples,)
        """
        return log_densities(self._read_table(X), self.n_states_, self.cpds_)

    def score(self, X, y=None):
        """Return the mean log density of the rows.

        Parameters
        ----------
        {table}
        y : ignored
            Exists for consistency.

        Returns
        -------
        score : float
        """
        return float(self.score_samples(X).mean())

    def bic(self, X):
        """Return the log likelihood of rows minus the penalty of BIC; higher is better.

        Parameters
        ----------
        {table}

        Returns
        -------
        bic : float
        """
        densities = self.score_samples(X)
        penalty = 0.5 * self.n_parameters_ * np.log(len(densities))
        return float(densities.sum() - penalty)

    def sample(self, n_samples=1, *, random_state=None):
        """Draw rows.

        Parameters
        ----------
        n_samples : int, default=1
            Number of rows.
        random_state : int, RandomState instance or None, default=None
            Determines random number generation.

        Returns
        -------
        rows : DataFrame of shape (n_samples, n_features)
            Categories, and numbers.
        """
        check_is_fitted(self)
        rng, names = check_random_state(random_state), self._name_nodes()
        X = np.zeros((n_samples, len(names)))
        for node in sort_topologically(self.parents_):
            X[:, node] = self.cpds_[node].draw(X, rng)
        columns = {}
        for j, name in enumerate(names):
            columns[name] = X[:, j]
            if self.n_states_[j] > 0:
                columns[name] = pd.Categorical.from_codes(
                    X[:, j].astype(np.intp), categories=self._encoder.categories[j]
                )
        return pd.DataFrame(columns)

    # ------------------------------------------------------------ questions

    def posterior(self, X, node):
        """Return the probabilities of a categorical column's states in each row.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples. Missing values are summed out; what the column itself has is
            ignored.
        node : str or int
            Name or position of the column.

        Returns
        -------
        posterior : ndarray of shape (n_samples, n_states)
        """
        X = self._read_table(X)
        return find_posterior(X, self.n_states_, self.cpds_, self._find_node(node))

    def query(self, target, evidence=None, *, method="elimination"):
        """Return the probabilities of a categorical column given some evidence.

        Parameters
        ----------
        target : str or int
            Name or position of the column.
        evidence : dict, default=None
            For each known column its state; or the likelihood of each of its states,
            as an array or a dict: soft evidence. Needs a network of categories only.
        method : {"elimination", "junction_tree"}, default="elimination"
            How to compute them; both are exact.

        Returns
        -------
        probabilities : Series
            By the states of the target.
        """
        check_is_fitted(self)
        if (self.n_states_ == 0).any():
            raise ValueError(
                "query needs a network of categories; for numbers, pass rows to "
                "posterior, with NaN for what is not known."
            )
        if method not in ("elimination", "junction_tree"):
            raise ValueError(
                f"method must be 'elimination' or 'junction_tree'; got {method!r}."
            )
        node, tables = self._find_node(target), [cpd.table for cpd in self.cpds_]
        known = {
            self._find_node(name): self._read_evidence(name, value)
            for name, value in (evidence or {}).items()
        }
        if method == "elimination":
            found = eliminate(tables, self.parents_, self.n_states_, [node], known)
        else:
            tree, tables = make_tree(self.n_states_, self.cpds_)
            rows = [known[v][None] if v in known else None for v in range(len(tables))]
            if tree.log_evidence(tables, rows)[0] == -np.inf:
                raise ValueError("The evidence has the probability 0 in this network.")
            found = tree.posteriors(tables, rows, [node])[0][0]
        names = self._name_nodes()
        return pd.Series(found, self._encoder.categories[node], name=names[node])

    def _find_node(self, name):
        """Return the position of a categorical column."""
        ((node, _),) = read_arcs(
            [(name, -1)], [*self._name_nodes(), -1], "The question"
        )
        if self.n_states_[node] == 0:
            raise ValueError(f"Column {name!r} is numeric; its posterior is no table.")
        return node

    def _read_evidence(self, name, value):
        """Return the likelihood of each state of a column."""
        states = self._encoder.categories[self._find_node(name)]
        if isinstance(value, dict):
            value = [value.get(state, 0.0) for state in states]
        if np.ndim(value) == 0:
            if value not in states:
                raise ValueError(
                    f"Column {name!r} has the states {states}; got {value!r}."
                )
            return np.array([float(state == value) for state in states])
        likelihood = np.asarray(value, dtype=np.float64)
        if likelihood.shape != (len(states),) or not (likelihood >= 0.0).all():
            raise ValueError(
                f"The evidence of {name!r} must be a state, or a likelihood of at "
                f"least 0 for each of its {len(states)} states; got {value!r}."
            )
        return likelihood

    # ------------------------------------------------------------ other forms

    def to_table_network(self):
        """Return a network of categories as a `TableNetwork`, which BIF can store."""
        check_is_fitted(self)
        if (self.n_states_ == 0).any():
            raise ValueError("BIF has no numeric columns; this network has some.")
        states = self._encoder.categories
        return TableNetwork(
            tuple(str(name) for name in self._name_nodes()),
            tuple(tuple(map(str, states[j])) for j in range(len(self.cpds_))),
            tuple(cpd.parents for cpd in self.cpds_),
            tuple(cpd.table for cpd in self.cpds_),
        )

    @classmethod
    def from_table_network(cls, network):
        """Return a fitted network from a `TableNetwork`.

        Parameters
        ----------
        network : TableNetwork
            Such as `read_bif` or `load_network` return.

        Returns
        -------
        network : BayesianNetwork

        Examples
        --------
        >>> from manyminds.datasets import load_network
        >>> from manyminds.networks import BayesianNetwork
        >>> network = BayesianNetwork.from_table_network(load_network("asia"))
        >>> network.query("lung").round(3).to_dict()
        {'yes': 0.055, 'no': 0.945}
        """
        model = cls(structure=network.arcs)
        model.feature_names_in_ = np.array(network.names, dtype=object)
        model.n_features_in_ = len(network.names)
        model._encoder = ColumnEncoder()
        model._encoder.is_categorical = np.ones(len(network.names), dtype=bool)
        model._encoder.categories = {
            j: list(states) for j, states in enumerate(network.states)
        }
        model.n_states_ = network.n_states.astype(np.int64)
        model.parents_ = [tuple(parents) for parents in network.parents]
        model.log_likelihoods_ = []
        return model._set_cpds(
            [
                TableCPD(v, tuple(network.parents[v]), table)
                for v, table in enumerate(network.tables)
            ]
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags
