"""HME: the hierarchical mixture of experts whose gates are all trained."""

from numbers import Integral

import numpy as np
from scipy.special import expit, logsumexp

from manyminds._compat import Interval, StrOptions
from manyminds.ensemble.experts._parameters import PARAGRAPHS
from manyminds.ensemble.experts.expert_nets import (
    ExpertNets,
    Mixture,
    TrainingSet,
    draw_nets,
    train_mixture,
)
from manyminds.ensemble.experts.gates import descend, fit_gate, log_fits
from manyminds.ensemble.experts.mrpe import NET_CONSTRAINTS, MixtureClassifier
from manyminds.kernels.expert_nets import BY_ALL_GATES
from manyminds.utils.docstrings import fill_docstring
from manyminds.utils.threads import limit_blas_threads

STEPS_OF_M = 5  # of L-BFGS for each expert and gate, from where they are
TINY_RISE = 1e-8  # of the log-likelihood of a sample, below which EM has converged


@fill_docstring(**PARAGRAPHS)
class HMEClassifier(MixtureClassifier):
    r"""Classify by a hierarchical mixture of experts: all gates are trained.

    The output is :math:`o(x) = \sum_i g_i(x) \sum_j g_{j|i}(x)\, o_{ij}(x)`, with
    softmax gates of linear scores and nets :math:`o_{ij}` with one hidden layer. With
    the likelihoods :math:`P_{ij} = \exp(-\frac12 \lVert t - o_{ij} \rVert^2)` and the
    posteriors h of gates and experts, back-propagation climbs the gradient of the
    log-likelihood: :math:`h_{ij} (t - o_{ij})` for an expert, :math:`h_i (h_{j|i} -
    g_{j|i})\, x` for the gate of a module, :math:`(h_i - g_i)\, x` for that above.
    This is the baseline of `HMRPEClassifier` [1]_.

    Parameters
    ----------
    n_experts : int, default=3
        Number of experts of each module.
    n_modules : int, default=2
        Number of modules; 1: a mixture of experts.
    solver : {"backprop", "em"}, default="backprop"
        By back-propagation, or by expectation maximization with some steps of L-BFGS
        for each expert and gate, without early stopping: the log-likelihood of the
        training rows never falls.
    {net}
    {scale_nets}
    random_state : int, RandomState instance or None, default=None
        Seeds the initial weights and the order of the rows.

    Attributes
    ----------
    nets_ : ExpertNets
        The trained nets of all experts.
    n_experts_ : int
        Number of experts in each module.
    n_parameters_ : int
        Number of trained weights of nets and gates.
    n_iter_ : int
        Number of passes, or of steps of EM.
    validation_errors_ : ndarray of shape (n_iter,)
        Squared error of the held-out rows after each pass; empty with EM.
    log_likelihoods_ : ndarray of shape (n_iter,)
        Mean log-likelihood of the training rows after each step of EM; empty with
        back-propagation.
    scaler_ : StandardScaler or None
        Scales the columns.
    {class_names}

    See Also
    --------
    HMRPEClassifier : Gates of modules need no training.

    References
    ----------
    .. [1] Jordan and Jacobs, "Hierarchical mixtures of experts and the EM algorithm",
       Neural Computation 6, 1994.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from manyminds.ensemble import HMEClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = HMEClassifier(random_state=0).fit(X[::2], y[::2])
    >>> print(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    _parameter_constraints = {
        "n_experts": [Interval(Integral, 1, None, closed="left")],
        "n_modules": [Interval(Integral, 1, None, closed="left")],
        "solver": [StrOptions({"backprop", "em"})],
        **NET_CONSTRAINTS,
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_experts=3,
        n_modules=2,
        *,
        solver="backprop",
        n_hidden=10,
        learning_rate=0.1,
        batch_size=1,
        max_iter=200,
        early_stopping=True,
        validation_fraction=0.1,
        n_iter_no_change=10,
        loss="squared",
        scale="standard",
        random_state=None,
    ):
        self.n_experts = n_experts
        self.n_modules = n_modules
        self.solver = solver
        self.n_hidden = n_hidden
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.loss = loss
        self.scale = scale
        self.random_state = random_state

    def fit(self, X, y, sample_weight=None):
        """Train the experts and all gates.

        {fit_array}
        """
        X, label, weight, rng = self._start(X, y, sample_weight)

        self.n_experts_ = self.n_experts
        n_nets, n_inputs = self.n_modules * self.n_experts, X.shape[1] + 1
        nets = draw_nets(X.shape[1], self.n_hidden, self.n_classes_, n_nets, rng)
        inner = np.zeros((n_nets, n_inputs))
        start = Mixture(nets, np.zeros((self.n_modules, n_inputs)), inner)
        data = TrainingSet(self._scale(X), label, weight, None)
        self.log_likelihoods_ = self.validation_errors_ = np.empty(0)
        if self.solver == "em":
            with limit_blas_threads():
                self._mixture, self.log_likelihoods_ = maximize_expectation(
                    data, start, self.max_iter
                )
            self.n_iter_ = len(self.log_likelihoods_)
        else:
            self._mixture, self.validation_errors_, self.n_iter_ = train_mixture(
                data, start, BY_ALL_GATES, self._options, rng
            )
        return self

    def _gate(self, points):
        return self._mixture.gates(points)


def maximize_expectation(data, mixture, max_iter):
    """Train a mixture by EM: posteriors, then weighted fits of experts and gates.

    Parameters
    ----------
    data : TrainingSet
    mixture : Mixture
        Initial weights.
    max_iter : int
        Maximum number of steps.

    Returns
    -------
    mixture : Mixture
    log_likelihoods : ndarray of shape (n_iter,)
        Mean log-likelihood of the samples after each step; it never falls.
    """
    X = np.column_stack([data.X, np.ones(len(data.X))])
    target = np.eye(mixture.nets.output_weights.shape[1])[data.label]
    n_modules, last, found = len(mixture.top), -np.inf, []

    def fit_net(e):
        step = data.weight * posterior[:, e]
        return descend_net(mixture.nets.expert(e), X, target, step)

    def fit_inner(m):
        part = slice(m * n_inside, (m + 1) * n_inside)
        inside = posterior[:, part]
        total = inside.sum(axis=1)
        share = inside / np.maximum(total, 1e-300)[:, None]
        start = mixture.inner[part]
        return fit_gate(X, share, data.weight * total, start, STEPS_OF_M)

    n_inside = mixture.nets.n_experts // n_modules
    value, posterior = measure_posteriors(mixture, data)
    for _ in range(max_iter):
        nets = [fit_net(e) for e in range(mixture.nets.n_experts)]
        inner = [fit_inner(m) for m in range(n_modules)]
        by_module = posterior.reshape(len(X), n_modules, -1).sum(axis=2)
        top = fit_gate(X, by_module, data.weight, mixture.top, STEPS_OF_M)
        mixture = Mixture(join_nets(nets), top, np.concatenate(inner))
        value, posterior = measure_posteriors(mixture, data)
        found.append(value)
        if value - last < TINY_RISE:
            break
        last = value
    return mixture, np.array(found)


def measure_posteriors(mixture, data):
    """Return the mean log-likelihood, and the posterior of each expert."""
    with np.errstate(divide="ignore"):
        joint = np.log(mixture.gates(data.X))
    joint = joint + log_fits(mixture.nets.outputs(data.X), data.label)
    value = logsumexp(joint, axis=1)
    return float(np.average(value, weights=data.weight)), np.exp(joint - value[:, None])


def descend_net(net, X, target, step):
    """Fit a net to weighted samples by some steps, from where it is."""
    hidden, output = net.hidden_weights[:, :, 0], net.output_weights[:, :, 0]
    cut = hidden.size

    def lose(flat):
        first, second = (
            flat[:cut].reshape(hidden.shape),
            flat[cut:].reshape(output.shape),
        )
        units = expit(X @ first)
        o = expit(units @ second[:-1] + second[-1])
        error = o - target
        slope = step[:, None] * error * o * (1.0 - o)
        inner = (slope @ second[:-1].T) * units * (1.0 - units)
        gradient = np.concatenate(
            [(X.T @ inner).ravel(), (units.T @ slope).ravel(), slope.sum(axis=0)]
        )
        return 0.5 * step @ (error**2).sum(axis=1), gradient

    flat = descend(lose, np.concatenate([hidden.ravel(), output.ravel()]), STEPS_OF_M)
    return ExpertNets(
        flat[:cut].reshape(*hidden.shape, 1), flat[cut:].reshape(*output.shape, 1)
    )


def join_nets(nets):
    """Return the nets of all experts as one batch."""
    return ExpertNets(
        np.concatenate([net.hidden_weights for net in nets], axis=2),
        np.concatenate([net.output_weights for net in nets], axis=2),
    )
