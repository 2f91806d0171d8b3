"""The rooms keep the rules that no linter knows."""

import ast
import importlib
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
FILES = sorted((SRC / "manyminds").rglob("*.py"))
ROOMS = [file for file in FILES if file.name == "__init__.py"]

TOP_ROOMS = [room for room in ROOMS if len(room.relative_to(SRC).parts) == 3]
# Kernels and utilities are for the other rooms, not for users.
PUBLIC_ROOMS = [
    room for room in TOP_ROOMS if room.parent.name not in ("kernels", "utils")
]


def path(file):
    return file.relative_to(SRC).as_posix()


def imports(file):
    """List the imports of a file as (module, name or None) pairs."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found += [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.module, alias.name) for alias in node.names]
    return found


@pytest.mark.parametrize("file", FILES, ids=path)
def test_private_names_of_scikit_learn_enter_by_compat_only(file):
    if file.name == "_compat.py":
        return
    private = [
        f"{module}.{name}" if name else module
        for module, name in imports(file)
        if module is not None and module.split(".")[0] == "sklearn"
        if any(part.startswith("_") for part in [*module.split("."), name or ""])
    ]
    assert not private, f"import {private} by way of manyminds._compat"


@pytest.mark.parametrize("file", FILES, ids=path)
def test_imports_name_their_room_in_full(file):
    # A relative import hides from the reader, and from this file, what it reaches for.
    assert None not in [module for module, _ in imports(file)]


@pytest.mark.parametrize("file", FILES, ids=path)
def test_top_level_imports_are_declared_dependencies(file):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {entry.split(">=")[0] for entry in project["dependencies"]}
    declared = declared - {"scikit-learn"} | {"sklearn", "manyminds"}
    modules = []
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules.append(node.module)
    roots = {module.split(".")[0] for module in modules}
    assert roots <= declared | sys.stdlib_module_names


@pytest.mark.parametrize("room", ROOMS, ids=path)
def test_a_room_says_what_it_is_for(room):
    purpose = ast.get_docstring(ast.parse(room.read_text()))
    assert purpose, "the first line of a room's __init__.py says its purpose"


@pytest.mark.parametrize("room", PUBLIC_ROOMS, ids=path)
def test_a_public_room_lists_its_surface(room):
    module = importlib.import_module(".".join(room.relative_to(SRC).parts[:2]))
    assert sorted(module.__all__) == sorted(set(module.__all__))
    for name in module.__all__:
        assert getattr(module, name).__doc__, f"{name} has no docstring"


@pytest.mark.parametrize("room", PUBLIC_ROOMS, ids=path)
def test_the_reference_lists_all_of_a_room(room):
    name = ".".join(room.relative_to(SRC).parts[:2])
    reference = (ROOT / "docs" / "reference" / "index.rst").read_text()
    listed = {line.strip() for line in _section_of_module(reference, name)}
    assert set(importlib.import_module(name).__all__) <= listed


def _section_of_module(reference, name):
    lines = iter(reference.splitlines())
    for line in lines:
        if line == f".. currentmodule:: {name}":
            break
    for line in lines:
        if line.startswith(".. currentmodule::"):
            break
        yield line


def test_a_new_room_has_been_given_its_place():
    # import-linter is asked to be exhaustive, so a forgotten room fails `make lint`;
    # this says so where a person adding a room looks first.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contract, *_ = project["tool"]["importlinter"]["contracts"]
    placed = " ".join(contract["layers"]).replace("(", " ").replace(")", " ").split()
    rooms = {room.parent.name for room in TOP_ROOMS}
    assert rooms <= set(placed)
    assert contract["exhaustive"]


def test_lower_bounds_are_the_oldest_versions_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    bounds = dict(entry.split(">=") for entry in project["dependencies"])
    lines = (ROOT / "constraints" / "oldest.txt").read_text().splitlines()
    oldest = dict(line.split("==") for line in lines if "==" in line)
    assert bounds.keys() <= oldest.keys()
    for name, bound in bounds.items():
        assert oldest[name] in (bound, bound + ".0"), name
