"""Owners of leases: who lives, who does not, and names that older stores have."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

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
    owner = f"not-{HOST}:1:123.45"
    assert is_alive(owner) and not is_local(owner)
    assert is_alive("no owner of ours") and not is_local("no owner of ours")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_names_in_older_stores_are_read():
    ticks = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    assert is_alive(f"{HOST}:{os.getpid()}:{ticks}")
    assert not is_alive(f"{HOST}:{os.getpid()}:{int(ticks) + 100_000}")
    assert is_alive(f"{HOST}:{os.getpid()}:")
    assert is_alive(f"{HOST}/{os.getpid()}/0123456789ab")
    assert not is_alive(name_of_a_process_that_ended().rsplit(":", 1)[0] + ":")
