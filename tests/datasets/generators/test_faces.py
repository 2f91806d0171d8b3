"""Made-up faces: labels move what they should, and nothing else shows them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets import make_faces
from manyminds.datasets.generators.faces import _draw_face
from manyminds.datasets.generators.multilabel import GROUP_COUNTS, LABEL_GROUPS


def change(k, seed):
    """Difference that label k alone makes to one face."""
    plain = _draw_face(np.zeros(6), np.random.RandomState(seed))
    moved = _draw_face(np.eye(6)[k], np.random.RandomState(seed))
    return moved - plain


def test_each_label_moves_its_part(seed):
    upper, lower = slice(0, 32), slice(46, 75)
    for k in (0, 1, 2):  # brows
        assert np.abs(change(k, seed)[lower]).max() < 1e-6
        assert np.abs(change(k, seed)[upper]).max() > 0.1
    for k in (4, 5):  # cheeks and lower lids
        assert np.abs(change(k, seed)[upper]).max() < 1e-6
        assert np.abs(change(k, seed)[lower]).max() > 0.03
    assert np.abs(change(3, seed)[lower]).max() < 0.05  # upper lids
    inner, outer = (
        np.abs(change(0, seed)).sum(axis=0),
        np.abs(change(1, seed)).sum(axis=0),
    )
    middle = slice(45, 105)
    assert inner[middle].sum() / inner.sum() > outer[middle].sum() / outer.sum()


def test_labels_have_the_frequencies_of_the_groups(seed):
    _, Y = make_faces(300, noise=0.0, random_state=seed)
    groups, counts = np.unique(Y, axis=0, return_counts=True)
    assert {tuple(g) for g in groups} <= {tuple(g) for g in LABEL_GROUPS}
    no_label = counts[(groups.sum(axis=1) == 0)].sum() / 300
    expected = GROUP_COUNTS[0] / GROUP_COUNTS.sum()
    assert abs(no_label - expected) < 5 * np.sqrt(expected * (1 - expected) / 300)


def test_without_strength_labels_do_not_show(seed):
    a, _ = make_faces(5, strength=0.0, random_state=seed)
    assert a.min() >= 0.0 and a.max() <= 1.0
    rng = np.random.RandomState(seed)
    rng.choice(12, size=5, p=GROUP_COUNTS / GROUP_COUNTS.sum())
    same = np.stack([_draw_face(np.zeros(6), rng) for _ in range(5)])
    same += 0.05 * rng.standard_normal(same.shape)
    assert_allclose(a, same.clip(0, 1))
    b, _ = make_faces(5, strength=0.0, random_state=seed)
    assert_array_equal(a, b)


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="n_samples must be an integer"):
        make_faces(0)
    with pytest.raises(ValueError, match="strength must be a finite number"):
        make_faces(2, strength=-1.0)
