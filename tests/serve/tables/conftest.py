"""The state of an application, without a server."""

import pytest


@pytest.fixture
def state(tmp_path):
    pytest.importorskip("starlette")
    from manyminds.serve.app import create_app
    from manyminds.serve.security import Access

    folder = tmp_path / "folder"
    folder.mkdir()
    return create_app(folder, Access("127.0.0.1", 1)).state.serve


@pytest.fixture
def put(state):
    """Return a function that stores a table and returns its source."""
    from manyminds.serve.tables.source import find_source

    def store(name, content):
        path = state.folder.root / name
        if isinstance(content, str):
            content = content.encode()
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            content(path)
        return find_source(state, name)

    return store
