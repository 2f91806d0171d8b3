"""Structures that users name, list or let a search learn."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import load_network
from manyminds.networks import (
    AnnealingSearch,
    BayesianNetwork,
    BayesianNetworkClassifier,
    ConstraintSearch,
    HillClimbingSearch,
)
from manyminds.networks.bayesian.structures import check_types, make_search


def test_names_make_searches():
    assert isinstance(make_search(None), HillClimbingSearch)
    assert isinstance(make_search("hill_climbing"), HillClimbingSearch)
    assert isinstance(make_search("annealing"), AnnealingSearch)
    assert make_search("iamb").method == "iamb"
    given = ConstraintSearch("pc")
    assert make_search(given) is not given


def test_networks_and_classifiers_by_tests():
    rows = load_network("asia").sample(4000, random_state=0)
    network = BayesianNetwork("pc").fit(rows)
    assert network.arcs_ == ConstraintSearch().fit(rows).arcs_
    assert network.score(rows) > BayesianNetwork([]).fit(rows).score(rows) + 0.3
    X, y = rows.drop(columns="dysp"), rows["dysp"].astype(str)
    classifier = BayesianNetworkClassifier("pc").fit(X, y)
    assert classifier.arcs_ == ConstraintSearch().fit(X).arcs_
    with pytest.raises(ValueError, match="structure"):
        BayesianNetwork("psychic").fit(rows)


def test_a_search_has_arcs_by_names_in_classifiers():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(100, 3)), columns=["a", "b", "c"])
    search = HillClimbingSearch(required_arcs=[("c", "a")])
    model = BayesianNetworkClassifier(search).fit(X, rng.integers(2, size=100))
    assert ("c", "a") in model.arcs_


def test_the_random_state_reaches_the_search():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    X[:, 1] += 0.4 * X[:, 0]
    search = AnnealingSearch(n_resamples=3, n_operations=30, polish=False)
    one, two = (BayesianNetwork(search, random_state=7).fit(X) for _ in range(2))
    assert one.arcs_ == two.arcs_


def test_numeric_parents_of_categories_are_named():
    with pytest.raises(ValueError, match=r"'b' has numeric parents \['a'\]"):
        check_types([(), (0,)], [0, 2], ["a", "b"])
