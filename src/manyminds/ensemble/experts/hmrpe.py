"""HMRPE: modules of prototype-based experts under a gate that is trained."""

from numbers import Integral

import numpy as np

from manyminds._compat import Interval
from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.expert_nets import (
    Mixture,
    TrainingSet,
    draw_nets,
    train_mixture,
)
from manyminds.ensemble.experts.gates import fit_top_gate, log_fits
from manyminds.ensemble.experts.mrpe import PrototypeExperts
from manyminds.kernels.expert_nets import BY_SHARE, BY_TOP_GATE
from manyminds.utils.docstrings import fill_docstring


@fill_docstring(**PARAGRAPHS)
class HMRPEClassifier(PrototypeExperts):
    r"""Classify by modules of prototype-based experts and a trained gate above them.

    Each module is a mixture of experts that its own random prototypes weigh, as in
    `MRPEClassifier`; only the gate that weighs the modules is trained [1]_. With the
    output :math:`o_i` of module i, its likelihood
    :math:`P_i = \exp(-\frac12 \lVert t - o_i \rVert^2)` and its posterior
    :math:`h_i = g_i P_i / \sum_l g_l P_l`, a step of the gate is
    :math:`\rho (h_i - g_i) x`, and that of an expert is weighted by :math:`h_i` and by
    its share of the sample.

    Parameters
    ----------
    n_experts : int or "auto", default=3
        Number of experts of each module. ``"auto"``: of 1, 2, 3, 5 and 8, the smallest
        whose Brier score on held-out rows is within one standard error of the best.
    n_modules : int, default=2
        Number of modules.
    propagate_top : bool, default=True
        Whether steps of experts are weighted by the posteriors of modules. Otherwise
        experts are trained without regard to the gate, over threads, and the gate is
        fitted to them afterwards.
    {gates}
    {module_prototypes}
    {experts}
    {net}
    {scale_nets}
    {run}

    Attributes
    ----------
    prototypes_ : ndarray of shape (n_modules, n_experts, n_features)
        The prototypes, as rows of X.
    {module_attributes}
    scaler_ : StandardScaler or None
        Scales the columns.
    {class_names}

    See Also
    --------
    MRPEClassifier : A single module, without any gate.
    HMEClassifier : All gates are trained.

    Notes
    -----
    The paper reports higher accuracies than those of an HME. On its data sets we find
    no difference for dynamic weights, and lower ones for static weights.

    {hme_references}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import HMRPEClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = HMRPEClassifier(random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.9)
    True
    >>> model.prototypes_.shape
    (2, 3, 4)
    """

    _parameter_constraints = {
        **PrototypeExperts._parameter_constraints,
        "n_modules": [Interval(Integral, 1, None, closed="left")],
        "propagate_top": ["boolean"],
    }

    def __init__(
        self,
        n_experts=3,
        n_modules=2,
        *,
        propagate_top=True,
        strategy="dynamic",
        eta=None,
        width=None,
        normalize=True,
        prototypes="random",
        metric="euclidean",
        estimator=None,
        n_hidden=10,
        learning_rate=0.1,
        batch_size=1,
        max_iter=200,
        early_stopping=True,
        validation_fraction=0.1,
        n_iter_no_change=10,
        loss="squared",
        scale="standard",
        n_jobs=None,
        random_state=None,
    ):
        self.n_experts = n_experts
        self.n_modules = n_modules
        self.propagate_top = propagate_top
        self.strategy = strategy
        self.eta = eta
        self.width = width
        self.normalize = normalize
        self.prototypes = prototypes
        self.metric = metric
        self.estimator = estimator
        self.n_hidden = n_hidden
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.loss = loss
        self.scale = scale
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Draw prototypes; train the experts of all modules and the gate above.

        {fit_array}
        """
        X, label, weight, rng = self._start(X, y, sample_weight)
        n_experts = self._choose_n_experts(X, label, weight)

        self._place(X, label, weight, n_experts, rng)
        points = self._scale(X)
        self._fit_weights(points)
        share = self._share(points)
        top = np.zeros((self.n_modules, X.shape[1] + 1))
        if self.estimator is not None:
            self._fit_estimators(X, label, weight, share, rng)
            self._mixture = Mixture(None, top)
            outputs = self._members.values(X)
            self._fit_top(points, outputs, label, weight, share)
            return self
        n_nets = self.n_modules * n_experts
        nets = draw_nets(X.shape[1], self.n_hidden, self.n_classes_, n_nets, rng)
        self._mixture, self.validation_errors_, self.n_iter_ = train_mixture(
            TrainingSet(points, label, weight, share),
            Mixture(nets, top),
            BY_TOP_GATE if self.propagate_top else BY_SHARE,
            self._options,
            rng,
            self.n_jobs,
        )
        if not self.propagate_top:
            outputs = self.nets_.outputs(points)
            self._fit_top(points, outputs, label, weight, share)
        return self

    def _fit_top(self, points, outputs, label, weight, share):
        """Fit the gate of modules to experts that are fitted already."""
        share = share.reshape(len(points), self.n_modules, -1)
        share = share / share.sum(axis=2, keepdims=True)
        by_module = outputs.reshape(self.n_modules, -1, *outputs.shape[1:])
        modules = np.einsum("nme,menk->mnk", share, by_module)
        top = fit_top_gate(points, log_fits(modules, label), weight)
        self._mixture = Mixture(self._mixture.nets, top)
