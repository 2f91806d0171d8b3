"""Two ways to call helpers, which have no entry point for Python once compiled."""

from types import FunctionType

import numba
import pytest


@pytest.fixture(scope="session")
def plain():
    """Return a function that turns a helper, and all that it calls, into Python.

    That takes no time to compile, and finds reads beyond the end of an array.
    """
    return _make_plain


@pytest.fixture(scope="session")
def compiled():
    """Return a function that wraps a helper in a kernel, compiled at the first call."""
    return _make_compiled


def _make_plain(function):
    names = {}  # of each module, with plain functions in place of the compiled ones

    def convert(function):
        original = getattr(function, "py_func", function)
        if original.__module__ not in names:
            own = names[original.__module__] = dict(original.__globals__)
            for name, value in list(own.items()):
                if hasattr(value, "py_func"):
                    own[name] = convert(value)
        return FunctionType(original.__code__, names[original.__module__])

    return convert(function)


def _make_compiled(function):
    @numba.njit
    def call(*arguments):
        return function(*arguments)

    return call
