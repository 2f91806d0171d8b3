"""Checks of parameters: unchanged by ``fit``, validated, and routed."""

import inspect
import re
from numbers import Real
from typing import Any

import joblib
from sklearn import config_context
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import has_fit_parameter

from manyminds.testing.assertions import check_for, expect_error, must
from manyminds.testing.cases import case_for, fit, ready, takes_tables
from manyminds.testing.checks.docstrings import documented
from manyminds.testing.outputs import outputs

__all__ = [
    "check_metadata_routing",
    "check_parameters_unchanged",
    "check_wrong_parameters",
]


@check_for(takes_tables)
def check_parameters_unchanged(estimator: BaseEstimator) -> None:
    """Check that no method changes or replaces a parameter."""
    case, model = case_for(estimator), ready(estimator)
    # Shallow: get_params(deep=True) of a pipeline shows its steps as well, and
    # the hash of a parameter covers whatever is inside it.
    before = model.get_params(deep=False)
    hashes = {name: joblib.hash(value) for name, value in before.items()}
    outputs(fit(model, case.X, case.y), case.X_new)
    after = model.get_params(deep=False)
    must(before.keys() == after.keys(), "fit adds or removes parameters.")
    for name, value in after.items():
        must(value is before[name], f"fit replaces the parameter {name}.")
        same = joblib.hash(value) == hashes[name]
        must(same, f"fit changes the parameter {name} in place.")


class Nonsense:
    """A value that is invalid for every parameter."""

    def __repr__(self) -> str:
        return "Nonsense()"


@check_for(takes_tables)
def check_wrong_parameters(estimator: BaseEstimator) -> None:
    """Check that a numeric parameter of a wrong type raises, by its name."""
    case = case_for(estimator)
    for name in _numeric_parameters(type(estimator)):
        model = ready(estimator).set_params(**{name: Nonsense()})
        expect_error(
            fit,
            model,
            case.X,
            case.y,
            match=rf"\b{re.escape(name)}\b",
            when=f"{name} is an object of no known type",
        )


def _numeric_parameters(cls: type[BaseEstimator]) -> list[str]:
    types = documented(cls, "Parameters")
    return [
        name
        for name, parameter in inspect.signature(cls).parameters.items()
        if _is_number(parameter.default)
        or re.search(r"\b(int|float)\b", types.get(name, ""))
    ]


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


@check_for(takes_tables)
def check_metadata_routing(estimator: BaseEstimator) -> None:
    """Check that ``get_metadata_routing`` works, and clones keep requests."""
    with config_context(enable_metadata_routing=True):
        model = ready(estimator)
        model.get_metadata_routing()
        weighs = has_fit_parameter(model, "sample_weight")
        if weighs and hasattr(model, "set_fit_request"):
            twin = clone(model.set_fit_request(sample_weight=True))
            routing = twin.get_metadata_routing()
            consumed = set(routing.consumes("fit", ["sample_weight"]))
            kept = consumed == {"sample_weight"}
            must(kept, "a clone loses the request of fit for sample_weight.")
