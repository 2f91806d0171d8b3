"""Families of hybrid forests: names, invariance, draws of members and of rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import chisquare
from sklearn.base import clone
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier as TheirTree

from manyminds.ensemble.rotations.composition import (
    CLASSIFIERS,
    describe_composition,
    draw_families,
    draw_rows,
    find_mean_and_scale,
    fit_to_rows,
    is_rotation_invariant,
    plot_composition,
    read_families,
)
from manyminds.ensemble.rotations.herf import HERFClassifier
from manyminds.ensemble.rotations.rotation import fit_block_rotation


@pytest.fixture
def table(seed):
    """Three classes that overlap, in ten columns of different units."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 10)) + 0.7 * np.eye(3, 10)[y]
    return X * np.logspace(-2, 3, 10) + 5.0, y


def test_invariance_is_what_learners_show(table, seed):
    X, y = table
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    rotation = fit_block_rotation(z, n_blocks=1, method="random", random_state=seed)
    turned = rotation.transform(z)
    known = [CLASSIFIERS[name] for name in ("tree", "bayes", "knn", "svm")]
    others = [KNeighborsClassifier(p=1), SVC(kernel="linear"), TheirTree(max_depth=3)]
    for learner in filter(is_rotation_invariant, [*known, *others]):
        plain, rotated = clone(learner).fit(z, y), clone(learner).fit(turned, y)
        # Rounding may settle a tie the other way.
        assert np.mean(plain.predict(z) == rotated.predict(turned)) > 0.97
    bayes, rotated = GaussianNB().fit(z, y), GaussianNB().fit(turned, y)
    assert not np.allclose(bayes.predict_proba(z), rotated.predict_proba(turned))
    assert [is_rotation_invariant(learner) for learner in known] == [0, 0, 1, 1]
    assert [is_rotation_invariant(learner) for learner in others] == [0, 1, 0]
    assert not is_rotation_invariant(make_pipeline(StandardScaler(), SVC()))


def test_families_are_drawn_by_their_odds(seed):
    # Item 4: 35 members, many draws. A right build fails once in a million runs.
    rng = np.random.RandomState(seed)
    p = np.array([13, 8, 5, 3, 2, 1, 1]) / 33
    counts = sum(
        np.bincount(draw_families(p, 35, rng), minlength=7) for _ in range(2000)
    )
    assert chisquare(counts, 35 * 2000 * p).pvalue > 1e-6


def test_picture_shows_the_drawn_members(table, seed):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    X, y = table
    forest = HERFClassifier(8, random_state=seed).fit(X, y)
    ax = plot_composition(forest)
    drawn = [bar.get_width() for bar in ax.patches]
    assert drawn == describe_composition(forest)["members"].to_list()
    assert_allclose(ax.lines[0].get_xdata(), [4.0, 4.0])
    assert plot_composition(forest, ax) is ax


def test_rows_are_drawn_within_classes_by_weight(seed):
    rng = np.random.RandomState(seed)
    strata = [np.arange(10), np.arange(10, 40)]
    drawn = draw_rows(strata, None, rng)
    assert np.sum(drawn < 10) == 10 and len(drawn) == 40
    weight = np.ones(40)
    weight[:5] = 1e-12
    weight[5:10] = 6.0  # class 0 has half of all weight, in five rows
    drawn = draw_rows(strata, weight, rng)
    assert np.sum(drawn < 10) == 20 and not np.isin(np.arange(5), drawn).any()


def test_mean_and_scale_worked_by_hand():
    X = np.array([[1.0, 7.0, np.nan], [3.0, 7.0, np.nan], [np.nan, 7.0, np.nan]])
    mean, scale = find_mean_and_scale(X, None)
    assert_allclose(mean, [2.0, 7.0, 0.0])
    assert_allclose(scale, [1.0, 1.0, 1.0])
    mean, scale = find_mean_and_scale(X, np.array([3.0, 1.0, 5.0]))
    assert_allclose(mean, [1.5, 7.0, 0.0])
    assert_allclose(scale, [np.sqrt(0.75), 1.0, 1.0])


def test_the_plain_network_is_solved_by_the_pseudo_inverse(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    model = clone(CLASSIFIERS["plain_elm"]).set_params(random_state=0).fit(X, y)
    hidden = np.tanh(X @ model.hidden_weights_ + model.hidden_biases_)
    expected = np.linalg.pinv(hidden) @ (2.0 * y - 1.0)
    assert_allclose(np.ravel(model.coef_), expected, rtol=1e-6)
    assert_allclose(model.intercept_, 0.0)
    forest = HERFClassifier(4, families=("tree", "plain_elm"), random_state=0)
    assert forest.fit(X, y).predict(X).shape == (60,)


def test_families_are_known_names_or_named_estimators():
    mine = GaussianNB(var_smoothing=0.1)
    names, estimators = read_families(["knn", ("mine", mine)], CLASSIFIERS)
    assert names == ["knn", "mine"]
    assert estimators == [CLASSIFIERS["knn"], mine]


@pytest.mark.parametrize(
    "families, message",
    [
        ([], "families is empty"),
        (["oak"], "families has 'oak'; it takes 'tree', 'elm'"),
        ([("mine", "oak")], "or a pair of a name and an estimator"),
        (["knn", ("knn", GaussianNB())], "the name 'knn' more than once"),
    ],
)
def test_errors_name_the_family(families, message):
    with pytest.raises(ValueError, match=message):
        read_families(families, CLASSIFIERS)


@pytest.mark.parametrize(
    "learner, expected",
    [
        (KNeighborsClassifier(metric="cosine"), True),
        (KNeighborsClassifier(metric="chebyshev"), False),
        (SVC(kernel="precomputed"), False),
        (LinearDiscriminantAnalysis(), True),
        (LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"), False),
    ],
)
def test_invariance_depends_on_parameters(learner, expected):
    assert is_rotation_invariant(learner) == expected


def test_members_get_rows_or_weights():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 5.0])
    weight = np.array([1.0, 1.0, 3.0])
    by_rows = fit_to_rows(LinearRegression(), X, y, weight, np.array([0, 1, 1]))
    assert_allclose(by_rows.predict(X), [0.0, 1.0, 2.0])  # weights have decided rows
    weighted = fit_to_rows(LinearRegression(), X, y, weight, None)
    expected = LinearRegression().fit(X, y, sample_weight=weight)
    assert_array_equal(weighted.coef_, expected.coef_)
    plain = fit_to_rows(LinearRegression(), X, y, None, None)
    assert_allclose(plain.coef_, 2.5)


def test_composition_lists_the_best_family_first():
    forest = HERFClassifier()
    forest.family_names_, forest.ranks_ = ["a", "b"], np.array([2.0, 1.0])
    forest.pilot_scores_ = np.array([[0.5, 0.7], [0.9, 0.7]])
    forest.probabilities_ = np.array([0.25, 0.75])
    forest.member_families_ = np.array([1, 0, 1, 1])
    table = describe_composition(forest)
    assert table.index.tolist() == ["b", "a"]
    assert_allclose(table["score"], [0.8, 0.6])
    assert table["members"].tolist() == [3, 1]
    assert table["probability"].tolist() == [0.75, 0.25]
