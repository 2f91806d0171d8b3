"""HME, the baseline whose gates are all trained; its gradients are a kernel's test."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification

from manyminds.ensemble import HMEClassifier
from manyminds.ensemble.experts.expert_nets import Mixture, TrainingSet, draw_nets
from manyminds.ensemble.experts.hme import descend_net, join_nets, measure_posteriors


def make_data(seed):
    return make_classification(
        150, 4, n_informative=4, n_redundant=0, n_classes=3, n_clusters_per_class=1,
        random_state=seed,
    )  # fmt: skip


def test_item_5_gates_sum_to_one_and_em_never_falls(seed):
    X, y = make_data(seed)
    model = HMEClassifier(
        2, solver="em", max_iter=8, n_hidden=3, random_state=seed
    ).fit(X, y)
    assert_allclose(model.gate(X).sum(axis=1), 1.0)
    found = model.log_likelihoods_
    assert len(found) == model.n_iter_ and (np.diff(found) >= -1e-12).all()
    assert found[-1] > found[0]
    data = TrainingSet(model._scale(X), y, np.ones(len(X)), None)
    assert_allclose(measure_posteriors(model._mixture, data)[0], found[-1])
    assert model.score(X, y) > 0.6


def test_posteriors_of_the_formula(seed):
    X, y = make_data(seed)
    nets = draw_nets(4, 3, 3, 4, np.random.RandomState(0))
    rng = np.random.default_rng(seed)
    mixture = Mixture(nets, rng.normal(size=(2, 5)), rng.normal(size=(4, 5)))
    data = TrainingSet(X, y, np.ones(len(X)), None)
    value, posterior = measure_posteriors(mixture, data)
    gates, o = mixture.gates(X), nets.outputs(X)
    fit = np.exp(-0.5 * ((np.eye(3)[y] - o) ** 2).sum(axis=2)).T
    total = (gates * fit).sum(axis=1)
    assert_allclose(posterior, gates * fit / total[:, None])
    assert_allclose(value, np.log(total).mean())


def test_fit_of_a_net_lowers_its_weighted_error(seed):
    X, y = make_data(seed)
    rng = np.random.default_rng(seed)
    X1, t, step = (
        np.column_stack([X, np.ones(150)]),
        np.eye(3)[y],
        rng.uniform(size=150),
    )
    net = draw_nets(4, 3, 3, 1, np.random.RandomState(0))

    def lose(net):
        return 0.5 * step @ ((net.outputs(X)[0] - t) ** 2).sum(axis=1)

    fitted = descend_net(net, X1, t, step)
    assert lose(fitted) < lose(net)
    joined = join_nets([net, fitted])
    assert_allclose(joined.outputs(X)[1], fitted.outputs(X)[0])


def test_back_propagation_learns(seed):
    X, y = make_data(seed)
    model = HMEClassifier(max_iter=60, random_state=seed).fit(X, y)
    assert model.score(X, y) > 0.7
    assert len(model.validation_errors_) == model.n_iter_


def test_columns_whose_variance_overflows_are_named(seed):
    X, y = make_data(seed)
    X[:, 2] *= 1e300
    with pytest.raises(ValueError, match=r"column 2 of X overflow.*e\+30"):
        HMEClassifier(random_state=seed).fit(X, y)
