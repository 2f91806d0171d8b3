"""All requests of an application share one state."""

from types import SimpleNamespace

import pytest

pytest.importorskip("starlette")
from manyminds.serve.app import create_app
from manyminds.serve.security import Access
from manyminds.serve.state import ServeState, get_state


def test_the_state_is_that_of_the_application(tmp_path):
    app = create_app(tmp_path, Access("127.0.0.1", 1), upload_limit=7)
    state = get_state(SimpleNamespace(app=app))
    assert isinstance(state, ServeState)
    assert state.folder.root == tmp_path.resolve() and state.upload_limit == 7
    assert len(state.pages) == len(state.models) == 0
