"""The chains of the paper, a search for chains, and what is measured."""

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier

from manyminds.datasets import Dataset
from manyminds.ensemble import CVCommittee
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import Split
from manyminds.reproductions.complex_models.protocol import (
    BalancedErrors,
    find_or_make,
    make_chain,
    make_search,
)


def test_the_chains_are_those_of_the_paper():
    committee = make_chain("arcene")
    assert isinstance(committee, CVCommittee) and committee.cv == 9
    assert committee.estimator[0].n_features_to_select == 7000
    union = make_chain("madelon")
    assert union[0].threshold == 1 and len(union[0].selectors) == 3
    assert union[-1].width == "loo"


@pytest.mark.slow
def test_the_measure_tells_what_a_search_expects():
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"] * 30)
    X = pd.DataFrame(rng.normal(size=(60, 4)), columns=list("wxyz"))
    X["w"] += np.where(y == "a", 3.0, 0.0)
    data = Dataset("toy", X, y, "classification")
    fold = Fold(data, Split(0, 0, np.arange(40), np.arange(40, 60)), 0)
    found = BalancedErrors()(make_search(quick=True), fold)
    assert set(found) == {"balanced_error", "honest_error", "naive_error"}
    assert found["balanced_error"] < 0.3
    plain = BalancedErrors()(make_chain("madelon"), fold)
    assert set(plain) == {"balanced_error"}


def test_classes_count_alike_in_the_error():
    # A model that always says "a" has all of class a right, and none of b: an error of
    # one half, though b is a tenth of the samples.
    y = np.array(["a"] * 9 + ["b"])
    data = Dataset(
        "toy", pd.DataFrame({"x": np.zeros(20)}), np.tile(y, 2), "classification"
    )
    fold = Fold(data, Split(0, 0, np.arange(10), np.arange(10, 20)), 0)
    assert BalancedErrors()(DummyClassifier(), fold) == {"balanced_error": 0.5}


def test_quick_searches_have_trials_and_others_a_budget():
    quick, full = make_search(quick=True), make_search(quick=False)
    assert (quick.budget, quick.n_trials) == (None, 3)
    assert (full.budget, full.n_trials) == ("60s", None)
    assert quick.metric == full.metric == "balanced_accuracy"


def test_generated_data_need_no_file():
    def find(name):
        raise AssertionError("not to be looked for")

    data = find_or_make(find, "madelon-like")
    assert (data.name, data.task) == ("madelon-like", "classification")
    assert data.n_samples == 2600
