"""Centers of losses by hand, and sums of the terms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.decomposition.losses import find_center, split_any_loss

VALUES = np.array([[1.0, 1.0, 4.0], [0.0, np.nan, 2.0]])


@pytest.mark.parametrize(
    ("loss", "centers"),
    [
        ("squared", [2.0, 1.0]),
        ("absolute", [1.0, 1.0]),
        ("zero_one", [1.0, 0.0]),
        (lambda a, b: np.abs(a - b), [1.0, 0.0]),
    ],
)
def test_centers(loss, centers):
    assert_allclose(find_center(loss, VALUES), centers)


def test_candidates_limit_the_center():
    found = find_center(lambda a, b: np.square(a - b), VALUES, [0.0, 3.0])
    assert_allclose(found, [3.0, 0.0])


@pytest.mark.parametrize("loss", ["squared", "absolute", "zero_one"])
def test_terms_sum_to_the_error(loss, seed):
    rng = np.random.default_rng(seed)
    responses, predictions = rng.integers(0, 4, (2, 5, 7)).astype(float)
    parts = split_any_loss(loss, responses, predictions)
    total = parts["noise"] + parts["systematic_effect"] + parts["variance_effect"]
    assert_allclose(total, parts["error"])
    if loss == "squared":
        assert_allclose(parts["systematic_effect"], parts["bias"])
