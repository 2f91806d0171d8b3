"""The server binds a port, shows its link once it listens, and refuses open hosts."""

import socket
import threading
import urllib.request

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
import uvicorn

from manyminds.serve import server
from manyminds.serve.server import run_server
from manyminds.utils.errors import InputError


@pytest.fixture
def servers(monkeypatch):
    """Record the servers that are run, so that a test can end them."""
    made = []

    class Server(uvicorn.Server):
        def __init__(self, config):
            super().__init__(config)
            made.append(self)

    monkeypatch.setattr(uvicorn, "Server", Server)
    yield made
    for one in made:
        one.should_exit = True


def start(folder, **options):
    ready, links = threading.Event(), []

    def show(link):
        links.append(link)
        ready.set()

    thread = threading.Thread(
        target=run_server, args=(folder,), kwargs=options | {"on_ready": show}
    )
    thread.daemon = True
    thread.start()
    assert ready.wait(20)
    return links[0], thread


@pytest.mark.slow
def test_the_link_opens_the_page(tmp_path, servers):
    link, thread = start(tmp_path, port=0)
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    page = opener.open(link, timeout=10).read().decode()
    assert "Open a table" in page
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(link.split("?")[0], timeout=10)
    servers[0].should_exit = True
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.slow
def test_a_port_that_is_taken(tmp_path, servers, monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(InputError, match=f"cannot listen on 127.0.0.1:{port}"):
            run_server(tmp_path, port=port)
        monkeypatch.setattr(server, "PORT", port)
        link, _ = start(tmp_path)  # without a port, another is used
        assert f":{port}/" not in link


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_other_machines_need_a_password(tmp_path, host):
    for password in (None, ""):
        with pytest.raises(InputError, match="Set password to allow it"):
            run_server(tmp_path, host=host, password=password)
