"""The anticipative forest compared with its peers."""

from collections.abc import Iterable

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions import published
from manyminds.reproductions.anticipative_hybrid_forests.protocol import (
    HYBRID,
    make_peers,
)
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.measurements import (
    measure_cells,
)
from manyminds.reproductions.judging.observations import observe_pair
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    judge_pairs,
    summarize_cells,
)

MARGIN = 0.5  # points of accuracy


def observe_peers(recorded: published.RecordedPart) -> Verdicts:
    """Show the anticipative forest and each peer; claims are judged elsewhere."""
    found = measure_cells(recorded.plan, recorded.records, "accuracy", 100.0)
    cells = [
        observe_pair(recorded, place, found[place[0], HYBRID], found[place])
        for place in found
        if place[1] in make_peers()
    ]
    return summarize_cells(recorded, cells)


def claim_lead(
    others: Iterable[str], plan: Plan, records: Iterable[Record]
) -> list[Claim]:
    """Judge whether the anticipative forest is more accurate than other methods.

    Parameters
    ----------
    others : iterable of str
        Their names in the plan.
    plan : Plan
        Full or quick.
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
    """
    pairs = {f"{HYBRID} is more accurate than {one}": (HYBRID, one) for one in others}
    return judge_pairs(
        plan, records, "accuracy", pairs, unit="points", margin=MARGIN, scale=100.0
    )
