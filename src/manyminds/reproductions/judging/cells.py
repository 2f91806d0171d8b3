"""Cells: a reference, our number and the verdict on their difference."""

from dataclasses import dataclass

import numpy as np

from manyminds.reproductions.published import Tolerance

AGREES = "agrees"
WITHIN = "within random variation"
DIFFERS = "differs"
UNDECIDED = "undecided"
NOT_RUN = "not run"
VERDICTS = (AGREES, WITHIN, DIFFERS, UNDECIDED, NOT_RUN)
STANDARD_ERRORS = 3.0  # how far random variation may carry two replications apart
MIN_REPEATS = 5  # repetitions from which a standard error may be estimated


@dataclass(frozen=True)
class Cell:
    """A number that was published, or measured of a peer, and ours.

    Parameters
    ----------
    dataset, method : str
    verdict : str
        "agrees", "within random variation", "differs", "undecided" or "not run".
    why : str
        The known reason for a difference, or why nothing was run.
    reference, reference_std : float or None
        What was published, or the peer's mean.
    mean, std : float or None
        Ours, over all folds.
    n : int
        Folds that ours is the mean of.
    difference : float or None
        Ours less theirs, in the tolerance's unit.
    margin : float or None, default=None
        Largest difference that random variation explains; None if our repetitions are
        too few to estimate it.
    apart : str, default=""
        Why the cell is no evidence and is counted nowhere: it is derived from the
        printed number, compares ours with ours, or cannot differ.
    """

    dataset: str
    method: str
    verdict: str
    why: str = ""
    reference: float | None = None
    reference_std: float | None = None
    mean: float | None = None
    std: float | None = None
    n: int = 0
    difference: float | None = None
    margin: float | None = None
    apart: str = ""


def judge_difference(
    difference: float, tolerance: Tolerance, margin: float | None
) -> str:
    """Return the verdict on a difference.

    Parameters
    ----------
    difference : float
    tolerance : Tolerance
    margin : float or None
        Largest difference that random variation explains; 0 where nothing is random,
        None where it is not known.

    Returns
    -------
    verdict : str

    Examples
    --------
    >>> from manyminds.reproductions.judging.cells import judge_difference
    >>> from manyminds.reproductions.published import Tolerance
    >>> tolerance = Tolerance(1.0, "so agreed")
    >>> [judge_difference(d, tolerance, 4.0) for d in (0.5, -2.0, 3.5, 5.0)]
    ['agrees', 'within random variation', 'undecided', 'differs']
    >>> judge_difference(2.0, tolerance, None)
    'undecided'
    """
    size = abs(difference)
    if size <= tolerance.points:
        return AGREES
    if margin is None:
        return UNDECIDED
    if size > margin:
        return DIFFERS
    return WITHIN if size <= tolerance.cap else UNDECIDED


def estimate_margin(repeats: np.ndarray, n_replications: int = 2) -> float | None:
    """Return three standard errors of a difference of means of repetitions.

    Parameters
    ----------
    repeats : ndarray of shape (n_repeats,)
        Mean of each of our repetitions.
    n_replications : int, default=2
        2 if the other number is the mean of as many repetitions of its own, 1 if
        ``repeats`` are differences already.

    Returns
    -------
    margin : float or None
        None for fewer than five repetitions.
    """
    n_repeats = len(repeats)
    if n_repeats < MIN_REPEATS:
        return None
    spread = float(np.std(repeats, ddof=1))
    return STANDARD_ERRORS * spread * float(np.sqrt(n_replications / n_repeats))


def describe_rule(tolerance: Tolerance) -> str:
    """Return the common rule in words, with what counts as failure."""
    return (
        f"A cell *agrees* if ours is within {tolerance} of the reference "
        f"({tolerance.why}). It is *within random variation* if it is further away, "
        f"but at most {tolerance.name(tolerance.cap)} and at most "
        f"{STANDARD_ERRORS:g} standard errors of the difference of two independent "
        "replications, estimated from the spread of our repetitions, of which there "
        f"must be at least {MIN_REPEATS}. It *differs*, and the reproduction has "
        "failed there, if it is further away than those standard errors. It is "
        "*undecided* if there are too few repetitions, or if random variation alone "
        f"could explain more than {tolerance.name(tolerance.cap)}."
    )
