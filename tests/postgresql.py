"""Start a real PostgreSQL for the tests: a server of its own, on a free port."""

import os
import shutil
import socket
import subprocess
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


class NoServerError(Exception):
    """PostgreSQL cannot be started here; the message says why."""


@contextmanager
def running_server():
    """Make a database cluster, run a server on it, give its URL."""
    # Not in a folder of pytest's, which are closed to other users, such as postgres.
    with TemporaryDirectory(prefix="postgresql-") as folder:
        yield from run_server_in(Path(folder))


def run_server_in(folder):
    programs = find_programs()
    as_user = user_to_be(folder)
    port = free_port()
    data = folder / "data"
    make = [programs / "initdb", "-D", data, "-U", "tester", "--auth=trust", "-N"]
    call([*as_user, *make])
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    control = [*as_user, programs / "pg_ctl", "-D", data, "-w"]
    call([*control, "-l", folder / "log", "-o", options, "start"])
    try:
        yield f"postgresql://tester@127.0.0.1:{port}/postgres"
    finally:
        call([*control, "-m", "immediate", "stop"])


def find_programs():
    """The folder of ``initdb`` and ``pg_ctl``; Debian keeps it off the path."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not folders:
        raise NoServerError(
            "PostgreSQL is not installed (Debian's package postgresql has it)"
        )
    return folders[-1].parent


def user_to_be(folder):
    """How to call a program so that it is not root, which PostgreSQL refuses to be."""
    if os.name != "posix" or os.geteuid() != 0:
        return []
    if not shutil.which("runuser"):
        raise NoServerError("root may not run PostgreSQL, and there is no runuser")
    try:
        shutil.chown(folder, "postgres", "postgres")
    except LookupError:
        raise NoServerError(
            "root may not run it, and no user postgres is here"
        ) from None
    return ["runuser", "-u", "postgres", "--"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def call(command):
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        timeout=120,
        cwd="/",
    )
    if done.returncode:
        raise NoServerError(f"{command[-1]} failed: {done.stderr or done.stdout}")
