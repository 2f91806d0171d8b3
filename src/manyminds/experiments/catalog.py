"""The catalog of methods: names, short names, and the classes that they mean."""

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

from manyminds.utils.errors import InputError, Parameter

TASKS = ("classification", "regression", "multilabel")
LIBRARIES = {"manyminds": "manyminds", "sklearn": "scikit-learn"}
ROOMS = ("trees", "ensemble", "learners", "networks", "feature_selection")  # of ours
# A short name with its classifier and its regressor. Names without a class are not
# offered.
ALIASES: dict[str, tuple[str | None, str | None]] = {
    "ada": ("AdaBoostClassifier", "AdaBoostRegressor"),
    "adaboost_mh": ("AdaBoostMHClassifier", None),
    "aode": ("AODEClassifier", None),
    "bagging": ("BaggingClassifier", "BaggingRegressor"),
    "br": ("BinaryRelevanceClassifier", None),
    "br2": ("StackedRelevanceClassifier", None),
    "cc": ("ClassifierChain", None),
    "clr": ("CalibratedLabelRankingClassifier", None),
    "dummy": ("DummyClassifier", "DummyRegressor"),
    "ebr": ("BaggedRelevanceClassifier", None),
    "ecc": ("EnsembleOfChainsClassifier", None),
    "elastic_net": (None, "ElasticNet"),
    "elm": ("ELMClassifier", "ELMRegressor"),
    "eps": ("EnsembleOfPrunedSetsClassifier", None),
    "et": ("ExtraTreesClassifier", "ExtraTreesRegressor"),
    "flt": ("ForestOfLocalTreesClassifier", "ForestOfLocalTreesRegressor"),
    "gb": ("GradientBoostingClassifier", "GradientBoostingRegressor"),
    "gp": ("GaussianProcessClassifier", "GaussianProcessRegressor"),
    "homer": ("HOMERClassifier", None),
    "knn": ("KNeighborsClassifier", "KNeighborsRegressor"),
    "knn_cv": ("KNeighborsClassifierCV", "KNeighborsRegressorCV"),
    "lasso": (None, "Lasso"),
    "lda": ("LinearDiscriminantAnalysis", None),
    "linear": (None, "LinearRegression"),
    "linear_svm": ("LinearSVC", "LinearSVR"),
    "logistic": ("LogisticRegression", None),
    "lp": ("LabelPowersetClassifier", None),
    "mlforest": ("MultiLabelForestClassifier", None),
    "mlknn": ("MLkNNClassifier", None),
    "mlp": ("MLPClassifier", "MLPRegressor"),
    "nb": ("GaussianNB", None),
    "nrbf": ("NRBFClassifier", "NRBFRegressor"),
    "ps": ("PrunedSetsClassifier", None),
    "qda": ("QuadraticDiscriminantAnalysis", None),
    "rakel": ("RAkELClassifier", None),
    "rakel_d": ("DisjointRAkELClassifier", None),
    "real_mlp": ("RealMLPClassifier", "RealMLPRegressor"),
    "rf": ("RandomForestClassifier", "RandomForestRegressor"),
    "ridge": ("RidgeClassifier", "Ridge"),
    "rotation_forest": ("RotationForestClassifier", "RotationForestRegressor"),
    "rpboost": ("RpBoostClassifier", None),
    "sgd": ("SGDClassifier", "SGDRegressor"),
    "ssv_tree": ("SSVTreeClassifier", None),
    "stacking": ("StackingClassifier", "StackingRegressor"),
    "svm": ("SVC", "SVR"),
    "tan": ("TANClassifier", None),
    "tree": ("DecisionTreeClassifier", "DecisionTreeRegressor"),
    "voting": ("VotingClassifier", "VotingRegressor"),
}
# Beginnings of the names of classes whose fit depends on the units of the columns: by
# distances, by a penalty on coefficients or by steps along a gradient. Discriminant
# analysis, least squares, naive Bayes and trees do not depend on units.
UNIT_SENSITIVE = tuple(
    "ARDRegression BayesianRidge ElasticNet GammaRegressor GaussianProcess Huber "
    "KNeighbors KernelRidge KernelWidthSV LabelPropagation LabelSpreading Lars Lasso "
    "LinearSV LogisticRegression MLP MLkNN MultiTask NRBF NearestCentroid NuSV "
    "OrthogonalMatching PassiveAggressive Perceptron Poisson QuantileRegressor "
    "RadiusNeighbors Ridge SGD SVC SVR Tweedie".split()
)


@dataclass(frozen=True)
class KnownMethod:
    """A method that `parse_methods` knows.

    Parameters
    ----------
    name : str
        How to write it; with the prefix ``sklearn.`` if we have one of that name too.
    aliases : tuple of str
        Short names.
    library : str
        ``"manyminds"`` or ``"scikit-learn"``.
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


def list_methods(task: str) -> list[KnownMethod]:
    """List the methods that can be named, ours first.

    Parameters
    ----------
    task : {"classification", "regression", "multilabel"}
        Kind of target.

    Returns
    -------
    methods : list of KnownMethod

    Examples
    --------
    >>> from manyminds.experiments import list_methods
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
            _depends_on_units(name),
            tuple(n for n, p in list_parameters(kind).items() if p.default is p.empty),
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
    >>> from manyminds.experiments import needs_scaling
    >>> needs_scaling(BaggingClassifier(KNeighborsClassifier()))
    True
    >>> needs_scaling(BaggingClassifier())
    False
    """
    inside = estimator.get_params(deep=True).values()
    return any(_depends_on_units(type(part).__name__) for part in (estimator, *inside))


@cache
def _find_classes() -> dict[str, dict[str, type]]:
    """Return the classifiers and regressors of each library by name."""
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


def find_class(name: str, task: str) -> type:
    """Return the class of a name that fits the task, ours before scikit-learn's."""
    prefix, _, bare = name.rpartition(".")
    if prefix and prefix not in LIBRARIES:
        raise InputError(
            Parameter("methods"),
            f" has {name!r}; before the dot stands sklearn or manyminds.",
        )
    found = list(_find_candidates(bare, [prefix] if prefix else list(LIBRARIES)))
    for kind in found:
        if _fits(kind, task):
            return kind
    if found:
        kind_of = "regressor" if _fits(found[0], "regression") else "classifier"
        target = "numbers" if task == "regression" else "classes"
        raise InputError(
            Parameter("methods"), f": {name} is a {kind_of}; the target has {target}."
        )
    if prefix and list(_find_candidates(bare, LIBRARIES)):
        raise InputError(
            Parameter("methods"), f": {prefix} has no {bare!r}; leave out the prefix."
        )
    _raise_unknown(name, bare, task)


def _find_candidates(bare: str, libraries: Iterable[str]) -> Iterator[type]:
    """Return the classes that a name may mean, for any task, the likeliest first."""
    stems = (bare + "Classifier", bare + "Regressor", bare)
    meanings = [name for name in (*ALIASES.get(bare, ()), *stems) if name is not None]
    for library in libraries:
        classes = _find_classes()[library]
        yield from (classes[name] for name in meanings if name in classes)


def _raise_unknown(name: str, bare: str, task: str) -> NoReturn:
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
    raise InputError(
        Parameter("methods"),
        f" has {name!r}, which is no known method. {hint}Short names are "
        f"{', '.join(sorted(short))}; list_methods, or --list-methods, shows all.",
    )


def list_parameters(kind: type) -> dict[str, inspect.Parameter]:
    """Return the parameters of a class by name."""
    return dict(inspect.signature(kind).parameters)


def _fits(kind: type, task: str) -> bool:
    wanted = RegressorMixin if task == "regression" else ClassifierMixin
    return issubclass(kind, wanted)


def _aliases_of(name: str, library: str, ours: dict[str, type]) -> tuple[str, ...]:
    prefix = "sklearn." if library == "sklearn" and name in ours else ""
    return tuple(prefix + alias for alias, names in ALIASES.items() if name in names)


def _depends_on_units(name: str) -> bool:
    return name.startswith(UNIT_SENSITIVE)
