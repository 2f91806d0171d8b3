"""The faulty display."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.datasets.generators import bayes_error, make_led7

# One line of text to a row of segments: " _ ", "|_|", "|_|".
PICTURES = {
    0: (" _ ", "| |", "|_|"),
    1: ("   ", "  |", "  |"),
    2: (" _ ", " _|", "|_ "),
    3: (" _ ", " _|", " _|"),
    4: ("   ", "|_|", "  |"),
    5: (" _ ", "|_ ", " _|"),
    6: (" _ ", "|_ ", "|_|"),
    7: (" _ ", "  |", "  |"),
    8: (" _ ", "|_|", "|_|"),
    9: (" _ ", "|_|", " _|"),
}


def segments(digit):
    top, middle, bottom = PICTURES[digit]
    marks = top[1], middle[0], middle[2], middle[1], bottom[0], bottom[2], bottom[1]
    return [int(mark != " ") for mark in marks]


def test_digits_look_like_digits(seed):
    X, y = make_led7(400, segment_noise=0.0, random_state=seed)
    assert_array_equal(X, [segments(digit) for digit in y])


def probability(state, digit, noise):
    wrong = sum(on != off for on, off in zip(state, segments(digit)))
    return noise**wrong * (1 - noise) ** (7 - wrong)


@pytest.mark.parametrize("noise", [0.1, 0.02, 0.3])
def test_bayes_error_by_enumeration(noise):
    right = sum(
        max(probability(state, digit, noise) for digit in range(10)) / 10
        for state in product([0, 1], repeat=7)
    )
    assert_allclose(bayes_error("led7", segment_noise=noise), 1 - right)


def test_bayes_error_in_print():
    assert round(bayes_error("led7"), 3) == 0.26


def test_posteriors_by_hand(seed):
    X, _, posterior = make_led7(100, return_posterior=True, random_state=seed)
    for state, shares in zip(X, posterior):
        joint = np.array([probability(state, digit, 0.1) for digit in range(10)])
        assert_allclose(shares, joint / joint.sum())


def test_segments_fail_as_often_as_told(seed):
    # 70,000 segments: six standard deviations are 0.0068, once in 500 million.
    X, y = make_led7(10_000, n_irrelevant=17, random_state=seed)
    assert X.shape == (10_000, 24)
    wrong = X[:, :7] != np.array([segments(digit) for digit in y])
    assert_allclose(wrong.mean(), 0.1, atol=0.0068)
    assert_allclose(X[:, 7:].mean(axis=0), 0.5, atol=0.03)


def test_a_display_that_is_always_wrong_tells_as_much_as_one_that_is_right():
    assert_allclose(bayes_error("led7", segment_noise=1.0), 0, atol=1e-12)
    assert_allclose(bayes_error("led7", segment_noise=0.5), 0.9)


def test_wrong_noise_is_named():
    with pytest.raises(ValueError, match=r"segment_noise .* from 0.0 to 1.0; got 2"):
        make_led7(segment_noise=2)


def test_display_in_circulation(shared_data):
    # 3,500 segments of another's draw: six standard deviations of the share.
    table = np.loadtxt(shared_data / "led7digit.csv.gz", delimiter=",", skiprows=1)
    digits = table[:, 7].astype(int)
    wrong = table[:, :7] != np.array([segments(digit) for digit in digits])
    assert_allclose(wrong.mean(), 0.1, atol=6 * np.sqrt(0.09 / wrong.size))
