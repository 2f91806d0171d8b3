import time

from manyminds.utils.progress import print_progress


def test_time_left_is_in_proportion_to_the_work_left(capsys):
    print_progress("Forest", "trees grown", 0.25, time.monotonic() - 2.0)
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "Forest:  25% of the trees grown, 2.0 s spent, 6.0 s left\n"


def test_nothing_is_left_at_the_end(capsys):
    print_progress("Forest", "trees grown", 1.0, time.monotonic() - 2.0)
    assert capsys.readouterr().err.endswith(
        "100% of the trees grown, 2.0 s spent, 0.0 s left\n"
    )
