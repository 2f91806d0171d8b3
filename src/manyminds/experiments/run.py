"""Run a plan: compute the missing folds, here or on a cluster, and store them."""

import os
import threading
import time
import uuid
from collections.abc import Callable, Generator, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs
from sklearn.base import clone

from manyminds.experiments.plan import Plan, Task, list_tasks, rename
from manyminds.experiments.record import Record, Slot
from manyminds.experiments.store import Store
from manyminds.preprocessing import encode_dates
from manyminds.utils.backends import choose_return, shelter_tracker
from manyminds.utils.databases import StoreError
from manyminds.utils.errors import UserError
from manyminds.utils.leases import is_alive, name_owner
from manyminds.utils.parents import follow_from_start, follow_parent

LEASE_SECONDS = 120.0
TASKS_PER_JOB = 4  # at a time, of a backend that returns all results at once
MAX_ERROR_LENGTH = 2000  # characters of an error that are stored


class RunError(UserError, RuntimeError):
    """A run failed; its completed folds are recorded."""


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    Parameters
    ----------
    done, failed, total : int
        Folds recorded, those of them that failed, and all of the plan.
    elapsed : float
        Seconds since the run began.
    remaining : float or None
        Seconds left, if it goes on at this rate; None until a fold is done.
    latest : str
        Data set and method of the latest fold.
    """

    done: int
    failed: int
    total: int
    elapsed: float
    remaining: float | None
    latest: str = ""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run.

    Parameters
    ----------
    plan : Plan
    records : list of Record
        Of all folds of the plan, by this run or earlier ones.
    missing : dict of str to str
        Data sets that could not be loaded, and why.
    n_new : int
        Folds that this run computed.
    seconds : float
        Time of this run.
    """

    plan: Plan
    records: list[Record]
    missing: dict[str, str]
    n_new: int
    seconds: float

    @property
    def failed(self) -> list[Record]:
        """Records of folds that ended in an error."""
        return [record for record in self.records if record.failed]


def run(
    plan: Plan,
    store: Store,
    *,
    n_jobs: int | None = None,
    retry_failed: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> Outcome:
    """Compute the folds of a plan that the store lacks, and store them.

    A fold that raises is recorded with its error; the others go on. Whatever stops a
    run (Ctrl-C, a crash, a loss of power), the completed folds stay in the store, and
    the next run computes the rest. Several runs of one plan on one store share the
    work.

    Parameters
    ----------
    plan : Plan
    store : Store
        See `open_store`.
    n_jobs : int, default=None
        Folds computed in parallel by joblib, in processes unless
        ``joblib.parallel_config`` sets another backend (threads, Dask, Ray). None means
        1 outside of such a context. The results do not depend on it.
    retry_failed : bool, default=False
        Whether to repeat folds that failed in an earlier run.
    on_progress : callable, default=None
        Called with a `Progress` after every fold.

    Returns
    -------
    outcome : Outcome

    Examples
    --------
    >>> import os, tempfile
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.experiments import Plan, open_store, run
    >>> from manyminds.trees import DecisionTreeClassifier
    >>> plan = Plan("tree", [load_dataset("iris")], {"tree": DecisionTreeClassifier()})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = open_store(os.path.join(folder, "records.sqlite"))
    ...     first, second = run(plan, store), run(plan, store)
    ...     store.close()
    >>> first.n_new, second.n_new, len(second.records)
    (10, 0, 10)
    """
    state = _RunState(plan, store, retry_failed, on_progress)
    with _held_claims(store, state.owner):
        held = state.compute(state.list_free_tasks(), n_jobs)
        while held := state.wait_for(held):
            held = state.compute(state.claim(held), n_jobs)
    return state.close()


@dataclass
class _RunState:
    """The state of a run: records, claims, progress."""

    plan: Plan
    store: Store
    retry_failed: bool
    on_progress: Callable[[Progress], None] | None
    owner: str = field(default_factory=lambda: _name_run())
    records: dict[Slot, Record] = field(default_factory=dict)
    places: dict[str, list[Slot]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    held: list[Task] = field(default_factory=list)
    n_new: int = 0
    n_failed: int = 0
    failure: BaseException | None = None
    started: float = field(default_factory=time.perf_counter)

    def compute(self, tasks: Iterator[Task], n_jobs: int | None) -> list[Task]:
        """Compute and store the tasks; return those that other runs hold."""
        self.held = []
        results = _dispatch(self._guard(tasks), n_jobs)
        try:
            for record in results:
                self.store.put([record])
                self.n_new += 1
                self._note(record)
        except BrokenProcessPool as failure:
            raise RunError(
                "A worker process died, perhaps for lack of memory. Completed folds "
                "are recorded: run again, with a smaller n_jobs, to compute the rest."
            ) from failure
        finally:
            results.close()
        if self.failure is not None:
            raise self.failure
        return self.held

    def _guard(self, tasks: Iterator[Task]) -> Iterator[Task]:
        # joblib takes tasks in a thread of its own, where an error would be lost and
        # the run would wait forever: it is raised when the folds are done.
        try:
            yield from tasks
        except Exception as failure:
            self.failure = failure

    def list_free_tasks(self) -> Iterator[Task]:
        """Claim the folds that the store lacks, data set by data set."""
        for source in self.plan.datasets:
            try:
                data = source.load() if hasattr(source, "load") else source
                data = encode_dates(data)
                tasks = list(list_tasks(self.plan, rename(data, source.name)))
            except (LookupError, OSError, ValueError) as reason:
                self.missing[source.name] = str(reason)
                continue
            self.store.enroll(self.plan.name, [task.slot for task in tasks])
            yield from self.claim(self._leave_out_recorded(tasks))

    def _leave_out_recorded(self, tasks: list[Task]) -> list[Task]:
        different: dict[str, Task] = {}  # of two names for one estimator, one is run
        for task in tasks:
            self.places.setdefault(task.slot.key, []).append(task.slot)
            different.setdefault(task.slot.key, task)
        found = self.store.get(different)
        if self.retry_failed:
            failed = [key for key, record in found.items() if record.failed]
            self.store.delete(failed)
            found = {key: found[key] for key in found if key not in failed}
        for record in found.values():
            self._note(record)
        return [task for key, task in different.items() if key not in found]

    def claim(self, tasks: list[Task]) -> Iterator[Task]:
        """Return the tasks that are free, each claimed when its turn comes."""
        for task in tasks:
            key = task.slot.key
            if self.store.claim([key], self.owner, LEASE_SECONDS):
                yield task
            else:
                self.held.append(task)

    def wait_for(self, tasks: list[Task]) -> list[Task]:
        """Wait until other runs finish the tasks or end; return what is left."""
        pause = 0.05
        while tasks:
            done = self.store.get(task.slot.key for task in tasks)
            for record in done.values():
                self._note(record)
            tasks = [task for task in tasks if task.slot.key not in done]
            owners = self.store.owners(task.slot.key for task in tasks)
            for owner in {owner for owner in owners.values() if not is_alive(owner)}:
                self.store.release(owner)
                owners = {key: who for key, who in owners.items() if who != owner}
            if len(owners) < len(tasks):
                break
            time.sleep(pause)
            pause = min(2 * pause, 1.0)
        return tasks

    def _note(self, record: Record) -> None:
        # Made by another plan, or under another name, it has the names from there.
        for slot in self.places[record.key]:
            if slot not in self.records:
                self.records[slot] = replace(
                    record, dataset=slot.dataset, method=slot.method
                )
                self.n_failed += record.failed
        if self.on_progress is not None:
            self.on_progress(self._measure_progress(record))

    def _measure_progress(self, record: Record) -> Progress:
        done, failed, total = len(self.records), self.n_failed, len(self.plan)
        elapsed = time.perf_counter() - self.started
        remaining = elapsed / self.n_new * (total - done) if self.n_new else None
        latest = f"{record.dataset}, {record.method}"
        return Progress(done, failed, total, elapsed, remaining, latest)

    def close(self) -> Outcome:
        """Return all records under the names and in the order of the plan."""
        seconds = time.perf_counter() - self.started
        datasets = [source.name for source in self.plan.datasets]
        methods = [method.name for method in self.plan.methods]

        def place(slot: Slot) -> tuple[int, int, int, int]:
            which = datasets.index(slot.dataset), methods.index(slot.method)
            return *which, slot.repeat, slot.fold

        records = [self.records[slot] for slot in sorted(self.records, key=place)]
        return Outcome(self.plan, records, self.missing, self.n_new, seconds)


def _dispatch(
    tasks: Iterator[Task], n_jobs: int | None
) -> Generator[Record, None, None]:
    """Yield the records of tasks as they are done.

    A backend that returns lists only, such as Ray's, gets a few tasks at a time.
    """
    # One fold per dispatch: a fold is long, and is claimed when it is dispatched.
    pool = Parallel(
        n_jobs,
        batch_size=1,
        return_as=choose_return("generator_unordered"),
        **follow_from_start(),
    )
    shelter_tracker(n_jobs)
    here = os.getpid()
    if pool.return_as != "list":
        yield from pool(delayed(_work)(task, here) for task in tasks)
        return
    size = TASKS_PER_JOB * effective_n_jobs(n_jobs)
    with pool:  # its processes are started once
        while some := list(islice(tasks, size)):
            yield from pool(delayed(_work)(task, here) for task in some)


def _work(task: Task, parent: int) -> Record:
    """Compute a task, here or in a process that ends with ours."""
    follow_parent(parent)
    return do_task(task)


def do_task(task: Task) -> Record:
    """Compute one fold, and record its values or its error."""
    estimator = clone(task.estimator)
    set_seed(estimator, task.fold.seed)
    started = time.perf_counter()
    values, error = {}, None
    try:
        measured = task.measure(estimator, task.fold)
        values = {str(name): float(value) for name, value in measured.items()}
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"[:MAX_ERROR_LENGTH]
    return Record(
        task.slot.key,
        task.slot.dataset,
        task.slot.method,
        task.slot.repeat,
        task.slot.fold,
        values,
        error,
        time.perf_counter() - started,
        datetime.now(UTC).isoformat(timespec="seconds"),
        task.text,
        task.fold.data.fingerprint,
        task.versions,
    )


def set_seed(estimator: Any, seed: int) -> None:
    """Set every ``random_state`` that is None, also of estimators inside."""
    parameters = estimator.get_params(deep=True)
    unset = [
        name
        for name, value in sorted(parameters.items())
        if (name == "random_state" or name.endswith("__random_state")) and value is None
    ]
    estimator.set_params(**{name: seed for name in unset})


def _name_run() -> str:
    # A process may do several runs at a time, in threads: each has its own claims.
    return f"{name_owner()}/{uuid.uuid4().hex[:12]}"


@contextmanager
def _held_claims(store: Store, owner: str) -> Iterator[None]:
    """Renew the claims of this run while it goes on, and release them at its end."""
    over = threading.Event()

    def keep_renewing() -> None:
        while not over.wait(LEASE_SECONDS / 4):
            with suppress(StoreError):  # a later renewal, or the next record, tells
                store.renew(owner, LEASE_SECONDS)

    heartbeat = threading.Thread(target=keep_renewing, daemon=True)
    heartbeat.start()
    try:
        yield
    finally:
        over.set()
        heartbeat.join()
        with suppress(StoreError):  # the claims of a process that ended count for none
            store.release(owner)
