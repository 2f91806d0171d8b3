"""Hyperparameters of options: numbers between bounds, and choices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Choice", "Number"]


@dataclass(frozen=True)
class Number:
    """A numeric hyperparameter.

    Parameters
    ----------
    low, high : float
        Bounds, both inclusive.
    default : float
        Value of the initial pipelines.
    log : bool, default=False
        Whether the scale is logarithmic.
    whole : bool, default=False
        Whether it is an integer.

    Examples
    --------
    >>> from manyminds.search import Number
    >>> Number(0.01, 100, default=1, log=True)
    Number(low=0.01, high=100, default=1, log=True, whole=False)
    """

    low: float
    high: float
    default: float
    log: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        if not self.low <= self.default <= self.high:
            raise ValueError(
                f"default must be between low={self.low} and high={self.high}; got "
                f"{self.default}."
            )
        if self.log and self.low <= 0:
            raise ValueError(f"low must be above 0 if log; got {self.low}.")

    def suggest(self, trial: Any, name: str) -> float:
        """Return the value that a trial of Optuna suggests."""
        if self.whole:
            low, high = int(self.low), int(self.high)
            return int(trial.suggest_int(name, low, high, log=self.log))
        return float(trial.suggest_float(name, self.low, self.high, log=self.log))

    def step_from(self, value: float, rng: np.random.Generator) -> float:
        """Return a random value nearby: a step of about a sixth of the range."""
        low, high, here = self.low, self.high, value
        if self.log:
            low, high, here = np.log(low), np.log(high), np.log(value)
        here = float(np.clip(here + rng.normal(0.0, (high - low) / 6.0), low, high))
        here = float(np.clip(np.exp(here) if self.log else here, self.low, self.high))
        return round(here) if self.whole else here

    def to_unit(self, value: float) -> float:
        """Return the position of a value in the range, from -1 to 1.

        Examples
        --------
        >>> from manyminds.search import Number
        >>> Number(0.01, 100, default=1, log=True).to_unit(1.0)
        0.0
        """
        low, high = self.low, self.high
        if self.log:
            low, high, value = np.log(low), np.log(high), np.log(value)
        return float(2.0 * (value - low) / (high - low) - 1.0) if high > low else 0.0


@dataclass(frozen=True)
class Choice:
    """A categorical hyperparameter.

    Parameters
    ----------
    values : sequence of str, int, float, bool or None
        The values.
    default : str, int, float, bool or None
        Value of the initial pipelines.

    Examples
    --------
    >>> from manyminds.search import Choice
    >>> Choice(["uniform", "distance"], default="uniform").values
    ('uniform', 'distance')
    """

    values: Sequence[Any]
    default: Any

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", tuple(self.values))
        if self.default not in self.values:
            raise ValueError(
                f"default must be one of {self.values}; got {self.default!r}."
            )

    def suggest(self, trial: Any, name: str) -> Any:
        """Return the value that a trial of Optuna suggests."""
        return trial.suggest_categorical(name, self.values)

    def step_from(self, value: Any, rng: np.random.Generator) -> Any:
        """Return another value, if there is one."""
        others = [one for one in self.values if one != value]
        return others[rng.integers(len(others))] if others else value
