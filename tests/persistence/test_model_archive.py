"""Whatever is wrong with a model file, there is one clear error, and it comes soon."""

import io
import json
import time
import tracemalloc
import zipfile

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array, save_npz
from sklearn.linear_model import RidgeClassifier
from sklearn.svm import SVC

from manyminds.datasets import Dataset, from_frame
from manyminds.experiments.preparation import prepared
from manyminds.persistence import model_archive
from manyminds.persistence.model_archive import FACTS, SCHEMA, ModelFileError
from manyminds.persistence.model_file import load_model, save_model


@pytest.fixture
def parts(tmp_path, seed):
    """Return what a model file of a sparse table holds, part by part."""
    rng = np.random.default_rng(seed)
    X = csr_array(np.abs(rng.normal(size=(20, 3))))
    data = Dataset("thin", X, np.arange(20) % 2, "classification")
    path = save_model(tmp_path / "model.skops", SVC().fit(X, data.y), data)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write(path, parts):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def test_damaged_bytes_are_one_clear_error(parts, tmp_path, seed):
    path, rng = tmp_path / "model.skops", np.random.default_rng(seed)
    write(path, parts)
    whole = path.read_bytes()
    n_refused = 0
    for _ in range(120):
        damaged = bytearray(whole)
        damaged[rng.integers(len(whole))] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(damaged))
        try:
            load_model(path)  # of bytes that do not matter, as dates
        except ModelFileError as error:
            assert "damaged" in str(error) or "not trusted" in str(error)
            n_refused += 1
    assert n_refused > 60


@pytest.mark.parametrize(
    "name, content",
    [
        (SCHEMA, b"[" * 100_000),  # RecursionError
        (SCHEMA, b"{}"),
        (SCHEMA, b"[1, 2]"),
        (FACTS, b"{}"),
        (FACTS, b"[]"),
        (FACTS, b'{"format": "one"}'),
        (FACTS, b'{"format": 1, "columns": 3, "target": 4}'),
        (FACTS, b"\xff\xfe"),
    ],
)
def test_forged_texts_are_one_clear_error(parts, tmp_path, name, content):
    write(tmp_path / "model.skops", parts | {name: content})
    with pytest.raises(ModelFileError, match="no model file of manyminds, or it is"):
        load_model(tmp_path)


def test_lost_attributes_are_one_clear_error(parts, tmp_path):
    schema = json.loads(parts[SCHEMA])
    schema["content"]["content"]["_n_support"] = {"__loader__": "JsonNode"}
    write(tmp_path / "model.skops", parts | {SCHEMA: json.dumps(schema)})
    with pytest.raises(ModelFileError, match="or it is damaged"):
        load_model(tmp_path)


def make_npz(n_rows):
    file = io.BytesIO()
    save_npz(file, csr_array((n_rows, 2)))  # as many zeros as rows
    return file.getvalue()


@pytest.mark.parametrize("place", ["text", "facts", "array", "inner archive"])
def test_a_bomb_is_refused_at_once(parts, tmp_path, place, monkeypatch):
    monkeypatch.setattr(model_archive, "MAX_FREE_BYTES", 4_000_000)
    monkeypatch.setattr(model_archive, "MAX_FREE_TEXT", 1_000_000)
    bombs = {
        "text": {SCHEMA: b"[" + b"[]," * 5_000_000 + b"[]]"},
        "facts": {FACTS: b" " * 20_000_000},
        "array": {"zeros.npy": bytes(20_000_000)},
        "inner archive": {"sparse.npz": make_npz(4_000_000)},
    }
    write(tmp_path / "model.skops", parts | bombs[place])
    start = time.monotonic()
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError, match="bytes and would expand to"):
            load_model(tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000
    assert time.monotonic() - start < 10


@pytest.mark.parametrize("part", [SCHEMA, FACTS])
@pytest.mark.parametrize("value", [b"[]", b"{}", b"1", b'{"__id__":1}'])
def test_a_text_of_many_small_values_is_refused_at_once(
    parts, tmp_path, monkeypatch, part, value
):
    monkeypatch.setattr(model_archive, "MAX_FREE_VALUES", 100_000)
    bomb = b"[" + b",".join([value] * 200_000) + b"]"  # 2.6 MB at most
    write(tmp_path / "model.skops", parts | {part: bomb})
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError, match="values in its text"):
            load_model(tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.slow
def test_a_pipeline_of_very_many_columns_is_loaded(tmp_path, seed):
    # Each column is in several lists of names and places.
    X = np.random.default_rng(seed).normal(size=(6, 10_000))
    table = pd.DataFrame(X).add_prefix("gene expression ").assign(hue=["a", "b"] * 3)
    data = from_frame(table.assign(target=["u", "v"] * 3), target="target")
    model = prepared(RidgeClassifier(), scale=True).fit(data.X, data.y)
    save_model(tmp_path / "model.skops", model, data)
    size = (tmp_path / "model.skops").stat().st_size
    with zipfile.ZipFile(tmp_path / "model.skops") as archive:
        texts = [archive.read(name) for name in (SCHEMA, FACTS)]
    values = sum(text.count(one) for text in texts for one in model_archive.VALUES)
    assert len(load_model(tmp_path).columns) == 10_001
    # The same columns in larger numbers: what grows with them stays below the limits.
    growth = 100_000 / 10_000
    assert growth * values < model_archive.MAX_FREE_VALUES
    assert len(texts[0]) < model_archive.MAX_TEXT_RATIO * size


def test_texts_of_a_file_are_shown_escaped_and_short(parts, tmp_path):
    facts = json.loads(parts[FACTS])
    versions = facts["versions"] | {"sklearn": "9\n\x1b[2J" + "9" * 10_000}
    forged = facts | {"versions": versions}
    write(tmp_path / "model.skops", parts | {FACTS: json.dumps(forged)})
    with pytest.warns(
        UserWarning, match=r"scikit-learn 9\\n\\x1b\[2J9+ \(here"
    ) as found:
        load_model(tmp_path)
    assert len(str(found[0].message)) < 400
    forged = facts | {
        "format": 2,
        "versions": {"manyminds": "9\n\x1b[2J" + "9" * 10_000},
    }
    write(tmp_path / "model.skops", parts | {FACTS: json.dumps(forged)})
    with pytest.raises(ModelFileError, match=r"newer manyminds \(9\\n\\x1b") as error:
        load_model(tmp_path)
    assert len(str(error.value)) < 400 and "\n" not in str(error.value)


def test_an_array_that_is_read_again_and_again_is_refused(parts, tmp_path, monkeypatch):
    monkeypatch.setattr(model_archive, "MAX_FREE_BYTES", 4_000_000)
    monkeypatch.setattr(model_archive, "MAX_RATIO", 1)
    node = {"__class__": "ndarray", "__module__": "numpy", "__loader__": "NdArrayNode"}
    node |= {"type": "numpy", "file": "zeros.npy"}
    schema = json.loads(parts[SCHEMA])
    many = {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode"}
    many["content"] = [node | {"__id__": number} for number in range(100)]
    schema["content"]["content"]["many"] = many
    file = io.BytesIO()
    np.save(file, np.zeros(100_000))
    changed = {SCHEMA: json.dumps(schema), "zeros.npy": file.getvalue()}
    write(tmp_path / "model.skops", parts | changed)
    with pytest.raises(ModelFileError, match="bytes and would expand to 80"):
        load_model(tmp_path)


def test_a_part_that_lies_about_its_size_is_damaged(parts, tmp_path):
    path = tmp_path / "model.skops"
    write(path, parts | {"zeros.npy": bytes(5_000_000)})
    declared = (5_000_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(declared, (9).to_bytes(4, "little")))
    with zipfile.ZipFile(path) as archive, pytest.raises(zipfile.BadZipFile):
        archive.read("zeros.npy")  # no more than is declared, and then refused


@pytest.mark.parametrize(
    "name",
    ["../evil.npy", "/tmp/evil.npy", "C:\\evil.npy", "a/b.npy", "evil.py", ".npy"],
)
def test_a_part_with_a_path_or_a_strange_name_is_refused(parts, tmp_path, name):
    path = tmp_path / "model.skops"
    write(path, parts | {name: b"x"})
    with pytest.raises(ModelFileError, match="holds a part called"):
        load_model(path)
    assert [one.name for one in tmp_path.rglob("*")] == ["model.skops"]


def test_a_node_that_points_out_of_the_archive_is_refused(parts, tmp_path):
    path = tmp_path / "model.skops"
    schema = parts[SCHEMA].decode()
    name = next(one for one in parts if one.endswith((".npy", ".npz")))
    for target in ("../../evil.npy", "/etc/passwd"):
        forged = schema.replace(name, target)
        assert forged != schema
        write(path, parts | {SCHEMA: forged.encode()})
        with pytest.raises(ModelFileError, match="damaged"):
            load_model(path)
