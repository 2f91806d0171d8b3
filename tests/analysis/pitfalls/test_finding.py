"""All pitfalls of a table are found together; clean tables have none."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from manyminds.analysis import find_pitfalls
from manyminds.datasets import Dataset, from_frame


def draw(seed, number, n=200):
    """Draw a table of numbers, counts, categories and dates, and its target."""
    rng = np.random.default_rng((seed, number))
    x = rng.normal(size=(n, 3))
    frame = pd.DataFrame(
        {
            "a": x[:, 0],
            "b": np.exp(x[:, 1]),
            "count": rng.poisson(5, n) * 1.0,
            "code": rng.integers(1, 10**6, n) * 1.0,
            "hue": rng.choice(["red", "green", "blue"], n),
            "when": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(rng.integers(0, 700, n), unit="D"),
        }
    )
    y = x[:, 0] + x[:, 2]
    return frame.assign(y=y if number % 2 else np.where(y > 0, "yes", "no"))


def test_clean_tables_have_none(seed):
    # None in 60 larger tables of this kind either.
    for number in range(10):
        data = from_frame(draw(seed, number), target="y")
        assert find_pitfalls(data) == []


@pytest.mark.slow
def test_all_kinds_at_once(seed):
    frame = draw(seed, 1)
    frame["row"] = np.arange(200.0)
    frame["paid"] = 2 * frame["y"] + 1
    frame = pd.concat([frame, frame.head(10)])
    found = find_pitfalls(from_frame(frame, target="y"))
    kinds = {(one.kind, one.column) for one in found}
    assert {("leak", "paid"), ("repeats", "")} <= kinds
    assert len(kinds) == 2  # the copies of rows end the counter
    frame = frame.head(200)
    kinds = {one.kind for one in find_pitfalls(from_frame(frame, target="y"))}
    assert kinds == {"identifier", "leak"}


def test_sparse_tables_and_many_labels(seed):
    rng = np.random.default_rng(seed)
    sparse = Dataset("s", csr_array(np.eye(30)), rng.normal(size=30), "regression")
    assert find_pitfalls(sparse) == []
    labels = pd.DataFrame({"u": rng.integers(0, 2, 60), "v": rng.integers(0, 2, 60)})
    X = pd.DataFrame({"x": rng.normal(size=60), "row": np.arange(60.0)})
    many = Dataset("m", X, labels, "multilabel")
    assert [one.column for one in find_pitfalls(many)] == ["row"]
