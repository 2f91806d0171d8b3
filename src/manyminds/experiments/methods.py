"""Methods by name: turn ``"rf(n_estimators=50), knn"`` into estimators."""

import ast
import inspect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NoReturn

from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import all_estimators

from manyminds.experiments.plan import Method
from manyminds.utils.hashing import describe, make_key

TASKS = ("classification", "regression", "multilabel")
LIBRARIES = {"manyminds": "manyminds", "sklearn": "scikit-learn"}
ROOMS = ("trees", "ensemble", "learners", "feature_selection")  # where ours may live

# A short name, and what it means for classes and for numbers. A name whose class is
# not there is not offered.
ALIASES: dict[str, tuple[str | None, str | None]] = {
    "ada": ("AdaBoostClassifier", "AdaBoostRegressor"),
    "bagging": ("BaggingClassifier", "BaggingRegressor"),
    "dummy": ("DummyClassifier", "DummyRegressor"),
    "elastic_net": (None, "ElasticNet"),
    "elm": ("ELMClassifier", "ELMRegressor"),
    "et": ("ExtraTreesClassifier", "ExtraTreesRegressor"),
    "flt": ("ForestOfLocalTreesClassifier", "ForestOfLocalTreesRegressor"),
    "gb": ("HistGradientBoostingClassifier", "HistGradientBoostingRegressor"),
    "gp": ("GaussianProcessClassifier", "GaussianProcessRegressor"),
    "knn": ("KNeighborsClassifier", "KNeighborsRegressor"),
    "knn_cv": ("KNeighborsClassifierCV", "KNeighborsRegressorCV"),
    "lasso": (None, "Lasso"),
    "lda": ("LinearDiscriminantAnalysis", None),
    "linear": (None, "LinearRegression"),
    "linear_svm": ("LinearSVC", "LinearSVR"),
    "logistic": ("LogisticRegression", None),
    "mlp": ("MLPClassifier", "MLPRegressor"),
    "nb": ("GaussianNB", None),
    "nrbf": ("NRBFClassifier", "NRBFRegressor"),
    "qda": ("QuadraticDiscriminantAnalysis", None),
    "rf": ("RandomForestClassifier", "RandomForestRegressor"),
    "ridge": ("RidgeClassifier", "Ridge"),
    "rotation_forest": ("RotationForestClassifier", "RotationForestRegressor"),
    "rpboost": ("RpBoostClassifier", None),
    "sgd": ("SGDClassifier", "SGDRegressor"),
    "ssv_tree": ("SSVTreeClassifier", None),
    "stacking": ("StackingClassifier", "StackingRegressor"),
    "svm": ("SVC", "SVR"),
    "tree": ("DecisionTreeClassifier", "DecisionTreeRegressor"),
    "voting": ("VotingClassifier", "VotingRegressor"),
}

# Beginnings of the names of classes whose fit depends on the units of the columns: by
# distances, by a penalty on coefficients or by steps along a gradient. Discriminant
# analysis, least squares, naive Bayes and trees do not mind units.
UNIT_SENSITIVE = tuple(
    "ARDRegression BayesianRidge ElasticNet GammaRegressor GaussianProcess Huber "
    "KNN KNeighbors KernelRidge Label Lars Lasso LinearSV LogisticRegression MLP "
    "MultiTask NRBF NearestCentroid NuSV OrthogonalMatching PassiveAggressive "
    "Perceptron Poisson QuantileRegressor RadiusNeighbors Ridge SGD SVC SVM SVR "
    "Tweedie".split()
)


@dataclass(frozen=True)
class KnownMethod:
    """A method that `parse_methods` knows.

    Parameters
    ----------
    name : str
        What to write; with the prefix ``sklearn.`` where we have one of that name too.
    aliases : tuple of str
        Short names of the same.
    library : str
        Who made it: ``"manyminds"`` or ``"scikit-learn"``.
    scaled : bool
        Whether its fit depends on the units of the columns, so that a fair comparison
        gives it numbers of mean 0 and variance 1.
    needs : tuple of str
        Parameters that must be given.
    """

    name: str
    aliases: tuple[str, ...]
    library: str
    scaled: bool
    needs: tuple[str, ...]


def parse_methods(text: str, task: str) -> list[Method]:
    """Read a list of methods, such as ``"rf(n_estimators=50), sklearn.rf, knn"``.

    Parameters
    ----------
    text : str
        Methods with commas between them, each as `make_method` takes it.
    task : {"classification", "regression", "multilabel"}
        What the target asks for.

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
        raise ValueError("methods is empty; it takes names such as 'rf, knn'.")
    _check_distinct(methods)
    return methods


def make_method(text: str, task: str) -> Method:
    """Read one method: a name, perhaps with parameters, perhaps under another name.

    Names are those of estimators, with or without ``Classifier`` and ``Regressor``
    (the task chooses), or the short ones of `list_methods`. A bare name means ours
    where we have it and scikit-learn's otherwise; ``sklearn.`` or ``manyminds.`` in
    front decides it. Parameters are numbers, texts, lists, tuples, dicts, True, False,
    None and other methods. Nothing of the text is executed.

    Parameters
    ----------
    text : str
        Such as ``"rf"``, ``"sklearn.RandomForest(max_depth=3)"``,
        ``"bagging(estimator=tree)"`` or ``"small=rf(n_estimators=10)"``.
    task : {"classification", "regression", "multilabel"}
        What the target asks for.

    Returns
    -------
    method : Method
        The name is the text, or what stands before ``=``.

    Examples
    --------
    >>> from manyminds.experiments.methods import make_method
    >>> make_method("svm(C=10)", "classification").estimator
    SVC(C=10)
    >>> make_method("rf(n_trees=10)", "classification")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    ValueError: methods: 'rf' has no parameter 'n_trees'; it takes bootstrap, ...
    """
    if task not in TASKS:
        raise ValueError(f"task takes {', '.join(TASKS)}; got {task!r}.")
    name, text = _split_name(text.strip())
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        _refuse(text)
    if not isinstance(node, (ast.Name, ast.Attribute, ast.Call)):
        _refuse(text)
    return Method(name or text, _read_value(node, task, text))


def list_methods(task: str) -> list[KnownMethod]:
    """List the methods that can be named, ours first.

    Parameters
    ----------
    task : {"classification", "regression", "multilabel"}
        What the target asks for.

    Returns
    -------
    methods : list of KnownMethod

    Examples
    --------
    >>> from manyminds.experiments.methods import list_methods
    >>> known = {method.name: method for method in list_methods("classification")}
    >>> known["RandomForestClassifier"].library, known["SVC"].aliases
    ('manyminds', ('svm',))
    """
    classes = _find_classes()
    ours = classes["manyminds"]
    return [
        KnownMethod(
            f"{library}.{name}" if library == "sklearn" and name in ours else name,
            _aliases_of(name, library, ours),
            LIBRARIES[library],
            _minds_units(name),
            tuple(n for n, p in _parameters_of(kind).items() if p.default is p.empty),
        )
        for library in LIBRARIES
        for name, kind in sorted(classes[library].items())
        if _fits(kind, task)
    ]


def needs_scaling(estimator: Any) -> bool:
    """Return whether an estimator, or one inside it, depends on the columns' units.

    Parameters
    ----------
    estimator : estimator

    Returns
    -------
    needed : bool

    Examples
    --------
    >>> from sklearn.ensemble import BaggingClassifier
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from manyminds.experiments.methods import needs_scaling
    >>> needs_scaling(BaggingClassifier(KNeighborsClassifier()))
    True
    >>> needs_scaling(BaggingClassifier())
    False
    """
    inside = estimator.get_params(deep=True).values()
    return any(_minds_units(type(part).__name__) for part in (estimator, *inside))


# ------------------------------------------------------------------ reading a text


def _split_at_commas(text: str) -> list[str]:
    """Split at the commas that stand outside of brackets and quotes."""
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
        _refuse(text)
    return head.strip(), rest.strip()


def _read_value(node: ast.AST, task: str, text: str) -> Any:
    """Return what a part of the text means: a plain value or an estimator."""
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
    _refuse(text)


def _make_estimator(
    node: ast.AST, keywords: list[ast.keyword], task: str, text: str
) -> BaseEstimator:
    name = ast.unparse(node)
    kind = _find_class(name, task)
    known = _parameters_of(kind)
    values: dict[str, Any] = {}
    for keyword in keywords:
        if keyword.arg is None:
            _refuse(text)
        if keyword.arg not in known:
            raise ValueError(
                f"methods: {name!r} has no parameter {keyword.arg!r}; it takes "
                f"{', '.join(sorted(known))}."
            )
        values[keyword.arg] = _read_value(keyword.value, task, text)
    for parameter in known.values():
        if parameter.default is parameter.empty and parameter.name not in values:
            raise ValueError(f"methods: {name!r} needs the parameter {parameter.name}.")
    return kind(**values)


def _refuse(text: str) -> NoReturn:
    raise ValueError(
        f"methods has {text!r}, which cannot be read; a method is a name, perhaps with "
        "named parameters: rf, knn(n_neighbors=1), bagging(estimator=tree)."
    )


def _check_distinct(methods: Iterable[Method]) -> None:
    """Raise where a method comes twice, under one name or under two."""
    names: dict[str, str] = {}
    seen: set[str] = set()
    for method in methods:
        if method.name in seen:
            raise ValueError(f"methods has {method.name!r} more than once.")
        seen.add(method.name)
        first = names.setdefault(make_key(describe(method.estimator)), method.name)
        if first != method.name:
            raise ValueError(
                f"methods has {first!r} and {method.name!r}, which are the same method."
            )


# ------------------------------------------------------------------ finding classes


@cache
def _find_classes() -> dict[str, dict[str, type]]:
    """Name the classifiers and regressors of each library, and their classes."""
    rooms = [
        import_module(f"manyminds.{room}")
        for room in ROOMS
        if find_spec(f"manyminds.{room}") is not None
    ]
    exported = (getattr(room, name) for room in rooms for name in room.__all__)
    ours = {one.__name__: one for one in exported if _is_method(one)}
    theirs = dict(all_estimators(type_filter=["classifier", "regressor"]))
    return {"manyminds": ours, "sklearn": theirs}


def _is_method(value: Any) -> bool:
    return (
        inspect.isclass(value)
        and issubclass(value, BaseEstimator)
        and issubclass(value, (ClassifierMixin, RegressorMixin))
        and not inspect.isabstract(value)
    )


def _find_class(name: str, task: str) -> type:
    """Find the class of a name, ours before theirs, that fits the task."""
    prefix, _, bare = name.rpartition(".")
    if prefix and prefix not in LIBRARIES:
        raise ValueError(
            f"methods has {name!r}; before the dot stands sklearn or manyminds."
        )
    found = list(_find_candidates(bare, [prefix] if prefix else list(LIBRARIES)))
    for kind in found:
        if _fits(kind, task):
            return kind
    if found:
        kind_of = "regressor" if _fits(found[0], "regression") else "classifier"
        target = "numbers" if task == "regression" else "classes"
        raise ValueError(f"methods: {name} is a {kind_of}; the target has {target}.")
    if prefix and list(_find_candidates(bare, LIBRARIES)):
        raise ValueError(f"methods: {prefix} has no {bare!r}; leave out the prefix.")
    _tell_close_names(name, bare, task)


def _find_candidates(bare: str, libraries: Iterable[str]) -> Iterator[type]:
    """Return the classes that a name may mean, for whatever task, the likeliest first."""
    stems = (bare + "Classifier", bare + "Regressor", bare)
    meanings = [name for name in (*ALIASES.get(bare, ()), *stems) if name is not None]
    for library in libraries:
        classes = _find_classes()[library]
        yield from (classes[name] for name in meanings if name in classes)


def _tell_close_names(name: str, bare: str, task: str) -> NoReturn:
    known: dict[str, str] = {}
    short: set[str] = set()
    for method in list_methods(task):
        full = method.name.removeprefix("sklearn.")
        stem = full.removesuffix("Classifier").removesuffix("Regressor")
        aliases = [alias.removeprefix("sklearn.") for alias in method.aliases]
        short |= set(aliases)
        known |= {one.lower(): one for one in (full, stem, *aliases)}
    close = get_close_matches(bare.lower(), known, n=3)
    hint = f"Close: {', '.join(known[one] for one in close)}. " if close else ""
    raise ValueError(
        f"methods has {name!r}, which is no known method. {hint}Short names are "
        f"{', '.join(sorted(short))}; list_methods, or --list-methods, shows all."
    )


def _parameters_of(kind: type) -> dict[str, inspect.Parameter]:
    return dict(inspect.signature(kind).parameters)


def _fits(kind: type, task: str) -> bool:
    wanted = RegressorMixin if task == "regression" else ClassifierMixin
    return issubclass(kind, wanted)


def _aliases_of(name: str, library: str, ours: dict[str, type]) -> tuple[str, ...]:
    prefix = "sklearn." if library == "sklearn" and name in ours else ""
    return tuple(prefix + alias for alias, names in ALIASES.items() if name in names)


def _minds_units(name: str) -> bool:
    return name.startswith(UNIT_SENSITIVE)
