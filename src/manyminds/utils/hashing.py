"""Hashing: describe what a result depends on in plain values, and compute its key."""

import builtins
import functools
import hashlib
import inspect
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from typing import Any

import joblib
import numpy as np

__all__ = ["describe", "hash_bytes", "list_versions", "make_key"]

# These change how long a fit takes or what it prints, never what comes out.
WITHOUT_EFFECT = frozenset({"n_jobs", "verbose", "memory"})
ALWAYS_NAMED = ("manyminds", "numpy", "scipy", "sklearn")
# Functions that the description in progress consists of: they may call each other.
_described: ContextVar[list[Any] | None] = ContextVar("described", default=None)


def make_key(parts: Any) -> str:
    """Return the hash of plain values; it does not depend on the order of names."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hash_bytes([text.encode()], 40)


def hash_bytes(chunks: Iterable[bytes], n_digits: int = 64) -> str:
    """Return the SHA-256 of chunks of bytes, one after the other.

    Parameters
    ----------
    chunks : iterable of bytes
    n_digits : int, default=64
        How many hexadecimal digits to return.

    Returns
    -------
    digits : str

    Examples
    --------
    >>> from manyminds.utils.hashing import hash_bytes
    >>> hash_bytes([b"one", b"two"], 8) == hash_bytes([b"onetwo"], 8)
    True
    """
    digest = hashlib.sha256()
    for chunk in chunks:
        digest.update(chunk)
    return digest.hexdigest()[:n_digits]


def describe(value: Any) -> Any:
    """Turn an estimator, a function or a parameter into plain values.

    Two values with the same description give the same results. What only changes the
    speed (``n_jobs``, ``verbose``, ``memory``) is left out. Classes and functions that
    belong to no versioned package are described by their source as well, functions with
    those of the same module that they call, so that an edited script gets another
    description.

    Parameters
    ----------
    value : object
        An estimator with ``get_params``, a function, a class, an array, a container
        of such, or a plain value.

    Returns
    -------
    description : None, bool, int, float, str, list or dict
        What JSON can write.
    """
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, np.generic)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, Mapping):
        return {"mapping": [[describe(k), describe(v)] for k, v in value.items()]}
    if isinstance(value, (list, tuple)):
        return [describe(entry) for entry in value]
    if isinstance(value, (np.random.RandomState, np.random.Generator)):
        raise TypeError(
            "a plan takes None or an int as random_state; got a generator, whose draws "
            "depend on what it was used for before."
        )
    if _is_code(value):
        return _describe_code(value)
    parameters = _parameters_of(value)
    if parameters is not None:
        return _describe_object(value, parameters)
    return {"type": _full_name(type(value)), "content": joblib.hash(value)}


def list_versions(*values: Any) -> dict[str, str]:
    """Return the versions of the libraries that define ``values``.

    NumPy, SciPy, scikit-learn and manyminds are always included.
    """
    packages = set(ALWAYS_NAMED)
    for value in values:
        packages |= set(_packages_of(value))
    return {name: version for name in sorted(packages) if (version := _version(name))}


def _is_code(value: Any) -> bool:
    """Return whether a value is a class or a function, not one with arguments."""
    is_partial = isinstance(value, functools.partial)  # a routine from Python 3.14 on
    return isinstance(value, type) or (inspect.isroutine(value) and not is_partial)


def _parameters_of(value: Any) -> Mapping[str, Any] | None:
    """Return the parameters of an object; None if Python cannot read them."""
    if hasattr(value, "get_params"):
        return value.get_params(deep=False)
    if is_dataclass(value):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    if isinstance(value, functools.partial):
        return {"func": value.func, "args": value.args, "keywords": value.keywords}
    if type(value).__reduce__ is object.__reduce__ and hasattr(value, "__dict__"):
        return vars(value)
    return None


def _describe_object(value: Any, parameters: Mapping[str, Any]) -> dict[str, Any]:
    kept = {
        name: describe(parameter)
        for name, parameter in sorted(parameters.items())
        if name not in WITHOUT_EFFECT
    }
    return {**_describe_code(type(value)), "parameters": kept}


def _describe_code(code: Any) -> dict[str, Any]:
    """Return the name of code; without a versioned package, its content too."""
    name = _full_name(code)
    if _version(name.split(".")[0]) is not None:
        return {"code": name}
    if inspect.isfunction(code):
        return {"code": name, "content": _describe_function(code)}
    try:
        source = inspect.getsource(code)
    except (OSError, TypeError):
        if name.split(".")[0] in sys.stdlib_module_names:  # compiled: Python's own
            return {"code": name}
        raise TypeError(
            f"a plan cannot distinguish {name} from another version of it: its source "
            "cannot be read. Define it in a file or in an installed package."
        ) from None
    return {"code": name, "content": hash_bytes([source.encode()], 16)}


def _describe_function(function: Any) -> dict[str, Any]:
    """Describe a function and what it calls; within another's, return its place."""
    known = _described.get()
    if known is not None:
        return {"place": _find_place(function, known)}
    known = [function]
    token = _described.set(known)
    try:
        first, *called = [_describe_one(one, known) for one in known]  # which grows
    finally:
        _described.reset(token)
    return {**first, "called": called} if called else first


def _describe_one(function: Any, known: list[Any]) -> dict[str, Any]:
    """Describe the instructions of a function, its defaults, closure and helpers."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    description = {
        "instructions": _list_instructions(function.__code__),
        "defaults": describe([function.__defaults__, function.__kwdefaults__]),
        "brought": describe(cells),
    }
    helpers = _find_helpers(function)
    places = {name: _find_place(helper, known) for name, helper in helpers}
    return {**description, "helpers": places} if places else description


def _find_place(function: Any, known: list[Any]) -> int:
    """Return the place of a function in a list, to which it is added if need be."""
    if function not in known:
        known.append(function)
    return known.index(function)


def _find_helpers(function: Any) -> Iterator[tuple[str, Any]]:
    """Yield the functions of the same module that the code of a function names."""
    for name in sorted(set(_list_names(function.__code__))):
        helper = function.__globals__.get(name)
        if inspect.isfunction(helper) and helper.__module__ == function.__module__:
            yield name, helper


def _list_names(code: Any) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _list_names(constant)


def _list_instructions(code: Any) -> list[Any]:
    constants = [
        _list_instructions(one) if inspect.iscode(one) else _write_constant(one)
        for one in code.co_consts
    ]
    return [code.co_code.hex(), list(code.co_names), constants]


def _write_constant(constant: Any) -> str:
    """Return the text of a constant; sets have another order in each process."""
    if isinstance(constant, frozenset):
        return f"frozenset({sorted(map(_write_constant, constant))})"
    if isinstance(constant, tuple):
        texts = ", ".join(map(_write_constant, constant))
        return f"({texts},)" if len(constant) == 1 else f"({texts})"
    return repr(constant)


def _full_name(code: Any) -> str:
    name = str(getattr(code, "__qualname__", None) or getattr(code, "__name__", code))
    module = getattr(code, "__module__", None) or "builtins"
    if module == "builtins" and not hasattr(builtins, name.split(".")[0]):
        module = "nowhere"  # made by exec, or by a shell without a name
    return f"{module}.{name}"


def _version(package: str) -> str | None:
    if package == "builtins":
        return sys.version.split()[0]
    return getattr(sys.modules.get(package), "__version__", None)


def _packages_of(value: Any) -> Iterator[str]:
    code = value if _is_code(value) else type(value)
    package = _full_name(code).split(".")[0]
    if package != "builtins":
        yield package
    for part in _parts_of(value):
        yield from _packages_of(part)


def _parts_of(value: Any) -> Iterable[Any]:
    if isinstance(value, (list, tuple)):
        return value
    if isinstance(value, Mapping):
        return value.values()
    if hasattr(value, "get_params") and not isinstance(value, type):
        return value.get_params(deep=False).values()
    return ()
