"""The page of the password: safe headers, a label, no way around it."""

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from manyminds.serve.app import create_app
from manyminds.serve.pages import login
from manyminds.serve.security import Access


@pytest.fixture
def visitor(tmp_path, monkeypatch):
    monkeypatch.setattr(login, "WRONG_SECONDS", 0.0)
    access = Access("0.0.0.0", 8642, "open sesame")
    with TestClient(
        create_app(tmp_path, access), base_url="http://127.0.0.1:8642"
    ) as one:
        yield one


def test_every_address_leads_to_the_form(visitor):
    for address in ("/", "/searches", "/table?table=bundled:iris"):
        answer = visitor.get(address, follow_redirects=False)
        assert answer.status_code == 303 and answer.headers["location"] == "/login"
    assert "<label>Password" in visitor.get("/login").text


def test_only_the_password_opens(visitor):
    page = visitor.post("/login", data={"password": "guess"})
    assert page.status_code == 403 and "That is not the password." in page.text
    assert visitor.post("/login", data={}).status_code == 403
    foreign = {"Origin": "http://evil.example"}
    right = {"password": "open sesame"}
    assert visitor.post("/login", data=right, headers=foreign).status_code == 403
    assert visitor.get("/", follow_redirects=False).status_code == 303
    assert "Open a table" in visitor.post("/login", data=right).text
