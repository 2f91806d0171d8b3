"""Data and both readings of the errors of the paper on local classifiers."""

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import RandomSplits
from manyminds.reproductions.local_classifiers.protocol import (
    BothReadings,
    FirstHalf,
    draw_toy,
    load,
    make_methods,
)

SHAPES = {  # rows, columns, share of the larger class
    "credit-g": (1000, 61, 0.70),
    "shuttle": (43500, 9, 0.78),
    "esl-marketing": (8993, 49, 0.525),
    "spambase": (4601, 57, 0.606),
    "electricity": (45312, 7, 0.575),
}


def test_sizes_and_classes(shared_data):
    find = DataFolder(shared_data).load
    for name, (n_rows, n_columns, share) in SHAPES.items():
        data = load(find, name)
        assert data.X.shape == (n_rows, n_columns), name
        assert not data.X.isna().to_numpy().any()
        counts = np.unique(np.asarray(data.y), return_counts=True)[1]
        assert len(counts) == 2
        assert counts.max() / n_rows == pytest.approx(share, abs=0.006), name


def test_toy_and_splits():
    data = draw_toy("toy k=9")
    assert not data.X.equals(draw_toy("toy k=4").X)
    assert data.X.shape == (40_000, 2)
    assert data.X[data.y == 0].mean().tolist() == pytest.approx([2.25, 1.5], abs=0.05)
    split = next(FirstHalf().split(np.zeros(7), True))
    assert split.train.tolist() == [0, 1, 2] and split.test.tolist() == [3, 4, 5, 6]


def test_both_readings():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(120, 2)), columns=["a", "b"])
    y = (X["a"] * X["b"] > 0.0).to_numpy().astype(int)
    data = Dataset("toy k=9", X, y, "classification")
    fold = Fold(data, next(RandomSplits(1).split(y, True)), 0)
    methods = make_methods("none")
    found = {
        name: BothReadings()(methods[name].set_params(), fold)
        for name in ("CL2", "MMM", "NAY")
    }
    assert methods["CL2"].n_regions == 3 and methods["MMM"].n_regions == 9
    assert found["CL2"]["printed"] == found["CL2"]["soft"]
    blend, (X, y) = methods["MMM"], (np.asarray(fold.X_test), fold.y_test)
    errors = [np.mean(one != y) for one in blend.predict_all(X)]
    assert found["MMM"]["printed"] == pytest.approx(np.mean(errors))
    assert found["NAY"]["soft"] == pytest.approx(0.5, abs=0.02)
    assert found["NAY"]["printed"] == found["NAY"]["zero_one"]
