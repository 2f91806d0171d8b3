"""Calibrations and descriptions of rows survive JSON."""

import json

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from manyminds.analysis import ConformalIntervals, ConformalSets, NoveltyCheck
from manyminds.datasets import Column
from manyminds.persistence.model_parts import (
    describe_rows,
    find_unseen,
    read_part,
    write_part,
)


def through_json(part):
    return read_part(json.loads(json.dumps(write_part(part), allow_nan=False)))


def draw(seed):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "a": rng.normal(size=60),
            "b": rng.normal(size=60),
            "none": np.nan,
            "hue": pd.Categorical(rng.choice(["red", "blue"], 60)),
        }
    )


def test_intervals(seed):
    rng = np.random.default_rng(seed)
    part = ConformalIntervals.calibrate(rng.normal(size=90), rng.normal(size=90))
    new = rng.normal(size=5)
    assert_array_equal(through_json(part).predict(new, 0.8), part.predict(new, 0.8))


@pytest.mark.parametrize("by_class", [False, True])
def test_sets_and_a_class_without_rows(seed, by_class):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(3), 50)
    part = ConformalSets.calibrate(shares, rng.integers(1, 3, 50))
    sets = part.predict(shares, 0.9, by_class=by_class)
    back = through_json(part)
    assert_array_equal(back.predict(shares, 0.9, by_class=by_class), sets)


def test_descriptions_of_rows(seed):
    X = draw(seed)
    for part in (NoveltyCheck.fit(X), NoveltyCheck.fit(X.head(4))):  # no threshold
        back = through_json(part)
        new = X.assign(a=X["a"] * 3)
        found, expected = back.find_unlike(new), part.find_unlike(new)
        assert_array_equal(found.unlike, expected.unlike)
        assert found.columns == expected.columns and found.combined == expected.combined


def test_sparse_tables_and_unknown_kinds_have_no_part():
    assert describe_rows(csr_array(np.eye(3))) is None
    assert write_part(None) is None and read_part(None) is None
    assert read_part({"kind": "of a later version"}) is None


def test_unseen_categories_are_told_from_missing_ones():
    columns = (Column("hue", ("blue", "red")), Column("size"))
    table = pd.DataFrame({"hue": ["red", "green", None, "?"], "size": [1.0, 2, 3, 4]})
    X = table.assign(hue=pd.Categorical(["red", None, None, None]))
    assert find_unseen(table, X, columns)["hue"].tolist() == [False, True, False, False]
