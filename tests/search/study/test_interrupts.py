"""Signals are remembered, and handled as before."""

import os
import signal

import pytest

from manyminds.search.study.interrupts import watch_interrupts

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are those of Unix")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_interrupts_is_remembered(number):
    before = signal.getsignal(number)

    def interrupt(*_):
        raise KeyboardInterrupt

    signal.signal(number, interrupt)
    try:
        with watch_interrupts() as interrupted:
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), number)
            assert interrupted.is_set()
        assert signal.getsignal(number) is interrupt
    finally:
        signal.signal(number, before)


def test_a_signal_that_ends_the_process_is_left_alone():
    before = signal.getsignal(signal.SIGHUP)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with watch_interrupts():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
