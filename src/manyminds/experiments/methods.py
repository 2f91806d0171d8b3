"""Parse methods: turn ``"rf(n_estimators=50), knn"`` into estimators."""

import ast
from collections.abc import Iterable
from typing import Any, NoReturn

from sklearn.base import BaseEstimator

from manyminds.experiments.catalog import TASKS, find_class, list_parameters
from manyminds.experiments.plan import Method
from manyminds.utils.errors import InputError, Parameter, ParameterError
from manyminds.utils.hashing import describe, make_key


def parse_methods(text: str, task: str) -> list[Method]:
    """Parse a list of methods, such as ``"rf(n_estimators=50), sklearn.rf, knn"``.

    Parameters
    ----------
    text : str
        Methods with commas between them, each as `make_method` takes it.
    task : {"classification", "regression", "multilabel"}
        Kind of target.

    Returns
    -------
    methods : list of Method
        In the order of the text; no two with the same name or the same estimator.

    Examples
    --------
    >>> from manyminds.experiments.methods import parse_methods
    >>> methods = parse_methods("tree(max_depth=3), near=knn", "regression")
    >>> [method.name for method in methods]
    ['tree(max_depth=3)', 'near']
    >>> methods[1].estimator
    KNeighborsRegressor()
    """
    methods = [make_method(part, task) for part in _split_at_commas(text)]
    if not methods:
        raise InputError(
            Parameter("methods"), " is empty; it takes names such as 'rf, knn'."
        )
    _check_distinct(methods)
    return methods


def make_method(text: str, task: str) -> Method:
    """Parse one method: a name, perhaps with parameters, perhaps under another name.

    Names are those of estimators, with or without ``Classifier`` and ``Regressor``
    (the task chooses), or the short ones of `list_methods`. A bare name means ours
    where we have it and scikit-learn's otherwise; ``sklearn.`` or ``manyminds.`` in
    front decides it. Parameters are numbers, texts, lists, tuples, dicts, True, False,
    None and other methods. The text is never executed.

    Parameters
    ----------
    text : str
        Such as ``"rf"``, ``"sklearn.RandomForest(max_depth=3)"``,
        ``"bagging(estimator=tree)"`` or ``"small=rf(n_estimators=10)"``.
    task : {"classification", "regression", "multilabel"}
        Kind of target.

    Returns
    -------
    method : Method
        The name is the text, or what precedes ``=``.

    Examples
    --------
    >>> from manyminds.experiments.methods import make_method
    >>> make_method("svm(C=10)", "classification").estimator
    SVC(C=10)
    >>> make_method("rf(n_trees=10)", "classification")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.InputError: methods: 'rf' has no parameter 'n_trees'; it
    takes bootstrap, ...
    """
    if task not in TASKS:
        raise ParameterError("task", task, f"one of {', '.join(TASKS)}")
    name, text = _split_name(text.strip())
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        _reject(text)
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Call)):
        _reject(text)
    return Method(name or text, _read_value(node, task, text))


def _split_at_commas(text: str) -> list[str]:
    """Split at the commas outside of brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if character == "," and depth <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _split_name(text: str) -> tuple[str, str]:
    """Split ``name=method``; an equals sign inside brackets names a parameter."""
    head, equals, rest = text.partition("=")
    if not equals or "(" in head:
        return "", text
    if not head.strip() or not rest.strip():
        _reject(text)
    return head.strip(), rest.strip()


def _read_value(node: ast.AST, task: str, text: str) -> Any:
    """Return the plain value or the estimator of a node of the text."""
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(entries):
            return [_read_value(entry, task, text) for entry in entries]
        case ast.Tuple(entries):
            return tuple(_read_value(entry, task, text) for entry in entries)
        case ast.Dict(keys, values) if None not in keys:
            pairs = [(_read_value(k, task, text), v) for k, v in zip(keys, values) if k]
            return {key: _read_value(value, task, text) for key, value in pairs}
        case ast.Name() | ast.Attribute():
            return _make_estimator(node, [], task, text)
        case ast.Call(ast.Name() | ast.Attribute() as function, [], parameters):
            return _make_estimator(function, parameters, task, text)
    _reject(text)


def _make_estimator(
    node: ast.AST, keywords: list[ast.keyword], task: str, text: str
) -> BaseEstimator:
    name = ast.unparse(node)
    kind = find_class(name, task)
    known = list_parameters(kind)
    values: dict[str, Any] = {}
    for keyword in keywords:
        if keyword.arg is None:
            _reject(text)
        if keyword.arg not in known:
            raise InputError(
                Parameter("methods"),
                f": {name!r} has no parameter {keyword.arg!r}; it takes "
                f"{', '.join(sorted(known))}.",
            )
        values[keyword.arg] = _read_value(keyword.value, task, text)
    for parameter in known.values():
        if parameter.default is parameter.empty and parameter.name not in values:
            raise InputError(
                Parameter("methods"),
                f": {name!r} needs the parameter {parameter.name}.",
            )
    return kind(**values)


def _reject(text: str) -> NoReturn:
    raise InputError(
        Parameter("methods"),
        f" has {text!r}, which cannot be read; a method is a name, perhaps with "
        "named parameters: rf, knn(n_neighbors=1), bagging(estimator=tree).",
    )


def _check_distinct(methods: Iterable[Method]) -> None:
    """Raise if a method occurs twice, under one name or under two."""
    names: dict[str, str] = {}
    seen: set[str] = set()
    for method in methods:
        if method.name in seen:
            raise InputError(
                Parameter("methods"), f" has {method.name!r} more than once."
            )
        seen.add(method.name)
        first = names.setdefault(make_key(describe(method.estimator)), method.name)
        if first != method.name:
            raise InputError(
                Parameter("methods"),
                f" has {first!r} and {method.name!r}, which are the same method.",
            )
