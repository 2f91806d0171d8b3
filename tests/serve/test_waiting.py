"""A browser sees a page at once while a model is loaded; scripts wait by themselves."""

import time

import pytest

VISIT = {"Sec-Fetch-Mode": "navigate"}
ADDRESS = "/search/iris-search/what-if"


def wait_until_loaded(client):
    for _ in range(500):
        if len(client.app.state.serve.models):
            return
        time.sleep(0.01)
    raise AssertionError("the model is not loaded")


@pytest.mark.parametrize("tail", ["what-if", "model"])
def test_the_first_visit_shows_a_page_and_loads_the_model(client, tail):
    address = f"/search/iris-search/{tail}"
    first = client.get(address, headers=VISIT).text
    assert "loading the model" in first and 'http-equiv="refresh" content="0"' in first
    wait_until_loaded(client)
    assert "loading the model" not in client.get(address, headers=VISIT).text


def test_scripts_get_the_answer(client):
    assert "loading the model" not in client.get(ADDRESS).text


def test_a_model_that_cannot_be_loaded_is_an_error_and_no_loop(client):
    file = client.app.state.serve.folder.root / "iris-search" / "model.skops"
    file.write_bytes(b"no model")
    assert "loading the model" in client.get(ADDRESS, headers=VISIT).text
    second = client.get(ADDRESS, headers=VISIT)
    assert second.status_code >= 400 and "http-equiv" not in second.text


def test_without_a_model_there_is_no_waiting(client):
    file = client.app.state.serve.folder.root / "iris-search" / "model.skops"
    file.unlink()
    answers = [client.get(ADDRESS, headers=VISIT) for _ in range(2)]
    assert answers[-1].status_code == 404
