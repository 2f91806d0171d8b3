"""Only who has the token or the password gets in, from this host, from this site."""

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from manyminds.serve import pages
from manyminds.serve.app import create_app
from manyminds.serve.pages import login
from manyminds.serve.security import Access, is_loopback

HOST = "http://127.0.0.1:8642"


@pytest.fixture
def access():
    return Access("127.0.0.1", 8642)


@pytest.fixture
def stranger(tmp_path, access):
    """Return a client without a cookie."""
    with TestClient(create_app(tmp_path, access), base_url=HOST) as client:
        yield client


def test_without_the_token_nothing_is_shown(stranger):
    for address in ("/", "/searches", "/table?table=bundled:iris", "/?token=", "/x"):
        answer = stranger.get(address)
        assert answer.status_code == 403 and "<main" not in answer.text
    assert stranger.get("/?token=wrong").status_code == 403
    assert stranger.get("/", cookies={"manyminds-8642": "wrong"}).status_code == 403


def test_the_token_becomes_a_cookie_and_leaves_the_address(stranger, access):
    answer = stranger.get(
        f"/searches?token={access.token}&page=2", follow_redirects=False
    )
    assert (
        answer.status_code == 303 and answer.headers["location"] == "/searches?page=2"
    )
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert access.token not in cookie
    assert stranger.get("/").status_code == 200


def test_the_token_never_leads_to_another_host(stranger, access):
    answer = stranger.get(
        f"{HOST}//evil.example?token={access.token}", follow_redirects=False
    )
    assert answer.headers["location"].startswith("/evil.example")


@pytest.mark.parametrize(
    "host", ["evil.example:8642", "evil.example", "127.0.0.1:80", "127.0.0.1", ""]
)
def test_foreign_hosts_are_refused(stranger, access, host):
    answer = stranger.get(f"/?token={access.token}", headers={"Host": host})
    assert answer.status_code == 421 and "set-cookie" not in answer.headers


def post(client, address="/searches/new", **headers):
    return client.post(
        address, data={"table": "bundled:iris"}, headers=headers, follow_redirects=False
    )


def test_changes_need_the_value_of_the_form(stranger, access):
    stranger.get(f"/?token={access.token}")
    assert post(stranger).status_code == 403
    assert post(stranger, **{"X-CSRF-Token": "wrong"}).status_code == 403
    own = {"X-CSRF-Token": access.csrf}
    foreign = own | {"Origin": "http://evil.example"}
    assert post(stranger, **foreign).status_code == 403
    assert post(stranger, **own, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    same = own | {"Origin": HOST, "Sec-Fetch-Site": "same-origin"}
    assert post(stranger, "/nowhere", **same).status_code == 404  # let in
    answer = stranger.post("/nowhere", data={"csrf": access.csrf})
    assert answer.status_code == 404


def test_a_stranger_cannot_change_anything_even_with_the_value(stranger, access):
    assert post(stranger, **{"X-CSRF-Token": access.csrf}).status_code == 403


def test_a_form_that_is_too_large_is_refused(stranger, access):
    stranger.get(f"/?token={access.token}")
    large = {"csrf": access.csrf, "x": "y" * 5_000_000}
    assert stranger.post("/searches/new", data=large).status_code == 413


def test_a_password_opens_the_page_of_another_host(tmp_path, monkeypatch):
    monkeypatch.setattr(login, "WRONG_SECONDS", 0.0)
    access = Access("0.0.0.0", 8642, password="correct")
    with TestClient(create_app(tmp_path, access), base_url=HOST) as client:
        page = client.get("/")
        assert page.status_code == 200 and 'type="password"' in page.text
        assert client.post("/login", data={"password": "wrong"}).status_code == 403
        assert "cookie" not in client.cookies
        page = client.post("/login", data={"password": "correct"})
        assert page.status_code == 200 and "Open a table" in page.text
        assert "open to other machines" in page.text


def test_addresses_of_hosts():
    wide = Access("0.0.0.0", 80)
    assert wide.knows_host("192.168.1.4:80") and wide.knows_host("192.168.1.4")
    assert not wide.knows_host("evil.example")
    named = Access("box.lan", 9000)
    assert named.knows_host("BOX.lan:9000") and not named.knows_host("other.lan:9000")
    six = Access("::1", 9000)
    assert six.knows_host("[::1]:9000") and six.link.startswith("http://[::1]:9000/?")
    assert is_loopback("::1") and not is_loopback("evil")
    assert wide.link.startswith("http://127.0.0.1:80/")
    assert not Access("127.0.0.1", 1).check_password("")


def test_all_changes_are_posts():
    # A GET must never change anything: it is not guarded by the value of the form.
    for route in pages.list_routes():
        name = route.endpoint.__name__
        changes = name.split("_")[0] in ("delete", "restore", "stop", "start", "upload")
        assert "GET" not in route.methods or not changes, name
