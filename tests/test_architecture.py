"""The walks of the architecture page name files and functions that exist."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WALKS = ROOT / "docs" / "explanation" / "walks"
STEP = re.compile(r"``([\w/]+)(\.py)?(?::\s+([\w.,\s]+))?``")


def find_names(file):
    """List the functions, classes and methods that a file defines."""
    tree = ast.parse(file.read_text())
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def list_files(place):
    place = ROOT / "src" / "manyminds" / place
    return sorted(place.glob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


@pytest.mark.parametrize(
    "walk", sorted(WALKS.glob("*.inc")), ids=lambda walk: walk.stem
)
def test_steps_of_a_walk_exist(walk):
    steps = [step for step in STEP.findall(walk.read_text()) if "/" in step[0]]
    missing = []
    for place, _, names in steps:
        files = list_files(place)
        known = {name for one in files if one.exists() for name in find_names(one)}
        wanted = {part for name in re.split(r",\s+", names) for part in name.split(".")}
        missing += [f"{place}: {name}" for name in wanted - known - {""}]
        missing += [str(one) for one in files if not one.exists()]
    assert steps and not missing


@pytest.mark.parametrize(("walk", "limit"), [("forest", 6), ("mrmr", 7)])
def test_a_walk_passes_few_files(walk, limit):
    text = (WALKS / f"{walk}.inc").read_text()
    numbered = re.findall(r"(?ms)^#\. ``([\w/]+)(?:\.py)?:", text)
    assert 1 < len(set(numbered)) <= limit
