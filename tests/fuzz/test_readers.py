"""Readers answer any file with a table, or with one sentence that names the file."""

import gzip
import json
import re
import warnings
import zipfile
import zlib
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import issparse

from manyminds.datasets import DataFolder, ParquetTable, read_features, read_table
from manyminds.utils.errors import InputWarning, UserError
from manyminds.utils.text import printable

CSV = b"""size,color,"the, name",day,target
1.5,red,a,2020-01-02,x
2,green,"b ""c"", d",2020-02-03,y
?,,d,2021-11-30,x
-3e5,red,e,2019-05-06,y
"""
ARFF = b"""% a comment
@relation toy
@attribute size numeric
@attribute 'the color' {red, 'dark blue', green}
@attribute note string
@attribute class {yes,no}
@data
1.5, red, 'it''s', yes
?, 'dark blue', "b", no
2e3, green, c, yes
0, red, d, no
"""
SPARSE_ARFF = b"""@relation toy
@attribute size numeric
@attribute color {red, green}
@attribute class {yes,no}
@data
{0 1.5, 2 no}
{1 green}
{}
{0 3, 1 green, 2 no}
"""
SVM = b"1 1:0.5 3:2\n-1 2:1 # note\n1 qid:2 1:7 2:3e-5\n-1 3:1\n"
SCHEMA = json.dumps(
    {
        "target": "target",
        "categorical": ["color"],
        "numeric": ["size"],
        "task": "classification",
        "drop": ["day"],
        "missing": ["", "?"],
    }
).encode()
DATE = b"2026-01-02T03:04:05Z"
XML = b'<labels><label name="class"/><label name="size"></label></labels>'
FRAME = pd.DataFrame(
    {
        "size": [1.5, 2.0, np.nan, -3e5],
        "count": [1, 2, 3, 4],
        "color": pd.Categorical(["red", "green", None, "red"]),
        "day": pd.to_datetime(["2020-01-02", "2020-02-03", None, "2019-05-06"]),
        "target": ["x", "y", "x", "y"],
    }
)


def parquet():
    buffer = BytesIO()
    FRAME.to_parquet(buffer)
    return buffer.getvalue()


def xlsx():
    """Return a spreadsheet that has the same bytes in each run."""
    made, buffer = BytesIO(), BytesIO()
    FRAME.to_excel(made, index=False)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            content = re.sub(rb"20\d\d-\d\d-\d\dT[\d:]+Z", DATE, old.read(name))
            part = zipfile.ZipInfo(name)
            part.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(part, content)
    return buffer.getvalue()


VALID = {
    "t.csv": lambda: CSV,
    "t.tsv": lambda: CSV.replace(b",", b"\t"),
    "t.txt": lambda: CSV.replace(b",", b";"),
    "t.arff": lambda: ARFF,
    "s.arff": lambda: SPARSE_ARFF,
    "t.svm": lambda: SVM,
    "t.parquet": parquet,
    "t.xlsx": xlsx,
    "t.csv.gz": lambda: gzip.compress(CSV, mtime=0),
    "t.arff.gz": lambda: gzip.compress(ARFF, mtime=0),
    "t.svm.gz": lambda: gzip.compress(SVM, mtime=0),
}
PACKAGES = {"t.parquet": "pyarrow", "t.xlsx": "openpyxl"}
OPTIONS = {
    "target": [None, "target", "class", "nothing", -1, 0, 7, ["size", "color"], ""],
    "task": ["classification", "regression", "multilabel", "other"],
    "categorical": ["all", ["color"], ["nothing"], []],
    "drop": [["size"], ["nothing"]],
    "drop_missing_target": [True],
    "n_features": [1, 3, 10, 0],
    "separator": [",", ";", "x", "", "\\t", '"'],
    "decimal": [",", ".", "x"],
    "encoding": ["utf-8", "latin-1", "utf-16", "cp1250", "hex", "\x00"],
    "missing_values": [["-1"], ["", "red"], []],
}
READING = ("separator", "decimal", "encoding", "n_features", "missing_values")


def draw_options(rng, names=tuple(OPTIONS)):
    """Return no options for half of the inputs, one or two for the others."""
    if rng.random() < 0.5:
        return {}
    chosen = rng.choice(len(names), size=int(rng.integers(1, 3)), replace=False)
    values = {names[i]: OPTIONS[names[i]] for i in chosen}
    return {key: some[int(rng.integers(len(some)))] for key, some in values.items()}


def check_message(error, names):
    """Check that a message is one line for a user, which names the file or option."""
    text = str(error)
    assert 0 < len(text) < 1_500, f"message of {len(text)} characters: {text[:200]}"
    assert "\n" not in text.strip(), f"several lines: {text!r}"
    assert any(name in text for name in names), f"nothing is named: {text!r}"
    for word in ("Traceback", "NoneType", "object at 0x", "it may be damaged:"):
        assert word not in text, f"not for users: {text!r}"


def check_table(data):
    assert len(data.y) == data.n_samples
    X = data.X.data if issparse(data.X) else data.X.select_dtypes("number")
    assert not np.isinf(np.asarray(X, dtype=np.float64)).any(), "infinite"


def read_both(path, options):
    """Read a file with its target and without; a UserError must be readable."""
    names = (path.name, path.name.split(".")[0] + ".", *options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", InputWarning)
        try:
            check_table(read_table(path, **options))
        except UserError as error:
            check_message(error, names)
        options = {key: one for key, one in options.items() if key in READING}
        try:
            table = read_features(path, **options)
            assert table.shape[0] > 0 or path.name.startswith("t.svm")
        except UserError as error:
            check_message(error, names)


def damage_inside(fuzzer, rng, name, valid, other):
    """Damage what is in a valid archive, or leave the bytes of a plain file."""
    if name.endswith(".gz"):
        content = fuzzer.damage(rng, gzip.decompress(valid), other)
        return gzip.compress(content, 1, mtime=0)
    if not name.endswith(".xlsx"):
        return fuzzer.damage(rng, valid, other)
    buffer = BytesIO()
    with zipfile.ZipFile(BytesIO(valid)) as old, zipfile.ZipFile(buffer, "w") as new:
        parts = old.namelist()
        chosen = parts[int(rng.integers(len(parts)))]
        for part in parts:
            content = old.read(part)
            if part == chosen or "sheet1" in part:
                content = fuzzer.damage(rng, content, other)
            new.writestr(part, content)
    return buffer.getvalue()


@pytest.mark.parametrize("name", VALID)
def test_damaged_files(name, fuzzer, tmp_path):
    if name in PACKAGES:
        pytest.importorskip(PACKAGES[name])
    valid, path = VALID[name](), tmp_path / name
    others = [CSV, ARFF, SVM, XML]
    for number, rng in fuzzer.rngs(1, zlib.crc32(name.encode())):
        other = others[int(rng.integers(len(others)))]
        if rng.random() < 0.5:
            path.write_bytes(damage_inside(fuzzer, rng, name, valid, other))
        else:
            path.write_bytes(fuzzer.damage(rng, valid, other))
        options = draw_options(rng)
        fuzzer.run(f"{name} {number} {options}", read_both, path, options)


def read_stored(path):
    """Read a table on disk in batches, with its target and its categories."""
    try:
        table = ParquetTable(path, target="target")
        n_rows = sum(len(frame) for frame in table.iterate_frames(7))
        assert n_rows == len(table) == len(table.read_target())
        for name in table.columns:
            table.read_levels(name)
    except UserError as error:
        check_message(error, (path.name, "target", "columns"))


def test_damaged_stored_tables(fuzzer, tmp_path):
    pytest.importorskip("pyarrow")
    valid, path = parquet(), tmp_path / "t.parquet"
    for number, rng in fuzzer.rngs(4, share=0.5):
        path.write_bytes(fuzzer.damage(rng, valid, CSV))
        fuzzer.run(f"stored {number}", read_stored, path)


def read_schema(path):
    try:
        check_table(read_table(path))
    except UserError as error:
        check_message(error, ("t.csv", "t.schema.json"))


def test_damaged_folders(fuzzer, tmp_path):
    valid = {
        "INDEX.csv": b"name,rows,features,classes_or_regression\ntoy,2,1,2\n",
        "SCHEMA.json": b'{"toy": {"categorical": ["a"], "targets": ["target"]}}',
        "toy.csv.gz": gzip.compress(b"a,target\n1,x\n2,y\n", mtime=0),
    }

    def load():
        names = ["other"]
        try:
            folder = DataFolder(tmp_path)
            names = [*folder.names(), "other"]
            for name in names:
                folder.load(name)
        except UserError as error:
            check_message(error, (*valid, *map(printable, names)))

    for number, rng in fuzzer.rngs(4):
        chosen = list(valid)[int(rng.integers(3))]
        for name, content in valid.items():
            damaged = fuzzer.damage(rng, content, CSV) if name == chosen else content
            (tmp_path / name).write_bytes(damaged)
        label = f"folder {number} {(tmp_path / chosen).read_bytes()!r}"
        fuzzer.run(label, load)


def test_damaged_schemas(fuzzer, tmp_path):
    path, schema = tmp_path / "t.csv", tmp_path / "t.schema.json"
    path.write_bytes(CSV)
    for number, rng in fuzzer.rngs(2):
        schema.write_bytes(fuzzer.damage(rng, SCHEMA, CSV))
        fuzzer.run(f"schema {number} {schema.read_bytes()!r}", read_schema, path)


def test_damaged_label_files(fuzzer, tmp_path):
    path, labels = tmp_path / "t.arff", tmp_path / "t.xml"
    path.write_bytes(ARFF)
    for number, rng in fuzzer.rngs(3):
        labels.write_bytes(fuzzer.damage(rng, XML, ARFF))
        fuzzer.run(f"labels {number} {labels.read_bytes()!r}", read_both, path, {})
