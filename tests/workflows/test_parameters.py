"""Parameters of reading a table are those that are documented and that are read."""

import inspect
import re

import pytest

from manyminds import workflows
from manyminds.workflows.parameters import READING, TABLE, Reading
from manyminds.workflows.tables import read_input


def list_documented(text):
    heads = re.findall(r"^(\w[\w, ]*) : ", text, flags=re.M)
    return {name for head in heads for name in head.split(", ")}


def test_every_parameter_is_documented():
    assert list_documented(READING) == set(Reading.__annotations__)
    assert list_documented(TABLE) == {"data", "target"}


def test_no_parameter_is_required():
    assert Reading.__required_keys__ == frozenset()
    assert Reading() == {}


def test_every_parameter_is_read():
    known = set(inspect.signature(read_input).parameters)
    assert set(Reading.__annotations__) | {"data", "target"} <= known


@pytest.mark.parametrize("name", ["run_search", "run_selection", "run_analysis"])
def test_workflows_document_what_they_share(name):
    documented = list_documented(inspect.cleandoc(getattr(workflows, name).__doc__))
    assert {"data", "target"} | set(Reading.__annotations__) <= documented
