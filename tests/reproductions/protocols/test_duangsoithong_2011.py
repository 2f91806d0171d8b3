"""Samples of tables and of the generator of LUCAS."""

import numpy as np
import pandas as pd
from numpy.testing import assert_array_equal

from manyminds.datasets import Dataset
from manyminds.reproductions.protocols.duangsoithong_2011 import (
    Samples,
    make_lucas_population,
    number_columns,
)


def test_samples_of_tables_and_of_populations():
    small = list(Samples(3).split(np.zeros(200), True))
    assert all(len(one.train) == 200 and len(one.test) == 0 for one in small)
    first, second = Samples(2).split(np.zeros(10_000), True)
    assert len(np.intersect1d(first.train, second.train)) == 0
    assert len(Samples(7)) == 7


def test_categories_become_numbers():
    X = pd.DataFrame({"a": pd.Categorical(["0", "1", "0"])})
    data = Dataset("toy", X, np.array([0, 1, 0]), "classification")
    assert_array_equal(number_columns(data).X["a"], [0.0, 1.0, 0.0])


def test_population():
    data = make_lucas_population(50)
    assert data.X.shape == (50, 11) and data.task == "classification"
