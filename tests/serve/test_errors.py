"""Errors: one sentence on the page, the traceback in the log, under one number."""

import re

import pytest

pytest.importorskip("starlette")
from starlette.routing import Route

from manyminds.utils.errors import InputError


@pytest.fixture
def failing(plain_client):
    async def fail(request):
        raise ZeroDivisionError("secret <b>detail</b>")

    async def refuse(request):
        raise InputError("Too few <rows>.")

    plain_client.app.router.routes.insert(0, Route("/fail", fail))
    plain_client.app.router.routes.insert(0, Route("/refuse", refuse))
    return plain_client


def test_a_bug_has_a_reference_number_and_shows_no_detail(failing):
    page = failing.get("/fail")
    assert page.status_code == 500 and "secret" not in page.text
    reference = re.search(r"<code>([0-9a-f]{8})</code>", page.text)[1]
    log = (failing.folder / ".manyminds" / "serve.log").read_text()
    assert f"--- {reference} " in log and "ZeroDivisionError: secret" in log


def test_scripts_get_json(failing):
    found = failing.get("/fail", headers={"Accept": "application/json"})
    assert found.status_code == 500 and set(found.json()) == {"error", "reference"}


def test_what_a_user_can_correct_is_one_sentence(failing):
    page = failing.get("/refuse")
    assert page.status_code == 400
    assert "Too few &lt;rows&gt;." in page.text
    assert not (failing.folder / ".manyminds" / "serve.log").exists()


def test_unknown_addresses_and_methods(plain_client):
    page = plain_client.get("/nowhere")
    assert page.status_code == 404 and "There is nothing at this address." in page.text
    page = plain_client.post("/table", headers={"X-CSRF-Token": plain_client.csrf})
    assert page.status_code == 405


def test_headers_are_safe_on_error_pages(failing):
    assert "content-security-policy" in failing.get("/fail").headers
