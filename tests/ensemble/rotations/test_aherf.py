"""Anticipative hybrid forests: the pilot, the ranks, the odds, the members."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble.rotations.aherf import AHERFClassifier, AHERFRegressor
from manyminds.ensemble.rotations.composition import (
    describe_composition,
    plot_composition,
)
from manyminds.ensemble.rotations.pilots import (
    assign_folds,
    draw_pilot,
)

CHEAP = ["tree", "knn", "bayes"]


@pytest.fixture
def squares(seed):
    """Two classes on a chess board of four fields: trees tell them, Bayes does not."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(200, 2))
    return X, (X[:, 0] * X[:, 1] > 0).astype(int)


def test_pilot_against_a_naive_twin(squares, seed):
    X, y = squares
    learners = [("near", KNeighborsClassifier(3)), ("bayes", GaussianNB())]
    forest = AHERFClassifier(
        2, families=learners, pilot_size=0.4, cv=4, random_state=seed
    ).fit(X, y)
    Z = StandardScaler().fit_transform(X)
    rng = np.random.RandomState(seed)
    rows = draw_pilot(y, 80, rng)
    fold = assign_folds(y[rows], 4, rng)
    assert_array_equal(forest.pilot_rows_, rows)
    for k, (_, learner) in enumerate(learners):
        for f in range(4):
            train, test = rows[fold != f], rows[fold == f]
            right = clone(learner).fit(Z[train], y[train]).score(Z[test], y[test])
            assert forest.pilot_scores_[k, f] == pytest.approx(right)


def test_the_pilot_finds_the_family_for_the_task(squares, seed):
    X, y = squares
    forest = AHERFClassifier(
        20, families=["bayes", "knn"], ranking="winner", random_state=seed
    ).fit(X, y)
    assert forest.ranks_.tolist() == [2.0, 1.0]
    table = describe_composition(forest)
    assert table["members"].to_dict() == {"knn": 20, "bayes": 0}
    assert list(table.columns) == ["score", "rank", "probability", "members"]
    assert (table["score"].diff()[1:] <= 0).all()


def test_composition_and_its_picture(squares, seed):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    forest = AHERFClassifier(families=CHEAP, random_state=seed).fit(*squares)
    table = describe_composition(forest)
    assert table["members"].sum() == len(forest.estimators_) == 35
    assert_array_equal(np.bincount(forest.member_families_), [
        table.loc[name, "members"] for name in CHEAP
    ][: forest.member_families_.max() + 1])  # fmt: skip
    ax = plot_composition(forest)
    assert [bar.get_width() for bar in ax.patches] == table["members"].to_list()
    assert_allclose(ax.lines[0].get_xdata(), 35 * table["probability"])


def test_members_learn_from_all_rows_or_from_those_outside_the_pilot(squares, seed):
    X, y = squares
    settings = {"families": ["knn"], "rotate": "never", "random_state": seed}
    everything = AHERFClassifier(2, **settings).fit(X, y)
    assert [member.n_samples_fit_ for member in everything.estimators_] == [200, 200]
    others = AHERFClassifier(2, refit_on_all=False, **settings).fit(X, y)
    assert [member.n_samples_fit_ for member in others.estimators_] == [140, 140]
    assert len(others.pilot_rows_) == len(everything.pilot_rows_) == 60
    outside = np.setdiff1d(np.arange(200), others.pilot_rows_)
    Z = (X - others.means_) / others.scales_
    alone = KNeighborsClassifier().fit(Z[outside], y[outside])
    assert_array_equal(others.predict(X), alone.predict(Z))


@pytest.mark.parametrize("family", ["knn", "svm", "bayes"])
def test_one_family_without_rotation_is_the_learner(squares, seed, family):
    # Item 3.
    X, y = squares
    forest = AHERFClassifier(3, families=[family], rotate="never", random_state=seed)
    answers = forest.fit(X, y).predict_all(X)
    assert forest.probabilities_.tolist() == [1.0]
    assert_array_equal(answers, np.tile(answers[0], (3, 1)))
    assert_array_equal(forest.predict(X), answers[0])


def test_small_tables_get_a_larger_pilot(squares, seed):
    X, y = squares
    forest = AHERFClassifier(1, families=["bayes"], random_state=seed)
    sizes = [len(forest.fit(X[:n], y[:n]).pilot_rows_) for n in (40, 100, 200)]
    assert sizes == [40, 50, 60]
    forest.set_params(min_pilot=0)
    assert len(forest.fit(X[:100], y[:100]).pilot_rows_) == 30


def test_a_class_of_one_row_does_not_stop_the_pilot(seed):
    # The only row of class 1 is in one fold: the families see one class elsewhere.
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, 3)), np.arange(40) == 7
    families = ["svm", "bayes"]
    forest = AHERFClassifier(3, families=families, random_state=seed).fit(X, y)
    assert len(forest.pilot_rows_) == 40
    # That fold is the one where every answer but one is right, for all families.
    assert_allclose(forest.pilot_scores_.min(axis=1), 7 / 8)


def test_weights_count_in_the_pilot(squares, seed):
    # Rows where the class is told by the sign of a number have all the weight.
    X, y = squares
    X = np.column_stack([X, np.where(y == 1, 3.0, -3.0)])
    hard = np.arange(200) % 2 == 0
    X[hard, 2] *= -1
    weight = np.where(hard, 1e-9, 1.0)
    forest = AHERFClassifier(4, families=["bayes", "knn"], random_state=seed)
    weighted = clone(forest).fit(X, y, sample_weight=weight)
    # Over 400 draws: at least 0.81, at most 0.75, at least 0.99; a fold of the pilot
    # may happen to hold next to no heavy rows.
    assert weighted.pilot_scores_.mean() > 0.65
    assert clone(forest).fit(X, y).pilot_scores_[0].mean() < 0.9
    assert weighted.score(X, y, sample_weight=weight) > 0.9


def test_ranks_of_regressors_follow_their_errors(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 5))
    y = X @ [5.0, 4.0, 3.0, 2.0, 1.0] + 100
    families = ["tree", "ridge", ("shrunk", Ridge(alpha=200.0))]
    forest = AHERFRegressor(20, families=families, random_state=seed).fit(X, y)
    assert forest.ranks_[1] == 1.0
    assert forest.pilot_scores_[1].mean() > 0.99
    assert forest.score(X, y) > 0.8
    assert_allclose(forest.predict(X), forest.predict_all(X).mean(axis=0))


def test_n_jobs_do_not_matter(squares, seed):
    # Item 8.
    X, y = squares
    forest = AHERFClassifier(6, families=[*CHEAP, "elm"], random_state=seed)
    one, two = clone(forest).fit(X, y), clone(forest).set_params(n_jobs=2).fit(X, y)
    assert_array_equal(one.pilot_scores_, two.pilot_scores_)
    assert_array_equal(one.predict_all(X), two.predict_all(X))


@pytest.mark.slow
def test_all_families_tell_wine(seed):
    # Item 6, in small: one split into halves with seven families.
    X, y = load_wine(return_X_y=True)
    forest = AHERFClassifier(15, random_state=seed).fit(X[::2], y[::2])
    assert forest.family_names_[-1] == "bayes"
    assert forest.score(X[1::2], y[1::2]) > 0.88
    tree = DecisionTreeClassifier(random_state=seed).fit(X[::2], y[::2])
    assert forest.score(X[1::2], y[1::2]) >= tree.score(X[1::2], y[1::2]) - 0.02


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"ranking": [1.0]}, "each of the 3 families"),
        ({"ranking": [1, 2, -1]}, "from 0 on"),
        ({"ranking": "best"}, "ranking"),
        ({"cv": 1}, "cv"),
        ({"pilot_size": 1.0}, "pilot_size"),
    ],
)
def test_errors_name_the_parameter(squares, settings, says):
    with pytest.raises(ValueError, match=says):
        AHERFClassifier(2, families=CHEAP, **settings).fit(*squares)


def test_too_few_rows_to_part_are_refused():
    X, y = np.arange(3.0)[:, np.newaxis], [0, 1, 1]
    with pytest.raises(ValueError, match="set refit_on_all=True"):
        AHERFClassifier(2, families=["bayes"], refit_on_all=False).fit(X, y)
