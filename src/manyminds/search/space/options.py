"""Options of a stage: a name, how to make the step, and its hyperparameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from manyminds.search.space.parameters import Choice, Number
from manyminds.search.space.problem import Problem

__all__ = ["Learner", "Option", "pick"]


def suits_all(problem: Problem) -> bool:
    """Return True: the option suits every problem."""
    return True


@dataclass(frozen=True)
class Option:
    """An option of a stage.

    Parameters
    ----------
    name : str
        Name in pipelines, such as "ssv".
    make : callable
        ``make(problem, **values)`` returns an unfitted estimator, or None for no step.
        A function of a module, so that other processes can import it.
    parameters : dict of str to Number or Choice, default={}
        Hyperparameters.
    suits : callable, default=suits_all
        ``suits(problem)`` returns whether the option is worth a trial.
    ranks : bool, default=False
        For a selector, whether it selects the columns of highest ``scores_``, as many
        as its parameter ``share`` says: then its scores are computed once for all
        shares.
    columns : callable or None, default=None
        ``columns(problem, **values)`` returns the number of output columns, given
        ``problem.n_encoded`` input columns. None: the same number.

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
        """Return the name of a parameter in pipelines, with the option as prefix."""
        return f"{self.name}.{parameter}"

    def defaults(self) -> dict[str, Any]:
        """Return the default values, by their names in pipelines."""
        return {self.key(name): one.default for name, one in self.parameters.items()}


@dataclass(frozen=True)
class Learner(Option):
    """The last step of a pipeline, which predicts.

    Parameters
    ----------
    reads_tables : bool, default=False
        Whether it takes missing values and category columns.
    needs_scaling : bool, default=False
        Whether columns should be scaled first.
    takes_sparse : bool, default=False
        Whether it takes sparse tables.
    """

    reads_tables: bool = False
    needs_scaling: bool = False
    takes_sparse: bool = False


def pick(problem: Problem, classifier: Any, regressor: Any) -> Any:
    """Return the classifier or the regressor, as the task requires."""
    return classifier if problem.task == "classification" else regressor
