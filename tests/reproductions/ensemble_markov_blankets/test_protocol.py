"""Networks, selectors and measures of the paper on Markov blankets by ACE."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds import datasets
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.feature_selection import CFSSelector
from manyminds.reproductions.ensemble_markov_blankets.protocol import (
    PRINTER_BLANKETS,
    BlanketMeasures,
    Draws,
    GeneticCFS,
    LinearElimination,
    MaxMinNeighbors,
    find_blanket,
    make_continuous,
    make_null,
    make_printer,
    measure_associations,
)


@pytest.mark.parametrize("relation", ["linear", "product"])
def test_nodes_are_made_of_their_parents(relation):
    data = make_continuous(f"Gaussian, {relation}, H", 20_000)
    X = data.X
    assert list(X.columns) == list("ABCDEFGI")
    join = np.add if relation == "linear" else np.multiply
    noise = data.y - join(X["D"], X["F"])
    assert abs(noise.mean()) < 0.05 and abs(noise.std() - 1.0) < 0.05
    assert_allclose(X[["A", "B", "C"]].mean(), [1.0, 2.0, 3.0], atol=0.05)
    assert find_blanket(data.name) == ("D", "F")


def test_roots_that_are_not_normal():
    X = make_continuous("non-Gaussian, linear, G", 20_000).X
    assert X["B"].min() >= 0.0 and abs(X["B"].mean() - 1.0) < 0.05
    assert X["C"].abs().max() <= 1.0


def test_draws_do_not_share_rows():
    first, second = Draws(2, 3).split(np.zeros(6), stratified=False)
    assert_array_equal(np.r_[first.train, second.train], np.arange(6))
    assert len(Draws(2, 3)) == 2 and Draws(2, 3).describe()["n_rows"] == 3


def test_distances_of_selections_and_rankings():
    data = make_continuous("Gaussian, linear, G", 400)
    fold = Fold(data, Split(0, 0, np.arange(400), np.arange(0)), 0)
    values = BlanketMeasures()(CFSSelector(), fold)
    assert set(values) == {"d", "n_selected"}
    null = make_null("classes", 300)
    fold = Fold(null, Split(0, 0, np.arange(300), np.arange(0)), 0)
    assert set(BlanketMeasures()(CFSSelector(), fold)) == {"n_selected"}


def test_a_ranking_has_a_distance_for_each_size():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 2, (300, 15)).astype(str)).astype("category")
    X.columns = ["PrtData", *[f"x{j}" for j in range(14)]]
    data = make_null("classes", 2)
    data = type(data)("Prob1", X, np.asarray(X["PrtData"]), "classification")
    fold = Fold(data, Split(0, 0, np.arange(300), np.arange(0)), 0)
    values = BlanketMeasures()(LinearElimination(), fold)
    assert values["d"] == values["d of 1"] == 0.0 and values["d of 0"] == 1.0
    assert values["d of 3"] == pytest.approx(2 / 14)


def test_the_genetic_search_comes_close_to_the_best_merit(seed):
    data = make_continuous("Gaussian, linear, G", 500)
    best = CFSSelector().fit(data.X, data.y).merit_
    support = GeneticCFS(random_state=seed).fit(data.X, data.y).get_support()
    relevance, pairs = measure_associations(data.X, data.y)
    k = support.sum()
    between = pairs[np.ix_(support, support)].sum() - k
    merit = relevance[support].sum() / np.sqrt(k + between)
    assert 0.9 * best <= merit <= best + 1e-9


def test_associations_of_levels_are_symmetrical_uncertainties():
    X = pd.DataFrame({"a": list("uuvv"), "b": list("uvuv")}).astype("category")
    relevance, pairs = measure_associations(X, np.array(["x", "x", "y", "y"]))
    assert_allclose(relevance, [1.0, 0.0], atol=1e-12)
    assert_allclose(pairs, np.eye(2), atol=1e-12)


def test_the_printer_network_has_these_blankets():
    graph = datasets.load_network("win95pts").to_networkx()
    assert graph.number_of_nodes() == 76 and graph.number_of_edges() == 112
    for name, blanket in PRINTER_BLANKETS.items():
        target = name.replace("Prob", "Problem")
        assert set(graph.predecessors(target)) == set(blanket)
        assert not list(graph.successors(target))  # so the parents are the blanket
    assert make_printer("Prob2", 50).X.shape == (50, 75)


def test_mmpc_finds_both_parents():
    data = make_continuous("Gaussian, linear, G", 2000)
    support = MaxMinNeighbors().fit(data.X, data.y).get_support()
    assert {"D", "E"} <= set(data.X.columns[support])
