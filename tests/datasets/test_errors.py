"""Whatever is wrong with a file, the error is one and names it."""

import gzip
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import dump_svmlight_file

from manyminds.datasets import TableError, errors, read_features, read_table
from manyminds.datasets.errors import convert_errors
from manyminds.datasets.formats import text_format


@pytest.fixture
def files(tmp_path, seed):
    """Write one small table in each format."""
    rng = np.random.default_rng(seed)
    numbers, label = rng.normal(size=(60, 2)), np.arange(60) % 2
    frame = pd.DataFrame(numbers, columns=["a", "b"])
    frame["hue"] = rng.choice(["red", "blue"], 60)
    frame["target"] = label
    text = frame.to_csv(index=False).encode()
    rows = "\n".join(f"{a!r},{b!r},{y}" for (a, b), y in zip(numbers.tolist(), label))
    header = "@relation r\n@attribute a numeric\n@attribute b real\n"
    (tmp_path / "t.csv").write_bytes(text)
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text))
    (tmp_path / "t.arff").write_text(f"{header}@attribute c {{0,1}}\n@data\n{rows}\n")
    dump_svmlight_file(numbers, label, str(tmp_path / "t.svm"))
    if pytest.importorskip("pyarrow"):
        frame.to_parquet(tmp_path / "t.parquet")
    return sorted(tmp_path.glob("t.*"))


@pytest.mark.filterwarnings("ignore")
def test_mutated_files_are_read_or_refused_by_name(files, seed):
    rng = np.random.default_rng(seed)
    for file in files:
        whole = file.read_bytes()
        for trial in range(12):
            content = bytearray(whole)
            if trial % 3 == 0:
                content = content[: rng.integers(0, len(content))]
            else:
                for place in rng.integers(0, len(content), 1 + trial):
                    content[place] = rng.integers(0, 256)
            file.write_bytes(bytes(content))
            for read in (read_table, read_features):
                try:
                    read(file)
                except TableError as error:
                    assert str(error).startswith(f"{file.name}: ")


@pytest.mark.parametrize("read", [read_table, read_features])
def test_cut_and_damaged_gzip(tmp_path, read):
    whole = gzip.compress(b"a,target\n" + b"1.25,x\n2.5,y\n" * 200)
    path = tmp_path / "cut.csv.gz"
    wrong_block = whole[:10] + b"\xff" + whole[11:]
    for content in (whole[:-20], whole[: len(whole) // 2], wrong_block, b"no gzip"):
        path.write_bytes(content)
        with pytest.raises(TableError, match=r"^cut\.csv\.gz: the file is damaged or"):
            read(path)


def test_what_rust_raises_is_told_and_ctrl_c_is_not(tmp_path):
    panic = type("PanicException", (BaseException,), {})
    with pytest.raises(TableError, match=r"^t\.parquet: the file is damaged: oh"):
        with convert_errors(tmp_path / "t.parquet"):
            raise panic("oh\nno")
    with pytest.raises(KeyboardInterrupt), convert_errors(tmp_path):
        raise KeyboardInterrupt


def test_other_messages_get_the_name_of_the_file(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,target\n1,inf\n2,3\n3,4.5\n")
    with pytest.raises(TableError, match=r"^t\.csv: The target 'target' holds 1 inf"):
        read_table(path)
    path.write_text("a,target\n1,x\ninf,y\n")
    with pytest.raises(
        TableError, match=r"^t\.csv: Column 'a' holds 1 infinite .*row 2"
    ):
        read_table(path)


def test_fields_of_the_error_survive_pickling(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text("@relation r\n@attribute a nothing\n@data\n1\n")
    with pytest.raises(TableError, match=r"^t\.arff: the attribute 'a' is") as raised:
        read_table(path)
    error = pickle.loads(pickle.dumps(raised.value))
    assert str(error) == str(raised.value)
    assert (error.file, error.line) == ("t.arff", 2)


def test_a_message_is_one_line_whatever_the_names_of_columns_are(tmp_path):
    # A quote that is never closed makes the rest of the file one name.
    path = tmp_path / "t.csv"
    path.write_text('a,"b,target\n1,2,x\n\x1b[2J,"3,4\n' + "c" * 5_000)
    with pytest.raises(TableError, match=r"b,target\\n1,2,x\\n\\x1b") as caught:
        read_table(path)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 1_500


@pytest.mark.parametrize("name", ["t.csv.gz", "t.parquet", "t.xlsx"])
def test_files_that_expand_to_far_more_are_refused(tmp_path, name, monkeypatch):
    monkeypatch.setattr(errors, "MAX_FREE_BYTES", 100_000)
    monkeypatch.setattr(text_format, "MAX_FREE_BYTES", 100_000)
    path, frame = tmp_path / name, pd.DataFrame({"a": 0, "target": np.zeros(20_000)})
    if name == "t.xlsx":
        monkeypatch.setattr(errors, "MAX_RATIO", 20)
        pytest.importorskip("openpyxl")
        frame.head(2_000).to_excel(path, index=False)
    elif name == "t.parquet":
        pytest.importorskip("pyarrow")
        monkeypatch.setattr(errors, "MAX_RATIO", 20)
        frame.to_parquet(path)
    else:
        path.write_bytes(gzip.compress(b"a,target\n" + b"0,0\n" * 100_000))
    for read in (read_table, read_features):
        with pytest.raises(TableError, match=f"^{name}: .* would expand to .* as .csv"):
            read(path)
    monkeypatch.setattr(errors, "MAX_RATIO", 10_000)
    assert read_table(path).n_features == 1
