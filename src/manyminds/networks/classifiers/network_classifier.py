"""Classify by a Bayesian network in which the class is a parent of the features."""

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state

from manyminds._compat import DocLinkMixin, StrOptions
from manyminds.networks._parameters import PARAGRAPHS
from manyminds.networks.bayesian.columns import ColumnsMixin
from manyminds.networks.bayesian.em import FitOptions, fit_parameters
from manyminds.networks.bayesian.network import EM_CONSTRAINTS
from manyminds.networks.bayesian.posteriors import find_posterior, log_densities
from manyminds.networks.bayesian.structures import STRUCTURE_CONSTRAINT, find_parents
from manyminds.networks.classifiers.base import FIT
from manyminds.networks.scores import FamilyScores
from manyminds.utils.docstrings import fill_docstring

FITTING = """\
prior_count : float, default=1.0
    Dirichlet prior: rows that are added to each cell of a table.
var_smoothing : float, default=1e-9
    Share of a column's variance that is added to its variances.
tol : float, default=1e-4
    EM stops when the log likelihood rises by less than this share of itself.
max_iter : int, default=200
    Maximum number of iterations of EM, which runs if values are missing.
"""
FITTED = """\
classes_ : ndarray of shape (n_classes,)
    The class labels, sorted.
parents_ : list of tuple of int
    Positions of the parents of each column; the class is the column after the last.
arcs_ : list of pairs
    Arcs between columns as (parent, child), by names if they have names, else by
    positions.
cpds_ : list of TableCPD or LinearGaussianCPD
    Distribution of each column, and last of the class, given its parents.
n_states_ : ndarray of shape (n_features + 1,)
    Number of states of each column, 0 for a numeric one; last, number of classes.
log_likelihoods_ : list of float
    Log likelihood in each iteration of EM; empty if nothing was missing.
n_iter_ : int
    Number of iterations; 1 if nothing was missing.
"""
NETWORK_PARAGRAPHS = {**PARAGRAPHS, "fitting": FITTING, "fitted": FITTED, "fit": FIT}


class NetworkClassifier(ColumnsMixin, ClassifierMixin, DocLinkMixin, BaseEstimator):
    """Base class: a network of the columns and, after the last, the class."""

    _parameter_constraints = {
        "class_arcs": [StrOptions({"all", "learned"})],
        **EM_CONSTRAINTS,
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
        "random_state": ["random_state"],
    }

    def _fit_network(self, X, n_states, weight, label, parents, n_init=10):
        """Fit the parameters of features with these parents, and of the class.

        ``label`` is NaN where the class is not known.
        """
        self.n_states_ = np.append(n_states, len(self.classes_))
        rows = np.column_stack([X, label])
        self.parents_ = [*self._add_class(rows, weight, parents), ()]
        options = FitOptions(
            self.prior_count, self.var_smoothing, self.tol, self.max_iter, n_init
        )
        rng = check_random_state(self.random_state)
        fitted = fit_parameters(
            rows, weight, self.n_states_, self.parents_, options, rng
        )
        self.cpds_, self.log_likelihoods_ = fitted.cpds, fitted.log_likelihoods
        self.n_iter_ = max(1, len(fitted.log_likelihoods))
        names = self._name_nodes()
        self.arcs_ = [
            (names[u], names[v]) for v, of_node in enumerate(parents) for u in of_node
        ]
        return self

    def _add_class(self, rows, weight, parents):
        """Return the parents of the features with the class, where it is one.

        With "learned", the class is a parent of those features whose BIC it raises.
        """
        node = rows.shape[1] - 1
        if self.class_arcs == "all":
            return [(*of_node, node) for of_node in parents]
        known = ~np.isnan(rows[:, -1])
        scores = FamilyScores(rows[known], self.n_states_, sample_weight=weight[known])
        return [
            (*of_node, node)
            if scores.score(v, (*of_node, node)) > scores.score(v, of_node)
            else tuple(of_node)
            for v, of_node in enumerate(parents)
        ]

    def predict_proba(self, X):
        """Return the probabilities of the classes.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples. Missing values are summed out.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        rows = self._append_class(self._read_table(X))
        return find_posterior(rows, self.n_states_, self.cpds_, rows.shape[1] - 1)

    def predict(self, X):
        """Return the most probable class of each row; of ties the first.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples. Missing values are summed out.

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def score_samples(self, X):
        """Return the log density of each row, whatever its class.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples. Missing values are summed out.

        Returns
        -------
        log_density : ndarray of shape (n_samples,)
        """
        rows = self._append_class(self._read_table(X))
        return log_densities(rows, self.n_states_, self.cpds_)

    def _append_class(self, X):
        return np.column_stack([X, np.full(len(X), np.nan)])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


def find_feature_parents(estimator, structure, X, n_states, weight):
    """Return the parents of each feature among the features, given or learned.

    Parameters
    ----------
    estimator : NetworkClassifier
        Whose columns they are.
    structure : list of pairs, str, estimator or None
        See `find_parents`.
    X : ndarray of shape (n_samples, n_features)
        Codes and numbers.
    n_states : ndarray of int of shape (n_features,)
    weight : ndarray of shape (n_samples,)

    Returns
    -------
    parents : list of tuple of int
    """
    if hasattr(estimator, "feature_names_in_"):  # arcs of a search may be by names
        X = pd.DataFrame(X, columns=estimator.feature_names_in_)
    return find_parents(estimator, structure, X, n_states, weight, n_states > 0)


@fill_docstring(**NETWORK_PARAGRAPHS)
class BayesianNetworkClassifier(NetworkClassifier):
    r"""Classify by a network of the features in which each has the class as a parent.

    .. math::

       P(c \mid x) \propto P(c) \prod_v p(x_v \mid x_{\text{parents of } v}, c)

    Numeric features are normal, linear in their numeric parents, with coefficients for
    each class. Without arcs between features this is naive Bayes: ``GaussianNB`` for
    numbers.

    Parameters
    ----------
    structure : list of pairs, str, estimator or None, default=None
        Arcs between features as (parent, child), by names or positions; or a search for
        them, or its name, see `BayesianNetwork`. None: "hill_climbing".
    class_arcs : {"all", "learned"}, default="all"
        Whether the class is a parent of all features, or of those whose BIC it raises.
    {fitting}
    {categorical_features}
    {random_state}

    Attributes
    ----------
    {fitted}
    {names}

    See Also
    --------
    TANClassifier, AODEClassifier : For categories; much faster.

    References
    ----------
    .. [1] Friedman, Geiger and Goldszmidt, "Bayesian network classifiers", Machine
       Learning 29, 1997.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from manyminds.networks import BayesianNetworkClassifier
    >>> X, y = load_wine(return_X_y=True)
    >>> print(BayesianNetworkClassifier().fit(X[::2], y[::2]).score(X[1::2], y[1::2]))
    0.9...
    """

    _parameter_constraints = {
        "structure": STRUCTURE_CONSTRAINT,
        **NetworkClassifier._parameter_constraints,
    }

    def __init__(
        self, structure=None, *, class_arcs="all", prior_count=1.0, var_smoothing=1e-9,
        tol=1e-4, max_iter=200, categorical_features="from_dtype", random_state=None,
    ):  # fmt: skip
        self.structure = structure
        self.class_arcs = class_arcs
        self.prior_count = prior_count
        self.var_smoothing = var_smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Learn the graph of the features, unless it is given, and the parameters.

        {fit}

        Returns
        -------
        self : BayesianNetworkClassifier
        """
        self._validate_params()
        X, n_states, weight, label = self._read_labeled_table(X, y, sample_weight)

        parents = find_feature_parents(self, self.structure, X, n_states, weight)
        return self._fit_network(X, n_states, weight, label, parents)
