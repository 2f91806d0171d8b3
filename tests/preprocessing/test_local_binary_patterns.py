"""LocalBinaryPatterns: item 6, scikit-image, the whole way to action units."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline

from manyminds.datasets import make_faces
from manyminds.ensemble import LabelGroupClassifier, WeightedECOCClassifier
from manyminds.feature_selection import FCBFSelector
from manyminds.kernels.local_patterns import code_pixels
from manyminds.learners import LMNetClassifier
from manyminds.preprocessing import LocalBinaryPatterns
from manyminds.preprocessing.local_binary_patterns import PATTERN_LABELS


def code(image, radius, table=PATTERN_LABELS):
    out = np.empty(image.shape, dtype=np.int64)
    code_pixels(np.ascontiguousarray(image, dtype=float), float(radius), table, out)
    return out


def test_item_6_there_are_58_uniform_patterns():
    counts = np.bincount(PATTERN_LABELS, minlength=59)
    assert (counts[:58] == 1).all() and counts[58] == 256 - 58
    assert PATTERN_LABELS[0b0] == 0 and PATTERN_LABELS[0b11111111] == 57
    assert PATTERN_LABELS[0b01010101] == 58


def test_item_6_default_tiles_and_counts():
    images, _ = make_faces(2, random_state=0)
    patterns = LocalBinaryPatterns(normalize=False).fit(images)
    assert patterns.n_features_out_ == 181 * 59 * 10
    counts = patterns.transform(images).reshape(2, 10, 181, 59).sum(axis=3)
    sizes = [(12, 72), (15, 50), (18, 32), (25, 18), (37, 8)]
    pixels = np.concatenate([np.full(n, s * s) for s, n in sizes] + [[75 * 150]])
    assert_array_equal(counts, np.broadcast_to(pixels, counts.shape))
    shares = LocalBinaryPatterns([1, 2]).fit_transform(images)
    assert_allclose(shares.reshape(2, 2, 181, 59).sum(axis=3), 1.0)
    names = LocalBinaryPatterns([1, 2]).fit(images).get_feature_names_out()
    assert len(set(names)) == shares.shape[1]


def test_item_6_brightness_and_contrast_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    image = rng.integers(0, 256, size=(20, 24)).astype(float)
    inside = slice(3, -3), slice(3, -3)  # outside, brightness is 0
    for radius in (1, 2.5):
        plain = code(image, radius)[inside]
        assert_array_equal(code(4.0 * image + 16.0, radius)[inside], plain)
    # Any increasing function, at the four neighbors that need no interpolation.
    every = np.arange(256)
    straight = 0b01010101
    curved = code(np.exp(image / 40.0), 2, every)[inside] & straight
    assert_array_equal(curved, code(image, 2, every)[inside] & straight)


@pytest.mark.parametrize("radius", [1, 2, 3.5])
def test_equal_to_scikit_image(radius, seed):
    feature = pytest.importorskip("skimage.feature")
    image = np.random.default_rng(seed).integers(0, 256, size=(30, 40))
    theirs = feature.local_binary_pattern(image, 8, radius, method="nri_uniform")
    assert_array_equal(code(image, radius), theirs)


def test_rows_of_pixels_equal_images():
    digits = load_digits()
    by_image = LocalBinaryPatterns([1], tile_sizes=[4, (8, 2)])
    by_row = LocalBinaryPatterns([1], tile_sizes=[4, (8, 2)], image_shape=(8, 8))
    expected = by_image.fit_transform(digits.images[:20])
    assert expected.shape == (20, 8 * 59)
    assert_array_equal(by_row.fit_transform(digits.data[:20]), expected)
    threads = LocalBinaryPatterns([1], tile_sizes=[4, (8, 2)], n_jobs=2)
    assert_array_equal(threads.fit_transform(digits.images[:20]), expected)


def test_wrong_arguments_are_refused():
    images = load_digits().images[:3]
    with pytest.raises(ValueError, match=r"rows of pixels together with image_shape"):
        LocalBinaryPatterns().fit(images.reshape(3, 64))
    with pytest.raises(ValueError, match="number of columns 64"):
        LocalBinaryPatterns(image_shape=(8, 9)).fit(images.reshape(3, 64))
    with pytest.raises(ValueError, match="tile_sizes must be from 1"):
        LocalBinaryPatterns(tile_sizes=[9]).fit(images)
    with pytest.raises(ValueError, match="radii must be positive"):
        LocalBinaryPatterns([0]).fit(images)
    fitted = LocalBinaryPatterns([1], tile_sizes=[None]).fit(images)
    with pytest.raises(ValueError, match="as in fit"):
        fitted.transform(images[:, :4])


@pytest.mark.slow
def test_the_whole_way_from_pictures_to_action_units():
    # Pictures, patterns, a filter on the groups of labels, weighted code, sigmoids.
    images, Y = make_faces(240, random_state=0)
    group = np.unique(Y, axis=0, return_inverse=True)[1].ravel()
    train, test = np.arange(160), np.arange(160, 240)
    patterns = LocalBinaryPatterns([1, 3, 6], tile_sizes=[15, 25])
    chosen = make_pipeline(patterns, FCBFSelector())
    features = chosen.fit_transform(images[train], group[train])
    assert 5 <= features.shape[1] <= 160  # of 12,036
    code = WeightedECOCClassifier(LMNetClassifier(4, max_iter=8), 40)
    auc = {}
    flat = images.reshape(len(images), -1)
    pca = PCA(0.95, random_state=0).fit(flat[train])
    for name, table in (
        ("patterns", chosen.transform(images)),
        ("pca", pca.transform(flat)),
    ):
        model = LabelGroupClassifier(code, random_state=0).fit(table[train], Y[train])
        scores = model.predict_proba(table[test])
        auc[name] = roc_auc_score(Y[test], scores, average="macro")
    assert auc["patterns"] > 0.8
