"""Nets of all experts of all modules in one batch: outputs, gates and training."""

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from joblib import effective_n_jobs
from scipy.special import expit, softmax

from manyminds.kernels.expert_nets import BY_ALL_GATES, BY_SHARE, Steps, train_experts
from manyminds.utils.folds import assign_folds
from manyminds.utils.threads import run_in_threads

BLOCK_CELLS = 2**21  # activations held at once: samples by units of all experts
MIN_EXPERTS = 4  # in a thread: the loops of a kernel are over experts


@dataclass(frozen=True, eq=False)
class ExpertNets:
    """Nets with one hidden layer of sigmoids and one sigmoid for each class.

    Attributes
    ----------
    hidden_weights : ndarray of shape (n_features + 1, n_hidden, n_experts)
        Weights of the features and, last, the biases.
    output_weights : ndarray of shape (n_hidden + 1, n_classes, n_experts)
        Weights of the hidden units and, last, the biases.
    """

    hidden_weights: np.ndarray
    output_weights: np.ndarray

    @property
    def n_experts(self):
        """Number of nets."""
        return self.hidden_weights.shape[2]

    @property
    def n_parameters(self):
        """Number of weights of all nets."""
        return self.hidden_weights.size + self.output_weights.size

    def outputs(self, X):
        """Return the outputs of each net: (n_experts, n_samples, n_classes)."""
        n_inputs, n_hidden, n_experts = self.hidden_weights.shape
        by_expert = self.hidden_weights.transpose(0, 2, 1).reshape(n_inputs, -1)
        last = np.ascontiguousarray(self.output_weights.transpose(2, 0, 1))
        out = np.empty((n_experts, len(X), last.shape[2]))
        step = max(1, BLOCK_CELLS // by_expert.shape[1])
        for first in range(0, len(X), step):
            units = expit(X[first : first + step] @ by_expert[:-1] + by_expert[-1])
            units = units.reshape(-1, n_experts, n_hidden).transpose(1, 0, 2)
            out[:, first : first + step] = expit(units @ last[:, :-1] + last[:, -1:])
        return out

    def expert(self, e):
        """Return one net alone."""
        some = slice(e, e + 1)
        return ExpertNets(
            np.ascontiguousarray(self.hidden_weights[:, :, some]),
            np.ascontiguousarray(self.output_weights[:, :, some]),
        )


def draw_nets(n_features, n_hidden, n_classes, n_experts, rng):
    """Draw initial weights: inputs of all units have about unit variance."""
    hidden = rng.normal(size=(n_features + 1, n_hidden, n_experts))
    output = rng.normal(size=(n_hidden + 1, n_classes, n_experts))
    return ExpertNets(hidden / np.sqrt(n_features + 1), output / np.sqrt(n_hidden + 1))


@dataclass(frozen=True, eq=False)
class Mixture:
    """Nets and the gates that weigh them.

    Attributes
    ----------
    nets : ExpertNets
        Experts of a module stand side by side.
    top : ndarray of shape (n_modules, n_features + 1)
        Weights of the gate of modules; zeros if it is not trained.
    inner : ndarray of shape (n_experts, n_features + 1) or None
        Weights of the gates within modules; None: given shares weigh the experts.
    """

    nets: ExpertNets
    top: np.ndarray
    inner: np.ndarray | None = None

    @property
    def n_parameters(self):
        """Number of trained weights; a single module has no gate of modules."""
        n_top = self.top.size if len(self.top) > 1 else 0
        n_inner = 0 if self.inner is None else self.inner.size
        return self.nets.n_parameters + n_top + n_inner

    def gates(self, X, share=None, normalize=True):
        """Return the weights of experts in predictions: (n_samples, n_experts)."""
        n_modules = len(self.top)
        if self.inner is not None:
            scores = X @ self.inner[:, :-1].T + self.inner[:, -1]
            share = softmax(scores.reshape(len(X), n_modules, -1), axis=2)
        else:
            share = share.reshape(len(X), n_modules, -1)
            if normalize:
                share = share / share.sum(axis=2, keepdims=True)
        return (share * gate_modules(X, self.top)[:, :, None]).reshape(len(X), -1)


def gate_modules(X, top):
    """Return the gate of modules: (n_samples, n_modules)."""
    return softmax(X @ top[:, :-1].T + top[:, -1], axis=1)


def mix(gates, outputs):
    """Return outputs weighted by gates: (n_samples, n_classes)."""
    return np.einsum("ie,eik->ik", gates, outputs)


class NetOptions(NamedTuple):
    """How nets are trained; see `MRPEClassifier`."""

    n_hidden: int = 10
    learning_rate: float = 0.1
    batch_size: int = 1
    max_iter: int = 200
    early_stopping: bool = True
    validation_fraction: float = 0.1
    n_iter_no_change: int = 10
    loss: str = "squared"


class TrainingSet(NamedTuple):
    """What nets are trained on.

    X       (n_samples, n_features)  scaled
    label   (n_samples,)             classes
    weight  (n_samples,)             weights of samples
    share   (n_samples, n_experts)   weights of experts; None: they are gates
    """

    X: np.ndarray
    label: np.ndarray
    weight: np.ndarray
    share: np.ndarray | None


def train_mixture(data, start, mode, options, rng, n_jobs=None):
    """Train the nets of all experts, and gates if there are any.

    Parameters
    ----------
    data : TrainingSet
    start : Mixture
        Initial weights.
    mode : {BY_SHARE, BY_TOP_GATE, BY_ALL_GATES}
        How the step of an expert is weighted. By shares alone, experts do not depend
        on each other and are trained over threads.
    options : NetOptions
    rng : RandomState
        Draws the held-out rows and the order of the rows in each pass.
    n_jobs : int, default=None
        Number of threads.

    Returns
    -------
    mixture : Mixture
    errors : ndarray of shape (n_iter,)
        Squared error of the held-out rows after each pass.
    n_iter : int
        Number of passes.
    """
    held_out = hold_out(data.label, options, rng)
    kept, held = np.flatnonzero(~held_out), np.flatnonzero(held_out)
    check = TrainingSet(*(None if a is None else a[held] for a in data))
    run = _Run(data, start, mode, options, n_jobs)
    best, lowest, since, n_iter, errors = None, np.inf, 0, 0, []
    while n_iter < options.max_iter and since < options.n_iter_no_change:
        n_iter += 1
        run.pass_over(rng.permutation(kept))
        if len(held) == 0:
            continue
        errors.append(squared_error(run.mixture(), check))
        if errors[-1] < lowest:
            best, lowest, since = run.mixture(), errors[-1], 0
        else:
            since += 1
    return (run.mixture() if best is None else best), np.array(errors), n_iter


def hold_out(label, options, rng):
    """Return which rows are held out for early stopping, by class."""
    n_folds = max(2, round(1.0 / options.validation_fraction))
    if not options.early_stopping or len(label) < 2 * n_folds:
        return np.zeros(len(label), dtype=bool)
    return assign_folds(label, n_folds, rng) == 0


def squared_error(mixture, data):
    """Return the mean squared error of a mixture's normalized output."""
    o = mix(mixture.gates(data.X, data.share), mixture.nets.outputs(data.X))
    o[np.arange(len(o)), data.label] -= 1.0
    return float(np.average((o**2).sum(axis=1), weights=data.weight))


class _Run:
    """Weights in training, split by experts over threads."""

    def __init__(self, data, start, mode, options, n_jobs):
        self.X = np.column_stack([data.X, np.ones(len(data.X))])
        self.label = data.label.astype(np.int64)
        self.weight, self.mode = np.ascontiguousarray(data.weight), mode
        self.options, self.is_split = options, False
        n_experts = start.nets.n_experts
        share = data.share
        if share is None:
            share = np.zeros((1, n_experts))
        n_parts = 1
        if mode == BY_SHARE and n_jobs is not None:
            n_parts = min(effective_n_jobs(n_jobs), -(-n_experts // MIN_EXPERTS))
        bounds = np.linspace(0, n_experts, n_parts + 1).astype(int)
        inner = np.zeros((n_experts, self.X.shape[1]))
        self.top = start.top.copy()
        self.inner = inner if start.inner is None else start.inner.copy()
        self.parts = [
            (
                np.ascontiguousarray(share[:, first:last], dtype=np.float64),
                np.array(start.nets.hidden_weights[:, :, first:last], order="C"),
                np.array(start.nets.output_weights[:, :, first:last], order="C"),
            )
            for first, last in pairwise(bounds)
        ]

    def pass_over(self, order):
        """Train by one pass over rows in an order."""
        steps = Steps(
            float(self.options.learning_rate),
            int(self.options.batch_size),
            self.mode,
            self.options.loss == "squared",
        )

        def train(part):
            share, hidden, output = part
            top = self.top[:1] if self.mode == BY_SHARE else self.top
            train_experts(
                self.X, self.label, order.astype(np.int64), self.weight, share, hidden,
                output, top, self.inner, steps,
            )  # fmt: skip

        run_in_threads(train, self.parts, len(self.parts))

    def mixture(self):
        """Return a copy of the weights as they are."""
        nets = ExpertNets(
            np.concatenate([hidden for _, hidden, _ in self.parts], axis=2),
            np.concatenate([output for _, _, output in self.parts], axis=2),
        )
        inner = self.inner.copy() if self.mode == BY_ALL_GATES else None
        return Mixture(nets, self.top.copy(), inner)


def normalize_rows(outputs):
    """Divide outputs by the sum of each row."""
    outputs = outputs + np.finfo(float).tiny  # all outputs may be 0
    return outputs / outputs.sum(axis=1, keepdims=True)
