"""Time limits and lines of progress."""

from manyminds.networks.constraint.clock import Clock


def test_a_clock_that_was_over_says_so():
    clock = Clock(time_limit=0.0)
    assert not clock.was_over
    assert clock.is_over() and clock.was_over
    assert not Clock(time_limit=1e6).is_over()


def test_progress(capsys):
    Clock(verbose=1, name="PC").report("3 edges")
    Clock(name="PC").report("silence")
    assert capsys.readouterr().err.startswith("PC: 3 edges, 0.0 s spent")
