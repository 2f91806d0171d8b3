"""A damaged or forged model file is refused in one sentence, and nothing of it runs."""

import io
import json
import sys
import warnings
import zipfile

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import from_frame
from manyminds.ensemble import RandomForestClassifier
from manyminds.persistence.model_archive import FACTS, SCHEMA
from manyminds.persistence.model_file import load_model, save_model
from manyminds.utils.errors import UserError

# Names of types and values that a forged description may hold.
FORGED = (
    None, True, -1, 0, 2**63, 1e308, "", "x", [], {}, "os", "system", "builtins",
    "eval", "exec", "subprocess", "Popen", "numpy", "ndarray", "functools", "partial",
    "sklearn.pipeline", "Pipeline", "manyminds.trees.structure", "Trees", "TypeNode",
    "FunctionNode", "ObjectNode", "PartialNode", "MethodNode", "ReduceNode", "DictNode",
    "ListNode", "NdArrayNode", "JsonNode", "../../etc/passwd", "/etc/passwd",
    "schema.json", [[[]]],
)  # fmt: skip
WATCHED = ("os.system", "os.exec", "subprocess.Popen", "socket.connect", "os.remove")
seen, watching = [], []


def _watch(event, arguments):
    if watching and event.startswith(WATCHED):
        seen.append(f"{event}{arguments}")
    if watching and event == "open" and isinstance(arguments[1], str):
        if set(arguments[1]) & set("wax+"):
            seen.append(f"{event}{arguments}")


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Return what the file of a small forest over numbers and categories holds."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=30), "b": list("xyz") * 10})
    data = from_frame(frame.assign(target=list("uv") * 15))
    model = RandomForestClassifier(3, max_depth=3, random_state=0).fit(data.X, data.y)
    path = save_model(tmp_path_factory.mktemp("model") / "model.skops", model, data)
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def pack(parts):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def load(path):
    """Load a file; return its model, or None if it is refused in one line."""
    seen.clear()
    watching.append(True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            return load_model(path)
        except UserError as error:
            text = str(error)
            assert path.name in text, f"the file is not named: {text!r}"
            assert "\n" not in text, f"several lines: {text!r}"
            assert len(text) < 1_000, f"{len(text)} characters: {text!r}"
        finally:
            watching.clear()
            assert not seen, f"something was run: {seen}"
    return None


def forge(rng, node):
    """Replace one to three values somewhere in nested lists and mappings."""
    places, waiting = [], [node]
    while waiting:
        one = waiting.pop()
        inside = one.items() if isinstance(one, dict) else enumerate(one)
        for key, value in list(inside):
            places.append((one, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    for _ in range(int(rng.integers(1, 4))):
        holder, key = places[int(rng.integers(len(places)))]
        other = places[int(rng.integers(len(places)))]
        try:
            copied = json.loads(json.dumps(other[0][other[1]]))
            values = (FORGED[int(rng.integers(len(FORGED)))], copied)
            holder[key] = values[int(rng.integers(2))]
        except (KeyError, IndexError, RecursionError, ValueError):
            continue  # it was in a part that has been replaced
    return node


@pytest.fixture(scope="module", autouse=True)
def _watched():
    sys.addaudithook(_watch)


def test_damaged_files(fuzzer, parts, tmp_path):
    path, valid = tmp_path / "model.skops", pack(parts)
    assert load_model_of(path, valid) is not None
    for number, rng in fuzzer.rngs(10):
        content = fuzzer.damage(rng, valid, valid[::-1])
        fuzzer.run(f"model {number}", load_model_of, path, content)


def load_model_of(path, content):
    path.write_bytes(content)
    return load(path)


def test_damaged_parts(fuzzer, parts, tmp_path):
    path, names = tmp_path / "model.skops", list(parts)
    for number, rng in fuzzer.rngs(11):
        name = names[int(rng.integers(len(names)))]
        content = pack(parts | {name: fuzzer.damage(rng, parts[name], parts[SCHEMA])})
        fuzzer.run(f"part {number} {name}", load_model_of, path, content)


@pytest.mark.parametrize("name", [SCHEMA, FACTS])
def test_forged_descriptions(fuzzer, parts, tmp_path, name):
    path = tmp_path / "model.skops"
    for number, rng in fuzzer.rngs(12, len(name)):
        forged = json.dumps(forge(rng, json.loads(parts[name])))
        content = pack(parts | {name: forged.encode()})
        fuzzer.run(f"forged {name} {number}", load_model_of, path, content)
