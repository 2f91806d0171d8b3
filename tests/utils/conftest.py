"""Processes that must end, for tests of this folder."""

import os
import time

import pytest


@pytest.fixture
def is_alive():
    """Return a function that says whether a process exists."""

    def exists(process):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return True

    return exists


@pytest.fixture
def wait_until_gone(is_alive):
    """Return a function that waits for processes, and returns those that stay."""

    def wait(*processes, seconds=20.0):
        end = time.monotonic() + seconds
        while any(map(is_alive, processes)) and time.monotonic() < end:
            time.sleep(0.05)
        return [one for one in processes if is_alive(one)]

    return wait
