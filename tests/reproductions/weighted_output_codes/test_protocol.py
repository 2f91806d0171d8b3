"""Made-up faces as data sets, their features, and the measured labels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.metrics import roc_auc_score

from manyminds.datasets import make_faces
from manyminds.reproductions.weighted_output_codes import protocol
from manyminds.reproductions.weighted_output_codes.protocol import (
    UNITS,
    PictureFeatures,
    equalize,
    load_faces,
    measure_labels,
    name_groups,
    read_labels,
)


@pytest.fixture
def few_faces(monkeypatch):
    monkeypatch.setattr(protocol, "N_TRAIN", 60)
    monkeypatch.setattr(protocol, "N_TEST", 30)


def test_groups_are_named_and_read_back():
    _, Y = make_faces(60, random_state=0)
    assert_allclose(read_labels(name_groups(Y)), Y)


def test_equalized_pictures_ignore_increasing_changes_of_light():
    images = np.random.default_rng(0).uniform(size=(3, 50))
    assert_allclose(equalize(images), equalize(np.exp(3.0 * images) - 1.0))
    assert_allclose(np.sort(equalize(images)), np.tile(np.arange(50) / 49, (3, 1)))


def test_errors_and_areas_by_hand():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, size=(40, 6))
    scores = rng.uniform(size=(40, 6))
    p = np.where(scores > 0.3, 0.9, 0.1)
    found = measure_labels("both", Y, scores, p)
    assert_allclose(found["error both"], 100.0 * np.mean((scores > 0.3) != Y))
    assert_allclose(
        found["error without sigmoids both"], 100.0 * np.mean((scores >= 0.5) != Y)
    )
    areas = [roc_auc_score(Y[:, k], scores[:, k]) for k in range(6)]
    assert_allclose(found["AUC both"], 100.0 * np.mean(areas))
    assert_allclose(found["AUC of AU 4 both"], 100.0 * areas[UNITS.index(4)])


@pytest.mark.slow
def test_both_kinds_of_features(few_faces):
    data = load_faces(None, "faces 3")
    assert data.X.shape == (90, 75 * 150)
    X, y = data.X.iloc[:80], np.asarray(data.y)[:80]
    components = PictureFeatures("PCA").fit(X, y).transform(X)
    assert 10 < components.shape[1] < 80
    patterns = PictureFeatures("LBP").fit(X, y)
    assert 1 <= patterns.transform(X).shape[1] < 1000
    assert patterns.columns_.max() < 3 * 181 * 59
    # Without signal the filter may select nothing; one column is left then.
    null = load_faces(None, "faces without signal 1")
    patterns.fit(null.X.iloc[:80], np.asarray(null.y)[:80])
    assert 1 <= patterns.transform(X).shape[1] < 50


def test_without_signal_labels_move_nothing(few_faces):
    # The same seed draws the same labels; only with signal do pictures follow them.
    null = load_faces(None, "faces without signal 1")
    real = load_faces(None, "faces 1")
    assert list(null.y) == list(real.y)
    none = np.asarray(null.y) == "0"
    assert_allclose(null.X[none], real.X[none], atol=0.05)
    assert np.abs(null.X[~none].to_numpy() - real.X[~none].to_numpy()).max() > 0.3
