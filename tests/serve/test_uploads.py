"""Uploads are streamed to disk, limited, and complete or not at all."""

import gzip
import os

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from manyminds.serve.app import create_app
from manyminds.serve.folder import ServedFolder
from manyminds.serve.security import Access
from manyminds.serve.uploads import remove_partial_uploads

CSV = b"a,b,class\n1,2,x\n3,4,y\n5,6,x\n"


def send(client, name="t.csv", content=CSV, **options):
    options.setdefault("files", {"file": (name, content)})
    headers = {"X-CSRF-Token": client.csrf, "Accept": "application/json"}
    return client.post("/tables/upload", headers=headers, **options)


def list_files(folder):
    return sorted(
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".gitignore"
    )


def test_a_table_is_stored_in_the_folder(plain_client):
    answer = send(plain_client)
    assert answer.json() == {"next": "/table?table=t.csv"}
    assert (plain_client.folder / "t.csv").read_bytes() == CSV
    assert send(plain_client).json() == {"next": "/table?table=t-2.csv"}
    assert list_files(plain_client.folder) == ["t-2.csv", "t.csv"]


def test_a_form_without_a_script_goes_to_the_page(plain_client):
    answer = plain_client.post(
        f"/tables/upload?csrf={plain_client.csrf}", files={"file": ("t.csv", CSV)}
    )
    assert answer.status_code == 200 and "<h1>t.csv</h1>" in answer.text


def test_other_sites_cannot_upload(plain_client):
    answer = plain_client.post(
        "/tables/upload?csrf=guess", files={"file": ("t.csv", CSV)}
    )
    assert answer.status_code == 403 and list_files(plain_client.folder) == []


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("../../evil.csv", "evil.csv"), ("..\\..\\evil.csv", "evil.csv"),
        ("/etc/cron.csv", "cron.csv"), (".manyminds.csv", "manyminds.csv"),
        ("größe 1.csv", "größe 1.csv"),
    ],
)  # fmt: skip
def test_names_cannot_lead_out_of_the_folder(plain_client, name, stored):
    assert send(plain_client, name).status_code == 200
    assert list_files(plain_client.folder) == [stored]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"name": "t.pkl"}, "A table ends in"),
        ({"content": b"\x00\x01"}, "binary data"),
        ({"content": b""}, "is empty"),
        ({"name": "t.csv.gz", "content": b"no gzip"}, "not gzipped"),
        ({"files": {"file": ("", CSV)}}, "Choose a file first|has no file"),
        ({"files": {"note": (None, "x")}}, "Choose a file first"),
        ({"files": None, "data": {"x": "y"}}, "no file"),
        (
            {"files": [("a", ("a.csv", CSV)), ("b", ("b.csv", CSV))]},
            "one file at a time",
        ),
        ({"files": {"n": (None, "x" * 70_000)}}, "too long"),
        ({"files": [(f"n{k}", (None, "x")) for k in range(60)]}, "too many fields"),
    ],
)
def test_what_is_refused_leaves_nothing(plain_client, options, why):
    answer = send(plain_client, **options)
    assert answer.status_code == 400
    assert any(part in answer.json()["error"] for part in why.split("|"))
    assert list_files(plain_client.folder) == []


def test_an_upload_that_ends_early_leaves_nothing(plain_client):
    head = (
        b'--B\r\nContent-Disposition: form-data; name="file"; filename="t.csv"\r\n\r\n'
    )
    headers = {
        "X-CSRF-Token": plain_client.csrf,
        "Content-Type": "multipart/form-data; boundary=B",
    }
    for body in (head + b"a,b\n1,2", b"--C\r\nwrong", head[:30]):
        answer = plain_client.post("/tables/upload", headers=headers, content=body)
        assert answer.status_code == 400
    assert list_files(plain_client.folder) == []


@pytest.fixture
def small(tmp_path):
    """Return a client whose uploads may have 1,000 bytes."""
    access = Access("127.0.0.1", 8642)
    app = create_app(tmp_path, access, upload_limit=1_000)
    with TestClient(app, base_url="http://127.0.0.1:8642") as client:
        client.get("/", params={"token": access.token})
        client.csrf, client.folder = access.csrf, tmp_path
        yield client


def test_the_limit_holds_whatever_the_header_says(small):
    large = b"a,b\n" + b"1,2\n" * 1_000
    answer = send(small, content=large)
    assert answer.status_code == 413 and "larger than 1.0 kB" in answer.json()["error"]
    assert send(small, content=large[:900]).status_code == 200
    # One that is refused by its declared length, before any of it is read.
    headers = {
        "X-CSRF-Token": small.csrf,
        "Content-Type": "multipart/form-data; boundary=B",
        "Content-Length": str(10**12),
    }
    assert small.post("/tables/upload", headers=headers, content=b"").status_code == 413
    assert list_files(small.folder) == ["t.csv"]


def test_a_bomb_is_refused(small):
    answer = send(small, "t.csv.gz", gzip.compress(b"0" * 50_000))
    assert answer.status_code == 400 and "unpacks to more" in answer.json()["error"]
    assert list_files(small.folder) == []


def test_what_a_killed_server_left_is_removed(tmp_path):
    folder = ServedFolder(tmp_path)
    uploads = folder.make_hidden("uploads")
    for name in ("old.part", "new.part", "old.csv"):
        (uploads / name).write_text("x")
    for name in ("old.part", "old.csv"):
        os.utime(uploads / name, (1, 1))
    remove_partial_uploads(folder)
    assert sorted(os.listdir(uploads)) == ["new.part", "old.csv"]
