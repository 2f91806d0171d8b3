"""Find the public estimators of a package."""

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from sklearn.base import BaseEstimator

__all__ = ["all_estimators"]


def all_estimators(package: str = "manyminds") -> list[tuple[str, type[BaseEstimator]]]:
    """List every public estimator class of a package.

    A class counts when a public room (a sub-package without a leading underscore)
    lists it in its ``__all__``, it derives from scikit-learn's ``BaseEstimator``
    and it is not abstract. The room ``testing`` is left out.

    Parameters
    ----------
    package : str, default="manyminds"
        Importable name of the package to walk.

    Returns
    -------
    estimators : list of tuples (name, class)
        Sorted by name; a class that several rooms export occurs once.

    Examples
    --------
    >>> from manyminds.testing import all_estimators
    >>> names = [name for name, _ in all_estimators()]
    >>> names == sorted(names)
    True
    """
    found = {
        value
        for room in _public_rooms(import_module(package))
        for value in (getattr(room, name) for name in getattr(room, "__all__", ()))
        if _is_estimator(value)
    }
    pairs = [(cls.__name__, cls) for cls in found]
    return sorted(pairs, key=lambda pair: (pair[0], pair[1].__module__))


def _public_rooms(package: ModuleType) -> Iterator[ModuleType]:
    # pkgutil.walk_packages ignores an ImportError, and with it every estimator of the
    # broken room.
    for info in pkgutil.iter_modules(package.__path__):
        if info.ispkg and not info.name.startswith("_") and info.name != "testing":
            room = import_module(f"{package.__name__}.{info.name}")
            yield room
            yield from _public_rooms(room)


def _is_estimator(value: object) -> bool:
    return (
        inspect.isclass(value)
        and issubclass(value, BaseEstimator)
        and not inspect.isabstract(value)
    )
