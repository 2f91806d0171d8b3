"""Types that a person corrects are stored in the schema that readers read."""

import json

import pytest

from manyminds.datasets import read_table
from manyminds.serve.tables.declarations import declare_kinds, read_declared
from manyminds.utils.errors import InputError


def test_types_are_those_of_the_reader(tmp_path):
    (tmp_path / "t.csv").write_text("zip,x,row,class\n1,2,3,a\n4,5,6,b\n")
    schema = tmp_path / "t.schema.json"
    declare_kinds(schema, {"zip": "category", "row": "drop", "x": "auto"})
    data = read_table(tmp_path / "t.csv")
    assert list(data.X) == ["zip", "x"] and list(data.categorical) == ["zip"]
    declare_kinds(schema, {"zip": "number", "row": "auto"})
    data = read_table(tmp_path / "t.csv")
    assert list(data.X) == ["zip", "x", "row"] and list(data.categorical) == []


def test_what_else_the_schema_has_stays(tmp_path):
    schema = tmp_path / "t.schema.json"
    schema.write_text(json.dumps({"target": "y", "categorical": ["a", "b"]}))
    declare_kinds(schema, {"a": "drop", "c": "category"})
    assert read_declared(schema) == {
        "target": "y", "categorical": ["b", "c"], "drop": ["a"],
    }  # fmt: skip


def test_a_schema_without_content_is_removed(tmp_path):
    schema = tmp_path / "t.schema.json"
    declare_kinds(schema, {"a": "number"})
    declare_kinds(schema, {"a": "auto"})
    assert not schema.exists() and read_declared(schema) == {}
    assert read_declared(None) == {}


def test_a_list_of_all_columns_stays(tmp_path):
    schema = tmp_path / "t.schema.json"
    schema.write_text(json.dumps({"categorical": "all"}))
    declare_kinds(schema, {"a": "number"})
    assert read_declared(schema) == {"categorical": "all", "numeric": ["a"]}


def test_errors(tmp_path):
    schema = tmp_path / "t.schema.json"
    with pytest.raises(InputError, match="no type of a column"):
        declare_kinds(schema, {"a": "poem"})
    for text in ("{", "[]", '{"unknown": 1}'):
        schema.write_text(text)
        with pytest.raises(InputError, match="is damaged"):
            read_declared(schema)
