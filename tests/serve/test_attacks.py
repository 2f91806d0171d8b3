"""Attacks on the page: markup in names and cells, paths, and what a visitor sends."""

import json
import os
import re

import numpy as np
import pytest

from manyminds.serve.jobs.job import Job, write_job

pytest.importorskip("starlette")

EVIL = "<script>alert(1)</script>"
QUOTE = '"><img src=x onerror=alert(1)>'
TARGET = "'\"><b>class</b>"


@pytest.fixture
def evil(plain_client):
    """Return a client of a table whose names and cells are markup."""
    rng = np.random.default_rng(0)
    header = (name.replace('"', '""') for name in (EVIL, QUOTE, TARGET))
    lines = [",".join(f'"{name}"' for name in header)]
    for k in range(40):
        lines.append(f'{rng.normal():.3f},"{EVIL}{k % 3}","<i>{"ab"[k % 2]}</i>"')
    (plain_client.folder / "evil.csv").write_text("\n".join(lines))
    return plain_client


def check_is_text(page):
    """Assert that markup of the table is text of the page."""
    assert page.status_code == 200
    for sign in ("<script>alert", "<img src=x", "<b>class", "<i>a", "<i>b"):
        assert sign not in page.text
    # Whatever ends an attribute early would leave a bare handler in a tag.
    for tag in re.findall(r"<[a-z][^>]*>", page.text):
        names = re.sub(r"\"[^\"]*\"", "", tag)
        assert "onerror" not in names and "alert" not in names


@pytest.mark.parametrize(
    "address",
    [
        "/", "/table?table=evil.csv&target=%s", "/table/rows?table=evil.csv&target=%s",
        "/table/columns?table=evil.csv&target=%s",
        "/searches/new?table=evil.csv&target=%s", "/select?table=evil.csv&target=%s",
        "/compare?table=evil.csv&target=%s",
    ],
)  # fmt: skip
def test_markup_in_a_table_is_text(evil, address):
    from urllib.parse import quote

    page = evil.get(address.replace("%s", quote(TARGET)))
    check_is_text(page)
    if "table=" in address and "/rows" not in address:
        assert "&lt;b&gt;class" in page.text


@pytest.mark.parametrize("name", [EVIL, QUOTE, "%3Cscript%3E", "a\r\nSet-Cookie: x=1"])
def test_markup_in_addresses_is_text(plain_client, name):
    for place in ("table", "target", "task", "page", "undo"):
        for address in ("/table", "/searches", "/look/row"):
            page = plain_client.get(
                address, params={"table": "bundled:iris", place: name}
            )
            assert EVIL not in page.text and "<img src" not in page.text
            assert "x=1" not in str(page.headers)


def test_markup_in_names_of_searches_is_text(plain_client):
    place = plain_client.folder / "<img src=x onerror=alert(1)>"
    place.mkdir()
    content = {"state": "running", "identity": {"name": EVIL, "target": QUOTE}}
    (place / "search.json").write_text(json.dumps(content))
    for address in ("/", "/searches", "/search/%3Cimg src=x onerror=alert(1)%3E/live"):
        check_is_text(plain_client.get(address))


def test_markup_in_reasons_of_jobs_is_text(plain_client):
    jobs = plain_client.app.state.serve.jobs
    for kind in ("analyze", "select", "compare"):
        reason = f"--target='{EVIL}' is not a column."
        job = Job(kind, kind, (kind,), EVIL, table=EVIL, state="failed", reason=reason)
        write_job(jobs.place, job)
        check_is_text(plain_client.get(f"/jobs/{kind}"))


@pytest.mark.slow
def test_markup_is_text_in_results_and_in_the_report(evil):
    from manyminds.workflows import run_search

    folder = evil.folder / "evil-search"
    run_search(
        evil.folder / "evil.csv", TARGET, n_trials=2, cv=2, out=folder, n_jobs=1
    )  # fmt: skip
    tails = (
        "",
        "/live",
        "/threshold",
        "/what-if",
        "/what-if/columns?find=%3C",
        "/model",
    )
    for tail in (*tails, "/model"):
        page = evil.get(f"/search/evil-search{tail}")
        if page.status_code != 404:
            check_is_text(page)
    report = (folder / "report.html").read_text()
    assert "<script>alert" not in report and "<img src=x" not in report
    assert "<b>class" not in report and "<i>a" not in report
    assert "&lt;i&gt;a&lt;/i&gt;" in report


@pytest.mark.parametrize(
    "path",
    ["../secret.csv", "..%2fsecret.csv", "%2e%2e/secret.csv", "/etc/passwd", "link.csv",
     "up/secret.csv", ".manyminds/serve.log", "..\\secret.csv", "a/../../secret.csv"],
)  # fmt: skip
def test_nothing_outside_of_the_folder_is_read(plain_client, path):
    secret = plain_client.folder.parent / "secret.csv"
    secret.write_text("SECRET,b\n1,2\n")
    os.symlink(secret, plain_client.folder / "link.csv")
    os.symlink(plain_client.folder.parent, plain_client.folder / "up")
    (plain_client.folder / ".manyminds").mkdir(exist_ok=True)
    (plain_client.folder / ".manyminds" / "serve.log").write_text("SECRET")
    for address in (
        f"/table?table={path}", f"/look?table={path}", f"/search/{path}",
        f"/static/{path}", f"/search/{path}/live", f"/searches/new?table={path}",
        f"/jobs/{path}",
        f"/static/../{path}", f"/look/row?table={path}&row=1",
    ):  # fmt: skip
        page = plain_client.get(address)
        assert page.status_code in (400, 404) and "SECRET" not in page.text, address
    assert "SECRET" not in plain_client.get("/").text


def test_a_search_outside_of_the_folder_cannot_be_deleted(plain_client):
    place = plain_client.folder.parent / "outside"
    place.mkdir()
    (place / "search.json").write_text("{}")
    os.symlink(place, plain_client.folder / "inside")
    for path in ("../outside", "inside", "..%2foutside"):
        form = {"csrf": plain_client.csrf}
        answer = plain_client.post(f"/search/{path}/delete", data=form)
        assert answer.status_code in (404, 405)
    assert (place / "search.json").exists()


def test_a_restored_search_cannot_leave_the_folder(plain_client):
    box = plain_client.folder / ".manyminds" / "trash" / "1a"
    (box / "search").mkdir(parents=True)
    (box / "path.json").write_text(json.dumps({"path": "../../evil"}))
    form = {"csrf": plain_client.csrf}
    assert plain_client.post("/trash/1a/restore", data=form).status_code == 404
    assert not (plain_client.folder.parent / "evil").exists()


def test_methods_that_are_not_used(plain_client):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        answer = plain_client.request(method, "/searches")
        assert answer.status_code in (403, 405)
