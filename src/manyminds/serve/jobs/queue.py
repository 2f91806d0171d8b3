"""The queue of jobs: start their processes, watch them, stop them.

All state is on disk. A server that was killed finds its jobs again, and several servers
of one folder share one queue.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs.job import Job, list_jobs, make_id, read_job, write_job
from manyminds.serve.jobs.lock import hold_lock
from manyminds.serve.jobs.outcome import judge_outcome
from manyminds.utils.errors import InputError
from manyminds.utils.leases import is_alive, is_local, name_owner

__all__ = ["LOG", "OUTPUT", "JobQueue"]

LOG, OUTPUT = "log.txt", "output.json"
STARTING_SECONDS = 10.0  # after which a job that has no process is looked for
NICENESS = 5  # of searches: the page stays quick
MAX_ENDED = 200  # jobs that have ended and are kept


class JobQueue:
    """Jobs of a folder.

    Parameters
    ----------
    folder : ServedFolder
    n_parallel : int, default=1
        Searches, selections and comparisons that run at once. Analyses and
        predictions, which are short, never wait.
    command : sequence of str, default=None
        What runs the command line; None means this Python.
    """

    def __init__(
        self,
        folder: ServedFolder,
        *,
        n_parallel: int = 1,
        command: Sequence[str] | None = None,
    ) -> None:
        self.folder, self.n_parallel = folder, n_parallel
        self.command = tuple(command or (sys.executable, "-m", "manyminds"))
        self.place = folder.hidden / "jobs"
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    # ------------------------------------------------------------ queries

    def read_all(self) -> list[Job]:
        """Return all jobs, the newest first."""
        return list_jobs(self.place)[::-1]

    def find(self, name: str) -> Job:
        """Return a job; raise if there is none."""
        return read_job(self.place, name)

    def find_latest(self, place: str) -> Job | None:
        """Return the latest job whose results are in a folder, if there is one."""
        return next((one for one in self.read_all() if one.place == place), None)

    def path_of(self, job: Job, name: str) -> Path:
        """Return the path of a file of a job, such as `LOG`."""
        return self.place / job.id / name

    def count_ahead(self, job: Job) -> int:
        """Return the number of jobs that a waiting job waits for."""
        if job.state != "queued":
            return 0
        others = [one for one in self.read_all() if one.is_active]
        return sum(one.id < job.id and not _is_short(one) for one in others)

    # ------------------------------------------------------------ commands

    def add(self, kind: str, words: Sequence[str], title: str, **values: Any) -> Job:
        """Queue a job; it starts at once if nothing else runs.

        Parameters
        ----------
        kind : str
        words : sequence of str
            After ``manyminds``.
        title : str
        **values : object
            Other fields of the `Job`.

        Returns
        -------
        job : Job
        """
        self.folder.make_hidden("jobs")
        job = Job(make_id(), kind, tuple(words), title, created=time.time(), **values)
        with self._lock():
            busy = [one for one in self.read_all() if one.is_active and one.place]
            if job.place in {one.place for one in busy}:
                raise InputError(f"A job is running in {job.place!r} already.")
            write_job(self.place, job)
        self.tick()
        return self.find(job.id)

    def stop(self, name: str) -> Job:
        """End a job early: a search keeps its best model; a waiting job is canceled."""
        with self._lock():
            job = self.find(name)
            if job.state == "queued":
                job = job.change(state="canceled", ended=time.time(), is_stopped=True)
                write_job(self.place, job)
            elif job.state == "running" and _is_running(job):
                job = job.change(is_stopped=True)
                write_job(self.place, job)
                _interrupt(int(job.owner.split(":")[1]))
        return job

    def remove(self, name: str) -> None:
        """Remove the files of a job that has ended; its results stay."""
        job = self.find(name)
        if job.is_active:
            raise InputError("The job is still running: stop it first.")
        shutil.rmtree(self.place / job.id, ignore_errors=True)

    def tick(self) -> list[Job]:
        """Note which jobs have ended, and start those that may run.

        Returns
        -------
        jobs : list of Job
            The newest first.
        """
        for child in list(self._children.values()):
            child.poll()  # so that an ended one is no zombie
        jobs = self.read_all()
        if not any(one.is_active for one in jobs):
            return jobs
        with self._lock():
            jobs = [self._update(one) for one in self.read_all()]
            jobs = self._remove_old(jobs)
            n_running = sum(one.state in ("starting", "running") for one in jobs)
            n_running -= sum(one.state == "running" and _is_short(one) for one in jobs)
            for place, job in reversed(list(enumerate(jobs))):  # the oldest first
                if job.state == "queued" and (
                    _is_short(job) or n_running < self.n_parallel
                ):
                    n_running += not _is_short(job)
                    jobs[place] = self._start(job)
        return jobs

    # ------------------------------------------------------------ steps

    def _lock(self) -> Any:
        return hold_lock(self.folder.make_hidden("jobs") / "lock")

    def _remove_old(self, jobs: list[Job]) -> list[Job]:
        """Remove the files of jobs that ended long ago; their results stay."""
        ended = [one for one in jobs if not one.is_active]
        for job in ended[MAX_ENDED:]:
            shutil.rmtree(self.place / job.id, ignore_errors=True)
        old = {one.id for one in ended[MAX_ENDED:]}
        return [one for one in jobs if one.id not in old]

    def _update(self, job: Job) -> Job:
        """Return the job as it is now; write what has changed."""
        now = job
        if job.state == "starting" and time.time() - job.started > STARTING_SECONDS:
            # The server was killed between starting the process and writing it down.
            owner = _find_process(self._list_words(job))
            now = job.change(state="running", owner=owner or _NOBODY)
        if now.state == "running" and not _is_running(now):
            now = judge_outcome(now, self.folder.root, self.place / job.id)
            self._children.pop(job.id, None)
        if now != job:
            write_job(self.place, now)
        return now

    def _start(self, job: Job) -> Job:
        """Start the process of a job, detached from this server."""
        job = job.change(state="starting", started=time.time())
        write_job(self.place, job)
        home = self.place / job.id
        with open(home / OUTPUT, "wb") as output, open(home / LOG, "ab") as log:
            child = subprocess.Popen(
                self._list_words(job),
                cwd=self.folder.root,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=log,
                env=_make_environment(),
                start_new_session=True,
            )
        self._children[job.id] = child
        try:
            psutil.Process(child.pid).nice(NICENESS)
            owner = name_owner(child.pid)
        except psutil.Error:  # it has ended already
            owner = _NOBODY
        job = job.change(state="running", owner=owner)
        write_job(self.place, job)
        return job

    def _list_words(self, job: Job) -> list[str]:
        return [*self.command, *job.words]


_NOBODY = f"{socket.gethostname()}:0:1.0"  # a process that does not live


def _make_environment() -> dict[str, str]:
    """Return the environment of jobs, which run in another folder."""
    found = os.environ | {"PYTHONUNBUFFERED": "1", "COLUMNS": "1000"}
    if places := os.environ.get("PYTHONPATH"):
        absolute = [os.path.abspath(one) for one in places.split(os.pathsep) if one]
        found["PYTHONPATH"] = os.pathsep.join(absolute)
    return found


def _is_running(job: Job) -> bool:
    """Return whether the process of a job lives: jobs are of this machine alone."""
    return is_local(job.owner) and is_alive(job.owner)


def _is_short(job: Job) -> bool:
    return job.kind in ("analyze", "predict")


def _interrupt(pid: int) -> None:
    # Not SIGINT: it is ignored by what a shell script started in the background.
    try:
        psutil.Process(pid).send_signal(signal.SIGTERM)
    except psutil.NoSuchProcess:
        return


def _find_process(words: Sequence[str]) -> str | None:
    """Return the owner name of the process that runs a command, if there is one."""
    for process in psutil.process_iter(["pid", "cmdline"]):
        if process.info["cmdline"] == list(words):
            try:
                return name_owner(process.info["pid"])
            except psutil.Error:
                continue
    return None
