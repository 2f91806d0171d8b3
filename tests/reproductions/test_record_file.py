"""Files of records: all that judging needs, the same bytes each time."""

import gzip
from dataclasses import replace

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.record_file import RecordFile, encode_records
from manyminds.utils.errors import InputError


def make_records(dataset="a"):
    record = Record(
        "", dataset, "tree", 0, 0, {"accuracy": 1 / 3, "n": 5.0}, seconds=2.0,
        finished="2024-02-03T10:00:00", estimator="Tree()", fingerprint="f",
        versions="x 1",
    )  # fmt: skip
    return [
        replace(record, key=f"{dataset}{i}", repeat=i // 2, fold=i % 2)
        for i in range(4)
    ]


def write(tmp_path, found):
    path = tmp_path / "records.jsonl.gz"
    path.write_bytes(encode_records(found))
    return path


def test_records_come_back(tmp_path):
    failed = Record("k", "b", "tree", 0, 0, error="ValueError: no", estimator="Tree()")
    found = RecordFile(write(tmp_path, {"plan": [*make_records(), failed]}))
    records = found.find(plan="plan")
    assert [(r.dataset, r.repeat, r.fold) for r in records] == [
        ("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("a", 1, 1), ("b", 0, 0),
    ]  # fmt: skip
    assert records[0].values == pytest.approx({"accuracy": 1 / 3, "n": 5.0}, rel=1e-6)
    assert sum(r.seconds for r in records) == 8.0
    assert {r.finished[:10] for r in records[:4]} == {"2024-02-03"}
    assert records[4].failed and records[4].error == "ValueError: no"
    assert records[0].versions == "x 1" and records[0].estimator == "Tree()"
    assert found.find(plan="other") == []


def test_shared_records_are_written_once(tmp_path):
    records = make_records()
    path = write(tmp_path, {"one": records, "two": records})
    assert gzip.decompress(path.read_bytes()).count(b'"dataset"') == 1
    found = RecordFile(path)
    assert found.find(plan="one") == found.find(plan="two") != []


def test_order_of_records_makes_no_difference_to_the_bytes():
    records = make_records() + make_records("b")
    assert encode_records({"p": records}) == encode_records({"p": records[::-1]})


def test_other_formats_are_refused_and_no_file_has_no_records(tmp_path):
    path = tmp_path / "records.jsonl.gz"
    assert RecordFile(path).find(plan="p") == []
    path.write_bytes(gzip.compress(b'{"format": 99}'))
    with pytest.raises(ValueError, match="format 99"):
        RecordFile(path)


def test_damage_is_named(tmp_path):
    path = write(tmp_path, {"plan": make_records()})
    content = path.read_bytes()
    text = gzip.decompress(content).decode()
    wrong = [content[:-9], content[:40] + b"x" + content[41:], b"no gzip", b""]
    for one in wrong:
        path.write_bytes(one)
        with pytest.raises(InputError, match=r"records\.jsonl\.gz is damaged"):
            RecordFile(path)
    for old, new in (
        ('"dataset":"a"', '"dataset":7'), ('"plans":', '"other":'),
        ('"folds":', '"x":'), ("[[0,0],", "[[0],"), ("]", ""),
    ):  # fmt: skip
        assert old in text
        path.write_bytes(gzip.compress(text.replace(old, new, 1).encode()))
        with pytest.raises(InputError, match="gz is damaged in line 2 "):
            RecordFile(path)


def test_unusual_ends_of_lines_in_texts_come_back(tmp_path):
    failed = Record("k", "b", "tree", 0, 0, error="a\u2028b\x85c", estimator="Tree()")
    found = RecordFile(write(tmp_path, {"plan": [failed]}))
    assert found.find(plan="plan")[0].error == "a\u2028b\x85c"
