"""What tests of experiments share: stores of both kinds, and a small plan."""

import importlib.util
import sys
from functools import partial
from pathlib import Path

import pytest

from manyminds.experiments import open_store


def _sibling(name):
    # Test folders are no packages: files of one name may live in several rooms.
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"tests_experiments_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def postgresql_url():
    """Give the URL of a real PostgreSQL, or skip and say why there is none."""
    pytest.importorskip("pg8000", reason="a store in PostgreSQL needs pg8000")
    postgresql = _sibling("postgresql")
    try:
        server = postgresql.running_server()
        url = server.__enter__()
    except postgresql.NoServerError as reason:
        pytest.skip(f"No PostgreSQL to test with: {reason}")
    yield url
    server.__exit__(None, None, None)


@pytest.fixture(params=["sqlite", "postgresql"])
def open_again(request, tmp_path):
    """Give a function that opens the same store again and again, of each kind."""
    if request.param == "sqlite":
        return partial(open_store, str(tmp_path / "records.sqlite"))
    return partial(open_store, request.getfixturevalue("postgresql_url"))


@pytest.fixture
def store(tmp_path):
    """Give a fresh store in SQLite."""
    store = open_store(str(tmp_path / "records.sqlite"))
    yield store
    store.close()
