"""Each check of docstrings can fail: here is the docstring that fails it."""

import pytest

from manyminds.testing.checks import docstrings
from manyminds.testing.checks.docstrings import documented, section
from manyminds.testing.plain import PlainClassifier

CHECKS = [name for name in docstrings.__all__ if name.startswith("check_")]


def _redocumented(old, new):
    doc = PlainClassifier.__doc__
    assert old in doc
    space = {"__doc__": doc.replace(old, new), "__module__": PlainClassifier.__module__}
    return type("PlainClassifier", (PlainClassifier,), space)()


BROKEN = {
    "check_documented_attributes": _redocumented("means_ :", "centres_ :"),
    "check_documented_defaults": _redocumented("default=100", "default=10"),
    "check_documented_parameters": _redocumented("n_jobs :", "n_workers :"),
    "check_example": _redocumented("array(['a', 'b']", "array(['b', 'b']"),
}


def _failures(estimator):
    failures = {}
    for name in CHECKS:
        try:
            getattr(docstrings, name)("estimator", estimator)
        except AssertionError as error:
            failures[name] = str(error)
    return failures


def test_every_check_is_put_to_the_test():
    assert set(BROKEN) == set(CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_fault_fails_its_check_and_no_other(name):
    assert set(_failures(BROKEN[name])) == {name}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (">>> ", "", "no line that runs"),
        (".predict([[2], [3]])", ".predict([[2]])  # doctest: +SKIP", ""),
        ("PlainClassifier", "Other", "no example that uses PlainClassifier"),
    ],
)
def test_an_example_must_run_and_use_the_class(old, new, message):
    failures = _failures(_redocumented(old, new))
    assert message in failures.get("check_example", "")


def test_a_class_needs_a_docstring_of_its_own():
    class Undocumented(PlainClassifier):
        pass

    failures = _failures(Undocumented())
    assert "no docstring of its own" in failures["check_documented_parameters"]


class Documented:
    """Do little.

    Parameters
    ----------
    first, second : float, default=0.5
        Two parameters: at once.
    third : {"a", "b"}, default="a"
        One more.

    Notes
    -----
    None.
    """


def test_sections_are_read_as_numpydoc_writes_them():
    assert documented(Documented, "Parameters") == {
        "first": "float, default=0.5",
        "second": "float, default=0.5",
        "third": '{"a", "b"}, default="a"',
    }
    assert section(Documented, "Notes").strip() == "None."
    assert section(Documented, "Examples") == ""


@pytest.mark.parametrize(
    ("want", "got", "right"),
    [
        ("0.97", "0.9733333", True),
        ("0.97", "0.9533333", False),
        ("[1.5e-05 2]", "[1.512e-05 2]", True),
        ("3", "4.2", False),
        ("a 1.0", "b 1.0", False),
    ],
)
def test_numbers_need_only_agree_in_the_digits_shown(want, got, right):
    checker = docstrings._RoundedNumbers()
    assert checker.check_output(want + "\n", got + "\n", 0) is right
