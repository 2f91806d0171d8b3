"""How much is fuzzed, from which seed, and how a valid file is damaged.

``make fuzz N=10000`` sets the number of inputs of each test and limits the memory of
the process. The seed and its number, which a failure names, determine an input. What
was run is counted, and listed at the end.
"""

import faulthandler
import os
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

N_INPUTS = int(os.environ.get("MANYMINDS_FUZZ_N", "50"))
SEED = int(os.environ.get("MANYMINDS_FUZZ_SEED", "0"))
MEMORY = int(os.environ.get("MANYMINDS_FUZZ_MEMORY", "0"))  # bytes; 0 for no limit
TIME = float(os.environ.get("MANYMINDS_FUZZ_SECONDS", "inf"))  # of each test
MAX_SECONDS = 60.0  # of the processor
MAX_WAIT = 600.0  # seconds, after which a hang ends the process
MAX_MESSAGE = 2_000  # characters

# What readers stumble over: ends of cells and lines, quotes, numbers out of range,
# bytes that are no text, marks of other formats.
TOKENS = (
    b"", b",", b";", b"\t", b"\n", b"\r", b"\r\n", b'"', b"'", b"\\", b"\x00", b"\xff",
    b"\xef\xbb\xbf", b"\xff\xfe", b"{", b"}", b"[", b"]", b"?", b"%", b"#", b":", b"@",
    b"nan", b"NaN", b"inf", b"-inf", b"1e999", b"-1e-400", b"0x1p3", b"1_000", b"1,5",
    b"99999999999999999999", b"-1", b"2147483648", b"9223372036854775808", b"true",
    b"null", b"@data", b"@attribute", b"target", b"class", b"qid:1", b"0:1", b"1:",
    "é".encode(), "é".encode(), "\u2028".encode(), "\U0001f600".encode(),
    "€1,234.50".encode(), b"5 %", b"1.234,5", b"1", b"=1+1", b"../../x", b"2020-13-45",
    b"0001-01-01", b"99999-01-01",
)  # fmt: skip

used = []  # all fuzzers of the run


def pytest_configure():
    if MEMORY:
        import resource  # of POSIX

        # Not the address space: of that, libraries reserve gigabytes and use little.
        used = int(Path("/proc/self/statm").read_text().split()[5])
        most = used * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    try:
        from hypothesis import HealthCheck, settings
    except ImportError:
        return
    settings.register_profile(
        "manyminds",
        max_examples=N_INPUTS,
        derandomize=SEED == 0,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("manyminds")


def pytest_collection_modifyitems(items):
    """Mark long runs as slow."""
    if N_INPUTS > 50:
        for item in items:
            if item.path.parent == Path(__file__).parent:
                item.add_marker(pytest.mark.slow)


@dataclass
class Fuzzer:
    """Draw inputs, time what is done with them, and name the one that fails."""

    n_inputs: int
    name: str = ""
    n_run: int = 0
    failures: list[str] = field(default_factory=list)
    slowest: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)  # of inputs, by a test

    def rngs(self, *key, share=1.0):
        """Yield the number and the generator of each input; fewer of slow ones."""
        end = time.monotonic() + TIME
        for number in range(max(1, round(share * self.n_inputs))):
            if number and number % 500 == 0:
                self._show(str(self))
            if time.monotonic() > end:
                break
            yield number, np.random.default_rng([SEED, *key, number])

    def run(self, label, call, *arguments):
        """Call a function, and record an exception or a hang under a label."""
        self.n_run += 1
        start, clock = sum(os.times()[:4]), time.monotonic()
        try:
            with _ended_if_it_hangs(f"{self.name}: {label}"):
                return call(*arguments)
        except Exception as error:  # every kind is a finding
            text = f"{label}: {type(error).__name__}: {str(error).splitlines()[:1]}"
            self._add_failure(text[:MAX_MESSAGE])
        finally:
            # Of the processor, with children: a busy machine is slow for other reasons.
            seconds = sum(os.times()[:4]) - start
            self.slowest = max(self.slowest, seconds)
            if seconds > MAX_SECONDS or time.monotonic() - clock > MAX_WAIT / 2:
                self._add_failure(f"{label}: took {seconds:.0f} s")
        return None

    def _add_failure(self, text):
        self.failures.append(text)
        self._show(f"{self.name}: {text}")

    def _show(self, text):
        if MEMORY:  # a long run: with -s, it is shown at once
            print(f"\n{text}", file=sys.__stderr__, flush=True)

    def __str__(self):
        shares = ", ".join(f"{count} {kind}" for kind, count in self.outcomes.items())
        return (
            f"{self.name}: {self.n_run} inputs of seed {SEED}, {len(self.failures)} "
            f"failures, at most {self.slowest:.1f} s{shares and f' ({shares})'}"
        )

    def damage(self, rng, content, other=b""):
        """Return bytes that differ from those of a valid file in one to four places."""
        content = bytearray(content)
        for _ in range(int(rng.integers(1, 5))):
            CHANGES[int(rng.integers(len(CHANGES)))](rng, content, other)
        return bytes(content)


@contextmanager
def _ended_if_it_hangs(label):
    """End this process, and say where it was, if the block takes too long."""

    def end():
        print(f"\n{label}: hangs", file=sys.__stderr__, flush=True)
        faulthandler.dump_traceback(sys.__stderr__)
        os._exit(1)

    timer = threading.Timer(MAX_WAIT, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _span(rng, content):
    start = int(rng.integers(len(content) + 1))
    return start, min(len(content), start + int(rng.geometric(0.05)))


def _flip_byte(rng, content, other):
    if content:
        content[int(rng.integers(len(content)))] ^= 1 << int(rng.integers(8))


def _insert_token(rng, content, other):
    start = int(rng.integers(len(content) + 1))
    content[start:start] = TOKENS[int(rng.integers(len(TOKENS)))]


def _replace_span(rng, content, other):
    start, end = _span(rng, content)
    content[start:end] = TOKENS[int(rng.integers(len(TOKENS)))]


def _delete_span(rng, content, other):
    start, end = _span(rng, content)
    del content[start:end]


def _repeat_span(rng, content, other):
    start, end = _span(rng, content)
    content[start:start] = content[start:end] * int(rng.integers(1, 20))


def _truncate(rng, content, other):
    del content[int(rng.integers(len(content) + 1)) :]


def _swap_lines(rng, content, other):
    lines = bytes(content).split(b"\n")
    first, second = rng.integers(len(lines), size=2)
    lines[first], lines[second] = lines[second], lines[first]
    content[:] = b"\n".join(lines)


def _splice(rng, content, other):
    start, end = _span(rng, content)
    if other:
        content[start:end] = other[slice(*_span(rng, other))]


def _random_bytes(rng, content, other):
    start, end = _span(rng, content)
    content[start:end] = rng.bytes(end - start)


CHANGES = (
    _flip_byte, _insert_token, _insert_token, _replace_span, _replace_span,
    _delete_span, _repeat_span, _truncate, _swap_lines, _splice, _random_bytes,
)  # fmt: skip


@pytest.fixture
def fuzzer(request):
    """Return the fuzzer; the test fails at its end if an input has failed."""
    one = Fuzzer(N_INPUTS, request.node.name)
    used.append(one)
    yield one
    if one.failures:
        shown = "\n".join(one.failures[:20])
        pytest.fail(f"{len(one.failures)} of {one.n_run} inputs:\n{shown}", False)


def pytest_terminal_summary(terminalreporter):
    if MEMORY:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_000
        terminalreporter.section(f"fuzzed inputs, at most {most} MB resident")
        for one in used:
            terminalreporter.write_line(str(one))
