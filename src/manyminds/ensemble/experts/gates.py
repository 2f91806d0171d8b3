"""Gates that are fitted to fixed outputs, by maximum likelihood."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, logsumexp, softmax

RIDGE = 1e-3  # penalty of squared gate weights, so that separable rows do not diverge


def fit_top_gate(X, log_fit, weight, max_iter=100):
    r"""Fit the softmax gate that weighs modules with fixed outputs.

    It maximizes :math:`\sum_n w_n \log \sum_i g_i(x_n) P_{ni}`; the gradient by the
    weights of module i is :math:`\sum_n w_n (h_{ni} - g_i(x_n)) x_n`, with the
    posteriors h.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
    log_fit : ndarray of shape (n_samples, n_modules)
        Logarithm of each module's likelihood P.
    weight : ndarray of shape (n_samples,)
    max_iter : int, default=100

    Returns
    -------
    top : ndarray of shape (n_modules, n_features + 1)
    """
    X = np.column_stack([X, np.ones(len(X))])
    shape = (log_fit.shape[1], X.shape[1])

    def lose(flat):
        top = flat.reshape(shape)
        log_gate = log_softmax(X @ top.T, axis=1)
        joint = log_gate + log_fit
        value = logsumexp(joint, axis=1)
        step = softmax(joint, axis=1) - np.exp(log_gate)
        loss = -weight @ value + 0.5 * RIDGE * flat @ flat
        return loss, -((weight[:, None] * step).T @ X).ravel() + RIDGE * flat

    return descend(lose, np.zeros(shape), max_iter)


def fit_gate(X, posterior, weight, start, max_iter):
    """Fit a softmax gate to posteriors by weighted cross-entropy, from a start.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features + 1)
        Its last column ones.
    posterior : ndarray of shape (n_samples, n_experts)
        Targets, which add up to 1.
    weight : ndarray of shape (n_samples,)
    start : ndarray of shape (n_experts, n_features + 1)
    max_iter : int

    Returns
    -------
    gate : ndarray of shape (n_experts, n_features + 1)
        Not worse than the start.
    """

    def lose(flat):
        log_gate = log_softmax(X @ flat.reshape(start.shape).T, axis=1)
        loss = -weight @ (posterior * log_gate).sum(axis=1)
        step = weight[:, None] * (posterior - np.exp(log_gate))
        return loss, -(step.T @ X).ravel()

    return descend(lose, start, max_iter)


def descend(lose, start, max_iter):
    """Minimize a function with its gradient by L-BFGS; never return a worse point."""
    first = lose(start.ravel())[0]
    found = minimize(
        lose,
        start.ravel(),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": max_iter},
    )
    return found.x.reshape(start.shape) if found.fun < first else start


def log_fits(outputs, label):
    """Return the Gaussian log-likelihood of classes: (n_samples, n_experts).

    Parameters
    ----------
    outputs : ndarray of shape (n_experts, n_samples, n_classes)
    label : ndarray of int of shape (n_samples,)
    """
    target = np.eye(outputs.shape[2])[label]
    return -0.5 * ((outputs - target) ** 2).sum(axis=2).T
