"""A store is opened by the name of a file or a URL, and keeps one contract."""

import pytest

from manyminds.experiments import Record, Store, StoreError, open_store


def test_a_file_name_is_a_store(tmp_path):
    file = tmp_path / "new folder" / "records.sqlite"
    open_store(str(file)).close()
    open_store(f"sqlite:///{file}").close()
    assert file.exists()


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://localhost/x", "SQLite .* or PostgreSQL .* got 'mysql'"),
        ("sqlite://", "name a file"),
        ("postgresql://u:secret@127.0.0.1:1/none", r"u:\*\*\*@.* cannot be opened"),
        ("what://ever:/:/", "store"),
    ],
)
def test_a_bad_url_gets_a_clear_error(url, message):
    with pytest.raises(StoreError, match=message) as caught:
        open_store(url)
    assert "secret" not in str(caught.value)


def test_what_is_opened_is_a_store(store):
    assert isinstance(store, Store)


def test_a_part_of_the_contract_is_no_store():
    class Box:
        def put(self, records):
            """Store records."""

        def get(self, keys):
            """Return records."""

    assert not isinstance(Box(), Store)


def test_two_names_of_a_file_are_one_store(tmp_path):
    file = tmp_path / "records.sqlite"
    record = Record("key", "iris", "rf", 0, 0, {"accuracy": 0.5})
    first, second = open_store(str(file)), open_store(f"sqlite:///{file}")
    first.put([record])
    assert second.find() == [record]
    first.close()
    second.close()
