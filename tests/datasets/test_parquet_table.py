"""Tables on disk: what they read is what pandas reads."""

import tracemalloc

import numpy as np
import pandas as pd
import polars
import pytest
from numpy.testing import assert_array_equal
from pandas.testing import assert_frame_equal

from manyminds.datasets import ParquetTable, TableError
from manyminds.datasets.formats.parquet import iterate_parquet

pytest.importorskip("pyarrow")


def make_frame(n_rows=50):
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "x": np.where(rng.random(n_rows) < 0.1, np.nan, rng.random(n_rows)),
            "n": rng.integers(9, size=n_rows),
            "flag": rng.random(n_rows) < 0.5,
            "color": pd.Categorical(rng.choice(["red", "blue", "green"], n_rows)),
            "y": rng.choice(["yes", "no"], n_rows),
        }
    )


@pytest.fixture
def file(tmp_path):
    make_frame().to_parquet(tmp_path / "rows.parquet", row_group_size=7)
    return tmp_path / "rows.parquet"


def test_features_and_target(file):
    frame = make_frame()
    table = ParquetTable(file, target="y")
    assert table.columns == ["x", "n", "flag", "color"]
    assert table.shape == (50, 4) and len(table) == 50
    assert repr(table) == "ParquetTable('rows.parquet', 50 rows, 4 features)"
    assert table.read_target().tolist() == frame["y"].tolist()
    assert table.read_empty().dtypes["color"] == "category"
    for name in table.columns:
        assert_array_equal(np.asarray(table.read_column(name)), frame[name])


def test_frames_follow_one_another(file):
    table = ParquetTable(file, columns=["color", "x"])
    frames = list(table.iterate_frames(20))
    assert len(frames) > 1 and max(map(len, frames)) <= 20
    joined = pd.concat([one.astype({"color": str}) for one in frames])
    expected = make_frame()[["color", "x"]].astype({"color": str})
    assert_frame_equal(joined.reset_index(drop=True), expected, check_dtype=False)


def test_an_index_of_pandas_is_no_feature(tmp_path):
    frame = make_frame(5).set_index(pd.Index(list("abcde")))
    frame.to_parquet(tmp_path / "rows.parquet")
    assert ParquetTable(tmp_path / "rows.parquet").columns == list(frame)


def test_files_of_a_folder_follow_one_another(tmp_path):
    frame = make_frame()
    frame[20:].to_parquet(tmp_path / "b.parquet")
    frame[:20].to_parquet(tmp_path / "a.parquet")
    table = ParquetTable(tmp_path, target="y")
    assert_array_equal(table.read_column("x"), frame["x"])


def test_files_of_a_folder_may_differ_in_dtypes_and_order(tmp_path):
    first = pd.DataFrame({"a": [1.0, 2.0], "a.b": [3.0, 4.0], "y": [0, 1]})
    first.to_parquet(tmp_path / "a.parquet")
    first[["y", "a.b", "a"]].astype({"a": "int64"}).to_parquet(tmp_path / "b.parquet")
    table = ParquetTable(tmp_path, target="y", columns=["a.b", "a"])
    assert_array_equal(table.read_column("a"), [1, 2, 1, 2])
    expected = pd.concat([first, first], ignore_index=True)[["a.b", "a"]]
    found = pd.concat(table.iterate_frames(), ignore_index=True)
    assert_frame_equal(found, expected)


def test_long_files_are_not_read_ahead(tmp_path):
    import pyarrow

    def count_bytes():
        return tracemalloc.get_traced_memory()[0] + pyarrow.total_allocated_bytes()

    frame = pd.DataFrame(np.random.default_rng(0).random((200_000, 10)))
    frame.columns = [f"x{j}" for j in range(10)]
    file = tmp_path / "rows.parquet"
    frame.to_parquet(file, row_group_size=4000)
    frames = (ParquetTable(file).iterate_frames(4000), iterate_parquet(file, 4000))
    tracemalloc.start()
    for some in frames:
        before = count_bytes()
        held = [count_bytes() - before for _ in some]
        assert len(held) == 50 and max(held) < 0.3 * 8 * frame.size
    tracemalloc.stop()


def make_batches():
    frame = make_frame()
    return [frame[:1], polars.from_pandas(frame[1:30]), frame[30:]]


@pytest.mark.parametrize("batches", [make_batches, make_batches(), iter])
def test_batches_are_written_and_read(tmp_path, batches):
    frame = make_frame()
    if batches is iter:  # an iterator that can be read once
        batches = (frame[k : k + 10] for k in range(0, 50, 10))
    table = ParquetTable.from_batches(tmp_path / "rows.parquet", batches, "y")
    assert_array_equal(table.read_column("x"), frame["x"])
    assert table.read_column("color").tolist() == frame["color"].tolist()


def test_batches_that_fail_leave_no_file(tmp_path):
    frame = make_frame()
    for wrong in (frame.drop(columns="n"), frame.assign(n="many")):
        with pytest.raises(ValueError, match=r"batch 1 does not have the columns"):
            ParquetTable.from_batches(tmp_path / "rows.parquet", [frame, wrong])
    with pytest.raises(ValueError, match=r"must yield a table; got none"):
        ParquetTable.from_batches(tmp_path / "rows.parquet", [])
    assert list(tmp_path.iterdir()) == []


def test_errors_name_what_is_wrong(file, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is none at '.*gone.parquet'"):
        ParquetTable(tmp_path / "gone.parquet")
    with pytest.raises(ValueError, match=r"target must be one of .*; got 'z'"):
        ParquetTable(file, target="z")
    with pytest.raises(ValueError, match=r"columns must be among .*; got \['z'\]"):
        ParquetTable(file, columns=["x", "z"])
    with pytest.raises(ValueError, match=r"The table has no target"):
        ParquetTable(file).read_target()
    file.write_bytes(b"no table")
    with pytest.raises(TableError, match=r"rows.parquet: the file is damaged"):
        ParquetTable(file)
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no .parquet files in"):
        ParquetTable(tmp_path / "empty")
