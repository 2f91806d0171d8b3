"""Hyperparameters: values within bounds, and steps to values nearby."""

import numpy as np
import optuna
import pytest

from manyminds.search import Choice, Number


def make_trial(**values):
    return optuna.trial.FixedTrial(values)


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (Number(-1.0, 5.0, default=0.0), float),
        (Number(0.01, 100.0, default=1.0, log=True), float),
        (Number(1, 7, default=2, whole=True), int),
        (Number(1, 900, default=30, log=True, whole=True), int),
    ],
)
def test_steps_stay_within_the_bounds(number, kind, seed):
    rng = np.random.default_rng(seed)
    for start in (number.low, number.default, number.high):
        for _ in range(50):
            value = number.step_from(start, rng)
            assert number.low <= value <= number.high and type(value) is kind


class Draw:
    """Stands for a generator: its normal is so many standard deviations."""

    def __init__(self, n_std):
        self.n_std = n_std

    def normal(self, mean, std):
        return mean + self.n_std * std


def test_a_step_is_a_sixth_of_the_range():
    assert Number(0.0, 12.0, default=6.0).step_from(5.0, Draw(1.0)) == 7.0
    log = Number(1.0, 1e6, default=1.0, log=True)
    assert log.step_from(100.0, Draw(1.0)) == pytest.approx(1000.0)
    assert Number(0, 6, default=3, whole=True).step_from(3, Draw(0.6)) == 4
    assert Number(0.0, 12.0, default=6.0).step_from(11.0, Draw(9.0)) == 12.0


def test_a_choice_steps_to_another_value(seed):
    rng, choice = np.random.default_rng(seed), Choice(["a", "b", None], default="a")
    assert {choice.step_from("a", rng) for _ in range(50)} == {"b", None}
    assert Choice(["only"], default="only").step_from("only", rng) == "only"


def test_values_are_those_of_the_trial():
    trial = make_trial(x=0.5, n=3, kind=None)
    assert Number(0, 1, default=0.1).suggest(trial, "x") == 0.5
    whole = Number(1.0, 5.0, default=2.0, whole=True).suggest(trial, "n")
    assert whole == 3 and type(whole) is int
    assert Choice(["a", None], default="a").suggest(trial, "kind") is None


def test_a_trial_draws_within_the_bounds(seed):
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed))
    for _ in range(10):
        trial = study.ask()
        assert 1e-3 <= Number(1e-3, 1, default=0.1, log=True).suggest(trial, "x") <= 1
        assert Choice([1, 2], default=1).suggest(trial, "k") in (1, 2)
        assert trial.distributions["x"].log


def test_wrong_defaults_are_named():
    with pytest.raises(ValueError, match="default must be one of"):
        Choice(["a"], default="b")
    with pytest.raises(ValueError, match="default must be between low=0 and high=1"):
        Number(0, 1, default=2)
    with pytest.raises(ValueError, match="low must be above 0 if log; got 0"):
        Number(0, 1, default=0.5, log=True)
