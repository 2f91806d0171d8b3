"""``manyminds serve``: the link, the browser, and what is refused."""

import builtins

import pytest

from manyminds.cli.main import main


@pytest.fixture
def call(capsys, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)

    def run(*words):
        with pytest.raises(SystemExit) as stop:
            main(["serve", *map(str, words)])
        written = capsys.readouterr()
        return stop.value.code or 0, written.out, " ".join(written.err.split()), opened

    return run


@pytest.fixture
def server(monkeypatch):
    """Replace the server by one that ends at once; return how it was called."""
    seen = {}

    def run_server(folder, **options):
        seen.update(options, folder=folder)
        options["on_ready"]("http://127.0.0.1:1/?token=x")

    monkeypatch.setattr("manyminds.serve.run_server", run_server)
    return seen


def test_the_link_is_printed_and_opened(call, server, tmp_path):
    code, out, _, opened = call(tmp_path, "--port", "9000", "--upload-limit", "5M")
    assert code == 0 and "http://127.0.0.1:1/?token=x" in out
    assert opened == ["http://127.0.0.1:1/?token=x"]
    assert (server["port"], server["host"]) == (9000, "127.0.0.1")
    assert (server["upload_limit"], server["n_searches"]) == ("5M", 1)


def test_the_browser_stays_closed(call, server, tmp_path):
    assert call(tmp_path, "--no-browser", "--parallel", "2")[3] == []
    assert server["n_searches"] == 2


def test_the_password_may_come_from_the_environment(
    call, server, tmp_path, monkeypatch
):
    monkeypatch.setenv("MANYMINDS_PASSWORD", "secret")
    call(tmp_path, "--host", "0.0.0.0", "--no-browser")
    assert server["password"] == "secret"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "0.0.0.0"], "--host: other machines reach 0.0.0.0"),
        (["--upload-limit", "much"], "--upload-limit must be bytes"),
        (["absent-folder"], "There is no folder 'absent-folder'"),
        (["--port", "99999"], "--port"),
    ],
)
def test_what_cannot_be_served(call, words, said):
    pytest.importorskip("uvicorn")
    pytest.importorskip("python_multipart")
    code, _, err, opened = call(*words)
    assert code == 2 and said in err and opened == []


def test_without_the_packages_one_sentence_says_what_to_install(call, monkeypatch):
    real = builtins.__import__

    def refuse(name, *others, **more):
        if name.split(".")[0] in ("uvicorn", "starlette", "python_multipart"):
            raise ImportError(f"No module named {name!r}", name=name)
        return real(name, *others, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)
    code, _, err, _ = call(".")
    assert code == 2 and "pip install 'manyminds[serve]'" in err
