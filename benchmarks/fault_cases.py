"""Break disks, folders, servers and workers under running commands, one at a time.

    python benchmarks/fault_cases.py --out benchmarks/results/fault_cases.md

Each case starts real commands, breaks something, reads what a user would see, mends it,
and runs the same command again. A case is *good* if the first run ended with sentences
(no traceback, no message about a bug), and the second with all records and none twice.
Cases that need root or PostgreSQL are skipped with a reason where there is none.
"""

import argparse
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import psutil

from fault_commands import (
    COMMANDS,
    Running,
    import_for_forks,
    list_doubled,
    list_session,
    list_workers,
    plain,
    read_records,
)
from machine import describe_machine, markdown_table

PACKAGES = ("manyminds", "sqlalchemy", "optuna", "joblib", "loky", "psutil")
BAD = ("Traceback", "this is a bug in manyminds")
ROOT = Path(__file__).parents[1]


class SkippedError(Exception):
    """A case cannot be run here; the message says why."""


def start(command, folder):
    """Start a command without workers, in a fork of this process."""
    return Running(command, folder, is_forked=True)


def see(running):
    """Wait for the end of a command; return its code and its last sentence."""
    code, shown = running.finish()
    lines = [line.strip() for line in shown.splitlines() if line.strip()]
    kept = [line for line in lines if "━" not in line and "trial" not in line[:12]]
    for word in BAD:
        at = shown.find(word)
        assert at < 0, shown[at : at + 3000]
    return code, " ".join(kept[-3:])[-220:]


def resume(command, folder, before):
    """Run the command again; check that nothing is lost or doubled."""
    code, said = see(start(command, folder))
    after = read_records(command, folder)
    lost = [key for key, value in before.items() if after.get(key) != value]
    assert code == 0 and not lost, (code, said, lost)
    assert not list_doubled(command, folder)
    return f"yes: {len(before)} records, then {len(after)}"


@contextmanager
def small_disk(folder, size):
    """Mount a small file system of memory on a folder."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SkippedError(f"mounting is not allowed: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def change_mount(folder, options):
    words = ["mount", "-o", f"remount,{options}", str(folder)]
    subprocess.run(words, check=True, capture_output=True)


def full_disk(command, folder):
    with small_disk(folder, "5m"):
        running = start(command, folder)
        running.wait_until(lambda one: one.n_stored >= 2)
        with open(folder / "filler", "wb", buffering=0) as file, suppress(OSError):
            while file.write(b"x" * 4096):
                pass
        code, said = see(running)
        os.truncate(folder / "filler", 0)
        change_mount(folder, "size=50m")
        return code, said, resume(command, folder, read_records(command, folder))


def read_only(command, folder):
    with small_disk(folder, "50m"):
        running = start(command, folder)
        running.wait_until(lambda one: one.n_stored >= 2)
        os.kill(running.process.pid, signal.SIGSTOP)
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], capture_output=True)
        is_read_only = bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
        os.kill(running.process.pid, signal.SIGCONT)
        if not is_read_only:  # files are open for writing: let the disk refuse instead
            running.kill(group=True)
            before = read_records(command, folder)
            change_mount(folder, "ro")
            code, said = see(start(command, folder))
            change_mount(folder, "rw")
            return code, said, resume(command, folder, before)
        code, said = see(running)
        change_mount(folder, "rw")
        return code, said, resume(command, folder, read_records(command, folder))


def removed_folder(command, folder):
    place = folder / "place"
    place.mkdir()
    moved = replace(
        command,
        words=tuple(
            one.replace("records.sqlite", "place/records.sqlite").replace(
                "found", "place/found"
            )
            for one in command.words
        ),
        store=f"place/{command.store}",
    )
    running = start(moved, folder)
    running.wait_until(lambda one: one.n_stored >= 2)
    shutil.rmtree(place)
    code, said = see(running)
    place.mkdir(exist_ok=True)
    return code, said, resume(moved, folder, {})


def is_under_way(running):
    """Return whether workers run, and have stored something.

    On a busy machine the folds of a small comparison may be done before they are
    counted: the first record is enough.
    """
    return running.n_stored >= 1 and bool(list_workers(running.process.pid))


def send(*numbers):
    """Make a case that sends signals to the whole group, as a terminal does."""

    def case(command, folder):
        running = Running(command, folder, jobs=2)
        assert running.wait_until(is_under_way), "it ended before the signal"
        for number in numbers:
            if running.process.poll() is None:
                os.killpg(running.process.pid, number)
                time.sleep(0.2)
        code, said = see(running)
        _, stay = psutil.wait_procs(list_session(running.process.pid), timeout=30)
        assert not stay, stay
        return code, said, resume(command, folder, read_records(command, folder))

    return case


def lost_worker(number):
    """Make a case that ends a worker by a signal, such as that of a segfault."""

    def case(command, folder):
        running = Running(command, folder, jobs=2)
        running.wait_until(lambda one: one.n_stored >= 2)
        workers = list_workers(running.process.pid)
        assert workers, "no worker"
        os.kill(workers[0].pid, number)
        code, said = see(running)
        return code, said, resume(command, folder, read_records(command, folder))

    return case


def little_memory(command, folder):
    """Limit the address space of all processes to what they have by then, and a bit."""
    running = Running(command, folder, jobs=2)
    running.wait_until(lambda one: one.n_stored >= 1)
    n_limited = 0
    for one in list_workers(running.process.pid):
        with suppress(psutil.Error):
            most = one.memory_info().vms + 2_000_000
            one.rlimit(psutil.RLIMIT_AS, (most, most))
            n_limited += 1
    assert n_limited
    code, said = see(running)
    return code, said, resume(command, folder, read_records(command, folder))


def restarted_server(command, folder):
    sys.path.insert(0, str(ROOT / "tests"))
    import postgresql

    with tempfile.TemporaryDirectory(prefix="postgresql-") as place:
        try:
            server = postgresql.run_server_in(Path(place))
            url = next(server)
        except postgresql.NoServerError as error:
            raise SkippedError(str(error)) from None
        try:
            return _restart_under(command, folder, Path(place), url, postgresql)
        finally:
            with suppress(postgresql.NoServerError):
                server.close()


def _restart_under(command, folder, place, url, postgresql):
    option = "--storage" if command.name == "search" else "--store"
    words = [one for one in command.words if one not in ("--store", "records.sqlite")]
    on_server = replace(command, words=(*words, option, url))
    running = start(on_server, folder)
    running.wait_until(lambda one: one.n_reported >= 2)
    as_user = postgresql.user_to_be(place)
    control = [*as_user, postgresql.find_programs() / "pg_ctl", "-D", place / "data"]
    postgresql.call([*control, "-w", "-m", "fast", "restart", "-l", place / "log"])
    code, said = see(running)
    again_code, again = see(start(on_server, folder))
    assert again_code == 0, again
    return code, said, f"yes: {again[-80:]}"


def older_store(command, folder):
    running = start(command, folder)
    code, said = see(running)
    assert code == 0, said
    before = read_records(command, folder)
    with closing(sqlite3.connect(folder / command.store)) as store, store:
        if command.name == "search":
            old = 'json_replace(value_json, "$.format", 2)'
            store.execute(
                f"update study_user_attributes set value_json = {old} "
                "where key = 'about'"
            )
        else:
            store.execute(
                "update manyminds_about set value = '0' where name = 'version'"
            )
    code, said = see(start(command, folder))
    assert code == 2 and read_records(command, folder) == before
    return code, said, "refused; the store is unchanged"


# The clock of a process and of those that it starts: the machine's, and as many seconds
# as a file says. Monotonic clocks, which nobody can set, stay as they are.
CLOCK = """
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long read_shift(void) {
    long shift = 0;
    FILE *file = fopen(getenv("FAULTS_CLOCK"), "r");
    if (file) { if (fscanf(file, "%ld", &shift) != 1) shift = 0; fclose(file); }
    return shift;
}
int clock_gettime(clockid_t id, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, id, now);
    if (!failed && id == CLOCK_REALTIME) now->tv_sec += read_shift();
    return failed;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec value;
    clock_gettime(CLOCK_REALTIME, &value);
    now->tv_sec = value.tv_sec; now->tv_usec = value.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *place) {
    struct timespec value;
    clock_gettime(CLOCK_REALTIME, &value);
    if (place) *place = value.tv_sec;
    return value.tv_sec;
}
"""


def set_clock(hours):
    """Make a case in which the clock is set under a command, which is then killed."""

    def case(command, folder):
        if sys.platform != "linux" or shutil.which("cc") is None:
            raise SkippedError("the clock is replaced by a C compiler on Linux")
        (folder / "clock.c").write_text(CLOCK)
        words = ["cc", "-shared", "-fPIC", "-o", "clock.so", "clock.c"]
        subprocess.run(words, cwd=folder, check=True)
        clock = folder / "clock"
        clock.write_text("0")
        env = {"LD_PRELOAD": str(folder / "clock.so"), "FAULTS_CLOCK": str(clock)}
        running = Running(command, folder, 2, env)
        running.wait_until(lambda one: one.n_stored >= 2)
        clock.write_text(str(3600 * hours))
        more = running.n_stored + 3
        if running.wait_until(lambda one: one.n_stored >= more):
            running.kill(group=False)
        before = read_records(command, folder)
        code, said = see(Running(command, folder, 2, env))
        assert code == 0 and before.items() <= read_records(command, folder).items()
        return code, said, resume(command, folder, before)

    return case


CASES = {
    "disk full": (full_disk, ("search", "compare")),
    "folder read-only": (read_only, ("search", "compare")),
    "folder removed": (removed_folder, ("search", "compare")),
    "SIGTERM": (send(signal.SIGTERM), ("search", "compare", "reproduce")),
    "SIGHUP": (send(signal.SIGHUP), ("search", "compare", "reproduce")),
    "Ctrl-C twice": (send(signal.SIGINT, signal.SIGINT), ("search", "compare")),
    "worker segfaults": (lost_worker(signal.SIGSEGV), ("search", "compare")),
    "worker out of memory": (little_memory, ("search", "compare")),
    "clock set back by 2 hours": (set_clock(-2), ("search", "compare", "reproduce")),
    "clock set on by 2 hours": (set_clock(2), ("search", "compare", "reproduce")),
    "PostgreSQL restarted": (restarted_server, ("search", "compare")),
    "store of an older version": (older_store, ("search", "compare")),
}


def try_case(case, name):
    """Run a case in a folder of its own; return the cells of its row."""
    folder = Path(tempfile.mkdtemp(prefix="faults-"))
    try:
        code, said, resumed = case(COMMANDS[name], folder)
    except SkippedError as reason:
        return ["skipped", str(reason), ""]
    except AssertionError as error:
        print(plain(str(error))[-4000:], file=sys.stderr, flush=True)
        return ["WRONG", " ".join(plain(str(error)).split())[-200:], "no"]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return [code, said.replace(str(folder), "FOLDER"), resumed]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="part of the name of a case")
    parser.add_argument("--commands", default="search,compare,reproduce")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    # Ignored under nohup, and in the background of a script, by commands as well.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    import_for_forks()
    rows = []
    for title, (case, names) in CASES.items():
        for name in names:
            if options.only in title and name in options.commands.split(","):
                rows.append([title, f"`{name}`", *try_case(case, name)])
                print(rows[-1], flush=True)
    header = ["fault", "command", "exit code", "last words", "resumed"]
    text = markdown_table(header, rows)
    text += f"\n\n{describe_machine(PACKAGES)}\n"
    if options.out:
        options.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
