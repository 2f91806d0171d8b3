"""Kernels and their cache on disk, in processes of their own."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest
from numba.core import caching

import manyminds
from manyminds.kernels import _jit

RENAMED = """
from typing import NamedTuple
from manyminds.kernels._jit import kernel

class {name}(NamedTuple):
    value: float

@kernel(nogil=True)
def double(pair):
    return 2.0 * pair.value

print(double({name}(21.0)), sum(double.stats.cache_misses.values()))
"""

HELPERS = """
from shared.kernels._jit import helper

FACTOR = 1

@helper()
def scale(x):
    return FACTOR * x
"""

LOOPS = """
from shared.kernels._jit import kernel
from shared.kernels.helpers import scale

@kernel(nogil=True)
def double(x):
    return 2 * scale(x)
"""

COUNT = """
from shared.kernels._jit import count_cached, find_cache, list_kernels

kernels = list_kernels()
print(*kernels, *(count_cached(one) for one in kernels.values()))
print(find_cache(kernels["loops.double"]))
"""

CALL = """
from shared.kernels.loops import double

print(double(21), sum(double.stats.cache_misses.values()))
"""


def run(code, folder, **settings):
    """Run code in a new process; return what it prints, split into words."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "cache")}
    env["PYTHONPATH"] = str(Path(manyminds.__file__).parents[1])
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # or Python itself would look at times only
    env.pop("NUMBA_DISABLE_JIT", None)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=env | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def write(file, text):
    """Write a file with a fixed time of change, so that only its content differs."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    os.utime(file, (1_700_000_000, 1_700_000_000))


@pytest.fixture
def package(tmp_path):
    """Write a package of two kernel files, one of which imports the other."""
    kernels = tmp_path / "shared" / "kernels"
    write(tmp_path / "shared" / "__init__.py", "")
    write(kernels / "__init__.py", "")
    write(kernels / "helpers.py", HELPERS)
    write(kernels / "loops.py", LOOPS)
    shutil.copy2(_jit.__file__, kernels / "_jit.py")
    return tmp_path


@pytest.mark.slow
def test_a_cache_that_names_a_removed_class_is_compiled_again(tmp_path):
    # What an upgrade may leave behind: Numba itself raises AttributeError here.
    printed = []
    for name in ("Before", "After", "After"):
        write(tmp_path / "module_of_kernels.py", RENAMED.format(name=name))
        printed.append(run("import module_of_kernels", tmp_path))
    assert printed == [["42.0", "1"], ["42.0", "1"], ["42.0", "0"]]


@pytest.mark.slow
def test_a_changed_helper_of_another_file_is_compiled_again(package):
    # Numba alone would load the first version for ever: loops.py does not change.
    helpers, cache = package / "shared" / "kernels" / "helpers.py", package / "cache"
    printed, n_files = [], []
    for factor in ("1", "1", "3", "3", "1"):
        write(helpers, HELPERS.replace("FACTOR = 1", f"FACTOR = {factor}"))
        printed.append(run(CALL, package))
        n_files.append(sum(file.is_file() for file in cache.rglob("*")))
    assert printed == [
        ["42", "1"],
        ["42", "0"],
        ["126", "1"],
        ["126", "0"],
        ["42", "1"],
    ]
    assert n_files == [2] * 5  # index and machine code: stale ones do not accumulate


@pytest.mark.slow
def test_imported_kernel_files_are_part_of_the_stamp_and_others_are_not(package):
    # Compile options are in _jit.py; kernels may have sub-packages.
    kernels = package / "shared" / "kernels"
    write(kernels / "deeper" / "__init__.py", "")
    write(kernels / "deeper" / "constants.py", "FACTOR = 1\n")
    below = "from shared.kernels.deeper.constants import FACTOR"
    write(kernels / "helpers.py", HELPERS.replace("FACTOR = 1", below))
    write(kernels / "other.py", "# imported by none\n")
    assert run(CALL, package) == ["42", "1"]
    for change, misses in (
        ("_jit.py", "1"),
        ("deeper/constants.py", "1"),
        ("other.py", "0"),
    ):
        file = kernels / change
        write(file, file.read_text() + "\n# changed\n")
        assert run(CALL, package) == ["42", misses], change


@pytest.mark.parametrize(
    "file", sorted(Path(_jit.__file__).parent.rglob("*.py")), ids=lambda file: file.stem
)
def test_all_imports_of_kernel_files_are_found(file):
    imported = {
        node.module
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.ImportFrom)
        and node.module.startswith("manyminds.kernels")
    }
    _digest, files = _jit._read_file(file)
    assert len(set(files)) == len(imported)
    assert all(found.exists() for found in files)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="is about compiling")
def test_without_a_stamp_there_is_no_disk_cache(monkeypatch):
    # A later Numba may drop the private attribute: slower, but never stale.
    class OtherIndex(caching.IndexDataCacheFile):
        def __init__(self, **arguments):
            super().__init__(**arguments)
            self.other_name = self.__dict__.pop("_source_stamp")

    def double(x):
        return 2 * x

    assert _jit.kernel()(double).stats.cache_path is not None
    monkeypatch.setattr(caching, "IndexDataCacheFile", OtherIndex)
    compiled = _jit.kernel()(double)
    assert compiled.stats.cache_path is None
    assert compiled(21) == 42


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="is about compiling")
def test_without_source_files_there_is_no_disk_cache(monkeypatch, tmp_path):
    assert _jit._hash_with_imports(tmp_path / "missing.py") is None
    monkeypatch.setattr(_jit, "_hash_with_imports", lambda file: None)
    assert _jit.kernel()(lambda x: 2 * x).stats.cache_path is None


@pytest.mark.slow
def test_cached_signatures_are_counted(package):
    # A helper is no kernel; a call with another type is another signature.
    name, before, folder = run(COUNT, package)
    assert (name, before) == ("loops.double", "0")
    assert Path(folder).is_relative_to(package / "cache")
    run(CALL, package)
    assert run(COUNT, package)[:2] == ["loops.double", "1"]
    run(CALL.replace("21", "21.0"), package)
    assert run(COUNT, package)[:2] == ["loops.double", "2"]
    # Machine code for another processor cannot be loaded on this one.
    assert run(COUNT, package, NUMBA_CPU_NAME="generic")[:2] == ["loops.double", "0"]
    helpers = package / "shared" / "kernels" / "helpers.py"
    write(helpers, HELPERS + "# another version")
    assert run(COUNT, package)[:2] == ["loops.double", "0"]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="is about compiling")
def test_what_has_no_cache_is_counted_as_not_cached(monkeypatch):
    monkeypatch.setattr(_jit, "_hash_with_imports", lambda file: None)
    compiled = _jit.kernel()(lambda x: 2 * x)
    assert compiled(21) == 42
    assert _jit.find_cache(compiled) is None and _jit.count_cached(compiled) == 0


def test_all_kernels_are_listed():
    folder = Path(_jit.__file__).parent
    sources = [file.read_text() for file in folder.rglob("*.py")]
    n_decorated = sum(text.count("\n@kernel(") for text in sources)
    names = list(_jit.list_kernels())
    assert len(names) == n_decorated
    assert {"walking.walk", "growing.trees.grow_trees"} <= set(names)
