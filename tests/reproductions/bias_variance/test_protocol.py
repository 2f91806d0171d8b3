"""Measures of bias and variance."""

import pytest

from manyminds.datasets import Dataset
from manyminds.experiments.measures import Fold
from manyminds.experiments.splits import WholeData
from manyminds.reproductions.bias_variance.nets import (
    NetClassifier,
)
from manyminds.reproductions.bias_variance.protocol import (
    FreshSamples,
    SubsampledRows,
    load_problem,
    name_value,
)


def make_fold(name, n_rows=60):
    data = load_problem(lambda name: pytest.fail("not to be looked for"), name)
    data = Dataset(name, data.X[:n_rows], data.y[:n_rows], "classification")
    return Fold(data, next(WholeData().split(data.y, True)), 7)


@pytest.mark.parametrize("kind", [FreshSamples, SubsampledRows])
def test_measures_have_all_their_names(kind):
    net = NetClassifier("single", 2, (1, 3))
    options = {"n_test": 50} if kind is FreshSamples else {}
    values = kind(n_predictors=2, **options)(net, make_fold("artificial-multi1"))
    for epoch in (1, 3):
        value = {
            part: values[name_value(part, epoch)]
            for part in ("error", "noise", "systematic_effect", "variance_effect")
        }
        error = value.pop("error")
        assert error == pytest.approx(sum(value.values()))
        assert 5.0 < error < 100.0
