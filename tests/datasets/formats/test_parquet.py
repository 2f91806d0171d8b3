"""Parquet files are read by pyarrow or polars, and damaged ones are named."""

import builtins
import sys

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import TableError, from_frame, read_table


def table(seed, n_rows=40):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(n_rows, 2)), columns=["a", "b"])
    frame["color"] = rng.choice(["red", "dark blue"], n_rows)
    frame.loc[2:4, ["a", "color"]] = None
    frame["class"] = np.resize(["yes", "no"], n_rows)
    return frame


def test_parquet_by_polars(tmp_path, seed, monkeypatch):
    pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    table(seed).to_parquet(path)
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "pyarrow", None)
        data = read_table(path)
    assert data.fingerprint == from_frame(table(seed)).fingerprint


def test_parquet_needs_a_reader(tmp_path, monkeypatch):
    (tmp_path / "t.parquet").write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        read_table(tmp_path / "t.parquet")


def test_parquet_keeps_categories(tmp_path):
    pytest.importorskip("pyarrow")
    color = pd.Categorical(["b", "a"], ["b", "a", "c"])
    frame = pd.DataFrame({"color": color, "target": [1, 2]})
    frame.to_parquet(tmp_path / "t.parquet")
    data = read_table(tmp_path / "t.parquet")
    assert data.X["color"].cat.categories.tolist() == ["b", "a", "c"]


@pytest.mark.parametrize("by_polars", [False, True])
def test_damaged_parquet(tmp_path, by_polars, monkeypatch):
    pytest.importorskip("polars" if by_polars else "pyarrow")
    if by_polars:
        usual = builtins.__import__

        def without_pyarrow(name, *arguments):
            if name == "pyarrow":
                raise ImportError(name)
            return usual(name, *arguments)

        monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    path = tmp_path / "bad.parquet"
    for content in (b"", b"PAR1" + bytes(50) + b"PAR1", b"a,b\n1,2\n"):
        path.write_bytes(content)
        with pytest.raises(TableError, match=r"^bad\.parquet: the file is damaged"):
            read_table(path)
