"""Run a reproduction, part by part, and judge what came of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from manyminds.experiments.record import Record
from manyminds.experiments.run import Outcome, Progress, run
from manyminds.experiments.store import Store
from manyminds.reproductions.judging.verdicts import Verdicts, judge
from manyminds.reproductions.published import Find, Part, Reproduction


class Findable(Protocol):
    """What has records, by the name of their plan."""

    def find(self, *, plan: str) -> list[Record]:
        """Return the records of a plan."""
        ...


@dataclass(frozen=True)
class Reproduced:
    """A part of a reproduction that was run: what came of it, and the verdicts."""

    part: Part
    outcome: Outcome
    verdicts: Verdicts


@dataclass(frozen=True)
class Kept:
    """A part of a reproduction as a store has it.

    Parameters
    ----------
    part : Part
    n_folds : int
        Folds that the part's plan has.
    records : list of Record
        Those that are kept, of any version.
    verdicts : Verdicts
    """

    part: Part
    n_folds: int
    records: list[Record]
    verdicts: Verdicts


def reproduce(
    reproduction: Reproduction,
    find: Find,
    store: Store,
    *,
    quick: bool = False,
    n_jobs: int | None = None,
    retry_failed: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> list[Reproduced]:
    """Do what a reproduction still lacks in the store, and judge it.

    Parameters
    ----------
    reproduction : Reproduction
        See `manyminds.reproductions.get_reproduction`.
    find : callable
        Takes the name of a data set and gives the `Dataset`, or raises LookupError:
        then the set is reported as missing.
    store : Store
        See `open_store`.
    quick : bool, default=False
        Whether to do only a few small data sets once. They are kept under names of
        their own, which end in " (quick)".
    n_jobs, retry_failed, on_progress
        See `run`.

    Returns
    -------
    parts : list of Reproduced

    Examples
    --------
    >>> import os, tempfile
    >>> from manyminds.datasets import load_dataset
    >>> from manyminds.experiments import open_store
    >>> from manyminds.reproductions import get_reproduction
    >>> from manyminds.reproductions.reproducing import reproduce
    >>> trees = get_reproduction("forests-of-local-trees-baselines")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = open_store(os.path.join(folder, "records.sqlite"))
    ...     first, *_ = reproduce(trees, load_dataset, store, quick=True)
    ...     store.close()
    >>> sorted(first.outcome.missing)
    ['hepatitis', 'labor', 'vowel', 'zoo']
    >>> cell = first.verdicts.cells[1]
    >>> cell.dataset, cell.method, cell.reference, cell.n
    ('balance-scale', 'Bagging', 79.79, 10)
    """
    done = []
    for part in reproduction.parts:
        outcome = run(
            part.make_plan(find, quick),
            store,
            n_jobs=n_jobs,
            retry_failed=retry_failed,
            on_progress=on_progress,
        )
        verdicts = judge(part, outcome.records, quick=quick, missing=outcome.missing)
        done.append(Reproduced(part, outcome, verdicts))
    return done


def recall(reproduction: Reproduction, store: Findable) -> list[Kept]:
    """Judge what a store has of a reproduction; no data and no run are needed.

    Parameters
    ----------
    reproduction : Reproduction
    store : Store or RecordFile
        Anything that finds the records of a plan.

    Returns
    -------
    parts : list of Kept
    """
    found = []
    for part in reproduction.parts:
        plan = part.outline()
        records = store.find(plan=plan.name)
        found.append(Kept(part, len(plan), records, judge(part, records)))
    if reproduction.claims is not None:
        claims = reproduction.claims({kept.part.name: kept.records for kept in found})
        last = found[-1].verdicts
        last = replace(last, claims=(*last.claims, *claims))
        found[-1] = replace(found[-1], verdicts=last)
    return found
