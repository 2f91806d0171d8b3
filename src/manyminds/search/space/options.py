"""What a stage of a chain may be: a name, how to make it, what may be varied."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from manyminds.search.space.parameters import Choice, Number
from manyminds.search.space.problem import Problem

__all__ = ["Learner", "Option"]


def suits_all(problem: Problem) -> bool:
    """Suit every problem."""
    return True


@dataclass(frozen=True)
class Option:
    """One thing that a stage of a chain may be.

    Parameters
    ----------
    name : str
        Name in chains, such as "ssv".
    make : callable
        ``make(problem, **values)`` gives an estimator that is not fitted, or None for
        no step at all. A function of a module, so that other processes find it.
    parameters : dict of str to Number or Choice, default={}
        What may be varied.
    suits : callable, default=suits_all
        ``suits(problem)`` tells whether the option is worth a trial there.
    ranks : bool, default=False
        For a selector, whether it keeps the columns of highest ``scores_``, the share
        being its parameter ``share``: then its scores are computed once for all shares.
    columns : callable or None, default=None
        ``columns(problem, **values)`` returns the number of columns that come out,
        where ``problem.n_encoded`` go in. None: as many.

    Examples
    --------
    >>> from sklearn.decomposition import PCA
    >>> from manyminds.search import Number, Option
    >>> def make_pca(problem, n_components):
    ...     return PCA(n_components)
    >>> option = Option("pca", make_pca, {"n_components": Number(1, 9, 2, whole=True)})
    >>> option.make(None, n_components=3)
    PCA(n_components=3)
    """

    name: str
    make: Callable[..., Any]
    parameters: Mapping[str, Number | Choice] = field(default_factory=dict)
    suits: Callable[[Problem], bool] = suits_all
    ranks: bool = False
    columns: Callable[..., int] | None = None

    def key(self, parameter: str) -> str:
        """Name of a parameter in chains: after the option's, so that none meet."""
        return f"{self.name}.{parameter}"

    def defaults(self) -> dict[str, Any]:
        """Values that first chains take, by their names in chains."""
        return {self.key(name): one.default for name, one in self.parameters.items()}


@dataclass(frozen=True)
class Learner(Option):
    """What stands at the end of a chain.

    Parameters
    ----------
    reads_tables : bool, default=False
        Whether it takes gaps and category columns as they are.
    minds_units : bool, default=False
        Whether columns should be brought to one scale first.
    takes_sparse : bool, default=False
        Whether it takes sparse tables.
    """

    reads_tables: bool = False
    minds_units: bool = False
    takes_sparse: bool = False
