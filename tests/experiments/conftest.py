"""What tests of experiments share: stores of both kinds, and a small plan."""

from functools import partial

import pytest

from manyminds.experiments import open_store


@pytest.fixture(params=["sqlite", "postgresql"])
def open_again(request, tmp_path):
    """Return a function that opens the same store again and again, of each kind."""
    if request.param == "sqlite":
        return partial(open_store, str(tmp_path / "records.sqlite"))
    return partial(open_store, request.getfixturevalue("postgresql_url"))


@pytest.fixture
def store(tmp_path):
    """Return a fresh store in SQLite."""
    store = open_store(str(tmp_path / "records.sqlite"))
    yield store
    store.close()
