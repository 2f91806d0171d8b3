"""Assertions of checks, and the decorator that makes a check."""

import re
import warnings
from collections.abc import Callable
from typing import Any, Protocol, cast
from unittest import SkipTest

from sklearn.base import BaseEstimator

__all__ = ["Check", "always", "check_for", "expect_error", "must", "try_or_explain"]

Predicate = Callable[[BaseEstimator], bool]


def always(estimator: BaseEstimator) -> bool:
    """Return True: apply a check to every estimator."""
    return True


class Check(Protocol):
    """A check: call it with a name for messages and an estimator."""

    __name__: str
    applies: Predicate

    def __call__(self, name: str, estimator: BaseEstimator) -> None:
        """Raise AssertionError when the estimator fails the check."""


def check_for(applies: Predicate) -> Callable[[Callable[[Any], None]], Check]:
    """Return a decorator that makes a check ``(name, estimator)`` of a function.

    The check raises ``unittest.SkipTest`` for an estimator to which it does not apply,
    and AssertionError, prefixed by the name, for every failure. Warnings about data are
    silenced, since checks use unusual data.
    """

    def decorate(statement: Callable[[Any], None]) -> Check:
        def check(name: str, estimator: BaseEstimator) -> None:
            if not applies(estimator):
                raise SkipTest(f"{statement.__name__} does not apply to {name}.")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                warnings.simplefilter("ignore", RuntimeWarning)
                try:
                    statement(estimator)
                except AssertionError as error:
                    raise AssertionError(f"{name}: {error}") from error
                except Exception as error:
                    message = f"{name}: unexpected {_format(error)}"
                    raise AssertionError(message) from error

        # Not functools.wraps: it would expose the signature of the statement.
        check.__name__ = check.__qualname__ = statement.__name__
        check.__doc__, check.__module__ = statement.__doc__, statement.__module__
        check.applies = applies  # type: ignore[attr-defined]
        return cast(Check, check)

    return decorate


def must(condition: object, message: str) -> None:
    """Raise AssertionError with the message unless the condition holds."""
    if not condition:
        raise AssertionError(message)


def expect_error(
    call: Callable[..., Any], *args: Any, match: str, when: str, **kwargs: Any
) -> None:
    """Assert that a call raises ValueError or TypeError that matches ``match``."""
    answered, _ = _attempt(call, *args, match=match, when=when, **kwargs)
    must(not answered, f"no error when {when}; expected one that matches {match!r}.")


def try_or_explain(
    call: Callable[..., Any], *args: Any, match: str, when: str, **kwargs: Any
) -> Any:
    """Return the result of a call, or None if it raises a clear error.

    A clear error is a ValueError or TypeError whose message matches ``match``.
    """
    return _attempt(call, *args, match=match, when=when, **kwargs)[1]


def _attempt(
    call: Callable[..., Any], *args: Any, match: str, when: str, **kwargs: Any
) -> tuple[bool, Any]:
    try:
        return True, call(*args, **kwargs)
    except (ValueError, TypeError) as error:
        clear = re.search(match, str(error), re.IGNORECASE)
        must(clear, f"when {when}, the error should match {match!r}: {_format(error)}")
    except AssertionError:
        raise
    except Exception as error:
        message = f"when {when}, expected ValueError or TypeError: {_format(error)}"
        raise AssertionError(message) from error
    return False, None


def _format(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
