"""Facts on columns: types, missing values, and what is suspicious."""

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("starlette")
from manyminds.serve.tables.declarations import declare_kinds
from manyminds.serve.tables.facts import choose_default_target, find_facts
from manyminds.serve.tables.source import find_source


@pytest.fixture
def source(put, seed):
    rng = np.random.default_rng(seed)
    n = 120
    x, label = rng.normal(size=n), np.arange(n) % 2
    frame = pd.DataFrame({
        "id": np.arange(n), "x": np.where(np.arange(n) < 70, np.nan, x), "one": 1,
        "copy": x, "copy2": x, "code": label * 7,
        "day": pd.date_range("2024-01-01", periods=n),
        "color": rng.choice(["red", "blue"], n), "class": label,
    })  # fmt: skip
    return put("t.csv", lambda path: frame.to_csv(path, index=False))


def test_columns_and_what_is_suspicious(state, source):
    facts = find_facts(state, source, "class")
    found = {one.name: one for one in facts.columns}
    assert facts.n_rows == facts.n_sampled == 120 and facts.task == "classification"
    assert found["x"].n_missing == 70 and "more than half missing" in found["x"].notes
    assert found["one"].notes == ["constant"] and found["one"].kind == "number"
    assert found["copy2"].notes == ["the same as copy"]
    assert found["day"].kind == "date" and found["day"].values.startswith(
        "2024-01-01 to"
    )
    assert found["color"].kind == "category" and found["color"].values.startswith(
        "mostly "
    )
    assert any("leaks the target" in note for note in found["code"].notes)
    assert found["id"].notes
    assert facts.target.counts == {"0": 60, "1": 60}


def test_corrected_types_are_shown(state, source):
    before = find_facts(state, source, "class")
    declare_kinds(source.schema, {"copy": "category", "one": "drop"})
    after = {one.name: one for one in find_facts(state, source, "class").columns}
    assert {one.name: one.declared for one in before.columns}["copy"] == "auto"
    assert after["copy"].kind in ("category", "text")
    assert after["copy"].declared == "category"
    assert (after["one"].kind, after["one"].declared) == ("left out", "drop")


def test_the_target_is_guessed(state, put, source):
    assert choose_default_target(state, source) == "class"
    assert choose_default_target(state, put("a.csv", "x,y\n1,2\n")) == "y"
    (state.folder.root / "a.schema.json").write_text('{"target": "x"}')
    assert choose_default_target(state, find_source(state, "a.csv")) == "x"


def test_facts_are_computed_once(state, source, monkeypatch):
    first = find_facts(state, source, "class")
    monkeypatch.setattr("manyminds.serve.tables.facts.read_sample", None)
    assert find_facts(state, source, "class") is first


def test_a_sparse_table_has_no_columns_with_names(state, put):
    facts = find_facts(state, put("a.svm", "1 1:2\n0 2:5\n1 1:1\n"), None)
    assert facts.columns == [] and facts.n_rows == 3
