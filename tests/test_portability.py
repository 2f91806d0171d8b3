"""What only Unix has is used behind a guard: the package works on Windows, too."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "manyminds"
MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"}
NAMES = {
    "os": {
        "chown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getloadavg",
        "getpgid", "getsid", "getuid", "killpg", "mkfifo", "nice", "openpty",
        "sched_getaffinity", "setsid", "statvfs", "sysconf", "uname", "wait", "waitid",
    },
    "signal": {"SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGQUIT", "SIGUSR1",
               "SIGUSR2", "alarm", "pause", "setitimer"},
    "socket": {"AF_UNIX"},
    "time": {"tzset"},
}  # fmt: skip
# Files that ask ``hasattr`` before, or are imported on Linux alone, with the names.
GUARDED = {
    "utils/backends.py": {"signal.SIGHUP"},
    "utils/fork_server.py": {"os.fork", "signal.SIGCHLD", "signal.SIGKILL"},
    "utils/leases.py": {"os.sysconf"},
    "utils/scratch_folders.py": {"os.getuid"},
}


def list_unguarded(tree):
    """Return modules imported outside of ``try``, and names of Unix."""
    guarded = {
        id(one)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try)
        for part in node.body
        for one in ast.walk(part)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and id(node) not in guarded:
            yield from {one.name for one in node.names} & MODULES
        elif isinstance(node, ast.ImportFrom) and node.module in MODULES:
            yield node.module
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in NAMES.get(node.value.id, ()):
                yield f"{node.value.id}.{node.attr}"


def test_no_file_needs_unix():
    found = {}
    for file in SOURCE.rglob("*.py"):
        place = file.relative_to(SOURCE).as_posix()
        names = set(list_unguarded(ast.parse(file.read_text(encoding="utf-8"))))
        if names := names - GUARDED.get(place, set()):
            found[place] = names
    assert found == {}


@pytest.mark.parametrize(
    ("code", "n_found"),
    [
        ("import fcntl", 1),
        ("from resource import getrlimit", 1),
        ("try:\n    import fcntl\nexcept ImportError:\n    fcntl = None", 0),
        ("import os\nos.fork()", 1),
        ("import signal\nsignal.SIGINT\nsignal.SIGHUP", 1),
        ("import signal\nhasattr(signal, 'SIGHUP')", 0),
    ],
)
def test_the_check_finds_what_it_should(code, n_found):
    assert len(list(list_unguarded(ast.parse(code)))) == n_found
