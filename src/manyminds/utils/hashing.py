"""Say in plain values what a result depends on, and make a key of it."""

import builtins
import functools
import hashlib
import inspect
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import joblib
import numpy as np

# These change how long a fit takes or what it prints, never what comes out.
WITHOUT_EFFECT = frozenset({"n_jobs", "verbose", "memory"})
ALWAYS_NAMED = ("manyminds", "numpy", "scipy", "sklearn")


def make_key(parts: Any) -> str:
    """Hash plain values: the same values, in whatever order of names, the same key."""
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def describe(value: Any) -> Any:
    """Turn an estimator, a function or a parameter into plain values.

    Two values with the same description give the same results. What only changes the
    speed (``n_jobs``, ``verbose``, ``memory``) is left out. Classes and functions that
    belong to no versioned package are described by their source as well, so that an
    edited script does not pass for its former self.

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
    if isinstance(value, type) or inspect.isroutine(value):
        return _describe_code(value)
    parameters = _parameters_of(value)
    if parameters is not None:
        return _describe_object(value, parameters)
    return {"type": _full_name(type(value)), "content": joblib.hash(value)}


def list_versions(*values: Any) -> dict[str, str]:
    """Return the versions of the libraries whose code stands behind ``values``.

    NumPy, SciPy, scikit-learn and manyminds are always among them.
    """
    packages = set(ALWAYS_NAMED)
    for value in values:
        packages |= set(_packages_of(value))
    return {name: version for name in sorted(packages) if (version := _version(name))}


def _parameters_of(value: Any) -> Mapping[str, Any] | None:
    """Return what an object was made with; None where it keeps that from Python."""
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
    """Name a class or a function; without a versioned package, its content too."""
    name = _full_name(code)
    if _version(name.split(".")[0]) is not None:
        return {"code": name}
    if inspect.isfunction(code):
        return {"code": name, "content": _describe_function(code)}
    try:
        source = inspect.getsource(code)
    except (OSError, TypeError):
        raise TypeError(
            f"a plan cannot tell {name} from another version of it: its source is not "
            "to be read. Define it in a file or in an installed package."
        ) from None
    return {"code": name, "content": hashlib.sha256(source.encode()).hexdigest()[:16]}


def _describe_function(function: Any) -> dict[str, Any]:
    """Describe what a function does and what it brings along from where it was made."""
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    return {
        "instructions": _list_instructions(function.__code__),
        "defaults": describe([function.__defaults__, function.__kwdefaults__]),
        "brought": describe(cells),
    }


def _list_instructions(code: Any) -> list[Any]:
    constants = [
        _list_instructions(constant) if inspect.iscode(constant) else repr(constant)
        for constant in code.co_consts
    ]
    return [code.co_code.hex(), list(code.co_names), constants]


def _full_name(code: Any) -> str:
    name = str(getattr(code, "__qualname__", None) or getattr(code, "__name__", code))
    module = getattr(code, "__module__", None) or "builtins"
    if module == "builtins" and not hasattr(builtins, name.split(".")[0]):
        module = "nowhere"  # made by exec, or by a shell that tells no name
    return f"{module}.{name}"


def _version(package: str) -> str | None:
    if package == "builtins":
        return sys.version.split()[0]
    return getattr(sys.modules.get(package), "__version__", None)


def _packages_of(value: Any) -> Iterator[str]:
    code = value if isinstance(value, type) or inspect.isroutine(value) else type(value)
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
