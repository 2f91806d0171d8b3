"""Back-propagation of experts against a naive twin, and against numeric gradients."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime
from scipy.special import expit, logsumexp, softmax

from manyminds.kernels.expert_nets import (
    BY_ALL_GATES,
    BY_SHARE,
    BY_TOP_GATE,
    Steps,
    train_experts,
)

N_ROWS, N_INPUTS, N_HIDDEN, N_CLASSES, N_MODULES, N_INSIDE = 12, 3, 2, 3, 2, 2
N_EXPERTS = N_MODULES * N_INSIDE


def draw(seed):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(N_ROWS, N_INPUTS - 1)), np.ones(N_ROWS)])
    return {
        "X": X,
        "label": rng.integers(N_CLASSES, size=N_ROWS),
        "order": rng.permutation(N_ROWS),
        "weight": rng.uniform(0.5, 2.0, size=N_ROWS),
        "share": rng.uniform(0.1, 1.0, size=(N_ROWS, N_EXPERTS)),
        "hidden": rng.normal(size=(N_INPUTS, N_HIDDEN, N_EXPERTS)),
        "output": rng.normal(size=(N_HIDDEN + 1, N_CLASSES, N_EXPERTS)),
        "top": rng.normal(size=(N_MODULES, N_INPUTS)),
        "inner": rng.normal(size=(N_EXPERTS, N_INPUTS)),
    }


def train(case, rate, batch_size, mode, is_squared=True):
    case = {name: value.copy() for name, value in case.items()}
    steps = Steps(rate, batch_size, mode, is_squared)
    train_experts(*case.values(), steps)
    return case


def twin_step(case, i, rate, mode, is_squared):
    """One step for one sample, from the rules of the paper."""
    x, t = case["X"][i], np.eye(N_CLASSES)[case["label"][i]]
    units = [expit(x @ case["hidden"][:, :, e]) for e in range(N_EXPERTS)]
    o = [
        expit(np.append(units[e], 1.0) @ case["output"][:, :, e])
        for e in range(N_EXPERTS)
    ]
    h = case["share"][i].copy()
    modules = [range(m * N_INSIDE, (m + 1) * N_INSIDE) for m in range(N_MODULES)]
    g = softmax(case["top"] @ x)
    if mode == BY_TOP_GATE:
        fit = np.empty(N_MODULES)
        for m, inside in enumerate(modules):
            mixed = sum(h[e] * o[e] for e in inside) / sum(h[e] for e in inside)
            fit[m] = np.exp(-0.5 * np.sum((t - mixed) ** 2))
        posterior = g * fit / (g @ fit)
        for m, inside in enumerate(modules):
            for e in inside:
                h[e] *= posterior[m]
    elif mode == BY_ALL_GATES:
        fit = np.array([np.exp(-0.5 * np.sum((t - one) ** 2)) for one in o])
        gate = np.concatenate([softmax(case["inner"][list(m)] @ x) for m in modules])
        joint = np.array([gate[list(m)] @ fit[list(m)] for m in modules])
        posterior = g * joint / (g @ joint)
        new_inner = case["inner"].copy()
        for m, inside in enumerate(modules):
            for e in inside:
                conditional = gate[e] * fit[e] / joint[m]
                h[e] = posterior[m] * conditional
                step = posterior[m] * (conditional - gate[e])
                new_inner[e] += rate * case["weight"][i] * step * x
        case["inner"] = new_inner
    if mode != BY_SHARE:
        case["top"] = case["top"] + rate * case["weight"][i] * np.outer(
            posterior - g, x
        )
    for e in range(N_EXPERTS):
        size = rate * case["weight"][i] * h[e]
        slope = (t - o[e]) * (o[e] * (1 - o[e]) if is_squared else 1.0)
        back = case["output"][:-1, :, e] @ slope * units[e] * (1 - units[e])
        case["output"][:, :, e] += size * np.outer(np.append(units[e], 1.0), slope)
        case["hidden"][:, :, e] += size * np.outer(x, back)


@pytest.mark.no_jit
@pytest.mark.parametrize("is_squared", [True, False])
@pytest.mark.parametrize("mode", [BY_SHARE, BY_TOP_GATE, BY_ALL_GATES])
def test_online_training_is_that_of_the_naive_twin(mode, is_squared, seed):
    case = draw(seed)
    found = train(case, 0.3, 1, mode, is_squared)
    for i in case["order"]:
        twin_step(case, i, 0.3, mode, is_squared)
    for name in ("hidden", "output", "top", "inner"):
        assert_allclose(found[name], case[name], rtol=1e-9, atol=1e-12, err_msg=name)


def log_likelihood(case):
    """Weighted mean log-likelihood of a hierarchical mixture of experts."""
    X, t = case["X"], np.eye(N_CLASSES)[case["label"]]
    units = expit(np.einsum("nd,dhe->nhe", X, case["hidden"]))
    units = np.concatenate([units, np.ones((N_ROWS, 1, N_EXPERTS))], axis=1)
    o = expit(np.einsum("nhe,hke->nke", units, case["output"]))
    fit = -0.5 * ((t[:, :, None] - o) ** 2).sum(axis=1)
    inner = softmax((X @ case["inner"].T).reshape(N_ROWS, N_MODULES, -1), axis=2)
    gate = inner * softmax(X @ case["top"].T, axis=1)[:, :, None]
    total = logsumexp(np.log(gate.reshape(N_ROWS, -1)) + fit, axis=1)
    return case["weight"] @ total / N_ROWS


@pytest.mark.parametrize("name", ["hidden", "output", "top", "inner"])
def test_item_5_steps_are_numeric_gradients(name, seed):
    # A batch of all rows takes the mean step, the gradient of the log-likelihood.
    case = draw(seed)
    step = train(case, 1.0, N_ROWS, BY_ALL_GATES)[name] - case[name]

    def value(flat):
        return log_likelihood({**case, name: flat.reshape(case[name].shape)})

    gradient = approx_fprime(case[name].ravel(), value, 1e-6)
    assert_allclose(step.ravel(), gradient, atol=1e-6)


def test_experts_do_not_depend_on_each_other_by_shares(seed):
    case = draw(seed)
    together = train(case, 0.3, 1, BY_SHARE)
    for part in (slice(0, 1), slice(1, 4)):
        alone = {**case, "share": np.ascontiguousarray(case["share"][:, part])}
        for name in ("hidden", "output"):
            alone[name] = np.ascontiguousarray(case[name][:, :, part])
        alone["top"] = case["top"][:1]
        alone = train(alone, 0.3, 1, BY_SHARE)
        for name in ("hidden", "output"):
            np.testing.assert_array_equal(alone[name], together[name][:, :, part])
