"""A sample has all rows of a small table, and blocks of a large one."""

import pytest

pytest.importorskip("starlette")
from manyminds.serve.tables import sample as sample_module
from manyminds.serve.tables.sample import read_sample
from manyminds.serve.tables.source import find_source
from manyminds.utils.errors import InputError


def make_text(n_rows):
    rows = (f"{k},{'ab'[k % 2]},{k % 7}\n" for k in range(n_rows))
    return "n,kind,class\n" + "".join(rows)


def test_all_rows_of_a_small_table(state, put):
    found = read_sample(state, put("a.csv", make_text(50)), "kind")
    assert found.n_rows == found.data.n_samples == 50 and found.is_whole
    assert found.data.target_name == "kind" and list(found.data.X) == ["n", "class"]


def test_blocks_of_a_large_table(state, put):
    source = put("a.csv", make_text(60_000))
    found = read_sample(state, source, "kind")
    assert found.n_rows == 60_000 and found.data.n_samples == sample_module.MAX_ROWS
    assert not found.is_whole and found.data.X["n"].max() == 59_999
    assert list((state.folder.hidden / "cache").iterdir()) == []


def test_a_wide_table_has_fewer_rows(state, put, monkeypatch):
    monkeypatch.setattr(sample_module, "MAX_CELLS", 6_000)
    found = read_sample(state, put("a.csv", make_text(10_000)), "kind")
    assert found.data.n_samples == 2_000


def test_row_groups_of_parquet(state, put):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"n": range(50_000), "kind": ["a", "b"] * 25_000})
    found = read_sample(state, put("a.parquet", frame.to_parquet), "kind")
    assert found.n_rows == 50_000 and found.data.n_samples == 20_000
    assert found.data.X["n"].max() == 49_999


def test_declared_types_hold_and_warnings_are_notes(state, put):
    text = "zip,word,class\n" + "".join(f"{k % 3},w{k},a\n" for k in range(40))
    source = put("a.csv", text + "1,w0,b\n")
    (state.folder.root / "a.schema.json").write_text('{"categorical": ["zip"]}')
    found = read_sample(state, source, "class")
    assert "zip" in found.data.categorical
    assert all(isinstance(note, str) for note in found.notes)


def test_bundled_and_sparse_sets(state, put):
    assert read_sample(state, find_source(state, "bundled:wine"), None).n_rows == 178
    found = read_sample(state, put("a.svm", "1 1:2\n0 2:5\n1 1:1\n"), None)
    assert found.data.n_samples == 3


def test_an_unknown_target_is_an_error_of_the_user(state, put):
    with pytest.raises(InputError, match="not a column"):
        read_sample(state, put("a.csv", make_text(5)), "absent")
