"""The network as an estimator: fit, questions, samples, BIF."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from manyminds.datasets import load_network, read_bif, write_bif
from manyminds.networks import AnnealingSearch, BayesianNetwork


@pytest.fixture(scope="module")
def asia():
    return BayesianNetwork.from_table_network(load_network("asia"))


def test_parameters_converge_to_the_tables(seed):
    network = load_network("cancer")
    rows = network.sample(50_000, random_state=seed)
    model = BayesianNetwork(network.arcs).fit(rows)
    again = model.to_table_network()
    assert sorted(again.arcs) == sorted(network.arcs)
    for j, name in enumerate(network.names):
        marginal = model.query(name).to_numpy()
        expected = BayesianNetwork.from_table_network(network).query(name)[
            list(again.states[j])
        ]
        assert_allclose(marginal, expected, atol=0.02)


@pytest.mark.parametrize("method", ["elimination", "junction_tree"])
def test_questions_published_for_asia(asia, method):
    # Marginals that Lauritzen and Spiegelhalter print, and a diagnosis by hand.
    assert_allclose(asia.query("lung", method=method)["yes"], 0.055)
    assert_allclose(asia.query("bronc", method=method)["yes"], 0.45)
    found = asia.query("lung", {"smoke": "yes"}, method=method)
    assert_allclose(found["yes"], 0.1)
    with pytest.raises(ValueError, match="probability 0"):
        asia.query("lung", {"either": "no", "tub": "yes"}, method=method)


def test_methods_agree_on_soft_evidence(asia, seed):
    rng = np.random.default_rng(seed)
    evidence = {
        "xray": dict(zip(["yes", "no"], rng.uniform(0.1, 1, size=2))),
        "dysp": rng.uniform(0.1, 1, size=2),
        "asia": "yes",
    }
    one, two = (
        asia.query("lung", evidence, method=method)
        for method in ("elimination", "junction_tree")
    )
    assert_allclose(one, two)


def test_rows_with_missing_values_get_the_answer_of_a_question(asia):
    rows = load_network("asia").sample(3, random_state=0)
    rows.loc[:, ["either", "tub", "dysp", "bronc"]] = None
    found = asia.posterior(rows, "lung")
    for i in range(3):
        known = {name: rows.loc[i, name] for name in ("asia", "smoke", "xray")}
        assert_allclose(found[i], asia.query("lung", known))


def test_samples_of_a_mixed_network_fit_it(seed):
    rng = np.random.default_rng(seed)
    state = rng.choice(["a", "b"], size=2000)
    x = np.where(state == "a", 0.0, 3.0) + rng.normal(size=2000)
    frame = pd.DataFrame({"state": pd.Categorical(state), "x": x, "y": 2 * x})
    frame["y"] += rng.normal(size=2000)
    model = BayesianNetwork([("state", "x"), ("x", "y")]).fit(frame)
    drawn = model.sample(2000, random_state=seed)
    again = BayesianNetwork([("state", "x"), ("x", "y")]).fit(drawn)
    assert abs(again.cpds_[2].coefficients[0] - 2.0) < 0.1
    assert abs(model.score(drawn) - model.score(frame)) < 0.15
    assert drawn["state"].dtype == "category"


def test_missing_values_in_training(seed):
    network = load_network("asia")
    rows = network.sample(4000, random_state=seed)
    model = BayesianNetwork(network.arcs)
    full = model.fit(rows).score(rows)
    holes = rows.mask(np.random.default_rng(seed).random(rows.shape) < 0.2)
    model = BayesianNetwork(network.arcs).fit(holes)
    assert len(model.log_likelihoods_) > 1
    assert full - 0.02 < model.score(rows) <= full + 1e-3


def test_bif_round_trip(asia, tmp_path):
    write_bif(asia.to_table_network(), tmp_path / "asia.bif")
    again = BayesianNetwork.from_table_network(read_bif(tmp_path / "asia.bif"))
    rows = load_network("asia").sample(20, random_state=0)
    assert_allclose(asia.score_samples(rows), again.score_samples(rows))


def test_structure_by_any_search(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=200)
    X = np.column_stack([x, x + 0.1 * rng.normal(size=200)])
    search = AnnealingSearch(n_resamples=5, n_operations=100, random_state=seed)
    model = BayesianNetwork(search).fit(X)
    assert len(model.arcs_) == 1
    assert not hasattr(search, "arcs_")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.query("nothing"), "'nothing', which is no column"),
        (lambda m: m.query("lung", {"smoke": "maybe"}), "has the states"),
        (lambda m: m.query("lung", {"smoke": [1.0]}), "likelihood of at least 0"),
        (lambda m: m.query("lung", method="magic"), "method must be"),
    ],
)
def test_wrong_questions_are_named(asia, call, message):
    with pytest.raises(ValueError, match=message):
        call(asia)


def test_numeric_networks_have_no_tables():
    model = BayesianNetwork([(0, 1)]).fit(np.random.default_rng(0).normal(size=(30, 2)))
    with pytest.raises(ValueError, match="network of categories"):
        model.query(0)
    with pytest.raises(ValueError, match="BIF has no numeric"):
        model.to_table_network()
    X = np.column_stack([np.arange(10) % 2, np.arange(10.0)])
    with pytest.raises(ValueError, match="numeric parents"):
        BayesianNetwork([(1, 0)], categorical_features=[0]).fit(X)
