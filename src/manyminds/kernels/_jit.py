"""Compile kernels by Numba, with a cache on disk where one is available.

Numba stamps the cache of a function with its own source file only: after a change of a
helper in another file, the old machine code would still be loaded. Kernels therefore
add a hash of all kernel files that theirs imports, directly or not, to the stamp, so
that they may share helpers.
"""

import hashlib
import pkgutil
import re
import time
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path

import llvmlite.binding
import numba
from numba.core.event import Listener, install_listener

_FOLDER = Path(__file__).parent
_PACKAGE = __name__.rpartition(".")[0]
_IMPORT = re.compile(rf"^from {re.escape(_PACKAGE)}\.([\w.]+) import", re.MULTILINE)


def _hash_with_imports(file):
    """Return a hash of a file and of all kernel files it imports, directly or not.

    None if one of them cannot be read.
    """
    found, waiting = {}, [Path(__file__), Path(file)]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found[file], imported = _read_file(file)
            waiting += imported
    if None in found.values():
        return None
    digests = "\n".join(f"{file.name} {found[file]}" for file in sorted(found))
    return hashlib.sha256(digests.encode()).hexdigest()


@cache
def _read_file(file):
    """Return a hash of a file, None if it cannot be read; and what it imports."""
    try:
        content = file.read_bytes()
    except OSError:
        return None, []
    modules = _IMPORT.findall(content.decode())
    imported = [_FOLDER / f"{module.replace('.', '/')}.py" for module in modules]
    return hashlib.sha256(content).hexdigest(), imported


def find_cache_folder():
    """Return the folder in which compiled code is cached; None if there is none."""
    if numba.config.DISABLE_JIT:
        return None
    folder = Path(numba.config.CACHE_DIR or _FOLDER / "__pycache__")
    return folder if folder.is_dir() else None


@cache
def identify_build():
    """Return a short hash of all kernel files, of Numba and of the processor."""
    files = sorted(_FOLDER.rglob("*.py"))
    digests = [f"{file.name} {_read_file(file)[0]}" for file in files]
    processor = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    digests += [numba.__version__, llvmlite.__version__, processor]
    return hashlib.sha256("\n".join(digests).encode()).hexdigest()[:16]


_kernels = {}  # by the full name of the function


def kernel(*, allocates=True, **options):
    """Compile a function with ``numba.njit``, cached on disk where possible.

    ``allocates=False`` promises that neither it nor any helper it calls makes an array
    or a view. Numba then counts no references, which would cost a tenth of the time.
    """
    if not allocates:
        options["_nrt"] = False

    def compile_function(function):
        compiled = _compile_cached(function, options)
        _kernels[f"{function.__module__}.{function.__name__}"] = compiled
        return compiled

    return compile_function


def _compile_cached(function, options):
    """Compile a function, with a disk cache if one can be had."""
    if numba.config.DISABLE_JIT:
        return _njit(**options)(function)
    try:
        compiled = _njit(cache=True, **options)(function)
    except RuntimeError:  # Numba found no writable folder for the cache
        return _njit(**options)(function)
    if not _add_stamp(compiled, function.__code__.co_filename):
        return _njit(**options)(function)
    return _flush_if_unreadable(compiled)


def _add_stamp(compiled, file):
    """Add the hash of a kernel's files to the cache's stamp; return whether it worked.

    Numba compares the stamp with that in the index on disk, and overwrites an index
    with another stamp: stale files do not accumulate. The attribute is private, so a
    Numba that has it no longer gets kernels without a cache, never a stale one.
    """
    stamp = _hash_with_imports(file)
    try:
        index = compiled._cache._cache_file
        index._source_stamp = stamp, index._source_stamp
    except AttributeError:
        return False
    return stamp is not None


def _flush_if_unreadable(compiled):
    """Empty the cache of a kernel, and compile again, when it cannot be read.

    After an upgrade the cache's list of signatures may name classes that were moved or
    removed, which Numba does not expect.
    """
    cache = getattr(compiled, "_cache", None)
    load = getattr(cache, "load_overload", None)
    if load is None:  # a Numba that works in another way
        return compiled

    def load_or_flush(*arguments):
        try:
            return load(*arguments)
        except (AttributeError, ImportError):
            cache.flush()
            return None

    cache.load_overload = load_or_flush
    return compiled


def helper(**options):
    """Compile a function that only kernels and other helpers call.

    It becomes part of the kernel, is cached with it, and has no entry point for Python,
    which saves a third of the time to compile. It allocates no array and no view: Numba
    counts no references in it.
    """
    return _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, **options)


def _njit(**options):
    """Call ``numba.njit``, dropping options that only save time if it rejects them.

    The versions that we test know them; Numba does not promise to keep them.
    """
    try:
        return numba.njit(**options)
    except (KeyError, TypeError):
        quicker = {"no_cpython_wrapper", "no_cfunc_wrapper", "_nrt", "forceinline"}
        return numba.njit(**{k: v for k, v in options.items() if k not in quicker})


class CompileClock(Listener):
    """Sum the seconds that Numba compiles; loading from the disk cache does not count.

    Attributes
    ----------
    seconds : float
    """

    def __init__(self, on_first=None):
        self.seconds = 0.0
        self._on_first, self._depth = on_first, 0

    def on_start(self, event):
        """Start the clock, unless a kernel compiles another one that it calls."""
        if self._depth == 0:
            self._begun = time.perf_counter()
        self._depth += 1
        if self._on_first is not None:
            self._on_first, call = None, self._on_first
            call()

    def on_end(self, event):
        """Add the time of the kernel, including all that it calls."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._begun


@contextmanager
def time_compiling(on_first=None):
    """Sum the seconds that Numba compiles while the context is open.

    Parameters
    ----------
    on_first : callable or None, default=None
        Called without arguments when a first kernel is about to be compiled.

    Yields
    ------
    clock : CompileClock
    """
    with install_listener("numba:compile", CompileClock(on_first)) as clock:
        yield clock


def list_kernels():
    """Import all kernel files; return the kernels by name, such as "walking.walk".

    Kernels that other packages define by the same decorator are left out.
    """
    for info in pkgutil.walk_packages([str(_FOLDER)], f"{_PACKAGE}."):
        import_module(info.name)
    return {
        name.removeprefix(f"{_PACKAGE}."): compiled
        for name, compiled in sorted(_kernels.items())
        if name.startswith(f"{_PACKAGE}.")
    }


def find_cache(compiled):
    """Return the folder of a kernel's disk cache, or None if it has none."""
    stats = getattr(compiled, "stats", None)  # a plain function has no such thing
    return Path(stats.cache_path) if stats is not None and stats.cache_path else None


def count_cached(compiled):
    """Return for how many signatures the disk cache has a kernel that runs here.

    Machine code of another processor, of another version of the files or of Numba does
    not count. Of a Numba whose cache works in another way, the signatures that this
    process has used are counted instead.
    """
    if find_cache(compiled) is None:
        return 0
    cache, codegen = compiled._cache, compiled.targetctx.codegen()
    try:
        stored = cache._cache_file._load_index()
        return sum(cache._index_key(key[0], codegen) == key for key in stored)
    except (AttributeError, ImportError):
        return len(compiled.signatures)
