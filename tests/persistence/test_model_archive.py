"""Whatever is wrong with a model file, there is one clear error, and it comes soon."""

import io
import json
import time
import tracemalloc
import zipfile

import numpy as np
import pytest
from scipy.sparse import csr_array, save_npz
from sklearn.svm import SVC

from manyminds.datasets import Dataset
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
