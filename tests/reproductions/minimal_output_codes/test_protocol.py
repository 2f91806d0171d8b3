"""The data, the methods and the costs of the plan of minimal codes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.svm import SVC

from manyminds.datasets import load_dataset
from manyminds.ensemble import ECOCClassifier
from manyminds.experiments.measures import Fold
from manyminds.experiments.preparation import prepared
from manyminds.experiments.splits import Split
from manyminds.reproductions.minimal_output_codes.protocol import (
    CodeMeasures,
    draw_classes,
    draw_digit_pairs,
    draw_rows,
    load_few_classes,
    load_many_classes,
    make_tuned_methods,
    make_untuned_methods,
)


def test_draw_keeps_small_classes():
    y = np.repeat(["a", "b", "c"], [5000, 300, 12])
    rows = draw_rows(y, 400)
    assert len(rows) == 400 == len(set(rows))
    assert min(np.unique(y[rows], return_counts=True)[1]) >= 10
    few = np.repeat([0, 1], [30, 20])
    assert draw_rows(few, 400).tolist() == list(range(50))


def test_support_vectors_are_counted_over_columns():
    data = load_dataset("iris")
    rows = np.arange(150)
    fold = Fold(data, Split(0, 0, rows[::2], rows[1::2]), 0)
    code = ECOCClassifier(SVC(), code="one_vs_all", cv=None)
    found = CodeMeasures()(prepared(code), fold)
    X, y = load_iris(return_X_y=True)
    expected = sum(SVC().fit(X[::2], y[::2] == c).n_support_.sum() for c in range(3))
    assert found["columns"] == 3.0
    assert found["support_vectors"] == expected
    assert 90.0 < found["accuracy"] <= 100.0


def test_classes_in_groups_are_nearer_to_those_of_their_group():
    X, y = draw_classes(2.0)
    means = np.array([X[y == c].mean(axis=0) for c in range(100)])
    distance = np.linalg.norm(means[:, None] - means, axis=2)
    same = (np.arange(100)[:, None] - np.arange(100)) % 10 == 0
    np.fill_diagonal(same, False)
    others = ~same & ~np.eye(100, dtype=bool)
    assert distance[same].mean() < 0.8 * distance[others].mean()
    X, y = draw_classes(0.0)
    means = np.array([X[y == c].mean(axis=0) for c in range(100)])
    distance = np.linalg.norm(means[:, None] - means, axis=2)
    assert_allclose(distance[same].mean(), distance[others].mean(), rtol=0.05)


def test_digit_pairs():
    X, y = draw_digit_pairs()
    assert X.shape == (900, 30)
    assert np.unique(y, return_counts=True)[1].tolist() == [9] * 100
    data = load_many_classes(load_dataset, "digit-pairs")
    assert data.n_samples == 900 and data.task == "classification"


@pytest.mark.parametrize("make", [make_tuned_methods, make_untuned_methods])
def test_all_methods_decode_by_hamming_and_calibrate_nothing(make):
    for name, model in make().items():
        code = model[-1]
        strict = name.endswith("ties to the first")
        assert code.decoder == ("strict_hamming" if strict else "hamming")
        assert code.cv is None


def test_vowel_has_numbers_only(shared_data):
    from manyminds.datasets.folder import DataFolder

    data = load_few_classes(DataFolder(shared_data).load, "vowel")
    assert data.n_samples == 500 and data.X.shape[1] == 10 and not data.categorical
