"""MRPE: the acceptance list of its specification for a single module."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from manyminds.ensemble import MRPEClassifier
from manyminds.ensemble.experts.expert_nets import (
    Mixture,
    NetOptions,
    TrainingSet,
    draw_nets,
    train_mixture,
)
from manyminds.ensemble.experts.mrpe import choose_n_experts, read_eta
from manyminds.ensemble.experts.prototypes import dynamic_weights, measure_distances
from manyminds.kernels.expert_nets import BY_SHARE

PLAIN = {"early_stopping": False, "max_iter": 5, "n_hidden": 4, "scale": None}


def make_data(seed, n_samples=120, n_classes=3):
    return make_classification(
        n_samples, 4, n_informative=4, n_redundant=0, n_classes=n_classes,
        n_clusters_per_class=1, random_state=seed,
    )  # fmt: skip


def train_alone(net, X, y, weight, orders, rate=0.1):
    """Train one net on rows in given orders; return its outputs for all of X."""
    share = np.ones((len(X), 1))
    mixture = Mixture(net, np.zeros((1, X.shape[1] + 1)))
    options = NetOptions(4, learning_rate=rate, max_iter=1, early_stopping=False)
    for order in orders:
        data = TrainingSet(X[order], y[order], weight[order], share[order])
        stay = _InOrder()
        mixture, _, _ = train_mixture(data, mixture, BY_SHARE, options, stay)
    return mixture.nets.outputs(X)[0]


class _InOrder:
    """A generator of random numbers that leaves rows in their order."""

    def permutation(self, rows):
        return rows


def replay(model, X, y):
    """Return the initial nets and the orders of the rows of a fit."""
    rng = np.random.RandomState(model.random_state)
    rng.choice(len(X), model.n_experts_, replace=False, p=np.full(len(X), 1 / len(X)))
    rng.permutation(model.n_experts_)
    nets = draw_nets(X.shape[1], 4, len(np.unique(y)), model.n_experts_, rng)
    return nets, [rng.permutation(np.arange(len(X))) for _ in range(5)]


def test_item_3_hard_weights_are_a_random_prototype_oracle():
    X, y = make_data(0)
    model = MRPEClassifier(
        3, strategy="static", eta=(0, 0, 1), random_state=1, **PLAIN
    ).fit(X, y)
    nets, orders = replay(model, X, y)
    nearest = measure_distances(X, model.prototypes_[0]).argmin(axis=1)
    expected = np.empty((len(X), 3))
    for e in range(3):
        inside = [order[nearest[order] == e] for order in orders]
        alone = train_alone(nets.expert(e), X, y, np.ones(len(X)), inside)
        expected[nearest == e] = alone[nearest == e]
    assert_array_equal(model.route(X), nearest)
    p = expected / expected.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), p, rtol=1e-10)


def test_item_3_one_expert_is_one_net():
    X, y = make_data(1)
    model = MRPEClassifier(1, random_state=2, **PLAIN).fit(X, y)
    nets, orders = replay(model, X, y)
    o = train_alone(nets, X, y, np.ones(len(X)), orders)
    expected = o / o.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-10)


def test_item_3_equal_weights_are_an_average_of_nets():
    X, y = make_data(2)
    model = MRPEClassifier(
        3, strategy="static", eta=np.full(3, 1 / 3), random_state=3, **PLAIN
    ).fit(X, y)
    nets, orders = replay(model, X, y)
    o = np.mean(
        [
            train_alone(nets.expert(e), X, y, np.ones(len(X)), orders, rate=0.1 / 3)
            for e in range(3)
        ],
        axis=0,
    )
    expected = o / o.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-9)


def test_item_4_no_parameters_of_gates():
    X, y = make_data(0)
    model = MRPEClassifier(3, random_state=0, **PLAIN).fit(X, y)
    net = (4 + 1) * 4 + (4 + 1) * 3
    assert model.n_parameters_ == 3 * net


def test_item_6_same_seed_same_model(seed):
    X, y = make_data(seed)
    first, second, other = (
        MRPEClassifier(random_state=s, **PLAIN).fit(X, y)
        for s in (seed, seed, seed + 1)
    )
    assert_array_equal(first.prototypes_, second.prototypes_)
    assert_array_equal(first.predict_proba(X), second.predict_proba(X))
    assert not np.array_equal(first.prototypes_, other.prototypes_)


def test_gate_and_normalization(seed):
    X, y = make_data(seed)
    raw = MRPEClassifier(3, normalize=False, random_state=0, **PLAIN).fit(X, y)
    distances = measure_distances(X, raw.prototypes_[0])
    assert_allclose(raw.gate(X), dynamic_weights(distances))
    model = MRPEClassifier(3, random_state=0, **PLAIN).fit(X, y)
    assert_allclose(model.gate(X), raw.gate(X) / 2.0)
    assert_array_equal(model.predict(X), raw.predict(X))


@pytest.mark.parametrize("strategy", ["dynamic", "static", "gaussian"])
def test_learns_and_takes_any_expert(strategy, seed):
    X, y = make_data(seed, 300, n_classes=2)
    model = MRPEClassifier(strategy=strategy, random_state=0, max_iter=60).fit(X, y)
    linear = LogisticRegression().fit(X, y).score(X, y)
    assert model.score(X, y) > linear - 0.05
    bayes = MRPEClassifier(strategy=strategy, estimator=GaussianNB(), random_state=0)
    bayes.fit(X, y)
    share = bayes._share(bayes._scale(X))
    first = GaussianNB().fit(X, y, sample_weight=share[:, 0])
    assert_allclose(bayes.estimators_[0].theta_, first.theta_)
    gates = bayes.gate(X)
    p = sum(gates[:, [e]] * bayes.estimators_[e].predict_proba(X) for e in range(3))
    assert_allclose(bayes.predict_proba(X), p)
    assert not hasattr(bayes, "nets_") and not hasattr(bayes, "n_parameters_")


def test_given_prototypes_make_gates():
    X, y = make_data(0)
    model = MRPEClassifier(prototypes=X[:2], random_state=0, **PLAIN).fit(X, y)
    assert_array_equal(model.prototypes_[0], X[:2])
    assert model.n_experts_ == 2


def test_number_of_experts_is_chosen():
    # One net is enough for a linear rule; the smallest number of equals is taken.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = (X.sum(axis=1) > 0.0).astype(int)
    model = MRPEClassifier("auto", random_state=0, max_iter=30).fit(X, y)
    assert model.n_experts_ == 1
    y = (X[:, 0] * X[:, 1] > 0.0).astype(int)
    linear = MRPEClassifier(
        estimator=LogisticRegression(), strategy="gaussian", width=0.3
    )
    rng = np.random.RandomState(0)
    chosen = choose_n_experts(linear, X, y, np.ones(200), rng)
    assert chosen > 1  # a linear model cannot represent an exclusive or


def test_errors_name_the_parameter():
    X, y = make_data(0)
    for eta in ([0.5, 0.5], [0.5, 0.3, 0.2], [0.1, 0.2, 0.3], [-0.5, 0.5, 1.0]):
        with pytest.raises(ValueError, match="eta must be 3 numbers in increasing"):
            MRPEClassifier(3, strategy="static", eta=eta).fit(X, y)
    assert_array_equal(read_eta([0, 0, 1], 3), [0.0, 0.0, 1.0])
    with pytest.raises(ValueError, match="estimator must take sample_weight"):
        MRPEClassifier(estimator=KNeighborsClassifier()).fit(X, y)
    with pytest.raises(ValueError, match=r"prototypes must be finite .*\(1, 2, 4\)"):
        MRPEClassifier(prototypes=X[:2, :3]).fit(X, y)
    with pytest.raises(ValueError, match="takes no eta"):
        MRPEClassifier("auto", strategy="static", eta=[0.5, 0.5]).fit(X, y)
