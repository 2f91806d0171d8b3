"""Run checks, one by one or all that apply to an estimator."""

from collections.abc import Collection, Iterator

from sklearn.base import BaseEstimator

from manyminds.testing import checks
from manyminds.testing.assertions import Check

__all__ = ["check_estimator", "estimator_checks", "failed_checks"]

CHECKS: tuple[Check, ...] = tuple(getattr(checks, name) for name in checks.__all__)


def estimator_checks(estimator: BaseEstimator | None = None) -> Iterator[Check]:
    """Yield checks, all of them or those that apply to an estimator.

    Parameters
    ----------
    estimator : estimator instance, default=None
        Yield only the checks that apply to it.

    Yields
    ------
    check : callable
        A function ``check(name, estimator)`` that raises AssertionError when the
        estimator fails, and ``unittest.SkipTest`` when it does not apply. The
        estimator is not changed.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from manyminds.testing import estimator_checks
    >>> names = [check.__name__ for check in estimator_checks(Ridge())]
    >>> "check_n_jobs" in names, "check_pickle" in names
    (False, True)
    """
    for check in CHECKS:
        if estimator is None or check.applies(estimator):
            yield check


def check_estimator(estimator: BaseEstimator, *, skip: Collection[str] = ()) -> None:
    """Run all checks that apply to an estimator.

    They complement scikit-learn's own checks: run its ``check_estimator`` as well.

    Parameters
    ----------
    estimator : estimator instance
        It is not changed; the checks fit small copies of it.
    skip : collection of str, default=()
        Names of checks to leave out.

    Raises
    ------
    AssertionError
        With one line for each check that failed.

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> from manyminds.testing import check_estimator
    >>> check_estimator(StandardScaler(), skip=["check_example"])
    """
    unknown = set(skip) - {check.__name__ for check in CHECKS}
    if unknown:
        raise ValueError(f"skip must name existing checks; got {sorted(unknown)}.")
    failures = failed_checks(estimator)
    failures = {name: failures[name] for name in failures if name not in skip}
    if failures:
        lines = [f"{name}: {error}" for name, error in failures.items()]
        first = next(iter(failures.values()))
        raise AssertionError("\n".join(lines)) from first


def failed_checks(estimator: BaseEstimator) -> dict[str, AssertionError]:
    """Run the checks that apply to an estimator; return those that fail, by name.

    Parameters
    ----------
    estimator : estimator instance
        It is not changed.

    Returns
    -------
    failures : dict of str to AssertionError
        Error of each failed check; empty if all pass.

    Examples
    --------
    >>> from sklearn.preprocessing import StandardScaler
    >>> from manyminds.testing import failed_checks
    >>> failed_checks(StandardScaler())
    {}
    """
    failures = {}
    for check in estimator_checks(estimator):
        try:
            check(type(estimator).__name__, estimator)
        except AssertionError as error:
            failures[check.__name__] = error
    return failures
