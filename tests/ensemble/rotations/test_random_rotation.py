"""Random rotation: distances stay, rotations add up, bagging without them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ortho_group
from sklearn.datasets import make_classification
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from manyminds.ensemble.rotations.pair_rotations import (
    PairRotation,
    draw_pair_rotation,
)
from manyminds.ensemble.rotations.random_rotation import (
    RandomRotationClassifier,
)
from manyminds.trees.mdl_tree import MDLTreeClassifier


def problem(seed, n_features=7):
    return make_classification(
        150, n_features, n_informative=4, random_state=seed % 2**31
    )


@pytest.mark.parametrize("rotation", ["pairs", "pca", "full"])
def test_nearest_neighbors_do_not_notice(seed, rotation):
    # Spec item 4.
    X, y = problem(seed)
    forest = RandomRotationClassifier(
        KNeighborsClassifier(1), 5, rotation=rotation, bootstrap=False, scale=None
    )
    forest.set_params(random_state=seed).fit(X[:100], y[:100])
    plain = KNeighborsClassifier(1).fit(X[:100], y[:100])
    assert_array_equal(forest.predict(X[100:]), plain.predict(X[100:]))


def test_angles_of_zero_are_bagging(seed, monkeypatch):
    # Spec item 4: the draws of rows and members are the same, as rotations come first.
    X, y = problem(seed)

    def stand_still(n_features, rng):
        half = n_features // 2
        order = np.arange(n_features)
        return PairRotation(order[:half], order[half : 2 * half], np.zeros(half))

    monkeypatch.setattr(
        "manyminds.ensemble.rotations.random_rotation.draw_pair_rotation",
        stand_still,
    )
    turned = RandomRotationClassifier(None, 8, random_state=seed).fit(X, y)
    bagged = RandomRotationClassifier(None, 8, rotation=None, random_state=seed)
    bagged.fit(X, y)
    assert_array_equal(turned.predict_all(X), bagged.predict_all(X))


@pytest.mark.parametrize("accumulate", [True, False])
def test_plain_twin(seed, accumulate):
    X, y = problem(seed)
    tree = MDLTreeClassifier()
    forest = RandomRotationClassifier(
        tree, 6, accumulate=accumulate, bootstrap=False, random_state=seed
    ).fit(X[:100], y[:100])
    scaler = StandardScaler().fit(X[:100])
    train, test, turn = scaler.transform(X[:100]), scaler.transform(X[100:]), np.eye(7)
    said = []
    for rotation in forest.rotations_:
        one = rotation.transform(np.eye(7))
        turn = turn @ one if accumulate else one
        said.append(MDLTreeClassifier().fit(train @ turn, y[:100]).predict(test @ turn))
    agreement = np.mean(forest.predict_all(X[100:]) == said)
    assert agreement > 0.99  # rounding may turn a row on a threshold
    votes = forest.predict_all(X[100:]).mean(axis=0)
    assert_array_equal(forest.predict(X[100:]), votes > 0.5)


def test_pca_groups_are_components_of_all_rows(seed):
    X, y = problem(seed, n_features=8)
    forest = RandomRotationClassifier(None, 3, rotation="pca", random_state=seed)
    forest.fit(X, y)
    Z = StandardScaler().fit_transform(X)
    for rotation in forest.rotations_:
        assert sorted(len(block) for block in rotation.blocks) == [2, 3, 3]
        turned = rotation.transform(Z)
        for block in rotation.blocks:
            off = np.cov(turned[:, block].T) - np.diag(turned[:, block].var(0, ddof=1))
            assert_allclose(off, 0.0, atol=1e-10)
    sampled = RandomRotationClassifier(
        None, 3, rotation="pca", pca_sample=0.75, random_state=seed
    ).fit(X, y)
    assert not np.allclose(
        sampled.rotations_[0].as_matrix(), forest.rotations_[0].as_matrix()
    )


def test_full_rotation_is_orthogonal(seed):
    X, y = problem(seed)
    forest = RandomRotationClassifier(None, 2, rotation="full", random_state=seed)
    matrix = forest.fit(X, y).rotations_[0].as_matrix()
    assert_allclose(matrix @ matrix.T, np.eye(7), atol=1e-12)
    assert np.count_nonzero(matrix) == 49


def test_units_matter_only_without_scale(seed):
    X, y = problem(seed)
    other = X * 2.0 ** np.arange(7)
    scaled, raw = (
        [
            RandomRotationClassifier(None, 5, scale=scale, random_state=0)
            .fit(Z, y)
            .predict_all(Z)
            for Z in (X, other)
        ]
        for scale in ("standard", None)
    )
    assert np.mean(scaled[0] == scaled[1]) > 0.99
    assert np.mean(raw[0] == raw[1]) < 1.0


def test_bootstrap_and_weights(seed):
    # A row without weight is never drawn: its class does not matter.
    X, y = problem(seed)
    weights = (np.arange(len(y)) % 4 > 0).astype(float)
    other = np.where(weights > 0, y, 1 - y)
    for bootstrap in (True, False):
        forest = RandomRotationClassifier(None, 5, bootstrap=bootstrap, random_state=0)
        said = [forest.fit(X, z, weights).predict_all(X) for z in (y, other)]
        assert_array_equal(*said)


def test_gaps_count_as_the_mean(seed):
    X, y = problem(seed)
    holes = X.copy()
    holes[::5, 2] = np.nan
    filled = np.where(np.isnan(holes), np.nanmean(holes, axis=0), holes)
    forest = RandomRotationClassifier(None, 5, scale=None, random_state=0)
    assert_array_equal(
        forest.fit(holes, y).predict_all(holes),
        forest.fit(filled, y).predict_all(filled),
    )


def test_any_learner_and_soft_votes(seed):
    X, y = problem(seed)
    theirs = RandomRotationClassifier(
        DecisionTreeClassifier(max_depth=3), 5, voting="soft", random_state=0
    ).fit(X, y)
    p = theirs.predict_proba(X)
    assert_allclose(p.sum(axis=1), 1.0)
    assert len(np.unique(p)) > 6  # more than shares of five votes


@pytest.mark.slow
def test_slanting_borders_are_easier_for_rotated_trees(seed):
    # In 12 sets of five draws, rotation won every time, by 2.2 to 4.4 points.
    wins = []
    for i in range(5):
        rng = np.random.default_rng(seed + i)
        X, X_new = rng.uniform(size=(80, 2)), rng.uniform(size=(2000, 2))
        scores = [
            RandomRotationClassifier(None, 25, rotation=rotation, random_state=i)
            .fit(X, X.sum(axis=1) > 1.0)
            .score(X_new, X_new.sum(axis=1) > 1.0)
            for rotation in ("pairs", None)
        ]
        wins.append(scores[0] - scores[1])
    assert np.mean(wins) > 0.0


def test_features_mix_more_and_more(seed):
    # After many rotations of pairs, the whole looks like any orthogonal matrix.
    rng = np.random.RandomState(seed)
    total = np.eye(6)
    for _ in range(60):
        total = draw_pair_rotation(6, rng).transform(total)
    assert np.abs(total).max() < 1.0
    spread = np.mean(
        [np.abs(ortho_group.rvs(6, random_state=i)).mean() for i in range(9)]
    )
    assert abs(np.abs(total).mean() - spread) < 0.12


def test_errors_name_the_parameter():
    with pytest.raises(ValueError, match="'rotation' parameter"):
        RandomRotationClassifier(rotation="triples").fit([[0.0], [1.0]], [0, 1])
