"""Run a reproduction, part by part, and judge its records."""

import os
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from manyminds.datasets import find_dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments.record import Record
from manyminds.experiments.run import Outcome, Progress, run
from manyminds.experiments.store import Store, open_store
from manyminds.reproductions.judging.verdicts import Verdicts, judge
from manyminds.reproductions.published import Find, Part, Reproduction
from manyminds.reproductions.registry import get_reproduction

DEFAULT_STORE = "manyminds.sqlite"


class RecordSource(Protocol):
    """A store, or a file, with records by the name of their plan."""

    def find(self, *, plan: str) -> list[Record]:
        """Return the records of a plan."""
        ...


@dataclass(frozen=True)
class PartResult:
    """A part of a reproduction that was run: its outcome and the verdicts."""

    part: Part
    outcome: Outcome
    verdicts: Verdicts


@dataclass(frozen=True)
class StoredPart:
    """A part of a reproduction as a store has it.

    Parameters
    ----------
    part : Part
    n_folds : int
        Folds that the part's plan has.
    records : list of Record
        Those that are stored, of any version.
    verdicts : Verdicts
    """

    part: Part
    n_folds: int
    records: list[Record]
    verdicts: Verdicts


def reproduce(
    reproduction: Reproduction | str,
    find: Find | str | os.PathLike[str] | None = None,
    store: Store | str = DEFAULT_STORE,
    *,
    online: bool = True,
    quick: bool = False,
    n_jobs: int | None = None,
    retry_failed: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[PartResult]:
    """Run the folds of a reproduction that the store lacks, and judge all of them.

    Parameters
    ----------
    reproduction : Reproduction or str
        One, or its name; see `list_reproductions`.
    find : callable, path or None, default=None
        Takes the name of a data set and returns the `Dataset`, or raises LookupError:
        then the set is reported as missing. A path is a folder of data sets to search
        first; by default see `manyminds.datasets.find_dataset`.
    store : Store or str, default="manyminds.sqlite"
        A store, or where `open_store` finds it.
    online : bool, default=True
        Whether data sets may be downloaded from OpenML, if ``find`` is not a callable.
    quick : bool, default=False
        Whether to run only a few small data sets once. They are stored under names of
        their own, which end in " (quick)".
    n_jobs, retry_failed, on_progress
        See `run`.

    Returns
    -------
    parts : list of PartResult

    Examples
    --------
    >>> import os, tempfile
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.reproductions import reproduce
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first, *_ = reproduce(
    ...         "forests-of-local-trees-baselines",
    ...         load_dataset,
    ...         os.path.join(folder, "records.sqlite"),
    ...         quick=True,
    ...     )
    >>> sorted(first.outcome.missing)
    ['hepatitis', 'labor', 'vowel', 'zoo']
    >>> cell = first.verdicts.cells[1]
    >>> cell.dataset, cell.method, cell.reference, cell.n
    ('balance-scale', 'Bagging', 79.79, 10)
    """
    if isinstance(reproduction, str):
        reproduction = get_reproduction(reproduction)
    if not callable(find):
        folder = None if find is None else DataFolder(find)
        find = partial(find_dataset, folder=folder, online=online)
    with ExitStack() as stack:
        if isinstance(store, str):
            store = stack.enter_context(closing(open_store(store)))
        results = []
        for part in reproduction.parts:
            outcome = run(
                part.make_plan(find, quick),
                store,
                n_jobs=n_jobs,
                retry_failed=retry_failed,
                on_progress=on_progress,
            )
            missing = outcome.missing
            verdicts = judge(part, outcome.records, quick=quick, missing=missing)
            results.append(PartResult(part, outcome, verdicts))
        return results


def judge_stored(reproduction: Reproduction, store: RecordSource) -> list[StoredPart]:
    """Judge the records that a store has of a reproduction, without data or a run.

    Parameters
    ----------
    reproduction : Reproduction
    store : Store or RecordFile
        Anything that finds the records of a plan.

    Returns
    -------
    parts : list of StoredPart
    """
    found = []
    for part in reproduction.parts:
        plan = part.outline()
        records = store.find(plan=plan.name)
        found.append(StoredPart(part, len(plan), records, judge(part, records)))
    if reproduction.claims is not None:
        records_of = {stored.part.name: stored.records for stored in found}
        claims = reproduction.claims(records_of)
        last = found[-1].verdicts
        last = replace(last, claims=(*last.claims, *claims))
        found[-1] = replace(found[-1], verdicts=last)
    return found
