"""How kernels are compiled: by Numba, with a cache on disk where one can be had."""

import time
from contextlib import contextmanager

import numba
from numba.core.event import Listener, install_listener


def kernel(*, allocates=True, **options):
    """Compile a function with ``numba.njit``, cached on disk where possible.

    ``allocates=False`` promises that neither it nor any helper it calls makes an array
    or a view. Numba then counts no references, which would cost a tenth of the time.
    """
    if not allocates:
        options["_nrt"] = False

    def compile_function(function):
        try:
            return _forget_unreadable(_njit(cache=True, **options)(function))
        except RuntimeError:  # Numba found no folder that it may write a cache to
            return _njit(**options)(function)

    return compile_function


def _forget_unreadable(compiled):
    """Empty the cache of a kernel, and compile anew, when it cannot be read.

    After an upgrade the cache's list of signatures may name classes that have moved or
    are gone, which Numba does not expect.
    """
    cache = getattr(compiled, "_cache", None)
    load = getattr(cache, "load_overload", None)
    if load is None:  # a Numba that works in another way
        return compiled

    def load_or_forget(*arguments):
        try:
            return load(*arguments)
        except (AttributeError, ImportError):
            cache.flush()
            return None

    cache.load_overload = load_or_forget
    return compiled


def helper(**options):
    """Compile a function that only kernels of its own file call.

    It becomes part of the kernel, is cached with it, and has no way in from Python,
    which saves a third of the time to compile. It makes no array and no view: Numba
    counts no references in it.
    """
    return _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, **options)


def _njit(**options):
    """Call ``numba.njit``, without those options that only make it quicker if need be.

    They are known to the versions that we test; Numba does not promise to keep them.
    """
    try:
        return numba.njit(**options)
    except (KeyError, TypeError):
        quicker = {"no_cpython_wrapper", "no_cfunc_wrapper", "_nrt"}
        return numba.njit(**{k: v for k, v in options.items() if k not in quicker})


class CompileClock(Listener):
    """Count the seconds that Numba compiles; loading from the disk cache is none.

    Attributes
    ----------
    seconds : float
    """

    def __init__(self, on_first=None):
        self.seconds = 0.0
        self._on_first, self._depth = on_first, 0

    def on_start(self, event):
        """Start counting, unless a kernel compiles another one that it calls."""
        if self._depth == 0:
            self._begun = time.perf_counter()
        self._depth += 1
        if self._on_first is not None:
            self._on_first, call = None, self._on_first
            call()

    def on_end(self, event):
        """Add what the kernel took, with all that it calls."""
        self._depth -= 1
        if self._depth == 0:
            self.seconds += time.perf_counter() - self._begun


@contextmanager
def time_compiling(on_first=None):
    """Count the seconds that Numba compiles while the context is open.

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
