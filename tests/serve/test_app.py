"""The application: all pages answer, its style is served, its headers are safe."""

import pytest

pytest.importorskip("starlette")
from manyminds.serve.app import create_app
from manyminds.serve.security import POLICY, Access
from manyminds.utils.errors import MissingFileError


@pytest.mark.parametrize("address", ["/", "/searches", "/select", "/compare"])
def test_first_pages_answer(plain_client, address):
    page = plain_client.get(address)
    assert page.status_code == 200 and "<main" in page.text
    assert page.headers["content-security-policy"] == POLICY
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["cache-control"] == "no-store"


def test_no_page_has_inline_scripts_or_styles(plain_client):
    for address in (
        "/",
        "/table?table=bundled:iris",
        "/searches/new?table=bundled:iris",
    ):
        text = plain_client.get(address).text
        assert "style=" not in text and " onclick" not in text
        assert "<script>" not in text and "<style" not in text
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


def test_static_files_are_asked_for_again_by_their_tag(plain_client):
    found = plain_client.get("/static/style.css")
    assert found.status_code == 200 and found.headers["cache-control"] == "no-cache"
    again = plain_client.get(
        "/static/style.css", headers={"If-None-Match": found.headers["etag"]}
    )
    assert again.status_code == 304


def test_a_folder_must_exist(tmp_path):
    with pytest.raises(MissingFileError, match="There is no folder"):
        create_app(tmp_path / "absent", Access("127.0.0.1", 1))
