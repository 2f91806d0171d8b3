"""What is public changes only where this test is told so.

Each line of ``public_api.txt`` is a name with its parameters, or a command with its
options. After a change that is meant, and that the release notes announce:

    python tests/test_public_api.py
"""

import importlib
import inspect
from pathlib import Path

import typer

from manyminds.cli.main import app

HERE = Path(__file__).parent
FILE = HERE / "public_api.txt"
ROOMS = sorted(
    path.parent.name
    for path in (HERE.parent / "src" / "manyminds").glob("*/__init__.py")
    if path.parent.name not in ("cli", "kernels", "utils")
)


def list_public():
    """List the lines of what is public now."""
    lines = []
    for room in ROOMS:
        module = importlib.import_module(f"manyminds.{room}")
        for name in module.__all__:
            lines += describe(f"manyminds.{room}.{name}", getattr(module, name))
    return sorted(lines) + sorted(list_commands())


def describe(name, found):
    """List a function, or a class and its own methods, with their parameters."""
    if not callable(found):
        return [name]
    lines = [name + list_parameters(found)]
    if inspect.isclass(found) and not issubclass(found, BaseException):
        for method, defined in sorted(inspect.getmembers(found)):
            if method.startswith("_") or not is_ours(defined):
                continue
            shown = list_parameters(defined) if callable(defined) else ""
            lines.append(f"{name}.{method}{shown}")
    return lines


def is_ours(defined):
    """Return whether we define a method: it is not inherited from scikit-learn.

    What stands in for its newest classes, where it is older, is not ours either.
    """
    code = getattr(defined, "fget", None) or getattr(defined, "func", defined)
    module = getattr(code, "__module__", None) or ""
    return module.startswith("manyminds.") and module != "manyminds._compat"


def list_parameters(found):
    """List names of parameters, with a star before those that take keywords only."""
    try:
        known = inspect.signature(found).parameters.values()
    except ValueError:
        return ""
    names = []
    for one in known:
        if one.kind is one.KEYWORD_ONLY and "*" not in "".join(names):
            names.append("*")
        if one.name not in ("self", "cls"):
            names.append(str(one.replace(annotation=one.empty, default=one.empty)))
    return f"({', '.join(names)})"


def list_commands():
    """List the commands with their arguments and options."""
    for name, command in walk("manyminds", typer.main.get_command(app)):
        options = [opt for one in command.params for opt in one.opts]
        yield f"{name}: {' '.join(sorted(options))}"


def walk(name, command):
    if hasattr(command, "commands"):
        for child, found in command.commands.items():
            yield from walk(f"{name} {child}", found)
    else:
        yield name, command


def test_what_is_public_is_what_was_agreed():
    agreed, now = FILE.read_text("utf-8").splitlines(), list_public()
    gone = [line for line in agreed if line not in set(now)]
    new = [line for line in now if line not in set(agreed)]
    assert not gone, "public, and gone: " + "\n".join(gone)
    assert not new, "public, and not agreed on: " + "\n".join(new)


if __name__ == "__main__":
    FILE.write_text("\n".join(list_public()) + "\n", encoding="utf-8")
