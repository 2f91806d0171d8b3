"""Predictions in files: batches are as one table, in both formats."""

import sys

import pandas as pd
import pytest

from manyminds.utils.errors import MissingPackageError
from manyminds.workflows.prediction_file import open_predictions

BATCHES = [
    pd.DataFrame({"prediction": ["a", "b"], "a": [0.25, 1.0], "unlike": [True, False]}),
    pd.DataFrame({"prediction": ["b"], "a": [0.1 + 0.2], "unlike": [False]}),
]


def write(path):
    with open_predictions(path) as write_batch:
        for batch in BATCHES:
            write_batch(batch)
    return pd.concat(BATCHES, ignore_index=True)


def test_csv(tmp_path):
    whole = write(tmp_path / "p.csv")
    assert (tmp_path / "p.csv").read_text() == whole.to_csv(index=False)


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    whole = write(tmp_path / "p.Parquet")
    found = pd.read_parquet(tmp_path / "p.Parquet")
    pd.testing.assert_frame_equal(found, whole, check_dtype=False)
    assert [found[name].dtype.kind for name in ("a", "unlike")] == ["f", "b"]


def test_nothing_is_left_of_a_failure(tmp_path):
    pytest.importorskip("pyarrow")
    with pytest.raises(RuntimeError), open_predictions(tmp_path / "p.parquet") as add:
        add(BATCHES[0])
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_parquet_without_pyarrow_is_refused_early(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingPackageError, match="pip install pyarrow"):
        write(tmp_path / "p.parquet")
