"""Start commands at a terminal, watch them, and read what they stored."""

import atexit
import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

PATIENCE = 1800.0  # seconds for a command on a busy machine
SECONDS_TO_END = 30.0  # for the workers of a command that was killed
RECORDS = "select key, measured from manyminds_records"
TRIALS = """
select trials.number, trials.state, value_json from trials
left join trial_user_attributes as notes
on notes.trial_id = trials.trial_id and notes.key = 'claim'
"""
SCORES = """
select trials.number, trial_values.value from trials
join trial_values on trial_values.trial_id = trials.trial_id
where trials.state = 'COMPLETE'
"""


@dataclass(frozen=True)
class Command:
    """A command of manyminds that stores records, and how they are read.

    ``reported`` finds in its progress bar how many are done; of ``words``, "{jobs}" is
    the number of processes.
    """

    name: str
    words: tuple
    store: str
    reported: str
    counts_all: bool = True  # whether the bar counts records of earlier runs

    def list_words(self, folder, jobs):
        words = [one.format(jobs=jobs) for one in self.words]
        if self.name == "search" and (Path(folder) / "found" / "search.json").exists():
            words.append("--resume")
        return words


COMMANDS = {
    "search": Command(
        "search",
        ("search", "iris", "--trials", "10", "--cv", "2", "--jobs", "{jobs}",
         "--no-report", "--out", "found"),
        "found/study.sqlite", r"(\d+) trials?\b", counts_all=False,
    ),
    "compare": Command(
        "compare",
        ("compare", "iris", "wine", "--methods", "rf, knn, tree", "--cv", "5x2",
         "--jobs", "{jobs}", "--store", "records.sqlite"),
        "records.sqlite", r"\b(\d+)/\d+",
    ),
    "reproduce": Command(
        "reproduce",
        ("reproduce", "forests-of-local-trees-baselines", "--quick", "--offline",
         "--jobs", "{jobs}", "--store", "records.sqlite"),
        "records.sqlite", r"\b(\d+)/\d+",
    ),
}  # fmt: skip


class Forked:
    """A command in a fork of this process, which has imported what it needs.

    It has the methods of `subprocess.Popen` that are used here.
    """

    def __init__(self, words, folder, env, terminal):
        self.returncode = None
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            atexit._clear()  # those of the parent, which remove its folders
            nothing = os.open(os.devnull, os.O_RDWR)
            for mine, theirs in ((nothing, 0), (nothing, 1), (terminal, 2)):
                os.dup2(mine, theirs)
            os.chdir(folder)
            os.environ.update(env)
            tempfile.tempdir = None  # it is in the environment
            _run_and_exit(words)

    def poll(self):
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout=PATIENCE):
        end = time.monotonic() + timeout
        while self.poll() is None:
            assert time.monotonic() < end, "it does not end"
            time.sleep(0.02)
        return self.returncode

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)


def _run_and_exit(words):
    """Run a command in a fork, and end it as an interpreter ends."""
    from manyminds.cli import main

    code = 0
    try:
        main(words)
    except SystemExit as stop:
        code = int(stop.code or 0)
    except BaseException:
        traceback.print_exc()
        code = 1
    finally:
        atexit._run_exitfuncs()
        sys.stderr.flush()
        os._exit(code)


def import_for_forks():
    """Import, and load kernels, once for all commands that are forked."""
    import manyminds.reproductions
    import manyminds.search
    import manyminds.workflows  # noqa: F401
    from manyminds.datasets import load_dataset
    from manyminds.ensemble import RandomForestClassifier

    data = load_dataset("iris")
    RandomForestClassifier(5, random_state=0).fit(data.X, data.y).predict(data.X)


@dataclass
class Running:
    """A command at a terminal of its own, in a session of its own."""

    command: Command
    folder: Path
    jobs: int = 1
    env: dict = field(default_factory=dict)
    is_forked: bool = False

    def __post_init__(self):
        self.shown = ""
        terminal, theirs = pty.openpty()
        words = self.command.list_words(self.folder, self.jobs)
        env = {"COLUMNS": "200", **self.env}
        if self.is_forked:
            self.process = Forked(words, self.folder, env, theirs)
        else:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "manyminds", *words],
                cwd=self.folder,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=theirs,
                start_new_session=True,
            )
        os.close(theirs)
        self._reader = threading.Thread(
            target=self._read, args=(terminal,), daemon=True
        )
        self._reader.start()

    def _read(self, terminal):
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # all who could write are gone
                break
            if not piece:
                break
            self.shown += piece.decode(errors="replace")
        os.close(terminal)

    @property
    def n_reported(self):
        """How many records the progress bar has shown as done."""
        found = re.findall(self.command.reported, plain(self.shown))
        return max(map(int, found), default=0)

    @property
    def n_stored(self):
        return len(read_records(self.command, self.folder))

    def wait_until(self, ready):
        """Wait until something is so, or the command has ended."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and not ready(self):
            assert time.monotonic() < end, f"nothing happens: {self.shown[-2000:]}"
            time.sleep(0.03)
        return self.process.poll() is None

    def finish(self):
        """Wait for the end; return the exit code and the words on standard error."""
        self.process.wait(PATIENCE)
        self._reader.join(SECONDS_TO_END)
        return self.process.returncode, plain(self.shown)

    def kill(self, group):
        """Kill the command, or its whole session; return processes that stay."""
        session = list_session(self.process.pid)
        if group:
            os.killpg(self.process.pid, signal.SIGKILL)
        else:
            self.process.kill()
        self.process.wait()
        _, stay = psutil.wait_procs(session, timeout=SECONDS_TO_END)
        for one in stay:
            one.kill()
        self._reader.join(SECONDS_TO_END)
        return len(stay)


def list_session(leader):
    """Return the processes of a session but its leader."""
    found = []
    for one in psutil.process_iter():
        try:
            is_theirs = one.pid != leader and os.getsid(one.pid) == leader
            if is_theirs and one.status() != psutil.STATUS_ZOMBIE:
                found.append(one)
        except (OSError, psutil.Error):  # ended meanwhile
            continue
    return found


def list_workers(leader):
    """Return the processes of a session that fit models: of loky, or forked."""
    workers, servers = [], set()
    for one in list_session(leader):
        with suppress(psutil.Error):
            words = " ".join(one.cmdline())
            if "LokyProcess" in words:
                workers.append(one)
            elif "fork_server" in words:
                servers.add(one)
    return workers + [one for one in servers if one.parent() in servers]


def plain(text):
    """Return what a terminal shows, without colors and moves of the cursor."""
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    return text.replace("\r", "\n")


def query(file, text):
    """Return the rows of a query; none if the file or the table is not made yet."""
    try:
        with closing(
            sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=60)
        ) as db:
            return db.execute(text).fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error) or "unable to open" in str(error):
            return []
        raise


def read_records(command, folder):
    """Return the value of each record that is complete, by its key."""
    file = Path(folder) / command.store
    return dict(query(file, SCORES if command.name == "search" else RECORDS))


def list_doubled(command, folder):
    """Return what has two complete records; a primary key excludes it for folds."""
    if command.name != "search":
        return []
    rows = query(Path(folder) / command.store, TRIALS)
    done = [json.loads(note) for _, state, note in rows if state == "COMPLETE"]
    keys = [json.dumps([one["pipeline"], one.get("level")]) for one in done]
    return sorted({key for key in keys if keys.count(key) > 1})


def count_ended(command, folder):
    """Return how many records there are, of pipelines with all that are over."""
    if command.name != "search":
        return len(read_records(command, folder))
    rows = query(Path(folder) / command.store, TRIALS)
    return sum(state in ("COMPLETE", "PRUNED", "FAIL") for _, state, _ in rows)
