"""What is claimed of learners of many labels, and how they compare with peers."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import Cell, estimate_margin
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.effects import judge_methods
from manyminds.reproductions.judging.measurements import Measured, measure_cells
from manyminds.reproductions.judging.observations import observe_pair
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    compare,
    judge_pairs,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.published import Place, RecordedPart

BASE = "BR"
TEST_SHARE = 1.0 / 3.0
MARGIN = 1.0  # point of a measure
# In the order of the pages, with the name there.
SHOWN = {
    "hamming_loss": "Hamming loss",
    "jaccard": "Jaccard",
    "f1": "F1",
    "micro_f1": "micro F1",
    "macro_f1": "macro F1",
    "macro_auc": "macro AUC",
    "ranking_loss": "ranking loss",
    "one_error": "one-error",
    "average_precision": "average precision",
}
SUBSET_CLAIMS = {
    "A chain has a higher subset accuracy than binary relevance": ("CC", "BR"),
    "Label powersets have a higher subset accuracy than binary relevance": ("LP", "BR"),
    "Ensembles of chains have a higher subset accuracy than binary relevance": (
        "ECC",
        "BR",
    ),
    "Ensembles of chains have a higher subset accuracy than bagged binary relevance": (
        "ECC",
        "EBR",
    ),
    "Ensembles of pruned sets have a higher subset accuracy than pruned sets": (
        "EPS",
        "PS",
    ),
}
F1_CLAIMS = {
    "RAkEL has a higher micro F1 than label powersets": ("RAkEL", "LP"),
    "Overlapping sets of labels have a higher micro F1 than disjoint ones": (
        "RAkEL",
        "RAkEL disjoint",
    ),
    "Ensembles of chains have a higher micro F1 than a chain": ("ECC", "CC"),
    "Stacked binary relevance has a higher micro F1 than binary relevance": (
        "2BR",
        "BR",
    ),
}
HAMMING_CLAIMS = {
    "Binary relevance has a lower Hamming loss than a chain": ("BR", "CC"),
    "Bagged binary relevance has a lower Hamming loss than binary relevance": (
        "EBR",
        "BR",
    ),
}
EQUAL_CLAIMS = {
    "One forest of all labels ranks labels as well as a forest for each (average "
    "precision)": ("Forest of all labels", "BR of forests"),
}


def judge_learners(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge what the papers say about learners of many labels.

    Parameters
    ----------
    plan : Plan
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
    """
    records = list(records)
    claims: list[Claim] = []
    for metric, pairs in (
        ("subset_accuracy", SUBSET_CLAIMS),
        ("micro_f1", F1_CLAIMS),
        ("hamming_loss", HAMMING_CLAIMS),
    ):
        claims += judge_methods(
            plan, records, metric, pairs,
            unit="points", margin=MARGIN, test_share=TEST_SHARE, scale=100.0,
            lower_is_better=metric == "hamming_loss",
        )  # fmt: skip
    claims += judge_pairs(
        plan, records, "average_precision", EQUAL_CLAIMS,
        unit="points", margin=MARGIN, scale=100.0, equal=True,
    )  # fmt: skip
    return claims


def show_learners(recorded: RecordedPart) -> Verdicts:
    """Show the subset accuracy of all learners compared with binary relevance.

    The other measures are in the last column; nothing is counted.
    """
    plan, records = recorded.plan, recorded.records
    found = measure_cells(plan, records, "subset_accuracy", 100.0)
    cells = []
    for source in plan.datasets:
        for method in plan.methods:
            place = source.name, method.name
            cell = observe_pair(recorded, place, found[place], found[source.name, BASE])
            cells.append(_add_measures(cell, recorded))
    return summarize_cells(recorded, cells)


def _add_measures(cell: Cell, recorded: RecordedPart) -> Cell:
    """Write all measures of a cell into its remark."""
    if cell.mean is None:
        return cell
    place = cell.dataset, cell.method
    mine = [one for one in recorded.records if (one.dataset, one.method) == place]
    words = []
    for metric, name in SHOWN.items():
        values = [one.values[metric] for one in mine if metric in one.values]
        if values:
            words.append(f"{name} {sum(values) / len(values):.3f}")
    return replace(cell, why=", ".join(words))


def judge_against_peers(
    peers: Mapping[str, str], metric: str, recorded: RecordedPart
) -> Verdicts:
    """Compare our learners with their peers on the same folds.

    Parameters
    ----------
    peers : mapping of str to str
        The name of the peer of each of ours.
    metric : str
    recorded : RecordedPart

    Returns
    -------
    verdicts : Verdicts
    """
    found = measure_cells(recorded.plan, recorded.records, metric, 100.0)
    cells = [
        _judge_pair(recorded, (source.name, mine), peer, found)
        for mine, peer in peers.items()
        for source in recorded.plan.datasets
    ]
    return summarize_cells(recorded, cells)


def _judge_pair(
    recorded: RecordedPart,
    place: Place,
    peer: str,
    found: Mapping[Place, Measured | str],
) -> Cell:
    mine, other = found[place], found[place[0], peer]
    if isinstance(mine, str):
        return make_empty_cell(recorded, place, mine)
    if isinstance(other, str):
        return make_empty_cell(recorded, place, other)
    margin = estimate_margin(mine.repeats - other.repeats, 1)
    difference = mine.mean - other.mean
    return compare(recorded.part, place, other, mine, difference, margin)
