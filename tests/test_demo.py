"""The demo prints what it promises."""

import numpy as np

from manyminds import demo


def test_table_shows_times_and_accuracy_side_by_side():
    ours = demo.Outcome(0.5, 0.25, np.array([0.9, 1.0]))
    theirs = demo.Outcome(12.0, 3.0, np.array([0.9, 0.9]))
    heading, first, second = demo.table([("iris", ours, theirs)])
    assert heading.split() == ["data", "set", "forest", "fit", "predict", "accuracy"]
    assert first.split() == "iris manyminds 0.50 s 0.25 s 95.00 % ± 5.00".split()
    assert second.split() == "iris scikit-learn 12.00 s 3.00 s 90.00 % ± 0.00".split()
    assert len(first) == len(second)


def test_demo_runs(capsys, monkeypatch):
    monkeypatch.setattr(demo, "N_TREES", 3)
    monkeypatch.setattr(demo, "N_FOLDS", 2)
    demo.main()
    printed = capsys.readouterr().out
    for word in ("First call", "breast cancer", "digits", "manyminds", "scikit-learn"):
        assert word in printed
