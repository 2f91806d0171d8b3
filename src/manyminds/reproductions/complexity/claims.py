"""What the thesis claims about complexity, data set by data set."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.complexity.judging import (
    MIN_CLUSTERS,
    Found,
    count_successes,
    list_values,
    read_forests,
)
from manyminds.reproductions.complexity.protocol import (
    CLUSTERERS,
    CLUSTERS,
    LARGEST,
    PLAIN_AUC,
    SMALLEST,
    SUCCESS,
    name_configuration,
)
from manyminds.reproductions.judging.cells import UNDECIDED, Cell
from manyminds.reproductions.judging.claims import Claim, judge_claim
from manyminds.reproductions.judging.observations import OBSERVATION
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.published import RecordedPart

MARGIN = 10.0  # points of the clusterings of a data set


@dataclass(frozen=True)
class Side:
    """Clusterings whose successes are counted: of one analysis, by some clusterers."""

    configuration: str
    clusterers: tuple[str, ...] = CLUSTERERS

    def measure(self, values: Mapping[str, float]) -> float:
        """Return successes over three clusters or more, in percent of clusterings."""
        found = {"": values}
        counts = [
            count_successes(found, self.configuration, one) for one in self.clusterers
        ]
        n_clusterings = sum(n for _, _, n in counts)
        return 100.0 * sum(n_real for _, n_real, _ in counts) / n_clusterings


IMBALANCE, BOUNDARY = (name_configuration(probe) for probe in LARGEST)
SIDES = {
    "imbalance has more successes than linear boundary": (
        Side(IMBALANCE),
        Side(BOUNDARY),
    ),
    "neighborhoods from 5 % on have more successes than those from 25 % on": (
        Side(IMBALANCE),
        Side(name_configuration("imbalance", SMALLEST[-1])),
    ),
    "manual centroids have more successes than k-means": (
        Side(IMBALANCE, ("manual",)),
        Side(IMBALANCE, ("k-means",)),
    ),
}


def observe_counts(recorded: RecordedPart) -> Verdicts:
    """Show the successes of both sides of each claim on each data set."""
    found, cells = list_values(recorded.records), []
    for text, (ours, other) in SIDES.items():
        for name, values in found.items():
            first, second = ours.measure(values), other.measure(values)
            cells.append(
                Cell(name, text, UNDECIDED, "", second, None, first, None, 1,
                     first - second, apart=OBSERVATION)
            )  # fmt: skip
    if not found:
        cells = [make_empty_cell(recorded, ("all sets", text)) for text in SIDES]
    return summarize_cells(recorded, cells)


def claim_successes(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge who has more successes over three clusters or more, and if most succeed.

    Effects are those of the data sets, in percent of their clusterings.
    """
    found = list_values(list(records))
    if not found:
        return []
    claims = [
        judge_claim(
            f"index and error correlate with r of {SUCCESS:g} or more in most "
            f"clusterings of three clusters or more, {configuration}",
            [_measure_majority(values, configuration) for values in found.values()],
            unit="points above half of the clusterings",
            margin=MARGIN,
            remark=_describe_rows(found, configuration),
        )
        for configuration in (IMBALANCE, BOUNDARY)
    ]
    for text, (ours, other) in SIDES.items():
        effects = [ours.measure(one) - other.measure(one) for one in found.values()]
        claims.append(
            judge_claim(text, effects, unit="points of the clusterings", margin=MARGIN)
        )
    return claims


def _measure_majority(values: Mapping[str, float], configuration: str) -> float:
    """Return the share of successes above 50 %, where a correlation is meaningful.

    NaN if no clustering of the data set has three clusters with samples.
    """
    is_success = []
    for clusterer in CLUSTERERS:
        for s in CLUSTERS:
            r, n = read_forests(values, configuration, f"s={s}", clusterer)
            is_success += list(r[n >= MIN_CLUSTERS] >= SUCCESS)
    return 100.0 * float(np.mean(is_success)) - 50.0 if is_success else np.nan


def _describe_rows(found: Found, configuration: str) -> str:
    """Return how well samples with errors are found without any clusters."""

    def mean(name: str) -> float:
        return float(np.mean([values[name] for values in found.values()]))

    index, plain = mean(f"auc of {configuration}"), mean(PLAIN_AUC)
    return (
        f"mean AUC of samples with errors: the index {index:.3f}, plain disagreement "
        f"of five neighbors {plain:.3f}"
    )
