"""What the thesis claims about correlation scores, data set by data set."""

from collections.abc import Iterable, Sequence

import numpy as np

from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.correlation_score.protocol import (
    APPLIES,
    SCORES,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim

MARGIN = 10.0  # points of the runs of a data set
Shares = dict[str, dict[str, dict[str, float]]]  # by data set, classifier and score


def claim_significance(
    scope: str, plan: Plan, records: Iterable[Record]
) -> list[Claim]:
    """Judge how often scores go significantly against errors, and which most often.

    Parameters
    ----------
    scope : str
        What the samples are, for the text of the claims.
    plan : Plan
        Full or quick.
    records : iterable of Record

    Returns
    -------
    claims : list of Claim
        Effects are those of the data sets, in percent of their runs. Claims on the
        order of scores take the mean of all classifiers.
    """
    shares = _measure_shares(plan, list(records))
    methods = [method.name for method in plan.methods]
    claims = {
        f"{score} goes against the error of {method} in most runs": [
            one[method][score] - 50.0 for one in shares.values()
        ]
        for method in methods
        for score in ("R²", "η²")
    }
    means = [
        {
            score: float(np.mean([one[method][score] for method in methods]))
            for score in SCORES
        }
        for one in shares.values()
    ]
    claims["R² is significant more often than η²"] = [
        one["R²"] - one["η²"] for one in means
    ]
    for score in ("R²", "η²"):
        claims[f"{score} is significant more often than U"] = [
            one[score] - one["U"] for one in means
        ]
    claims["U is significant less than a third as often as R²"] = [
        one["R²"] / 3.0 - one["U"] for one in means
    ]
    claims["R² goes against the error of AdaBoost less often than of Random Forest"] = [
        one["Random Forest"]["R²"] - one["AdaBoost"]["R²"] for one in shares.values()
    ]
    return [
        judge_claim(f"{text} ({scope})", effects, unit="points", margin=MARGIN)
        for text, effects in claims.items()
        if effects
    ]


def list_values(records: Sequence[Record], method: str, name: str) -> np.ndarray:
    """Return a measured value of all runs of a classifier that apply."""
    return np.array(
        [
            record.values[name]
            for record in records
            if record.method == method and not record.failed and record.values[APPLIES]
        ]
    )


def _measure_shares(plan: Plan, records: list[Record]) -> Shares:
    """Return the share of significant runs of the data sets that are complete."""
    shares: Shares = {}
    n_runs = len(plan.splits) * len(plan.methods)
    for source in plan.datasets:
        mine = [one for one in records if one.dataset == source.name]
        is_complete = len(mine) == n_runs and not any(one.failed for one in mine)
        if not is_complete or not any(one.values[APPLIES] for one in mine):
            continue
        shares[source.name] = {
            method.name: {
                score: 100.0 * float(np.mean(list_values(mine, method.name, score)))
                for score in SCORES
            }
            for method in plan.methods
        }
    return shares
