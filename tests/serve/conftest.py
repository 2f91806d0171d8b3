"""Finished searches and an application that serves them, for tests of this folder."""

import shutil
import time
from contextlib import contextmanager

import pytest


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """Return the folder of a small finished search of classes."""
    from manyminds.workflows import run_search

    folder = tmp_path_factory.mktemp("served") / "iris-search"
    run_search("iris", n_trials=3, cv=5, out=folder, n_jobs=1)
    return folder


@pytest.fixture(scope="session")
def finished_numbers(tmp_path_factory):
    """Return the folder of a small finished search of numbers, next to its table."""
    from manyminds.datasets import load_dataset
    from manyminds.workflows import run_search

    place = tmp_path_factory.mktemp("numbers")
    data = load_dataset("diabetes-progression")
    table = data.X.iloc[:120].assign(grade=data.y[:120])
    table.to_csv(place / "sugar.csv", index=False)
    folder = place / "sugar-search"
    run_search(place / "sugar.csv", "grade", n_trials=2, cv=5, out=folder, n_jobs=1)
    return folder


@pytest.fixture(scope="session")
def finished_labels(tmp_path_factory):
    """Return the folder of a finished search of two labels of 40 columns."""
    import numpy as np
    import pandas as pd

    from manyminds.workflows import run_search

    place = tmp_path_factory.mktemp("labels")
    drawn = np.random.default_rng(0).normal(size=(120, 40)).round(3)
    table = pd.DataFrame(drawn, columns=[f"Size {k}" for k in range(40)])
    table["big"], table["odd"] = drawn[:, 0] > 0, drawn[:, 1] > 0.5
    table = table.astype({"big": int, "odd": int})
    table.to_csv(place / "tags.csv", index=False)
    folder = place / "tags-search"
    run_search(place / "tags.csv", "big,odd", n_trials=2, cv=4, out=folder, n_jobs=1)
    return folder


@pytest.fixture
def served(tmp_path, finished):
    """Return a folder that holds a copy of the finished search."""
    shutil.copytree(finished, tmp_path / "iris-search")
    return tmp_path


@pytest.fixture
def client(served, visit):
    """Return a client that is allowed to use an application of the folder."""
    with visit(served) as client:
        yield client


@pytest.fixture
def visit():
    """Return a context of a client of a folder, with the cookie of a visitor."""
    pytest.importorskip("starlette")
    pytest.importorskip("httpx")
    from starlette.testclient import TestClient

    from manyminds.serve.app import create_app
    from manyminds.serve.security import Access

    @contextmanager
    def open_client(folder):
        access = Access("127.0.0.1", 8642)
        address = "http://127.0.0.1:8642"
        with TestClient(create_app(folder, access), base_url=address) as client:
            client.get("/searches", params={"token": access.token})
            client.csrf = access.csrf
            yield client

    return open_client


@pytest.fixture
def plain_client(tmp_path, visit):
    """Return a client of a folder that holds nothing yet; ``folder`` is its path."""
    place = tmp_path / "plain"
    place.mkdir()
    with visit(place) as client:
        client.folder = place
        yield client


@pytest.fixture
def wait():
    """Return a function that gets a page again until its job has ended."""

    def get_ended(client, address):
        for _ in range(3000):  # a busy machine takes long
            page = client.get(address)
            if "Look again" not in page.text:
                return page
            time.sleep(0.1)
        raise AssertionError("the job does not end")

    return get_ended
