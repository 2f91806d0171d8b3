"""A schema is read, checked and overruled by arguments."""

import json

import pytest

from manyminds.datasets.columns import MISSING_VALUES
from manyminds.datasets.errors import TableError
from manyminds.datasets.schema import Schema, sibling_schema


def test_a_file_says_what_a_dict_says(tmp_path):
    declared = {"categorical": ["a"], "target": "y", "drop": ["id"], "missing": ["-"]}
    file = tmp_path / "s.json"
    file.write_text(json.dumps(declared))
    assert Schema.read(file) == Schema.read(str(file)) == Schema.read(declared)
    assert Schema.read(None) == Schema()


def test_kinds():
    schema = Schema(categorical=["a"], numeric="all")
    assert [schema.kind(name) for name in "ab"] == ["categorical", "numeric"]
    schema = Schema(categorical="all", numeric=["b"])
    assert [schema.kind(name) for name in "ab"] == ["categorical", "numeric"]
    assert Schema(categorical=["a"]).kind("b") is None


def test_arguments_win():
    schema = Schema.read({"target": "y", "task": "regression", "missing": ["-"]})
    assert schema.updated().missing == ("-",)
    updated = schema.updated("z", "classification", ["a"], ["id"], ["?"])
    assert (updated.target, updated.task) == ("z", "classification")
    assert (updated.categorical, updated.drop) == (("a",), ("id",))
    assert updated.missing == ("?",)
    assert Schema().updated().missing == MISSING_VALUES


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"categoric": ["a"]}, "Unknown keys in the schema: categoric. It takes cat"),
        (
            {"categorical": "a"},
            "categorical must be a list of names, or \"all\"; got 'a'",
        ),
        ({"drop": "all"}, "drop must be a list of texts"),
        ({"task": "sorting"}, "task must be one of"),
        ({"categorical": ["a"], "numeric": ["a"]}, r"both .*: \['a'\]"),
        ({"categorical": "all", "numeric": "all"}, "cannot both"),
    ],
)
def test_what_a_schema_cannot_say(declared, message):
    with pytest.raises(ValueError, match=message):
        Schema.read(declared)


def test_a_file_must_hold_an_object(tmp_path):
    (tmp_path / "s.json").write_text("[1]")
    with pytest.raises(ValueError, match="got a list"):
        Schema.read(tmp_path / "s.json")


def test_unknown_columns_are_named_with_close_ones():
    with pytest.raises(ValueError, match=r"categorical names .*'colr'.* Close: color"):
        Schema(categorical=["colr"]).check_names(["color", "size"])


@pytest.mark.parametrize("name", ["foo.csv", "foo.csv.gz", "foo.arff"])
def test_the_schema_beside_a_table(tmp_path, name):
    assert sibling_schema(tmp_path / name) is None
    (tmp_path / "foo.schema.json").write_text("{}")
    assert sibling_schema(tmp_path / name) == tmp_path / "foo.schema.json"


@pytest.mark.parametrize(
    "content, problem, line",
    [
        (b'{"target":\n "a" "b"}', r"line 2 is not valid JSON: Expecting ','", 2),
        (b'{"target": "\xff"}', "not in UTF-8; save it as UTF-8", None),
        (b"[" * 100_000, "nested too deeply", None),
        (b'{"task": "other"}', "task must be one of", None),
        (b'{"target": 1.5}', "target must be a list of texts; got 1.5", None),
        (b'{"target": true}', "target must be a list of texts; got True", None),
        (b'{"categorical": null}', "categorical must be a list of names", None),
        (b'{"drop": {"a": 1}}', "drop must be a list of texts", None),
        (b'{"other": 1}', "Unknown keys", None),
    ],
)
def test_a_wrong_file_is_named_with_its_line(tmp_path, content, problem, line):
    (tmp_path / "t.schema.json").write_bytes(content)
    with pytest.raises(TableError, match=rf"^t\.schema\.json: .*{problem}") as caught:
        Schema.read(tmp_path / "t.schema.json")
    assert caught.value.line == line
