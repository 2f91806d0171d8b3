"""Instructions that Numba lacks: atomic words, yielding, prefetching, counting zeros.

Without compilation there is one thread: neither atomic words nor yielding are needed.
"""

import ctypes
import sys

import llvmlite.binding
import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

_YIELD = "manyminds_yield"


def _register_yield():
    """Make the system's call to yield the processor known to compiled code."""
    if sys.platform == "win32":
        function = ctypes.windll.kernel32.SwitchToThread
    else:
        function = ctypes.CDLL(None).sched_yield
    llvmlite.binding.add_symbol(_YIELD, ctypes.cast(function, ctypes.c_void_p).value)


_register_yield()


def _pointer(context, builder, signature, arguments):
    """Return the address of an element of a one-dimensional int64 array."""
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    return cgutils.get_item_pointer(
        context, builder, signature.args[0], array, [arguments[1]], wraparound=False
    )


@intrinsic
def add_to_word(typing_context, words, place, amount):
    """Add to a shared word; return what it was."""

    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        return builder.atomic_rmw("add", pointer, arguments[2], "seq_cst")

    return types.int64(words, types.int64, types.int64), generate


@intrinsic
def load_word(typing_context, words, place):
    """Read a shared word as it is now."""

    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        return builder.load_atomic(pointer, "seq_cst", 8)

    return types.int64(words, types.int64), generate


@intrinsic
def yield_processor(typing_context):
    """Let another thread have the processor."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.IntType(32), [])
        function = cgutils.get_or_insert_function(builder.module, kind, _YIELD)
        builder.call(function, [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic
def prefetch(typing_context, array, place):
    """Ask for a place of an array to be brought into the cache."""

    def generate(context, builder, signature, arguments):
        pointer = _pointer(context, builder, signature, arguments)
        pointer = builder.bitcast(pointer, ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = builder.module.declare_intrinsic(
            "llvm.prefetch", [pointer.type], kind
        )
        hints = [ir.Constant(word, hint) for hint in (0, 3, 1)]  # read, keep, data
        builder.call(function, [pointer, *hints])
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


@intrinsic
def _count_trailing_zeros(typing_context, word):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


def count_trailing_zeros(word):
    """Return the number of the lowest bit of a uint64 that is set; one must be."""
    return (int(word) & -int(word)).bit_length() - 1


@overload(count_trailing_zeros)
def _compile_count(word):
    return lambda word: _count_trailing_zeros(word)


if numba.config.DISABLE_JIT:

    def prefetch(array, place):
        """Do nothing: there is no compiled code that would wait."""
