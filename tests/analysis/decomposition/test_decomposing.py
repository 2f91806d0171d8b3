"""Decompositions of numbers under any loss, and what is refused."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.analysis.decomposition import decompose_predictions, decompose_votes


def test_squared_loss_gives_squared_bias_and_variance(seed):
    # Item 4: the code for general losses finds the classical decomposition.
    rng = np.random.default_rng(seed)
    responses, predictions = rng.normal(size=(40, 6)), rng.normal(1.0, 2.0, (40, 9))
    found = decompose_predictions(responses, predictions)
    bias = (responses.mean(axis=1) - predictions.mean(axis=1)) ** 2
    assert_allclose(found.noise, responses.var(axis=1))
    assert_allclose(found.systematic_effect, bias, atol=1e-12)
    assert_allclose(found.variance_effect, predictions.var(axis=1), atol=1e-12)
    assert_allclose(found.bias, bias)
    assert_allclose(found.variance, predictions.var(axis=1))
    pairs = (responses[:, :, None] - predictions[:, None]) ** 2
    assert_allclose(found.error, pairs.mean(axis=(1, 2)))


def test_a_loss_of_ones_own(seed):
    # Squared loss as a function, with the means among the candidates.
    rng = np.random.default_rng(seed)
    responses = rng.integers(0, 3, size=(10, 4)) * 4.0
    predictions = rng.integers(0, 3, size=(10, 4)) * 4.0
    given = decompose_predictions(
        responses,
        predictions,
        loss=lambda a, b: (a - b) ** 2,
        candidates=np.arange(0.0, 9.0),
    )
    known = decompose_predictions(responses, predictions)
    for name in ("noise", "systematic_effect", "variance_effect", "bias", "error"):
        assert_allclose(getattr(given, name), getattr(known, name), atol=1e-9)
    assert given.loss == "callable"


def test_zero_one_loss_agrees_with_votes(seed):
    rng = np.random.default_rng(seed)
    responses = rng.integers(0, 4, size=(60, 12)).astype(float)
    predictions = rng.integers(0, 4, size=(60, 7)).astype(float)
    found = decompose_predictions(responses, predictions, loss="zero_one")
    shares = [np.mean(responses == c, axis=1) for c in range(4)]
    counts = [np.sum(predictions == c, axis=1) for c in range(4)]
    expected = decompose_votes(np.stack(shares, 1), np.stack(counts, 1))
    for name in ("noise", "systematic_effect", "variance_effect", "bias", "variance"):
        assert_allclose(getattr(found, name), getattr(expected, name), atol=1e-12)


def test_absolute_loss_is_about_medians():
    found = decompose_predictions([[0.0, 0.0, 9.0]], [[1.0, 2.0, 6.0]], loss="absolute")
    assert (found.response[0], found.central[0]) == (0.0, 2.0)
    assert_allclose(found.noise, 3.0)
    assert_allclose(found.systematic_effect, (2 + 2 + 7) / 3 - 3.0)
    error = (1 + 2 + 6 + 1 + 2 + 6 + 8 + 7 + 3) / 9
    assert_allclose(found.error, error)
    assert_allclose(found.variance_effect, error - 11 / 3)


def test_gaps_are_left_out():
    gaps = [[1.0, np.nan, 3.0], [np.nan, np.nan, 5.0]]
    found = decompose_predictions([0.0, 5.0], gaps)
    assert_allclose(found.error, [5.0, 0.0])
    assert_allclose(found.variance, [1.0, 0.0])
    assert list(found.n_predictions) == [2, 1]


def test_expected_responses_tell_noise_from_bias():
    found = decompose_predictions([3.0], [[1.0, 2.0]], expected=[1.0])
    assert_allclose(found.noise, 4.0)
    assert_allclose(found.systematic_effect, 0.25)
    assert_allclose(found.variance_effect, 0.25)
    assert_allclose(found.error, 4.5)


def test_squared_loss_without_bias(seed):
    rng = np.random.default_rng(seed)
    predictions = rng.normal(1.0, 2.0, size=(40_000, 2))
    found = decompose_predictions(np.zeros(40_000), predictions)
    terms = found.terms(unbiased=True)
    # True are 1 and 4; standard errors are below 0.03.
    assert_allclose(terms["systematic_effect"].mean(), 1.0, atol=0.15)
    assert_allclose(terms["variance_effect"].mean(), 4.0, atol=0.2)
    assert_allclose(sum(terms.values()), found.error, atol=1e-9)
    assert found.mean["systematic_effect"] > 2.5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0.5, 0.6]], [[1, 1]]), "sum to 1"),
        (([[0.5, 0.5]], [[1, 1, 1]]), "same shape"),
        (([[0.5, 0.5]], [[0, 0]]), "not all 0"),
        (([[0.5, 0.5]], [[-1, 2]]), "not negative"),
        (([0.5, 0.5], [1, 1]), "posterior must have shape"),
    ],
)
def test_bad_votes_are_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        decompose_votes(*arguments)


def test_bad_predictions_are_refused():
    with pytest.raises(ValueError, match="same number of points; got 2 and 1"):
        decompose_predictions([1.0, 2.0], [[1.0]])
    with pytest.raises(ValueError, match="at least one for each point"):
        decompose_predictions([1.0], [[np.nan]])
    with pytest.raises(ValueError, match="expected is for squared loss"):
        decompose_predictions([1.0], [[1.0]], loss="absolute", expected=[1.0])
    with pytest.raises(ValueError, match="loss must be one of"):
        decompose_predictions([1.0], [[1.0]], loss="cubic")
    with pytest.raises(ValueError, match="ties must be one of"):
        decompose_votes([[1.0]], [[1]], ties="random")
    with pytest.raises(ValueError, match="classes must have a label"):
        decompose_votes([[1.0]], [[1]], classes=["a", "b"])
