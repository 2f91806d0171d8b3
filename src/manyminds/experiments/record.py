"""Records: the values of one fold, or why it failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Record:
    """The result of one fold of one method on one data set.

    Parameters
    ----------
    key : str
        Hash of everything that the result depends on.
    dataset, method : str
        Names in the plan.
    repeat, fold : int
        Place in the plan's splits.
    values : mapping of str to float
        What was measured; empty when the fold failed.
    error : str or None
        Why the fold failed.
    seconds : float
        Time of fitting and measuring.
    finished : str
        Time of completion, as ISO 8601 in UTC.
    estimator : str
        The estimator as Python would write it.
    fingerprint : str
        Hash of the data set's content.
    versions : str
        Versions of the libraries, as ``"manyminds 0.1, numpy 2.0"``.
    """

    key: str
    dataset: str
    method: str
    repeat: int
    fold: int
    values: Mapping[str, float] = field(default_factory=dict)
    error: str | None = None
    seconds: float = 0.0
    finished: str = ""
    estimator: str = ""
    fingerprint: str = ""
    versions: str = ""

    @property
    def failed(self) -> bool:
        """Whether the fold ended in an error."""
        return self.error is not None


@dataclass(frozen=True)
class Slot:
    """A slot of a plan, and the key of its record."""

    dataset: str
    method: str
    repeat: int
    fold: int
    key: str


@dataclass(frozen=True)
class PlanState:
    """The progress of a plan in a store."""

    plan: str
    n_folds: int
    n_recorded: int
    n_failed: int
    seconds: float
    finished: str
