"""How kernels are compiled: by Numba, with a cache on disk where one can be had."""

import numba


def kernel(**options):
    """Compile a function with ``numba.njit``, cached on disk where possible."""

    def compile_function(function):
        try:
            return numba.njit(cache=True, **options)(function)
        except RuntimeError:  # Numba found no folder that it may write a cache to
            return numba.njit(**options)(function)

    return compile_function


def helper(**options):
    """Compile a function that only kernels of its own file call.

    It becomes part of the kernel, is cached with it, and has no way in from Python,
    which saves a third of the time to compile.
    """
    return numba.njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, **options
    )
