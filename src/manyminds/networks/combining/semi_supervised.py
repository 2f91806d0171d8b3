"""A network with the graph of trusted controls and the parameters of all labels."""

from numbers import Integral

import numpy as np

from manyminds._compat import HasMethods, Interval, StrOptions
from manyminds.networks.annealing import AnnealingSearch
from manyminds.networks.classifiers.network_classifier import (
    NETWORK_PARAGRAPHS,
    NetworkClassifier,
    find_feature_parents,
)
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**NETWORK_PARAGRAPHS)
class SemiSupervisedNetworkClassifier(NetworkClassifier):
    """Classify by a network whose graph is learned from trusted controls only.

    For labels that are reliable for one class (healthy controls) but not for the other
    (early disease) [1]_: the graph of the features is learned from the rows of the
    trusted class, the parameters from all rows with their labels.

    Parameters
    ----------
    search : estimator, default=None
        Search for the graph; None: `AnnealingSearch` with ``n_resamples``.
    n_resamples : int, default=100
        Number of bootstrap samples of the default search.
    control_class : label, default=None
        The trusted class; None: the first of the sorted classes.
    structure_rows : {"controls", "all"}, default="controls"
        Rows from which the graph is learned; "all" is the baseline.
    class_arcs : {"all", "learned"}, default="all"
        Whether the class is a parent of all features, or of those whose BIC it raises.
        The controls have one class, so that its arcs cannot be learned from them.
    {fitting}
    {categorical_features}
    {random_state}

    Attributes
    ----------
    {fitted}
    {names}

    See Also
    --------
    ExpertNetworkClassifier : The graph is given, and the labels are not used.
    CombinedNetworksClassifier : Combines both.

    References
    ----------
    .. [1] Ceccon, Garway-Heath, Crabb and Tucker, "Combining expertise-driven and
       semi-supervised Bayesian networks for classification of early glaucoma", 2010.

    Examples
    --------
    >>> from manyminds.datasets import make_visual_field_study
    >>> from manyminds.networks import SemiSupervisedNetworkClassifier
    >>> study = make_visual_field_study(random_state=0)
    >>> model = SemiSupervisedNetworkClassifier(random_state=0)
    >>> print(model.fit(study.data, study.target).score(study.data, study.target) > 0.9)
    True
    """

    _parameter_constraints = {
        "search": [HasMethods(["fit"]), None],
        "n_resamples": [Interval(Integral, 1, None, closed="left")],
        "control_class": "no_validation",
        "structure_rows": [StrOptions({"controls", "all"})],
        **NetworkClassifier._parameter_constraints,
    }

    def __init__(
        self, search=None, *, n_resamples=100, control_class=None,
        structure_rows="controls", class_arcs="all", prior_count=1.0,
        var_smoothing=1e-9, tol=1e-4, max_iter=200, categorical_features="from_dtype",
        random_state=None,
    ):  # fmt: skip
        self.search = search
        self.n_resamples = n_resamples
        self.control_class = control_class
        self.structure_rows = structure_rows
        self.class_arcs = class_arcs
        self.prior_count = prior_count
        self.var_smoothing = var_smoothing
        self.tol = tol
        self.max_iter = max_iter
        self.categorical_features = categorical_features
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Learn the graph from the controls and the parameters from all rows.

        {fit}

        Returns
        -------
        self : SemiSupervisedNetworkClassifier
        """
        self._validate_params()
        X, n_states, weight, label = self._read_labeled_table(X, y, sample_weight)
        rows = self._choose_rows(label)

        search = self.search
        if search is None:
            search = AnnealingSearch(n_resamples=self.n_resamples)
        parents = find_feature_parents(self, search, X[rows], n_states, weight[rows])
        return self._fit_network(X, n_states, weight, label, parents)

    def _choose_rows(self, label):
        """Return the positions of the rows from which the graph is learned."""
        if self.structure_rows == "all":
            return np.arange(len(label))
        classes = self.classes_.tolist()
        if self.control_class is not None and self.control_class not in classes:
            raise ValueError(
                f"control_class must be one of the classes {classes}; got "
                f"{self.control_class!r}."
            )
        control = 0 if self.control_class is None else classes.index(self.control_class)
        return np.flatnonzero(label == control)
