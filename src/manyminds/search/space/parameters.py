"""What may be varied in a part of a chain: numbers between bounds, and choices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Choice", "Number"]


@dataclass(frozen=True)
class Number:
    """A number between two bounds.

    Parameters
    ----------
    low, high : float
        Bounds, which may be taken.
    default : float
        What first chains take.
    log : bool, default=False
        Whether steps are ratios: between 0.1 and 10, as much below 1 as above it.
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
                f"default must lie between low={self.low} and high={self.high}; got "
                f"{self.default}."
            )
        if self.log and self.low <= 0:
            raise ValueError(f"low must be above 0 if log; got {self.low}.")

    def suggest(self, trial: Any, name: str) -> float:
        """Ask a trial of Optuna for a value."""
        if self.whole:
            low, high = int(self.low), int(self.high)
            return int(trial.suggest_int(name, low, high, log=self.log))
        return float(trial.suggest_float(name, self.low, self.high, log=self.log))

    def step_from(self, value: float, rng: np.random.Generator) -> float:
        """Go a step of about a sixth of the range, up or down, within the bounds."""
        low, high, here = self.low, self.high, value
        if self.log:
            low, high, here = np.log(low), np.log(high), np.log(value)
        here = float(np.clip(here + rng.normal(0.0, (high - low) / 6.0), low, high))
        here = float(np.clip(np.exp(here) if self.log else here, self.low, self.high))
        return round(here) if self.whole else here


@dataclass(frozen=True)
class Choice:
    """One of several values.

    Parameters
    ----------
    values : sequence of str, int, float, bool or None
        What may be taken.
    default : str, int, float, bool or None
        What first chains take: one of them.

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
        """Ask a trial of Optuna for a value."""
        return trial.suggest_categorical(name, self.values)

    def step_from(self, value: Any, rng: np.random.Generator) -> Any:
        """Take another value, if there is one."""
        others = [one for one in self.values if one != value]
        return others[rng.integers(len(others))] if others else value
