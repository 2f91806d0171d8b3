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

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


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


def test_the_target_is_no_feature(file):
    with pytest.raises(ValueError, match=r"columns must be features; got the target"):
        ParquetTable(file, "y", columns=["x", "y"])


def read_all(table):
    """Return what a table raises as it is read, by each way to read it."""
    for read in (
        lambda: table.read_target(),
        lambda: table.read_column("x"),
        lambda: table.read_column("color"),
        lambda: table.read_levels("color"),
        lambda: list(table.iterate_frames()),
    ):
        with pytest.raises(TableError, match=r"b.parquet: the file is damaged, or"):
            read()


def test_damaged_pages_name_the_file(tmp_path):
    for name in ("a", "b"):
        make_frame(5000).to_parquet(tmp_path / f"{name}.parquet", compression="gzip")
    table = ParquetTable(tmp_path, target="y")
    content = (tmp_path / "b.parquet").read_bytes()
    # All pages but not the footer, which is at the end.
    end = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    (tmp_path / "b.parquet").write_bytes(b"PAR1" + bytes(end - 4) + content[end:])
    read_all(table)
    (tmp_path / "b.parquet").write_bytes(content[: end // 2])
    with pytest.raises(TableError, match=r"b.parquet: the file is damaged, or"):
        ParquetTable(tmp_path, target="y")
    (tmp_path / "b.parquet").unlink()  # while the table is open
    read_all(table)


def test_files_that_do_not_fit_the_first_are_named(tmp_path):
    frame = make_frame()
    frame.to_parquet(tmp_path / "a.parquet")
    frame.assign(x="many").to_parquet(tmp_path / "b.parquet")
    table = ParquetTable(tmp_path, target="y")
    with pytest.raises(TableError, match=r"/b.parquet: .* dtypes of the first: "):
        table.read_column("x")
    frame.drop(columns="x").to_parquet(tmp_path / "b.parquet")
    table = ParquetTable(tmp_path, target="y")
    with pytest.raises(TableError, match=r"b.parquet: .* it has no column 'x'"):
        list(table.iterate_frames())


@pytest.mark.parametrize("is_cast", [False, True])
def test_partitions_are_read_with_their_columns(tmp_path, is_cast):
    frame = make_frame().assign(
        year=[2019, 2020] * 25, town=["Bonn"] * 30 + ["Köln"] * 20
    )
    frame["y"] = (frame["y"] == "yes").astype("int64")
    frame.to_parquet(tmp_path / "rows", partition_cols=["year", "town"])
    last = sorted((tmp_path / "rows" / "year=2020").rglob("*.parquet"))[-1]
    if is_cast:  # one file of another dtype
        pd.read_parquet(last).drop(columns=["year", "town"], errors="ignore").astype(
            {"n": "float64"}
        ).to_parquet(last)
    (tmp_path / "rows" / "_temporary").mkdir()
    (tmp_path / "rows" / "_temporary" / "half.parquet").write_bytes(b"half")
    table = ParquetTable(tmp_path / "rows", target="y")
    assert table.columns == ["x", "n", "flag", "color", "year", "town"]
    assert table.shape == (50, 6)
    expected = pd.concat([part for _, part in frame.groupby(["year", "town"])])
    assert_array_equal(table.read_column("x"), expected["x"])
    assert_array_equal(table.read_column("year"), expected["year"])
    assert table.read_column("town").tolist() == expected["town"].tolist()
    assert table.read_column("town").dtype == "category"
    assert table.read_levels("town") == ["Bonn", "Köln"]
    assert table.read_levels("year") is None
    assert table.read_target().tolist() == expected["y"].tolist()
    whole = pd.concat([one.astype({"town": str}) for one in table.iterate_frames(7)])
    assert list(whole) == table.columns
    assert whole["town"].tolist() == expected["town"].tolist()
    assert_array_equal(whole["year"], expected["year"])
    some = ParquetTable(tmp_path / "rows", "year", columns=["town", "x"])
    assert_array_equal(some.read_target(), expected["year"])
    assert [len(one.columns) for one in some.iterate_frames(20)] == [2] * 4


def test_folders_without_values_are_read(tmp_path):
    (tmp_path / "more").mkdir()
    make_frame(20).to_parquet(tmp_path / "b.parquet")
    make_frame(30).to_parquet(tmp_path / "more" / "a.parquet")
    table = ParquetTable(tmp_path, target="y")
    assert table.shape == (50, 4)


def test_levels_are_those_that_occur(file):
    table = ParquetTable(file, target="y")
    assert table.read_levels("color") == ["blue", "green", "red"]
    assert table.read_levels("n") is None and table.read_levels("flag") is None


def _write_small(path, metadata=None):
    table = pa.table({"size": [1.0, 2.0], "hue": ["a", "b"]})
    pq.write_table(table.replace_schema_metadata(metadata), path)
    return path


def test_metadata_of_pandas_that_is_damaged(tmp_path):
    path = _write_small(tmp_path / "t.parquet", {"pandas": "{index"})
    with pytest.raises(TableError, match=r"t\.parquet: the file is damaged"):
        ParquetTable(path)


def test_a_name_that_is_no_text(tmp_path):
    path = _write_small(tmp_path / "t.parquet")
    path.write_bytes(path.read_bytes().replace(b"size", b"\xffize"))
    with pytest.raises(TableError, match=r"t\.parquet: the file is damaged"):
        ParquetTable(path)


def test_rows_that_are_missing_from_a_damaged_file(tmp_path, monkeypatch):
    table = ParquetTable(_write_small(tmp_path / "t.parquet"))
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *_, **__: iter(()))
    with pytest.raises(TableError, match=r"t\.parquet.*2 of its rows are missing"):
        list(table.iterate_frames())
