"""SIGTERM and SIGHUP end a command as Ctrl-C does, each with its exit code."""

import gc
import os
import signal

import pytest

from manyminds.cli import stopping
from manyminds.cli.main import main

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are those of Unix")


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_a_command_with_its_code(number, code, monkeypatch, capsys):
    def load(*_, **__):
        os.kill(os.getpid(), number)

    monkeypatch.setattr("manyminds.workflows.prediction.load_model", load)
    monkeypatch.setattr(stopping, "_last", int(signal.SIGINT))
    outer = signal.signal(number, signal.SIG_DFL)  # nohup has SIGHUP ignored
    try:
        with pytest.raises(SystemExit) as left:
            main(["predict", "a.skops", "b.csv"])
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, outer)
    assert left.value.code == code
    assert "Stopped." in capsys.readouterr().err


def test_an_ignored_signal_stays_ignored():
    before = signal.getsignal(signal.SIGHUP)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    try:
        with stopping.handle_signals():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


class Interrupted:
    def __del__(self):
        raise KeyboardInterrupt


class Broken:
    def __del__(self):
        raise ZeroDivisionError("seen")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_in_a_destructor_is_not_shown(capsys):
    with stopping.handle_signals():
        Interrupted()
        gc.collect()
        assert capsys.readouterr().err == ""
        Broken()
        gc.collect()
        assert "seen" in capsys.readouterr().err
