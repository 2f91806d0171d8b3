"""Durations are read, and work is timed without compiling."""

from types import SimpleNamespace

import pytest

from manyminds.search.evaluation import timing
from manyminds.search.evaluation.timing import Stopwatch, read_seconds, start_stopwatch
from manyminds.utils.errors import ParameterError


@pytest.mark.parametrize(
    ("span", "seconds"),
    [
        (None, None), (90, 90.0), (0.5, 0.5), ("90", 90.0), ("90s", 90.0),
        ("1.5m", 90.0), (".5m", 30.0), ("2 min", 120.0), (" 2H ", 7200.0),
    ],
)  # fmt: skip
def test_durations_are_read(span, seconds):
    assert read_seconds(span) == seconds


@pytest.mark.parametrize(
    "span", ["", "soon", "5 days", "1m30s", "-5", -5, 0, "0s", "1,5m", "nan", True]
)
def test_other_texts_are_refused_by_name(span):
    with pytest.raises(ParameterError) as caught:
        read_seconds(span)
    assert caught.value.parameter == "budget" and caught.value.got == span


@pytest.fixture
def clock(monkeypatch):
    """Return a clock that stands still until it is set."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(timing.time, "perf_counter", lambda: clock.now)
    return clock


def test_compiling_is_not_counted(clock):
    compiling = SimpleNamespace(seconds=0.0)
    watch = Stopwatch(compiling, spent=2.0)
    assert watch.seconds == 2.0
    clock.now, compiling.seconds = 110.0, 4.0
    assert watch.seconds == 2.0 + 10.0 - 4.0


def test_a_stopwatch_starts_from_what_was_spent(clock):
    with start_stopwatch(5.0) as watch:
        clock.now += 3.0
        assert watch.seconds == 8.0
    with start_stopwatch() as watch:
        assert watch.seconds == 0.0
