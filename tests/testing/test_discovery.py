"""The finder sees public estimators, and nothing else."""

import sys
from textwrap import dedent

import pytest

from manyminds.testing import all_estimators


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """Write a package with rooms; return a function that writes one more file."""

    def write(path, text):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text))

    def forget():
        for name in [name for name in sys.modules if name.split(".")[0] == "toy"]:
            del sys.modules[name]

    monkeypatch.syspath_prepend(tmp_path)
    forget()
    write("toy/__init__.py", "")
    yield write
    forget()


ROOM = """
    from abc import ABC, abstractmethod
    from sklearn.base import BaseEstimator
    __all__ = ["Good", "Abstract", "helper", "Plain"]
    class Good(BaseEstimator): ...
    class Hidden(BaseEstimator): ...
    class Plain: ...
    class Abstract(ABC, BaseEstimator):
        @abstractmethod
        def grow(self): ...
    def helper(): ...
"""


def test_only_public_concrete_estimators_are_found(toy):
    toy("toy/room/__init__.py", ROOM)
    assert [name for name, _ in all_estimators("toy")] == ["Good"]


def test_private_rooms_and_the_room_testing_are_left_out(toy):
    for room in ("_private", "testing", "room/_private"):
        toy(f"toy/{room}/__init__.py", ROOM)
    toy("toy/room/__init__.py", "")
    assert all_estimators("toy") == []


def test_sub_rooms_are_walked_and_a_class_comes_once(toy):
    toy("toy/room/__init__.py", 'from toy.room.sub import Good\n__all__ = ["Good"]')
    toy("toy/room/sub/__init__.py", ROOM)
    (pair,) = all_estimators("toy")
    assert pair == ("Good", sys.modules["toy.room.sub"].Good)


def test_a_room_that_cannot_be_imported_is_not_passed_over(toy):
    toy("toy/room/__init__.py", "import no_such_module_at_all")
    with pytest.raises(ModuleNotFoundError, match="no_such_module_at_all"):
        all_estimators("toy")


def test_a_name_that_is_promised_but_missing_is_an_error(toy):
    toy("toy/room/__init__.py", '__all__ = ["Nowhere"]')
    with pytest.raises(AttributeError, match="Nowhere"):
        all_estimators("toy")
