"""Servers as processes: killed during a search, two on one folder, many streams."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

import psutil
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("python_multipart")

SOURCE = Path(__file__).parents[2] / "src"
pytestmark = pytest.mark.slow


class Visitor:
    """A server as a process, and a browser that has opened its link."""

    def __init__(self, folder):
        words = [sys.executable, "-m", "manyminds", "serve", str(folder)]
        self.process = subprocess.Popen(
            [*words, "--port", "0", "--no-browser"],
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(SOURCE)},
            text=True,
        )
        lines = iter(self.process.stdout.readline, "")
        link = next(line for line in lines if "token=" in line).strip()
        self.port = int(re.search(r":(\d+)/", link)[1])
        self.cookie = ""
        answer = self.ask(link.split(str(self.port))[1])
        self.cookie = answer.headers["set-cookie"].split(";")[0]
        self.csrf = re.search(r'name="csrf" content="(\w+)"', self.ask("/").text)[1]

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, address, method="GET", body=None, **headers):
        connection = self.connect()
        headers = {"Cookie": self.cookie, **headers}
        connection.request(method, address, body, headers)
        answer = connection.getresponse()
        answer.text = answer.read().decode()
        connection.close()
        return answer

    def post(self, address, **form):
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask(address, "POST", urlencode(form | {"csrf": self.csrf}), **kind)

    def wait_for(self, address, pattern, seconds=240):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            text = self.ask(address).text
            if found := re.search(pattern, text, re.S):
                return found
            time.sleep(0.2)
        raise AssertionError(f"no {pattern!r} in {text[-1500:]}")

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(20)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def serve(folder):
    made = []

    def start():
        made.append(Visitor(folder))
        return made[-1]

    yield start
    for one in made:
        if one.process.poll() is None:
            one.end(signal.SIGKILL)
    for job in read_jobs(folder):
        if job["owner"] and psutil.pid_exists(pid := int(job["owner"].split(":")[1])):
            psutil.Process(pid).kill()


@pytest.fixture(scope="module")
def server(serve):
    return serve()


def read_jobs(folder):
    files = sorted(folder.glob(".manyminds/jobs/*/job.json"))
    return [json.loads(file.read_text()) for file in files]


def test_a_killed_server_loses_nothing_and_two_servers_do_no_harm(
    serve, server, folder
):
    killed = serve()
    fields = {"custom_budget": "9m", "jobs": "1", "cv": "2", "no_committee": "1"}
    killed.post("/searches/new", table="bundled:iris", **fields)
    live = "/search/iris-search/live"
    killed.wait_for(live, r"<dt>Trials</dt><dd>[1-9]")
    search = psutil.Process(int(read_jobs(folder)[0]["owner"].split(":")[1]))
    killed.end(signal.SIGKILL)
    assert search.is_running() and search.status() != psutil.STATUS_ZOMBIE

    servers = [server, serve()]
    waiting = "/search/wine-search"
    for one, other in (servers, servers[::-1]):
        page = one.ask(live).text
        assert "running" in page and "Stop, and keep the best" in page
        assert int(re.search(r"<dt>Trials</dt><dd>(\d+)", page)[1]) >= 1
        one.post("/searches/new", table="bundled:wine", budget="60s")
        assert all("queued" in each.ask(f"{waiting}/live").text for each in servers)
        other.post(f"{waiting}/stop")
    servers[0].post("/search/iris-search/stop")
    for one in servers:
        one.wait_for(live, ">done<")
    assert (folder / "iris-search" / "model.skops").exists()
    states = [one["state"] for one in read_jobs(folder)]
    assert states == ["done", "canceled", "canceled"]
    foreign = servers[0].ask("/", Cookie=servers[1].cookie)
    assert foreign.status == 403  # each server has a key of its own
    servers[1].end()


def test_fifty_streams_at_once(server):
    server.post("/searches/new", table="bundled:iris", custom_budget="9m", name="long")
    streams = []
    for _ in range(50):
        connection = server.connect()
        address = "/search/long/events"
        connection.request("GET", address, headers={"Cookie": server.cookie})
        streams.append(connection.getresponse())
    for stream in streams:
        lines = (stream.readline() for _ in range(10))
        event = next(line for line in lines if line.startswith(b"data: "))
        assert json.loads(event[6:])["state"] in ("queued", "running")
    assert server.ask("/searches").status == 200  # there is room for others
    server.post("/search/long/stop")
    for stream in streams:
        assert b'"ended": true' in stream.read()


def test_a_large_upload_takes_little_memory(server, folder):
    process = psutil.Process(server.process.pid)
    before, most = process.memory_info().rss, [0]
    n_bytes = 300_000_000
    head = (
        b'--B\r\nContent-Disposition: form-data; name="file"; filename="l.csv"\r\n\r\n'
    )
    tail = b"\r\n--B--\r\n"
    block = b"1,2\n" * 250_000

    def send():
        yield head
        for _ in range(n_bytes // len(block)):
            yield block
            most[0] = max(most[0], process.memory_info().rss)
        yield tail

    length = len(head) + len(tail) + n_bytes // len(block) * len(block)
    headers = {"Content-Type": "multipart/form-data; boundary=B"}
    headers |= {"Content-Length": str(length), "X-CSRF-Token": server.csrf}
    answer = server.ask(
        "/tables/upload", "POST", send(), Accept="application/json", **headers
    )
    assert answer.status == 200 and json.loads(answer.text)["next"]
    assert (folder / "l.csv").stat().st_size == n_bytes
    assert most[0] - before < 60_000_000
