"""Correlations of complexity with errors, compared with the thesis's tables."""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import count, takewhile

import numpy as np

from manyminds.experiments.record import Record
from manyminds.reproductions.complexity.protocol import (
    CLUSTERERS,
    CLUSTERS,
    LARGEST,
    SMALLEST,
    SUCCESS,
    name_configuration,
    name_value,
)
from manyminds.reproductions.judging.cells import (
    AGREES,
    DIFFERS,
    MIN_REPEATS,
    STANDARD_ERRORS,
    Cell,
    judge_difference,
)
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.published import (
    Part,
    Place,
    RecordedPart,
    read_printed_rows,
)

MIN_CLUSTERS = 3  # clusters that make a correlation worth the name
TABLE_FILES = {"imbalance": "mrca_3_4", "linear boundary": "mrca_3_5"}
VACUOUS = "{:.0f} clusters with samples: any two points correlate"
UNDEFINED = "all clusters have the same error rate: no correlation is defined"
SAME_RUNS = "its manual centroids are those of the tables above, counted again"
Found = Mapping[str, Mapping[str, float]]  # values by data set


def list_values(records: list[Record]) -> dict[str, Mapping[str, float]]:
    """Return what was measured on each data set."""
    return {one.dataset: one.values for one in records if not one.failed}


def judge_table(
    configuration: str,
    recorded: RecordedPart,
    elsewhere: Mapping[str, str] | None = None,
) -> Verdicts:
    """Compare squared correlations in percent with a table of the thesis.

    The thesis has one forest, we have some: a difference is within random variation if
    one more of ours might well be where the thesis's is.

    Parameters
    ----------
    configuration : str
        Which analysis.
    recorded : RecordedPart
        With the table.
    elsewhere : mapping of str to str, default=None
        Data sets that are not counted here, and why.

    Returns
    -------
    verdicts : Verdicts
        With successes in print and here, and those over three clusters or more.
    """
    assert recorded.part.table is not None
    found = list_values(recorded.records)
    names = {source.name for source in recorded.plan.datasets}
    successes = read_successes(configuration)
    cells = []
    for place, published in recorded.part.table.cells.items():
        if place[0] not in names:
            continue
        if place[0] not in found:
            cell = make_empty_cell(recorded, place, published=published)
        else:
            measured = read_forests(found[place[0]], configuration, place[1])
            cell = _judge_cell(
                recorded.part, place, published.mean, successes[place], *measured
            )
        apart = cell.apart or (elsewhere or {}).get(place[0], "")
        cells.append(replace(cell, apart=apart))
    remarks = {f"s={s}": _remark(configuration, s, found, successes) for s in CLUSTERS}
    return summarize_cells(recorded, cells, remarks if found else {})


def judge_one_set(recorded: RecordedPart) -> Verdicts:
    """Compare one data set with both tables, and note if all its cells agree."""
    assert recorded.part.table is not None
    found, cells = list_values(recorded.records), []
    for place, published in recorded.part.table.cells.items():
        dataset, (probe, column) = place[0], place[1].rsplit(" ", 1)
        if dataset not in found:
            cells.append(make_empty_cell(recorded, place, published=published))
            continue
        configuration = name_configuration(probe)
        success = read_successes(configuration)[dataset, column]
        measured = read_forests(found[dataset], configuration, column)
        cells.append(
            _judge_cell(recorded.part, place, published.mean, success, *measured)
        )
    verdicts = summarize_cells(recorded, cells)
    counted = [cell for cell in cells if not cell.apart and cell.mean is not None]
    if not counted:
        return verdicts
    far = [cell.method for cell in counted if cell.verdict != AGREES]
    said = f"not met: {', '.join(far)}" if far else "met"
    goal = f"That each r² is within {recorded.part.tolerance} of print is {said}."
    return replace(verdicts, overall=f"{verdicts.overall} {goal}")


def judge_counts(recorded: RecordedPart) -> Verdicts:
    """Compare the share of successes, in percent, with table 3.2."""
    found, cells = list_values(recorded.records), []
    for row in read_printed_rows(__package__, "mrca_3_2"):
        probe, smallest = row["probe"], float(row["smallest"])
        if row["n_radii"] != "15" or float(row["largest"]) != LARGEST[probe]:
            continue
        name = name_configuration(probe, smallest)
        apart = SAME_RUNS if smallest == SMALLEST[0] else ""
        printed, place = 100.0 * int(row["successes"]) / 340.0, (name, "successes")
        if not found:
            cell = make_empty_cell(recorded, place)
        else:
            cell = _judge_count(recorded.part, place, printed, found)
        cells.append(replace(cell, apart=apart))
    return summarize_cells(recorded, cells)


def read_successes(configuration: str) -> dict[Place, bool]:
    """Return which cells of the table of a configuration are printed as successes."""
    table = TABLE_FILES[configuration.split(",")[0]]
    return {
        (row["dataset"], row["method"]): row["success"] == "1"
        for row in read_printed_rows(__package__, table)
    }


def read_sign(printed: float, success: bool) -> float | None:
    """Return the sign of a printed correlation, None if print leaves it open.

    A success has a correlation of 0.8 or more. A square of 64 or more that is no
    success is that of a correlation of -0.8 or less.
    """
    if success:
        return 1.0
    return -1.0 if printed > 100.0 * SUCCESS**2 else None


def count_successes(
    found: Found, configuration: str, clusterer: str
) -> tuple[float, float, int]:
    """Count successes, those of them over three clusters or more, and all there are.

    Numbers of successes are means over the forests.
    """
    all_of_them, real = list_successes(found, configuration, clusterer)
    n_clusterings = len(found) * len(CLUSTERS)
    return float(all_of_them.mean()), float(real.mean()), n_clusterings


def list_successes(
    found: Found, configuration: str, clusterer: str
) -> tuple[np.ndarray, np.ndarray]:
    """Count successes of each forest, and those of them over three clusters or more."""
    is_success, is_real = [], []
    for values in found.values():
        for s in CLUSTERS:
            r, n = read_forests(values, configuration, f"s={s}", clusterer)
            is_success.append(r >= SUCCESS)
            is_real.append((r >= SUCCESS) & (n >= MIN_CLUSTERS))
    return np.sum(is_success, axis=0), np.sum(is_real, axis=0)


def read_forests(
    values: Mapping[str, float],
    configuration: str,
    column: str,
    clusterer: str = "manual",
) -> tuple[np.ndarray, np.ndarray]:
    """Return the correlations and numbers of clusters of all forests."""
    n_clusters = int(column.removeprefix("s="))

    def read(what: str) -> np.ndarray:
        name = partial(name_value, configuration, clusterer, n_clusters, what)
        keys = takewhile(values.__contains__, map(name, count()))
        return np.array([values[key] for key in keys])

    return read("r"), read("clusters")


def _judge_cell(
    part: Part,
    place: Place,
    printed: float,
    success: bool,
    r: np.ndarray,
    n: np.ndarray,
) -> Cell:
    sign = read_sign(printed, success)
    squares = 100.0 * r**2 if sign is None else 100.0 * r * np.abs(r)
    reference = printed if sign is None else sign * printed
    difference, margin = float(squares.mean()) - reference, _estimate_margin(squares)
    verdict, why = judge_difference(difference, part.tolerance, margin), ""
    if verdict == DIFFERS:
        few = "few errors in a cluster: r moves with each of them"
        why = part.notes.get(place[0], few)
    std = float(squares.std(ddof=1)) if len(squares) > 1 else 0.0
    return Cell(
        *place, verdict, why, reference, None, float(squares.mean()), std, len(squares),
        difference, margin, _find_vacuity(r, n),
    )  # fmt: skip


def _find_vacuity(r: np.ndarray, n: np.ndarray) -> str:
    if n.max() < MIN_CLUSTERS:
        return VACUOUS.format(n.max())
    return "" if np.any(r != 0.0) else UNDEFINED


def _judge_count(part: Part, place: Place, printed: float, found: Found) -> Cell:
    both = [list_successes(found, place[0], one) for one in CLUSTERERS]
    n_clusterings = len(found) * len(CLUSTERS) * len(CLUSTERERS)
    shares = 100.0 * (both[0][0] + both[1][0]) / n_clusterings
    real = 100.0 * float((both[0][1] + both[1][1]).mean()) / n_clusterings
    mean, margin = float(shares.mean()), _estimate_margin(shares)
    return Cell(
        *place,
        judge_difference(mean - printed, part.tolerance, margin),
        f"{real:.1f} % if two clusters or fewer do not count",
        printed,
        None,
        mean,
        None,
        len(found),
        mean - printed,
        margin,
    )


def _estimate_margin(forests: np.ndarray) -> float | None:
    """Return three standard deviations of one more forest from the mean of ours."""
    n_forests = len(forests)
    if n_forests < MIN_REPEATS:
        return None
    spread = float(forests.std(ddof=1))
    return STANDARD_ERRORS * spread * math.sqrt(1.0 + 1.0 / n_forests)


def _remark(
    configuration: str, n_clusters: int, found: Found, successes: Mapping[Place, bool]
) -> str:
    column = f"s={n_clusters}"
    n_printed = sum(successes[name, column] for name in found)
    n_ours = n_real = 0.0
    for values in found.values():
        r, n = read_forests(values, configuration, column)
        n_ours += float(np.mean(r >= SUCCESS))
        n_real += float(np.mean((r >= SUCCESS) & (n >= MIN_CLUSTERS)))
    return (
        f"successes on the same {len(found)} sets: {n_printed} in print, {n_ours:.1f} "
        f"here, {n_real:.1f} over three clusters or more"
    )
