"""Kernel files follow the rules that keep Numba's disk cache and results correct."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from manyminds.kernels._jit import helper, kernel

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / "src" / "manyminds" / "kernels"
FILES = sorted(
    file
    for file in KERNELS.rglob("*.py")
    if file.name not in ("__init__.py", "_jit.py", "_intrinsics.py")
)
# ``typing`` is for NamedTuple, which gives names to a kernel's many arguments. Other
# kernel files are part of the stamp of the disk cache; nothing else may be imported.
ALLOWED_IMPORTS = {"numpy", "math", "typing"}
MAX_ARGUMENTS = 12  # beyond which arguments want a named tuple


def name(file):
    return file.relative_to(KERNELS).with_suffix("").as_posix()


def broken_rules(source):
    """List the rules of a kernel file that ``source`` breaks, with line numbers."""
    broken = []
    for node in ast.walk(ast.parse(source)):
        for rule in (_imports, _random_numbers, _docstring, _arguments, _decorators):
            broken += [f"line {node.lineno}: {what}" for what in rule(node)]
    return broken


def _imports(node):
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        modules = [node.module]
    else:
        return
    for module in modules:
        is_kernel_file = str(module).startswith("manyminds.kernels.")
        if module not in ALLOWED_IMPORTS and not is_kernel_file:
            yield f"imports {module}"


def _random_numbers(node):
    if isinstance(node, ast.Attribute) and node.attr == "random":
        yield "draws random numbers of its own"
    if isinstance(node, ast.ImportFrom) and node.module == "numpy":
        if "random" in [alias.name for alias in node.names]:
            yield "draws random numbers of its own"


def _docstring(node):
    if isinstance(node, ast.FunctionDef) and not ast.get_docstring(node):
        yield f"{node.name} has no docstring"


def _arguments(node):
    if isinstance(node, ast.FunctionDef) and len(node.args.args) > MAX_ARGUMENTS:
        yield f"{node.name} takes more than {MAX_ARGUMENTS} arguments"


def _decorators(node):
    if not isinstance(node, ast.FunctionDef):
        return
    for decorator in node.decorator_list:
        is_call = isinstance(decorator, ast.Call)
        if not is_call or ast.unparse(decorator.func) not in ("kernel", "helper"):
            yield f"{node.name} is decorated by neither kernel(...) nor helper(...)"
            continue
        if decorator.args:
            yield f"{node.name} has a signature: it would compile at import"
        for option in decorator.keywords:
            if option.arg in ("parallel", "fastmath", "cache"):
                yield f"{node.name} sets {option.arg}"
            elif option.arg is None:
                yield f"{node.name} hides its options behind **"


@pytest.mark.parametrize("file", FILES, ids=name)
def test_kernel_file_follows_the_rules(file):
    assert broken_rules(file.read_text()) == []


@pytest.mark.parametrize(
    "source, complaint",
    [
        ("import numba", "imports numba"),
        ("from manyminds.utils.files import f", "imports manyminds.utils.files"),
        ("from manyminds.kernels import bins", "imports manyminds.kernels"),
        ("from . import binning", "imports None"),
        ("@kernel()\ndef f(): 'Draw.'; np.random.rand()", "draws random numbers"),
        ("from numpy import random", "draws random numbers"),
        ("@kernel()\ndef f(): pass", "f has no docstring"),
        (
            "@kernel()\ndef f(a,b,c,d,e,g,h,i,j,k,l,m,n): 'Do.'",
            "more than 12 arguments",
        ),
        ("@kernel(parallel=True)\ndef f(): 'Do.'", "f sets parallel"),
        ("@helper(fastmath=True)\ndef f(): 'Do.'", "f sets fastmath"),
        ("@kernel(**options)\ndef f(): 'Do.'", "f hides its options"),
        ("@kernel('f8(f8)')\ndef f(x): 'Do.'", "f has a signature"),
        ("@kernel\ndef f(): 'Do.'", "neither kernel(...) nor"),
        ("@njit()\ndef f(): 'Do.'", "neither kernel(...) nor"),
    ],
)
def test_broken_rules_are_found(source, complaint):
    (broken,) = broken_rules(source)
    assert complaint in broken


@pytest.mark.slow
def test_kernels_are_cached_on_disk(tmp_path):
    # A module of its own, so that nothing is written next to our tests.
    (tmp_path / "cached.py").write_text(
        "from manyminds.kernels._jit import kernel\n"
        "@kernel()\n"
        "def double(x):\n"
        "    return 2 * x\n"
        "print(double(21), sum(double.stats.cache_hits.values()))\n"
    )
    assert _run(tmp_path / "cached.py") == "42 0\n"
    assert _run(tmp_path / "cached.py") == "42 1\n"


def _run(script):
    # A cache folder of its own, whatever the user has set.
    environment = os.environ | {"NUMBA_CACHE_DIR": str(script.parent / "cache")}
    environment.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, script.name],
        cwd=script.parent,
        env=environment | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _function_without_a_file():
    """Return a function without a source file, which Numba cannot cache."""
    namespace = {}
    exec("def double(x):\n    return 2 * x", namespace)
    return namespace["double"]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="is about compiling")
def test_kernels_compile_where_no_cache_can_be_written(monkeypatch):
    # In a cache folder set by the user, Numba caches even a function without a file.
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    with pytest.raises(RuntimeError, match="cannot cache"):
        numba.njit(cache=True)(_function_without_a_file())

    double = kernel(nogil=True)(_function_without_a_file())
    assert double(21) == 42
    assert double.signatures  # compiled, not merely called
    assert double.targetoptions["nogil"]


def test_helpers_become_part_of_the_kernel_that_calls_them():
    @helper()
    def double(x):
        return 2 * x

    @kernel()
    def double_and_add(x, y):
        return double(x) + y

    assert double_and_add(20, 2) == 42


@pytest.mark.no_jit
def test_kernels_are_plain_functions_without_jit():
    for compile_function in kernel(nogil=True), helper(nogil=True):
        double = compile_function(_function_without_a_file())
        assert hasattr(double, "py_func") != bool(numba.config.DISABLE_JIT)
    assert kernel()(_function_without_a_file())(np.int64(21)) == 42


@pytest.mark.slow
def test_marked_tests_pass_without_jit():
    command = [sys.executable, "-m", "pytest", "-m", "no_jit", "-q", "-x", "-rN"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", "-p", "no:xdist", "tests"],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
