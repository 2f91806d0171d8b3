"""Rules about rooms that no linter checks. Each test reports all offenders at once."""

import ast
import importlib
import re
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src"
FILES = sorted((SRC / "manyminds").rglob("*.py"))
ROOMS = [file for file in FILES if file.name == "__init__.py"]
TOP_ROOMS = {
    room.parent.name: room for room in ROOMS if len(room.relative_to(SRC).parts) == 3
}
# Kernels and utilities are for the other rooms, not for users: all their names are
# internals.
LOWEST_ROOMS = {"kernels", "utils"}
PUBLIC_ROOMS = sorted(TOP_ROOMS.keys() - LOWEST_ROOMS)


def path(file):
    return file.relative_to(SRC).as_posix()


@cache
def tree(file):
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def imports(file):
    """List the imports of a file as (module, name or None) pairs."""
    found = []
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            found += [(alias.name, None) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [(node.module, alias.name) for alias in node.names]
    return found


@cache
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def listed(room, name):
    """Return the strings that a room's __init__.py assigns to a name."""
    for node in tree(TOP_ROOMS[room]).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return set(ast.literal_eval(node.value))
    return set()


def report(offenders):
    offenders = sorted(offenders)
    assert not offenders, "\n".join(["", *offenders])


@pytest.mark.slow
def test_private_names_of_scikit_learn_enter_by_compat_only():
    report(
        f"{path(file)}: import {module}.{name or ''} by way of manyminds._compat"
        for file in FILES
        if file.name != "_compat.py"
        for module, name in imports(file)
        if module is not None and module.split(".")[0] == "sklearn"
        if any(part.startswith("_") for part in [*module.split("."), name or ""])
    )


def test_imports_are_absolute():
    # A relative import hides from the reader, and from this file, which room it needs.
    report(path(file) for file in FILES if any(m is None for m, _ in imports(file)))


def test_top_level_imports_are_declared_dependencies():
    declared = {entry.split(">=")[0] for entry in project()["project"]["dependencies"]}
    declared = declared - {"scikit-learn"} | {"sklearn", "manyminds"}
    offenders = []
    for file in FILES:
        modules = []
        for node in tree(file).body:
            if isinstance(node, ast.Import):
                modules += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules.append(node.module)
        roots = {module.split(".")[0] for module in modules if module is not None}
        unknown = roots - declared - sys.stdlib_module_names
        if file.is_relative_to(SRC / "manyminds" / "serve"):  # imported on demand only
            unknown -= {"markupsafe", "starlette", "python_multipart"}
        offenders += [f"{path(file)}: {root}" for root in sorted(unknown)]
    report(offenders)


def test_a_room_states_its_purpose():
    report(path(room) for room in ROOMS if not ast.get_docstring(tree(room)))


def test_a_public_room_lists_documented_names():
    offenders = []
    for room in PUBLIC_ROOMS:
        module = importlib.import_module(f"manyminds.{room}")
        names = module.__all__
        offenders += [f"{room}: {n} twice" for n in set(names) if names.count(n) > 1]
        offenders += [
            f"{room}: {name} has no docstring"
            for name in names
            if not getattr(module, name).__doc__
        ]
    report(offenders)


def test_the_reference_lists_all_of_a_room():
    reference = (ROOT / "docs" / "reference" / "index.rst").read_text()
    offenders = []
    for room in PUBLIC_ROOMS:
        names = importlib.import_module(f"manyminds.{room}").__all__
        found = {line.strip() for line in _section_of(reference, f"manyminds.{room}")}
        offenders += [f"{room}: {name}" for name in names if name not in found]
    report(offenders)


def _section_of(reference, module):
    lines = iter(reference.splitlines())
    for line in lines:
        if line == f".. currentmodule:: {module}":
            break
    for line in lines:
        if line.startswith(".. currentmodule::"):
            break
        yield line


def test_a_room_uses_listed_names_of_other_rooms_only():
    # Listed are the names in __all__ and, as "module.name", those in INTERNALS.
    offenders, used = [], set()
    for file in FILES:
        own_room = file.relative_to(SRC / "manyminds").parts[0]
        for module, name in imports(file):
            package, _, inner = (module or "").partition(".")
            room, _, place = inner.partition(".")
            if package != "manyminds" or room == own_room or room not in PUBLIC_ROOMS:
                continue
            internal = f"{place}.{name}" if place else f"{name}"
            used.add((room, internal))
            allowed = listed(room, "__all__") | listed(room, "INTERNALS")
            if name not in allowed and internal not in allowed:
                offenders.append(f"{path(file)}: {module}.{name}")
    for room in PUBLIC_ROOMS:
        unused = listed(room, "INTERNALS") - {name for of, name in used if of == room}
        offenders += [f"{room}: nobody uses {entry}" for entry in sorted(unused)]
    report(offenders)


def test_words_are_those_of_the_field():
    # Functions return, compute or check; limits are MAX_ and MIN_.
    dialect = re.compile(r'"""(Give|Tell|Say)\b|\b_?(MOST|LEAST)_[A-Z]')
    report(
        f"{path(file)}: {match.group()}"
        for file in FILES
        for match in dialect.finditer(file.read_text())
    )


def test_every_file_has_a_test_file():
    # tests/ is the same tree. Files of docstring paragraphs have nothing to test.
    exempt = {"__init__.py", "__main__.py", "_parameters.py", "_paragraphs.py"}
    missing = []
    for file in FILES:
        place = file.relative_to(SRC / "manyminds")
        test = ROOT / "tests" / place.parent / f"test_{file.name.lstrip('_')}"
        if file.name not in exempt and not test.exists():
            missing.append(path(file))
    report(missing)


def test_a_new_room_has_been_given_its_place():
    # import-linter is exhaustive, so that a forgotten room fails `make lint`; this
    # reports it where a person adding a room looks first.
    contract = project()["tool"]["importlinter"]["contracts"][0]
    layers = " ".join(contract["layers"]).replace("(", " ").replace(")", " ")
    assert contract["containers"] == ["manyminds"] and contract["exhaustive"]
    report(TOP_ROOMS.keys() - set(layers.split()))


def test_lower_bounds_are_the_oldest_versions_tested():
    bounds = dict(entry.split(">=") for entry in project()["project"]["dependencies"])
    lines = (ROOT / "constraints" / "oldest.txt").read_text().splitlines()
    oldest = dict(line.split("==") for line in lines if "==" in line)
    report(
        f"{name}: {bound}, oldest {oldest.get(name)}"
        for name, bound in bounds.items()
        if oldest.get(name) not in (bound, bound + ".0")
    )
