"""A network with the arcs of experts and a hidden class, fitted without labels."""

from dataclasses import replace
from numbers import Integral

import numpy as np
from scipy.optimize import linear_sum_assignment

from manyminds._compat import Interval
from manyminds.networks.bayesian.posteriors import find_posterior
from manyminds.networks.classifiers.network_classifier import (
    NETWORK_PARAGRAPHS,
    NetworkClassifier,
    find_feature_parents,
)
from manyminds.networks.graphs.forms import read_arcs
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**NETWORK_PARAGRAPHS)
class ExpertNetworkClassifier(NetworkClassifier):
    r"""Classify by a network whose arcs experts know, fitted without labels.

    The class is a hidden parent of all features; its states are found by EM, so that
    they do not depend on a label that is in doubt [1]_. Afterwards the states get the
    names of the classes: by ``anchor_feature``, of which a higher class has greater
    values on average; or else by the training labels, as their most frequent pairs.

    Parameters
    ----------
    arcs : list of pairs, default=()
        Arcs between features as (parent, child), by names or positions.
    supervised : bool, default=False
        Whether the class is known: then the parameters are fitted to the labels.
    anchor_feature : str or int, default=None
        A feature that increases (or decreases, see ``anchor_sign``) from the first
        class to the last. None: labels determine which state is which class; they are
        used for nothing else.
    anchor_sign : {-1, 1}, default=1
        -1: the feature decreases.
    n_classes : int, default=2
        Number of classes if there are no labels, called 0, 1, ...
    n_init : int, default=10
        Number of random starts of EM.
    {fitting}
    {categorical_features}
    {random_state}

    Attributes
    ----------
    {fitted}
    {names}

    See Also
    --------
    SemiSupervisedNetworkClassifier : Learns the graph, and fits to the labels.

    References
    ----------
    .. [1] Ceccon, Garway-Heath, Crabb and Tucker, "Combining expertise-driven and
       semi-supervised Bayesian networks for classification of early glaucoma", 2010.

    Examples
    --------
    >>> from manyminds.datasets import make_visual_field_study
    >>> from manyminds.networks import ExpertNetworkClassifier
    >>> study = make_visual_field_study(random_state=0)
    >>> model = ExpertNetworkClassifier(
    ...     study.expert_arcs, anchor_feature="field_1", anchor_sign=-1, random_state=0
    ... )
    >>> print(model.fit(study.data).score(study.data, study.target) > 0.8)
    True
    """

    class_arcs = "all"

    _parameter_constraints = {
        "arcs": [list, tuple],
        "supervised": ["boolean"],
        "anchor_feature": [str, Integral, None],
        "anchor_sign": [Interval(Integral, -1, 1, closed="both")],
        "n_classes": [Interval(Integral, 1, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        **{
            name: constraints
            for name, constraints in NetworkClassifier._parameter_constraints.items()
            if name != "class_arcs"
        },
    }

    def __init__(
        self, arcs=(), *, supervised=False, anchor_feature=None, anchor_sign=1,
        n_classes=2, n_init=10, prior_count=1.0, var_smoothing=1e-9, tol=1e-4,
        max_iter=200, categorical_features="from_dtype", random_state=None,
    ):  # fmt: skip
        self.arcs = arcs
        self.supervised = supervised
        self.anchor_feature = anchor_feature
        self.anchor_sign = anchor_sign
        self.n_classes = n_classes
        self.n_init = n_init
        self.prior_count = prior_count
        self.var_smoothing = var_smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y=None, sample_weight=None):
        """Fit the parameters by EM, and name the states of the hidden class.

        Parameters
        ----------
        X : array-like or dataframe of shape (n_samples, n_features)
            Samples. Missing values are allowed.
        y : array-like of shape (n_samples,), default=None
            Classes; needed if ``supervised``. Otherwise they name the states.
        sample_weight : array-like of shape (n_samples,), default=None
            Sample weights; a weight of 2 counts as two rows.

        Returns
        -------
        self : ExpertNetworkClassifier
        """
        self._validate_params()
        if y is None and not self.supervised:
            X, n_states, weight = self._read_training_table(X, sample_weight)
            self.classes_, label = np.arange(self.n_classes), None
        else:
            X, n_states, weight, label = self._read_labeled_table(X, y, sample_weight)
        parents = find_feature_parents(self, list(self.arcs), X, n_states, weight)

        target = label if self.supervised else np.full(len(X), np.nan)
        self._fit_network(X, n_states, weight, target, parents, self.n_init)
        if not self.supervised:
            self._name_states(X, weight, label)
        return self

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self.supervised
        tags.classifier_tags.poor_score = not self.supervised  # it ignores the labels
        return tags

    def _name_states(self, X, weight, label):
        """Reorder the states of the hidden class so that they are the classes."""
        rows = self._append_class(X)
        share = find_posterior(rows, self.n_states_, self.cpds_, X.shape[1])
        if self.anchor_feature is not None:
            order = self._order_by_anchor(X, weight, share)
        elif label is not None:
            order = _match_labels(share, weight, label, len(self.classes_))
        else:
            order = np.arange(len(self.classes_))
        node = X.shape[1]
        self.cpds_ = [_reorder(cpd, node, order) for cpd in self.cpds_]

    def _order_by_anchor(self, X, weight, share):
        """Return the states by the mean of the anchor feature."""
        names = self._name_nodes()
        ((j, _),) = read_arcs(
            [(self.anchor_feature, -1)], [*names, -1], "anchor_feature"
        )
        known = ~np.isnan(X[:, j])
        weights = weight[known, None] * share[known]
        total = np.maximum(weights.sum(axis=0), np.finfo(float).tiny)
        mean = (weights * X[known, j, None]).sum(axis=0) / total
        return np.argsort(self.anchor_sign * mean, kind="stable")


def _match_labels(share, weight, label, n_classes):
    """Return for each class the state that most of its rows have, each state once."""
    together = np.zeros((n_classes, share.shape[1]))
    np.add.at(together, label, weight[:, None] * share)
    order = np.empty(n_classes, dtype=np.intp)
    classes, states = linear_sum_assignment(together, maximize=True)
    order[classes] = states
    return order


def _reorder(cpd, node, order):
    """Return a distribution after the states of a node were put into an order."""
    if cpd.node == node:
        return replace(cpd, table=np.take(cpd.table, order, axis=-1))
    if node not in cpd.parents:
        return cpd
    axis = cpd.parents.index(node)
    names = ("table",) if hasattr(cpd, "table") else (
        "intercept", "coefficients", "variance"
    )  # fmt: skip
    taken = {name: np.take(getattr(cpd, name), order, axis=axis) for name in names}
    return replace(cpd, **taken)
