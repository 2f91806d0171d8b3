"""Hybrid selection: subset of the filter's, the pure method without it, wide tables."""

import time

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets.generators.lucas import LUCAS_FEATURES, make_lucas
from manyminds.ensemble import BaggingClassifier
from manyminds.feature_selection import (
    CFSSelector,
    FCBFSelector,
    GrowShrinkSelector,
    HybridCausalSelector,
    IAMBSelector,
    PCSelector,
    TPDASelector,
)
from manyminds.feature_selection.causal.hybrid import METHODS


# Spec 03, item 7: a subset of what the filter leaves.
@pytest.mark.parametrize("prefilter", ["fcbf", "cfs", FCBFSelector(0.05)])
@pytest.mark.parametrize("causal", sorted(METHODS))
def test_the_result_is_a_subset_of_the_filters(seed, prefilter, causal):
    X, y = make_lucas(600, random_state=seed)
    selector = HybridCausalSelector(causal, prefilter=prefilter).fit(X, y)
    assert not (selector.support_ & ~selector.prefilter_support_).any()
    cuts = {"discretize": "quantile", "n_bins": 5}
    filters = {"fcbf": FCBFSelector(**cuts), "cfs": CFSSelector("floating", **cuts)}
    alone = filters[prefilter] if isinstance(prefilter, str) else prefilter
    assert_array_equal(selector.prefilter_support_, alone.fit(X, y).support_)


# Spec 03, item 7: without a filter it is the pure method.
@pytest.mark.parametrize(
    "causal, pure",
    [
        ("pc", PCSelector()),
        ("tpda", TPDASelector()),
        ("grow_shrink", GrowShrinkSelector()),
        ("iamb", IAMBSelector()),
        ("inter_iamb", IAMBSelector(interleave=True)),
    ],
)
def test_without_a_filter(seed, causal, pure):
    X, y = make_lucas(random_state=seed)
    selector = HybridCausalSelector(causal, prefilter=None).fit(X, y)
    pure.fit(X, y)
    assert_array_equal(selector.support_, pure.support_)
    assert_array_equal(selector.markov_blanket_, pure.markov_blanket_)
    assert selector.n_tests_ == pure.n_tests_


# Spec 03, item 7: seconds for 5,000 columns, and tests of the survivors only.
@pytest.mark.slow
def test_wide_tables_take_seconds(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(2, size=(1200, 5000))
    y = np.where(rng.uniform(size=1200) < 0.1, rng.integers(2, size=1200), X[:, 7])
    X[:, 8] = np.where(rng.uniform(size=1200) < 0.2, 1 - X[:, 7], X[:, 7])
    HybridCausalSelector().fit(X[:, :10], y)  # compiled
    begun = time.perf_counter()
    selector = HybridCausalSelector().fit(X, y)
    assert time.perf_counter() - begun < 30.0  # measured: about one
    n_left = selector.prefilter_support_.sum()
    assert selector.n_tests_ <= n_left * (n_left + 1) * (1 + n_left**2)
    assert n_left < 500 and selector.support_[7] and not selector.support_[8]


# Spec 03, section 7, item 6: coughing, smoking and genetics remain under all readings.
@pytest.mark.slow
def test_lucas_counts(seed):
    counts = []
    for k in range(11):
        X, y = make_lucas(random_state=seed + k)
        frame = pd.DataFrame(X, columns=LUCAS_FEATURES)
        selector = HybridCausalSelector("pc", test="mutual_information").fit(frame, y)
        counts.append(selector.support_.sum())
        assert "Coughing" in selector.get_feature_names_out()
    assert np.median(counts) == 3


# Spec 03, item 8: bagging saturates. Nets train briefly, for speed.
@pytest.mark.slow
@pytest.mark.parametrize(
    "base",
    [
        DecisionTreeClassifier(random_state=0),
        MLPClassifier((16,), learning_rate_init=0.2, momentum=0.3, solver="sgd",
                      activation="logistic", max_iter=30, random_state=0),
    ],
    ids=["tree", "net"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_bagging_saturates(seed, base):
    scores = {1: [], 10: [], 25: []}
    for k in range(4):
        X, y = make_lucas(1300, random_state=seed + k)
        X = (
            HybridCausalSelector("tpda", prefilter=None)
            .fit(X[:300], y[:300])
            .transform(X)
        )
        for n in scores:
            bag = BaggingClassifier(base, n_estimators=n, random_state=seed)
            scores[n].append(bag.fit(X[:300], y[:300]).score(X[300:], y[300:]))
    one, ten, more = (np.mean(scores[n]) for n in (1, 10, 25))
    assert ten >= one - 0.02
    assert abs(more - ten) < 0.03


def test_selectors_of_ones_own(seed):
    X, y = make_lucas(random_state=seed)
    own = IAMBSelector("chi2", alpha=0.05)
    selector = HybridCausalSelector(own, prefilter=None).fit(X, y)
    assert selector.test_name_ == "chi2"
    assert not hasattr(own, "support_")
    with pytest.raises(TypeError, match="causal must be a causal selector"):
        HybridCausalSelector(FCBFSelector()).fit(X, y)


def test_names_in_the_graph(seed):
    X, y = make_lucas(random_state=seed)
    frame = pd.DataFrame(X, columns=LUCAS_FEATURES)
    selector = HybridCausalSelector(prefilter="cfs").fit(
        frame, pd.Series(y, name="lung")
    )
    left = frame.columns[selector.prefilter_support_]
    assert set(selector.graph_) == {*left, "lung"}
    blanket = frame.columns[selector.markov_blanket_]
    assert set(blanket) <= set(left)


def test_weights(seed):
    X, y = make_lucas(400, random_state=seed)
    weight = np.random.default_rng(seed).integers(0, 3, size=400)
    one = HybridCausalSelector("iamb").fit(X, y, sample_weight=weight)
    two = HybridCausalSelector("iamb").fit(
        np.repeat(X, weight, axis=0), np.repeat(y, weight)
    )
    assert_array_equal(one.support_, two.support_)
