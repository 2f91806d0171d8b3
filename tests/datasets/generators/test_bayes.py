"""Bayes errors by name; the numbers are tested beside their problems."""

import pytest

from manyminds.datasets import generators
from manyminds.datasets.generators import bayes_error
from manyminds.datasets.generators.bayes import _ERRORS

# They depend on the draw, or the target is not one class.
WITHOUT = {"faces", "madelon_like", "multilabel_xor", "label_groups"}
WITHOUT |= {"friedman1", "friedman2", "friedman3", "reading_sessions"}


def test_every_problem_has_an_error_or_a_reason_for_none():
    problems = {
        name.removeprefix("make_")
        for name in generators.__all__
        if name.startswith("make_")
    }
    assert problems == set(_ERRORS) | WITHOUT


@pytest.mark.parametrize("problem", _ERRORS)
def test_errors_are_shares(problem):
    error = bayes_error(problem)
    assert isinstance(error, float) and 0 <= error < 0.5


def test_label_noise_counts_up_to_one_half():
    assert bayes_error("monks", label_noise=0.05) == 0.05
    assert bayes_error("monks", label_noise=0.75) == 0.25


def test_wrong_names_are_told():
    with pytest.raises(ValueError, match=r"problem must be one of .*got 'twonrom'"):
        bayes_error("twonrom")
    with pytest.raises(ValueError, match=r"parameters of 'twonorm' .*got 'noise'"):
        bayes_error("twonorm", noise=1)
    with pytest.raises(ValueError, match=r"label_noise .* from 0.0 to 1.0; got 1.5"):
        bayes_error("xor", label_noise=1.5)
