"""What causal selectors share: choice of the test, names, time limits, errors."""

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from manyminds.feature_selection import (
    IAMBSelector,
    MMMBSelector,
    PCSelector,
    StableSelector,
    TimeLimitWarning,
)
from manyminds.feature_selection.causal.base import (
    BlanketSelector,
    CausalSelector,
    GraphSelector,
)


def draw_numbers(seed, n_samples=400):
    """The target depends on the first two columns, of which the third is a proxy."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, 5))
    X[:, 2] = X[:, 0] + 0.3 * rng.normal(size=n_samples)
    return X, X[:, 0] - X[:, 1] + 0.5 * rng.normal(size=n_samples)


@pytest.mark.parametrize(
    "test, blanket",
    [("auto", {0, 1}), ("fisher_z", {0, 1}), ("mixed", {0, 1})],
)
def test_numeric_targets_need_no_levels(seed, test, blanket):
    X, y = draw_numbers(seed)
    selector = IAMBSelector(test, alpha=1e-4).fit(X, y)
    assert set(selector.markov_blanket_) == blanket
    assert selector.test_name_ == ("fisher_z" if test == "auto" else test)


@pytest.mark.parametrize("test", ["g2", "chi2", "mutual_information"])
def test_classes_and_levels(seed, test):
    # Coarse levels of the first column leave something to its proxy.
    X, score = draw_numbers(seed, 2000)
    selector = IAMBSelector(test, alpha=1e-5, threshold=0.03, n_bins=4)
    selector.fit(X, score > 0)
    assert {0, 1} <= set(selector.markov_blanket_) <= {0, 1, 2}


def test_permutations(seed):
    X, score = draw_numbers(seed, 500)
    one, two = (
        IAMBSelector("permutation", n_bins=3, random_state=seed).fit(X, score > 0)
        for _ in range(2)
    )
    assert one.support_[:2].all()
    assert_array_equal(one.support_, two.support_)


def test_classes_and_numbers_that_are_not_cut(seed):
    X, score = draw_numbers(seed, 1000)
    selector = IAMBSelector("mixed", alpha=1e-5).fit(X, score > 0)
    assert {0, 1} <= set(selector.markov_blanket_) <= {0, 1, 2}


def test_auto_takes_levels_where_numbers_are_not_known(seed):
    X, y = draw_numbers(seed)
    for X_, y_, expected in (
        (X, y, "fisher_z"),
        (np.where(X > 2.0, np.nan, X), y, "g2"),
        (X, y > 0, "g2"),
        (pd.DataFrame(X).assign(hue=pd.Categorical(["a", "b"] * 200)), y, "g2"),
    ):
        if isinstance(X_, pd.DataFrame):
            X_.columns = X_.columns.astype(str)
        assert IAMBSelector().fit(X_, y_).test_name_ == expected


def test_names_of_the_graph(seed):
    X, y = draw_numbers(seed)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d", "score"])
    selector = PCSelector().fit(frame, pd.Series(y, name="score"))
    assert isinstance(selector.graph_, nx.DiGraph)
    assert selector.target_name_ == "score_"
    assert set(selector.graph_) == {*frame.columns, "score_"}
    assert PCSelector().fit(X, y).target_name_ == "target"


def test_time_limit_warns_and_returns(seed):
    X, y = draw_numbers(seed)
    with pytest.warns(TimeLimitWarning, match="reached time_limit=0"):
        selector = PCSelector(time_limit=0).fit(X, y)
    assert not selector.is_complete_
    assert not selector.support_.any()  # nothing was tested yet


def test_progress(seed, capsys):
    X, y = draw_numbers(seed)
    IAMBSelector(verbose=1).fit(X, y)
    assert "iamb: 1 members" in capsys.readouterr().err


def test_committees_take_causal_selectors(seed):
    X, y = draw_numbers(seed)
    stable = StableSelector(IAMBSelector(), n_resamples=10, random_state=seed)
    assert stable.fit(X, y).support_[:2].all()
    assert stable.selection_frequencies_[3:].max() < 0.6


def test_errors(seed):
    X, y = draw_numbers(seed)
    with pytest.raises(ValueError, match=r"\['target'\] are categories"):
        IAMBSelector("fisher_z").fit(X, y > 0)
    with pytest.raises(ValueError, match="does not take sample_weight"):
        IAMBSelector("permutation").fit(X, y > 0, sample_weight=np.ones(400))
    with pytest.raises(ValueError, match="at most 256 levels; 'x0' has 400"):
        IAMBSelector("g2", discretize=None).fit(X, y > 0)
    with pytest.raises(ValueError, match="contains NaN"):
        IAMBSelector("mixed").fit(np.where(X > 2.0, np.nan, X), y)


def test_weights_are_copies_for_numbers(seed):
    X, y = draw_numbers(seed, 60)
    weight = np.random.default_rng(seed).integers(0, 4, size=60)
    one = IAMBSelector().fit(X, y, sample_weight=weight)
    two = IAMBSelector().fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    assert_array_equal(one.support_, two.support_)


def test_families():
    assert issubclass(PCSelector, GraphSelector)
    assert issubclass(IAMBSelector, BlanketSelector)
    assert issubclass(GraphSelector, CausalSelector)


@pytest.mark.parametrize("make", [IAMBSelector, PCSelector, MMMBSelector])
def test_many_classes_and_few_rows_warn(make):
    # 256 classes and 3,000 rows: no table of the target has five rows per cell.
    X = np.random.default_rng(0).integers(4, size=(3000, 4))
    with pytest.warns(UserWarning, match="Nothing was tested of the target"):
        make().fit(X, X @ [64, 16, 4, 1])
