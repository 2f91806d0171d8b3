"""Checks of the docstring: it is complete, and its example runs."""

import ast
import doctest
import inspect
import io
import re
import sys

from sklearn.base import BaseEstimator

from manyminds.testing.assertions import always, check_for, must
from manyminds.testing.cases import case_for, fit, ready, takes_tables

__all__ = [
    "check_documented_attributes",
    "check_documented_defaults",
    "check_documented_parameters",
    "check_example",
    "documented",
    "section",
]

# scikit-learn sets these two for every estimator; a docstring need not repeat them.
COMMON = {"n_features_in_", "feature_names_in_"}


def section(cls: type, title: str) -> str:
    """Return a numpydoc section of the docstring of a class, or an empty text."""
    text = inspect.cleandoc(cls.__doc__ or "")
    parts = re.split(r"^(\S.*)\n-{3,}[ ]*\n", text + "\n", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True)).get(title, "")


def documented(cls: type, title: str) -> dict[str, str]:
    """Return the names in a section such as Parameters, with their types."""
    entries: dict[str, str] = {}
    for line in section(cls, title).splitlines():
        if line and not line[0].isspace():
            names, _, kind = line.partition(":")
            for name in names.split(","):
                entries[name.strip("` *")] = kind.strip()
    return entries


@check_for(always)
def check_documented_parameters(estimator: BaseEstimator) -> None:
    """Check that all parameters are documented, in the order of ``__init__``."""
    cls = type(estimator)
    must(cls.__doc__, "the class has no docstring of its own.")
    expected = list(inspect.signature(cls).parameters)
    found = list(documented(cls, "Parameters"))
    must(
        found == expected,
        f"the docstring has the parameters {found}, __init__ has {expected}.",
    )


@check_for(always)
def check_documented_defaults(estimator: BaseEstimator) -> None:
    """Check that documented defaults are those of ``__init__``."""
    cls = type(estimator)
    types = documented(cls, "Parameters")
    for name, parameter in inspect.signature(cls).parameters.items():
        stated = re.search(r"default[=: ]\s*(.+)$", types.get(name, ""))
        if stated is None:
            continue
        try:
            value = ast.literal_eval(stated[1].strip("` "))
        except (ValueError, SyntaxError):
            continue
        must(
            value == parameter.default,
            f"the default of {name} is {parameter.default!r}, documented as {value!r}.",
        )


@check_for(takes_tables)
def check_documented_attributes(estimator: BaseEstimator) -> None:
    """Check that all public attributes that ``fit`` sets are documented."""
    case = case_for(estimator)
    fitted = fit(ready(estimator), case.X, case.y)
    found = {
        name
        for name in dir(fitted)
        if name.endswith("_") and not name.startswith("_") and hasattr(fitted, name)
    }
    missing = found - set(documented(type(estimator), "Attributes")) - COMMON
    must(not missing, f"the docstring leaves out the attributes {sorted(missing)}.")


@check_for(always)
def check_example(estimator: BaseEstimator) -> None:
    """Check that the example uses the class, runs, and has the shown output."""
    cls = type(estimator)
    text = section(cls, "Examples")
    must(cls.__name__ in text, f"there is no example that uses {cls.__name__}.")
    space = dict(vars(sys.modules[cls.__module__]))
    test = doctest.DocTestParser().get_doctest(text, space, cls.__name__, None, 0)
    runs = [e for e in test.examples if not e.options.get(doctest.SKIP)]
    must(runs, "the section Examples has no line that runs.")
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(checker=_RoundedNumbers(), optionflags=flags)
    report = io.StringIO()
    result = runner.run(test, out=report.write)
    must(result.failed == 0, f"the example fails:\n{report.getvalue()}")


# pytest's option of this name, which doctest does not know, is always on here.
doctest.register_optionflag("NUMBER")
NUMBER = re.compile(r"[+-]?(?:\d+\.(\d*)|\.(\d+)|\d+)(e[+-]?\d+)?")


class _RoundedNumbers(doctest.OutputChecker):
    """Compare numbers up to the digits that the docstring shows."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        wanted, found = list(NUMBER.finditer(want)), list(NUMBER.finditer(got))
        if len(wanted) == len(found):
            for shown, computed in reversed(list(zip(wanted, found, strict=True))):
                if _agrees(shown, computed[0]):
                    got = got[: computed.start()] + shown[0] + got[computed.end() :]
        return super().check_output(want, got, optionflags)


def _agrees(shown: re.Match[str], computed: str) -> bool:
    decimals = len(shown[1] or shown[2] or "")
    unit = 10.0 ** (int((shown[3] or "e0")[1:]) - decimals)
    return abs(float(shown[0]) - float(computed)) <= unit * (1 + 1e-9)
