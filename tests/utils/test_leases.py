"""Owners of leases: who lives, who does not, and names that older stores have."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from manyminds.utils import leases
from manyminds.utils.leases import is_alive, is_local, name_owner

HOST = socket.gethostname()


def name_of_a_process_that_ended():
    code = "from manyminds.utils.leases import name_owner; print(name_owner())"
    return subprocess.check_output([sys.executable, "-c", code], text=True).strip()


def test_this_process_lives():
    assert is_alive(name_owner()) and is_local(name_owner())
    assert is_alive(f"{name_owner()}/second run")


def test_a_process_that_ended_does_not_live():
    owner = name_of_a_process_that_ended()
    assert is_local(owner) and not is_alive(owner)


def test_a_process_id_used_again_is_another_process():
    host, pid, started = name_owner().rsplit(":", 2)
    start, uptime = map(float, started.split("+"))
    assert not is_alive(f"{host}:{pid}:{start - 60:.2f}")
    assert not is_alive(f"{host}:{pid}:{start - 60:.2f}+{uptime - 60:.2f}")


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("hours", [-2, 2])
def test_a_clock_that_is_set_ends_nobody(hours, tmp_path, monkeypatch):
    # Linux states the time of the boot by the present clock: setting the clock moves
    # the start of every process. This /proc is the machine's, but for that line.
    mine, other = name_owner(), name_of_a_process_that_ended()
    moved = re.sub(
        r"^btime (\d+)$",
        lambda found: f"btime {int(found[1]) + 3600 * hours}",
        Path("/proc/stat").read_text(),
        flags=re.MULTILINE,
    )
    (tmp_path / "stat").write_text(moved)
    (tmp_path / str(os.getpid())).symlink_to(f"/proc/{os.getpid()}")
    before = psutil.Process().create_time()
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path))
    psutil.boot_time()  # some versions keep what it returned last
    assert psutil.Process().create_time() == pytest.approx(before + 3600 * hours)
    assert name_owner() != mine
    assert is_alive(mine) and not is_alive(other)


def test_a_killed_child_that_nobody_waited_for_does_not_live():
    code = "from manyminds.utils.leases import name_owner as f; print(f(), flush=True);"
    command = [sys.executable, "-c", code + "input()"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        owner = child.stdout.readline().strip()
        assert is_alive(owner)
        child.kill()
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(owner)


def test_processes_of_other_machines_are_not_judged():
    owner = f"not-{name_owner()}"
    assert is_alive(owner) and not is_local(owner)
    assert is_alive("no owner of ours") and not is_local("no owner of ours")


@pytest.fixture
def hash_anew():
    """Forget what this machine is, before and after a test that changes it."""
    leases._hash_machine.cache_clear()
    yield leases._hash_machine.cache_clear
    leases._hash_machine.cache_clear()


@pytest.mark.parametrize("clone", ["machine", "container"])
def test_machines_with_the_same_name_are_told_apart(
    clone, tmp_path, monkeypatch, hash_anew
):
    ended = name_of_a_process_that_ended()
    assert not is_alive(ended)
    if clone == "machine":
        (tmp_path / "machine-id").write_text("0123456789abcdef\n")
        monkeypatch.setattr(leases, "MACHINE_ID", tmp_path / "machine-id")
    else:
        (tmp_path / "pid").symlink_to("pid:[1]")
        monkeypatch.setattr(leases, "PROCESS_IDS", tmp_path / "pid")
    hash_anew()
    assert name_owner().startswith(f"{HOST}@")
    assert is_alive(ended) and not is_local(ended)


def test_a_machine_without_an_id_has_one_name_in_all_processes(
    tmp_path, monkeypatch, hash_anew
):
    monkeypatch.setattr(leases, "MACHINE_ID", tmp_path / "none")
    names = []
    for address in (2**40 + 1, 2**40 + 2):  # as `uuid` draws them where it finds none
        monkeypatch.setattr(leases.uuid, "getnode", lambda found=address: found)
        hash_anew()
        names.append(name_owner())
    assert names[0] == names[1]
    monkeypatch.setattr(leases.uuid, "getnode", lambda: 2**20)
    hash_anew()
    assert name_owner() != names[0]


def test_owners_of_older_stores_are_of_unknown_machines():
    _, pid, started = name_of_a_process_that_ended().split(":")
    for old in (f"{HOST}:{pid}:{started}", f"{HOST}:{pid}:12345", f"{HOST}/{pid}/0a1b"):
        assert is_alive(old) and not is_local(old)


def test_nobody_does_not_live():
    assert not is_alive(f"{HOST}:0:1.0")
