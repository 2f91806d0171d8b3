"""Run a published experiment again, and judge the results against the paper."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from manyminds.experiments import Progress
from manyminds.reproductions import (
    PartResult,
    Reproduction,
    get_reproduction,
    reproduce,
)
from manyminds.workflows.tables import check_n_jobs

DEFAULT_STORE = "manyminds.sqlite"


@dataclass(frozen=True)
class ReproductionResult:
    """Result of `run_reproduction`.

    Parameters
    ----------
    reproduction : Reproduction
    parts : list of PartResult
        Outcome and verdicts of each part.
    """

    reproduction: Reproduction
    parts: list[PartResult]

    @property
    def succeeded(self) -> bool:
        """Whether anything could be run."""
        return any(part.verdicts.n_run for part in self.parts)


def run_reproduction(
    name: str,
    *,
    quick: bool = False,
    folder: str | os.PathLike[str] | None = None,
    store: str = DEFAULT_STORE,
    online: bool = True,
    retry_failed: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    n_jobs: int = 1,
) -> ReproductionResult:
    """Run a published experiment again, and compare the results with the paper's.

    Records are stored: a second call runs only what is missing. ``manyminds reproduce``
    calls this function; `manyminds.reproductions.list_reproductions` lists the names.

    Parameters
    ----------
    name : str
        Name of the reproduction.
    quick : bool, default=False
        Whether to run only a few small data sets, once.
    folder : path, default=None
        Folder of the data sets. None means that of the environment variable
        ``MANYMINDS_DATA``, the bundled sets and OpenML.
    store : str, default="manyminds.sqlite"
        Where records are stored: a SQLite file or the URL of a PostgreSQL database.
    online : bool, default=True
        Whether data sets may be downloaded from OpenML.
    retry_failed : bool, default=False
        Whether to run folds again that failed before.
    on_progress : callable, default=None
        Called with a `manyminds.experiments.Progress` after each fold.
    n_jobs : int, default=1
        Number of processes; -1 means all cores.

    Returns
    -------
    result : ReproductionResult

    Examples
    --------
    >>> from manyminds.workflows import run_reproduction
    >>> run_reproduction("table 4.5")
    Traceback (most recent call last):
    ...
    manyminds.utils.errors.InputError: name has 'table 4.5', which is no
    reproduction; ...
    """
    reproduction = get_reproduction(name)
    check_n_jobs(n_jobs)
    parts = reproduce(
        reproduction,
        folder,
        store,
        online=online,
        quick=quick,
        n_jobs=n_jobs,
        retry_failed=retry_failed,
        on_progress=on_progress,
    )
    return ReproductionResult(reproduction, parts)
