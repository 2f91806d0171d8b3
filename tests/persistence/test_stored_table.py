"""A model fitted from a file leaves home like one fitted in memory."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from manyminds.analysis import NoveltyCheck
from manyminds.datasets import Column, ParquetTable
from manyminds.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from manyminds.persistence import load_model, save_model, stored_table
from manyminds.workflows import run_export, run_prediction

pytest.importorskip("pyarrow")


def make_frame(n_rows=300, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "size": np.where(rng.random(n_rows) < 0.1, np.nan, rng.normal(size=n_rows)),
            "n": rng.integers(9, size=n_rows),
            "flag": rng.random(n_rows) < 0.5,
            "hue": pd.Categorical(rng.choice(["red", "blue", "green"], n_rows)),
        }
    )
    frame.loc[3, "hue"] = None
    value = frame["size"].fillna(1.0) + (frame["hue"] == "red") + frame["flag"]
    return frame.assign(kind=np.where(value > 0.8, "cat", "dog"))


@pytest.fixture
def table(tmp_path):
    """Return a table in three files with many row groups."""
    folder = tmp_path / "rows"
    folder.mkdir()
    frame = make_frame()
    for k in range(3):
        part = frame[100 * k : 100 * (k + 1)]
        part.to_parquet(folder / f"{k}.parquet", row_group_size=7)
    return ParquetTable(folder, target="kind")


@pytest.fixture
def new(tmp_path):
    """Return new rows, in a file as well."""
    frame = make_frame(50, seed=1).drop(columns="kind")
    frame.to_parquet(tmp_path / "new.parquet")
    return frame


def test_file_to_model_file_to_predictions(table, new, tmp_path):
    forest = RandomForestClassifier(10, random_state=0)
    forest.fit(table, table.read_target())
    save_model(tmp_path / "model.skops", forest, table, about={"metric": "auc"})
    model = load_model(tmp_path)
    assert model.columns == (
        Column("size"),
        Column("n"),
        Column("flag"),
        Column("hue", ("blue", "green", "red")),
    )
    assert (model.target, model.task) == ("kind", "classification")
    assert model.classes == ("cat", "dog") and model.n_features == 4
    found = model.predict_table(new)
    assert found["prediction"].tolist() == forest.predict(new).tolist()
    command = ["predict", tmp_path, tmp_path / "new.parquet"]
    out = tmp_path / "predictions.parquet"
    subprocess.run(
        [sys.executable, "-m", "manyminds", *map(str, command), "--out", str(out)],
        check=True,
    )
    written = pd.read_parquet(out)
    proba = written.filter(like="probability").to_numpy()
    assert_array_equal(proba, forest.predict_proba(new))
    assert list(written) == ["prediction", "probability cat", "probability dog"]


def test_other_spellings_of_the_same_rows(table, new, tmp_path):
    forest = ExtraTreesClassifier(10, random_state=0)
    forest.fit(table, table.read_target())
    save_model(tmp_path / "model.skops", forest, table)
    new.to_csv(tmp_path / "new.csv", index=False)  # True and False as text
    found = run_prediction(tmp_path, tmp_path / "new.csv").predictions
    assert_array_equal(
        found.filter(like="probability").to_numpy(), forest.predict_proba(new)
    )
    some = new.astype({"flag": object})
    some.loc[2, "flag"] = None  # as pandas reads booleans with missing values
    expected = new.astype({"flag": float})
    expected.loc[2, "flag"] = np.nan
    found = load_model(tmp_path).predict_table(some).filter(like="probability")
    assert_array_equal(found.to_numpy(), forest.predict_proba(expected))


def test_onnx(table, new, tmp_path):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    boosting = GradientBoostingClassifier(max_iter=5, random_state=0)
    boosting.fit(table, table.read_target())
    save_model(tmp_path / "model.skops", boosting, table)
    run_export(tmp_path, tmp_path / "model.onnx")
    session = runtime.InferenceSession(tmp_path / "model.onnx")
    feed = {
        name: new[name].to_numpy(dtype=np.float64)[:, np.newaxis]
        for name in ("size", "n", "flag")
    }
    feed["hue"] = new["hue"].astype(object).fillna("").to_numpy()[:, np.newaxis]
    label, proba = session.run(None, feed)
    assert_array_equal(label, boosting.predict(new))
    assert_allclose(proba, boosting.predict_proba(new), rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", [bool, int, float])
def test_classes_that_are_no_text(table, new, tmp_path, kind):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    y = (table.read_target() == "cat").astype(kind)
    forest = RandomForestClassifier(5, random_state=0).fit(table, y)
    save_model(tmp_path / "model.skops", forest, table, target="is_cat")
    model = load_model(tmp_path)
    assert model.target == "is_cat" and model.classes == (kind(0), kind(1))
    new["is_cat"] = np.arange(len(new)) % 2 == 0
    new["is_cat"] = new["is_cat"].astype(kind)
    new.to_parquet(tmp_path / "new.parquet")
    result = run_prediction(tmp_path, tmp_path / "new.parquet")
    expected = forest.predict(new.drop(columns="is_cat"))
    assert result.predictions["prediction"].tolist() == expected.tolist()
    assert result.score == np.mean(expected == new["is_cat"])
    run_export(tmp_path, tmp_path / "model.onnx")
    session = runtime.InferenceSession(tmp_path / "model.onnx")
    X = new.drop(columns="is_cat")
    feed = {name: X[[name]].to_numpy(dtype=np.float64) for name in X if name != "hue"}
    feed["hue"] = X["hue"].astype(object).fillna("").to_numpy()[:, np.newaxis]
    assert session.run(None, feed)[0].tolist() == expected.tolist()


def test_numbers_as_categories_and_text_columns(tmp_path):
    # A category of numbers, a column of text, and levels that mean missing elsewhere.
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "code": pd.Categorical(rng.integers(5, 9, size=200)),
            "yes": pd.Categorical(rng.random(200) < 0.5),
            "town": rng.choice([" Bonn", "?", "Köln", None], 200),
            "x": rng.normal(size=200),
        }
    )
    y = frame["x"] + 2.0 * (frame["code"].astype(int) % 2) + (frame["town"] == "?")
    frame.assign(y=y + frame["yes"].astype(int)).to_parquet(tmp_path / "rows.parquet")
    table = ParquetTable(tmp_path / "rows.parquet", "y")
    options = {"categorical_features": ["code", "yes", "town"], "random_state": 0}
    model = GradientBoostingRegressor(max_iter=10, **options)
    model.fit(table, table.read_target())
    save_model(tmp_path / "model.skops", model, table)
    kept = load_model(tmp_path)
    assert kept.task == "regression" and kept.classes == ()
    assert kept.columns[2].levels == (" Bonn", "?", "Köln")
    expected = model.predict(table)
    assert kept.predict_table(frame)["prediction"].tolist() == expected.tolist()
    found = run_prediction(tmp_path, tmp_path / "rows.parquet")
    assert found.predictions["prediction"].tolist() == expected.tolist()
    assert found.novelty.unlike.mean() < 0.05


def test_rows_are_described_by_a_sample(table, tmp_path, monkeypatch):
    monkeypatch.setattr(stored_table, "N_SAMPLE", 50)
    frame = make_frame()
    frame.loc[7, "n"] = -99  # an extreme value that no sample may miss
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=7)
    table = ParquetTable(tmp_path / "rows.parquet", "kind")
    forest = RandomForestClassifier(5, random_state=0).fit(table, table.read_target())
    save_model(tmp_path / "model.skops", forest, table)
    model = load_model(tmp_path)
    known = model.read_rows(frame.drop(columns="kind"))
    whole = NoveltyCheck.fit(known)
    assert_array_equal(model.novelty.ranges[:2], whole.ranges[:2])
    assert model.novelty.complete == whole.complete == ("n", "flag")
    assert whole.names == model.novelty.names


def test_memory_does_not_grow_with_the_table(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(stored_table, "N_ROWS", 64)
    frame = make_frame(1000)
    frame.to_parquet(tmp_path / "rows.parquet", row_group_size=100)
    table = ParquetTable(tmp_path / "rows.parquet", "kind")
    forest = RandomForestClassifier(2, random_state=0).fit(table, table.read_target())
    iterate = table.iterate_frames

    def watch(n_rows):
        for some in iterate(n_rows):
            seen.append(len(some))
            yield some

    monkeypatch.setattr(table, "iterate_frames", watch)
    monkeypatch.setattr(table, "read_column", None)
    save_model(tmp_path / "model.skops", forest, table)
    assert sum(seen) == 1000 and max(seen) <= 64


def test_other_columns_than_those_of_the_model(table, tmp_path):
    forest = RandomForestClassifier(2, random_state=0)
    forest.fit(table, table.read_target())
    other = ParquetTable(table.path, "kind", columns=["size", "n"])
    with pytest.raises(ValueError, match=r"must have the columns of the model"):
        save_model(tmp_path / "model.skops", forest, other)
    assert not (tmp_path / "model.skops").exists()


def test_columns_of_folder_names(tmp_path):
    rng = np.random.default_rng(0)
    frame = make_frame().assign(year=2019 + rng.integers(3, size=300))
    frame["town"] = pd.Categorical(rng.choice(["Bonn", "Trier"], 300))
    frame["kind"] = np.where(frame["year"] + (frame["town"] == "Bonn") > 2020, "a", "b")
    frame.to_parquet(tmp_path / "rows", partition_cols=["year", "town"])
    table = ParquetTable(tmp_path / "rows", "kind")
    forest = RandomForestClassifier(5, random_state=0)
    forest.fit(table, table.read_target())
    parts = frame.groupby(["year", "town"], observed=True)
    whole = pd.concat([part for _, part in parts], ignore_index=True)
    X = whole[table.columns]
    in_memory = RandomForestClassifier(5, random_state=0).fit(X, whole["kind"])
    assert_array_equal(forest.trees_.threshold, in_memory.trees_.threshold)
    save_model(tmp_path / "model.skops", forest, table)
    X.to_csv(tmp_path / "new.csv", index=False)
    found = run_prediction(tmp_path, tmp_path / "new.csv").predictions
    assert_array_equal(
        found.to_numpy()[:, 1:].astype(float), in_memory.predict_proba(X)
    )
