"""How correlations of complexity with errors stand beside the thesis's tables."""

import math
from collections.abc import Mapping
from functools import partial

import numpy as np

from manyminds.experiments.judging import (
    AGREES,
    DIFFERS,
    STANDARD_ERRORS,
    Cell,
    Verdicts,
    say_verdict,
    sum_up,
    tell_not_run,
)
from manyminds.experiments.plan import Plan
from manyminds.experiments.plans.looking.complexity_protocol import (
    CLUSTERERS,
    CLUSTERS,
    LARGEST,
    SMALLEST,
    SUCCESS,
    name_configuration,
    name_value,
)
from manyminds.experiments.published import Part, Place, read_printed_rows
from manyminds.experiments.record import Record

FEWEST = 3  # clusters that make a correlation worth the name
Found = Mapping[str, Mapping[str, float]]  # values by data set


def list_values(records: list[Record]) -> dict[str, Mapping[str, float]]:
    """Give what was measured on each data set."""
    return {one.dataset: one.values for one in records if not one.failed}


def judge_table(
    configuration: str,
    part: Part,
    plan: Plan,
    records: list[Record],
    missing: Mapping[str, str],
) -> Verdicts:
    """Hold squared correlations in per cent against a table of the thesis.

    The thesis has one forest, we have some: a cell *agrees within chance* if one more
    of ours might well be where the thesis's is.

    Parameters
    ----------
    configuration : str
        Which analysis.
    part : Part
        With the table.
    plan : Plan
        Full or quick.
    records : list of Record
    missing : mapping of str to str
        Data sets that could not be had, and why.

    Returns
    -------
    verdicts : Verdicts
        With successes in print and here, and those over three clusters or more.
    """
    assert part.table is not None
    found = list_values(records)
    names = {source.name for source in plan.datasets}
    cells = []
    for place, published in part.table.cells.items():
        if place[0] not in names:
            continue
        if place[0] not in found:
            cells.append(tell_not_run(part, place, "", missing, published))
        else:
            r, n = _read(found[place[0]], configuration, place[1])
            cells.append(_judge_cell(part, place, published.mean, r, n))
    remarks = {f"s={s}": _remark(configuration, s, found) for s in CLUSTERS}
    return sum_up(part, plan, cells, remarks if found else {})


def judge_counts(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Hold the share of successes, in per cent, against table 3.2.

    Parameters
    ----------
    part : Part
    plan : Plan
        Full or quick.
    records : list of Record
    missing : mapping of str to str
        Data sets that could not be had, and why.

    Returns
    -------
    verdicts : Verdicts
    """
    found, quick, cells = list_values(records), plan.name != part.name, []
    for row in read_printed_rows("mrca_3_2"):
        probe, smallest = row["probe"], float(row["smallest"])
        if row["n_radii"] != "15" or float(row["largest"]) != LARGEST[probe]:
            continue
        name = name_configuration(probe, smallest)
        printed, place = 100.0 * int(row["successes"]) / 340.0, (name, "successes")
        if not found:
            cells.append(tell_not_run(part, place, "", missing))
            continue
        both = [count_successes(found, name, one) for one in CLUSTERERS]
        n_all = sum(n for _, _, n in both)
        share = 100.0 * sum(n for n, _, _ in both) / n_all
        real = 100.0 * sum(n for _, n, _ in both) / n_all
        verdict, _ = say_verdict(
            share - printed, part.tolerance, None if quick else 0.0
        )
        why = f"{real:.1f} % if two clusters or fewer do not count"
        cells.append(
            Cell(*place, verdict, why, printed, None, share, None, len(found),
                 share - printed)
        )  # fmt: skip
    return sum_up(part, plan, cells)


def judge_claims(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Compare counts of successes over three clusters or more.

    Parameters
    ----------
    part : Part
    plan : Plan
        Full or quick.
    records : list of Record
    missing : mapping of str to str
        Data sets that could not be had, and why.

    Returns
    -------
    verdicts : Verdicts
        A cell *agrees* if the one that the thesis finds better has more.
    """
    found = list_values(records)
    count = partial(_count_real, found)
    first = {probe: name_configuration(probe) for probe in LARGEST}
    widest = name_configuration("imbalance", SMALLEST[-1])
    sides = {
        "imbalance has more than linear boundary": (
            count([first["imbalance"]]), count([first["linear boundary"]]),
        ),
        "5 % near by have more than 25 %": (
            count([first["imbalance"]]), count([widest]),
        ),
        "manual centroids have more than k-means": (
            count([first["imbalance"]], ("manual",)),
            count([first["imbalance"]], ("k-means",)),
        ),
    }  # fmt: skip
    cells = []
    for claim, (ours, other) in sides.items():
        place = "all sets", claim
        if not found:
            cells.append(tell_not_run(part, place, "", missing))
            continue
        verdict = AGREES if ours > other else DIFFERS
        why = "" if ours > other else "the thesis also counts clusterings of one or two"
        cells.append(
            Cell(*place, verdict, why, other, None, ours, None, len(found),
                 ours - other)
        )  # fmt: skip
    return sum_up(part, plan, cells, _remark_on_rows(found))


def count_successes(
    found: Found, configuration: str, clusterer: str
) -> tuple[float, float, int]:
    """Count successes, those of them over three clusters or more, and all there are.

    Numbers of successes are means over the forests.
    """
    n_successes = n_real = 0.0
    for values in found.values():
        for s in CLUSTERS:
            r, n = _read(values, configuration, f"s={s}", clusterer)
            n_successes += float(np.mean(r >= SUCCESS))
            n_real += float(np.mean((r >= SUCCESS) & (n >= FEWEST)))
    return n_successes, n_real, len(found) * len(CLUSTERS)


def _count_real(
    found: Found,
    configurations: list[str],
    clusterers: tuple[str, ...] = CLUSTERERS,
) -> float:
    return sum(
        count_successes(found, name, one)[1]
        for name in configurations
        for one in clusterers
    )


def _read(
    values: Mapping[str, float],
    configuration: str,
    column: str,
    clusterer: str = "manual",
) -> tuple[np.ndarray, np.ndarray]:
    """Give the correlations and numbers of clusters of all forests."""
    n_clusters = int(column.removeprefix("s="))

    def read(what: str) -> np.ndarray:
        name = partial(name_value, configuration, clusterer, n_clusters, what)
        seeds = (name(seed) for seed in range(len(values)))
        return np.array([values[key] for key in seeds if key in values])

    return read("r"), read("clusters")


def _judge_cell(
    part: Part, place: Place, printed: float, r: np.ndarray, n: np.ndarray
) -> Cell:
    squares = 100.0 * r**2
    mean, n_forests = float(squares.mean()), len(squares)
    sd = float(squares.std(ddof=1)) if n_forests > 1 else 0.0
    error = STANDARD_ERRORS * sd * math.sqrt(1.0 + 1.0 / n_forests)
    verdict, asks = say_verdict(
        mean - printed, part.tolerance, error if n_forests > 1 else None
    )
    why = part.notes.get(place[0], "") if asks else ""
    if n.max() < FEWEST:
        why = f"{n.max():.0f} clusters with rows: the correlation says nothing"
    elif asks and not why:
        why = "few errors in a cluster: r moves with each of them"
    return Cell(
        *place, verdict, why, printed, None, mean, sd, n_forests, mean - printed
    )


def _remark(configuration: str, n_clusters: int, found: Found) -> str:
    table = "mrca_3_4" if "imbalance" in configuration else "mrca_3_5"
    printed = {
        row["dataset"]: row["success"] == "1"
        for row in read_printed_rows(table)
        if row["method"] == f"s={n_clusters}"
    }
    n_printed = sum(printed[name] for name in found)
    n_ours = n_real = 0.0
    for values in found.values():
        r, n = _read(values, configuration, f"s={n_clusters}")
        n_ours += float(np.mean(r >= SUCCESS))
        n_real += float(np.mean((r >= SUCCESS) & (n >= FEWEST)))
    return (
        f"successes on the same {len(found)} sets: {n_printed} in print, {n_ours:.1f} "
        f"here, {n_real:.1f} over three clusters or more"
    )


def _remark_on_rows(found: Found) -> dict[str, str]:
    """Tell how well rows with errors are found without any clusters."""
    if not found:
        return {}

    def mean(name: str) -> float:
        return float(np.mean([values[name] for values in found.values()]))

    plain, ours = (
        mean("auc of five neighbours"),
        mean(f"auc of {name_configuration('imbalance')}"),
    )
    return {
        "imbalance has more than linear boundary": "mean AUC of rows with errors: "
        f"imbalance {ours:.3f}, plain disagreement of five neighbours {plain:.3f}"
    }
