"""Wins of random oracles compared with the printed ones, and claims."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from manyminds.analysis import rank_methods, sign_test, win_tie_loss
from manyminds.analysis.advantage import relative_advantage
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import (
    DIFFERS,
    STANDARD_ERRORS,
    Cell,
    judge_difference,
)
from manyminds.reproductions.judging.claims import Claim, judge_claim, judge_share
from manyminds.reproductions.judging.measurements import (
    Measured,
    list_differences,
    measure_cells,
)
from manyminds.reproductions.judging.observations import observe_pair
from manyminds.reproductions.judging.verdicts import (
    Verdicts,
    make_empty_cell,
    summarize_cells,
)
from manyminds.reproductions.published import (
    Part,
    Place,
    RecordedPart,
    read_published_cells,
)

PRINTED = read_published_cells(__package__, "random_oracles")
PRINTED_SETS = 61
WIN_TIE_LOSS = ("wins", "ties", "losses")
ORACLE = ", oracle"
ALL = "all sets"
SHARE = ", share of sets won"
MARGIN = 10.0  # points of a share of data sets, or of ensembles
KINDS = {"P": "pruned", "U": "unpruned"}
Found = Mapping[Place, Measured | str]


def list_configurations(plan: Plan) -> list[str]:
    """Return the names of the ensembles of a plan that have an oracle."""
    names = [method.name for method in plan.methods]
    return [name.removesuffix(ORACLE) for name in names if name.endswith(ORACLE)]


def name_without(configuration: str) -> str:
    """Return the name of the method that is the configuration without an oracle."""
    return "Tree (U)" if configuration == "Randomization (U)" else configuration


def judge_oracles(
    recorded: RecordedPart,
    why: str = "",
) -> Verdicts:
    """Compare the shares of data sets won with the printed ones.

    The single data sets are observations of the claims and are not counted. Their
    difference is the paper's score: by how much the oracle lowers the RMSE, in per
    cent of the larger of the two; a loss is negative.

    Parameters
    ----------
    recorded : RecordedPart
    why : str, default=""
        Known reason why shares differ.

    Returns
    -------
    verdicts : Verdicts
    """
    found = measure_cells(recorded.plan, recorded.records, "rmse")
    ranks, cells, remarks = _rank(recorded.plan, found), [], {}
    for configuration in list_configurations(recorded.plan):
        remarks[configuration + SHARE] = _describe_benefit(configuration, ranks)
        cell = _judge_share(recorded, configuration, found)
        cells.append(replace(cell, why=why) if cell.verdict == DIFFERS else cell)
        cells += [
            _observe(recorded, (source.name, configuration), found)
            for source in recorded.plan.datasets
        ]
    return summarize_cells(recorded, cells, remarks)


def claim_benefits(plan: Plan, records: Iterable[Record]) -> list[Claim]:
    """Judge the paper's claims: each ensemble profits, pruned or not.

    Over all pruned and all unpruned ensembles, then one for each ensemble. Data sets
    are the units: the ensembles on one set are not independent.
    """
    found = measure_cells(plan, records, "rmse")
    scores = {
        configuration: _list_scores(plan, configuration, found)
        for configuration in list_configurations(plan)
    }
    if not any(scores.values()):
        return []
    return [
        *(_claim_kind(letter, scores) for letter in KINDS),
        *(
            judge_share(
                f"random oracles lower the RMSE of {configuration}",
                list(mine.values()),
                margin=MARGIN,
                remark=_describe_losses(mine),
            )
            for configuration, mine in scores.items()
        ),
    ]


def draw_without_effect(
    part: Part, cells: Sequence[Cell], rng: np.random.Generator
) -> list[str]:
    """Return the verdicts where an oracle wins each data set by a toss of a coin."""
    verdicts = []
    for cell in cells:
        assert cell.reference is not None
        share = 100.0 * rng.binomial(cell.n, 0.5) / cell.n
        difference = share - cell.reference
        verdicts.append(judge_difference(difference, part.tolerance, cell.margin))
    return verdicts


def _list_scores(plan: Plan, configuration: str, found: Found) -> dict[str, float]:
    """Return the oracle's relative advantage on each data set, in percent."""
    with_oracle, without = configuration + ORACLE, name_without(configuration)
    return list_differences(plan, found, with_oracle, without, _compute_score)


def _compute_score(mine: float, other: float) -> float:
    return 100.0 * float(relative_advantage(mine, other))


def _claim_kind(letter: str, scores: Mapping[str, Mapping[str, float]]) -> Claim:
    """Judge the claim over all ensembles of pruned, or of unpruned, trees."""
    mine = [
        pd.Series(one, dtype=float)
        for configuration, one in scores.items()
        if configuration.endswith(f"({letter})")
    ]
    signs = np.sign(pd.DataFrame(mine).T.dropna())
    return judge_claim(
        f"random oracles lower the RMSE of most ensembles of {KINDS[letter]} trees",
        50.0 * signs.mean(axis=1),
        unit=f"points above half of the {len(mine)} ensembles",
        margin=MARGIN,
    )


def _describe_losses(scores: Mapping[str, float]) -> str:
    values = np.array(list(scores.values()))
    if not len(values):
        return ""
    return (
        f"mean advantage {values.mean():+.1f} %; data sets with an RMSE more than 10 % "
        f"lower: {np.sum(values > 10.0)}, more than 10 % higher: "
        f"{np.sum(values < -10.0)}"
    )


def _observe(recorded: RecordedPart, place: Place, found: Found) -> Cell:
    dataset, configuration = place
    mine = found[dataset, configuration + ORACLE]
    other = found[dataset, name_without(configuration)]
    return observe_pair(recorded, place, mine, other, _compute_score)


def _judge_share(recorded: RecordedPart, configuration: str, found: Found) -> Cell:
    """Compare the share of data sets won, ties counting half, with the printed one."""
    wins, ties, _ = (PRINTED[one, configuration].mean for one in WIN_TIE_LOSS)
    printed = (wins + ties / 2.0) / PRINTED_SETS
    place = ALL, configuration + SHARE
    scores = np.array(list(_list_scores(recorded.plan, configuration, found).values()))
    if len(scores) < 2:
        return make_empty_cell(recorded, place, "fewer than two sets were run")
    share = float(np.mean((scores > 0.0) + 0.5 * (scores == 0.0)))
    variance = printed * (1.0 - printed) * (1.0 / PRINTED_SETS + 1.0 / len(scores))
    margin = 100.0 * STANDARD_ERRORS * float(np.sqrt(variance))
    difference = 100.0 * (share - printed)
    return Cell(
        *place,
        judge_difference(difference, recorded.part.tolerance, margin),
        "",
        100.0 * printed,
        None,
        100.0 * share,
        None,
        len(scores),
        difference,
        margin,
    )


def _rank(plan: Plan, found: Found) -> pd.DataFrame:
    """Rank all methods on the data sets that have them all; one column a method."""
    names = [method.name for method in plan.methods]
    means = {
        name: [_mean_of(found[source.name, name]) for source in plan.datasets]
        for name in names
    }
    table = pd.DataFrame(means).dropna()
    if table.empty:
        return table
    ranks = rank_methods(table, higher_is_better=False).ranks
    return pd.DataFrame(ranks, columns=names)


def _describe_benefit(configuration: str, ranks: pd.DataFrame) -> str:
    """Return the benefit in average ranks, wins, ties and losses, ours and theirs."""
    if ranks.empty:
        return "no data set has all methods"
    mine = ranks[configuration + ORACLE]
    other = ranks[name_without(configuration)]
    counts = win_tie_loss(mine, other, higher_is_better=False)
    test = sign_test(counts.wins, counts.ties, counts.losses)
    printed = "/".join(f"{PRINTED[one, configuration].mean:g}" for one in WIN_TIE_LOSS)
    return (
        f"average rank {mine.mean():.2f} with the oracle, benefit "
        f"{(other - mine).mean():+.2f} ranks "
        f"(printed: {PRINTED['rank with oracle', configuration].mean:.2f}, "
        f"{PRINTED['benefit', configuration].mean:+.2f}); "
        f"{counts.wins}/{counts.ties}/{counts.losses} of {len(ranks)} sets, sign test "
        f"p = {test.p_value:.4f} (printed: {printed} of {PRINTED_SETS})"
    )


def _mean_of(measured: Measured | str) -> float:
    return np.nan if isinstance(measured, str) else measured.mean
