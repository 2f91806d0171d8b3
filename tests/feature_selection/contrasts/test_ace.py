"""ACE on problems whose blanket is known; acceptance list of spec 10."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds import datasets
from manyminds.feature_selection import ACESelector, blanket_distance
from manyminds.trees import surrogate_splits
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import draw_seeds, grow, make_rules, make_sampling

SMALL = {"n_estimators": 20, "n_replicates": 10}


def make_line(seed, n_rows=400, n_noise=4):
    """The target is the sum of the first two columns and noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 2 + n_noise))
    return X, X[:, 0] + X[:, 1] + 0.5 * rng.normal(size=n_rows)


# ---------------------------------------------------------------- acceptance list


@pytest.mark.parametrize("transform", [lambda x: x, np.exp, lambda x: -(x**3)])
def test_item_1_monotone_surrogates_are_perfect_and_constants_tell_nothing(transform):
    rng = np.random.default_rng(0)
    x = np.round(rng.normal(size=150), 1)
    X = np.column_stack([x, transform(x), np.ones(150), rng.normal(size=150)])
    table = bin_table(X)
    rules = make_rules(150, 4, 1, 150, criterion="squared_error", max_depth=4)
    weights = np.array([1.0, 0.0, 0.0, 0.0])  # splits on the first column only
    sampling = make_sampling(150, 4, feature_weights=weights)
    seeds = draw_seeds(np.random.RandomState(0), 1)
    trees = grow(table, x + rng.normal(size=150), rules, sampling, seeds)
    found = surrogate_splits(trees, table, np.ones(150), all_features=True)
    assert_array_equal(found.association_by_feature[:, 1], 1.0)
    assert_array_equal(found.association_by_feature[:, 2], 0.0)
    assert found.association_by_feature.max() <= 1.0
    # 1 - p = (1 - association) * smaller share, for the noise as sole candidate.
    found = surrogate_splits(trees, table, np.ones(150), features=[3])
    child = trees.left[found.node]
    shares = trees.weight[[child, child + 1]] / trees.weight[found.node]
    assert_allclose(
        1.0 - found.agreement, (1.0 - found.association) * shares.min(axis=0)
    )


def test_item_2_of_a_column_and_its_copy_one_is_kept(seed):
    X, y = make_line(seed, n_noise=3)
    X[:, 2] = X[:, 0]
    found = ACESelector(**SMALL, max_iter=1, random_state=seed).fit(X, y).rounds_[0]
    assert {0, 2} <= set(found.relevant)
    kept = set(found.kept) & {0, 2}
    better = 0 if found.importances[0] >= found.importances[2] else 2
    assert kept == {better}


def test_item_3_nothing_is_selected_of_noise(seed):
    # The full list of 100 draws is in the reproduction "ensemble-markov-blankets". Here
    # 12 draws, of which a correct build fills more than 4 less than once in 2,000.
    rng = np.random.default_rng(seed)
    filled = 0
    for _ in range(12):
        X, y = rng.normal(size=(200, 20)), rng.normal(size=200)
        selector = ACESelector(**SMALL, max_iter=1, random_state=rng.integers(2**31))
        filled += selector.fit(X, y).support_.any()
    assert filled <= 4


def test_item_3_the_best_contrast_is_the_limit_by_default(seed):
    # With a percentile of 95 among many columns, noise is relevant more often than the
    # level promises: 12 % of draws with 60 columns, and 2 % with the best contrast.
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(100, 30)), rng.normal(size=100)
    options = {"n_estimators": 5, "n_replicates": 3, "max_iter": 1, "random_state": 0}
    found = ACESelector(**options).fit(X, y).rounds_[0]
    lower = ACESelector(**options, percentile="auto").fit(X, y).rounds_[0]
    assert_allclose(found.importances, lower.importances)
    assert found.limit > lower.limit
    assert (found.pvalues >= lower.pvalues - 1e-12).all()


def test_item_5_partial_masking_is_recovered_from_residuals(seed):
    # The second column has an effect of its own but is masked by the first (0.9).
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(1500, 6))
    X[:, 1] = 0.9 * X[:, 0] + np.sqrt(1 - 0.9**2) * X[:, 1]
    y = X[:, 0] + 0.3 * X[:, 1] + 0.3 * rng.normal(size=1500)
    options = {**SMALL, "random_state": seed}
    once = ACESelector(**options, max_iter=1).fit(X, y)
    assert once.markov_blanket_.tolist() == [0]
    often = ACESelector(**options).fit(X, y)
    assert often.get_support(indices=True).tolist()[:2] == [0, 1]
    assert often.support_.sum() <= 3 and often.n_iter_ < 10


@pytest.mark.slow
def test_item_7_blankets_of_the_printer_network():
    # Problem1 and Problem2, 4,000 rows: the whole table is in the reproduction.
    frame = datasets.load_network("win95pts").sample(4000, random_state=0)
    for target, blanket in {
        "Problem1": ["PrtData"],
        "Problem2": ["NetPrint", "DeskPrntSpd", "NtSpd"],
    }.items():
        X = frame.drop(columns=target)
        selector = ACESelector(**SMALL, percentile="auto", random_state=0, max_iter=3)
        selector.fit(X, np.asarray(frame[target]).astype(str))
        true = np.isin(list(X.columns), blanket)
        assert blanket_distance(selector.support_, true, 75) < 0.35


def test_item_8_products_of_parents_are_found(seed):
    # The parents of G in the network of products, 1,500 rows. How many others come with
    # them varies much from draw to draw: the reproduction judges the mean distance.
    rng = np.random.default_rng(seed)
    a, b, c = (rng.normal(i, 1.0, 1500) for i in (1, 2, 3))
    d, e, f = (x * z + rng.normal(size=1500) for x, z in ((a, c), (a, b), (b, c)))
    X, y = np.column_stack([a, b, c, d, e, f]), d * e + rng.normal(size=1500)
    selector = ACESelector(**SMALL, random_state=seed).fit(X, y)
    assert selector.support_[[3, 4]].all()


# ---------------------------------------------------------------- what it holds


def test_results_fit_together(seed):
    X, y = make_line(seed)
    selector = ACESelector(**SMALL, random_state=seed).fit(X, y)
    assert selector.support_[:2].all()
    assert_array_equal(
        np.sort(selector.markov_blanket_), np.flatnonzero(selector.support_)
    )
    assert_array_equal(
        selector.ranking_[selector.markov_blanket_] - 1,
        np.arange(selector.support_.sum()),
    )
    assert (selector.scores_[~selector.support_] == 0).all()
    assert (selector.pvalues_[selector.support_] < 0.05).all()
    assert selector.n_iter_ == len(selector.rounds_)
    total = np.zeros(X.shape[1])
    for one in selector.rounds_:
        total[one.kept] += one.importances[one.kept]
        assert set(one.kept) <= set(one.relevant)
        assert_array_equal(one.relevant, np.flatnonzero(one.pvalues < 0.05))
    assert_allclose(selector.scores_, total)
    variances = selector.residual_variance_
    assert variances[0] == pytest.approx(y.var()) and variances[1] < 0.6 * y.var()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_categories_and_missing_values(seed, n_classes):
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 3, 500)
    number = rng.normal(size=500)
    score = (level == 1).astype(int) + (number > 0.0) * (n_classes > 2)
    X = pd.DataFrame(
        {
            "level": pd.Categorical(np.array(["a", "b", "c"])[level]),
            "number": np.where(rng.random(500) < 0.1, np.nan, number),
            "noise": rng.normal(size=500),
            "other": pd.Categorical(rng.choice(list("uvwxyz"), 500)),
        }
    )
    y = np.array(["no", "one", "two"])[score]
    selector = ACESelector(**SMALL, random_state=seed).fit(X, y)
    names = selector.get_feature_names_out()
    expected = ["level"] if n_classes == 2 else ["level", "number"]
    assert set(expected) <= set(names) <= {*expected, "number"}


def test_samples_without_weight_change_nothing(seed):
    X, y = make_line(seed, 300)
    weight = np.r_[np.full(200, 2.0), np.zeros(100)]
    y[200:] = 100.0
    options = {**SMALL, "max_iter": 2, "random_state": 0}
    one = ACESelector(**options).fit(X, y, weight)
    two = ACESelector(**options).fit(X[:200], y[:200], weight[:200])
    assert_allclose(one.scores_, two.scores_)
    assert one.support_[:2].all()


@pytest.mark.parametrize("subtract", ["round", "selected"])
def test_both_ways_to_subtract_end(seed, subtract):
    X, y = make_line(seed)
    selector = ACESelector(**SMALL, subtract=subtract, random_state=seed).fit(X, y)
    assert selector.n_iter_ < 10 and selector.support_[:2].all()


def test_a_target_that_is_explained_needs_no_second_round(seed):
    # What is left of a copy are rounding errors, which features could explain for ever.
    X = np.random.default_rng(seed).integers(0, 2, size=(400, 4)).astype(float)
    selector = ACESelector(**SMALL, random_state=seed).fit(X, X[:, 0].astype(int))
    assert selector.markov_blanket_.tolist() == [0] and selector.n_iter_ == 1


def test_verbose_reports_rounds(capsys):
    X, y = make_line(0, 100)
    ACESelector(5, n_replicates=3, max_iter=2, verbose=1, random_state=0).fit(X, y)
    assert "ACESelector: round 1: " in capsys.readouterr().err


def test_one_class_is_an_error():
    with pytest.raises(ValueError, match="needs two classes or more"):
        ACESelector().fit(np.eye(4), [1, 1, 1, 1])
