"""A process knows itself to be alive, and others that are not."""

import pytest

from manyminds.search.study.owners import is_alive, is_local, name_owner


def test_this_process_is_alive():
    assert is_local(name_owner()) and is_alive(name_owner())


@pytest.mark.parametrize("change", [("0", None), (None, "1")])
def test_another_number_or_start_is_not(change):
    host, process, start = name_owner().rsplit(":", 2)
    number = "999999999" if change[0] else process
    owner = f"{host}:{number}:{change[1] or start}"
    assert is_local(owner) and not is_alive(owner)


def test_another_machine_cannot_be_checked():
    owner = "elsewhere:1:1"
    assert not is_local(owner) and is_alive(owner)
