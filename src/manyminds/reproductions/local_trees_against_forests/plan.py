"""Forests of Local Trees and their competitors, and what local weights contribute."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from manyminds.datasets import Dataset
from manyminds.ensemble.local.local_trees import ForestOfLocalTreesClassifier
from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import CrossValidation
from manyminds.reproductions import published
from manyminds.reproductions.judging.cells import describe_rule
from manyminds.reproductions.judging.observations import OBSERVATION
from manyminds.reproductions.judging.verdicts import Verdicts
from manyminds.reproductions.local_trees_against_forests import DESCRIPTION
from manyminds.reproductions.local_trees_against_forests.judging import (
    COUNTED,
    FLAT,
    FULL,
    LEAVES,
    judge_accuracies,
    judge_counts,
    judge_lead,
    judge_locality,
    judge_names,
    name_configuration,
    show_ablation,
)
from manyminds.reproductions.protocols.tamponi_2015.competitors import (
    ALL_SETS,
    AUDIOLOGY,
    IDENTIFIERS,
    NOT_AT_HAND,
    QUICK,
    TOLERANCE,
    drop_identifier,
    fill_by_mean,
    load_as_in_thesis,
    make_competitors,
    note_differences,
)
from manyminds.reproductions.protocols.tamponi_2015.preparation import encode

NAME = DESCRIPTION.name
NOTES = {**note_differences(ALL_SETS), "audiology": AUDIOLOGY}
LARGE_SETS = ("hypothyroid", "kr-vs-kp", "letter", "sick", "splice", "waveform")
SMALL_SETS = tuple(name for name in ALL_SETS if name not in LARGE_SETS)


def _make_configurations() -> dict[str, ForestOfLocalTreesClassifier]:
    return {
        name_configuration(row): _make_forest(
            max_features=float(row["max_features"]),
            subsample=float(row["subsample"]),
        )
        for row in COUNTED
    }


def _make_forest(**parameters: Any) -> ForestOfLocalTreesClassifier:
    # As many bins as there are values: the trees of the thesis had no bins.
    return ForestOfLocalTreesClassifier(max_bins=65535, **parameters)


def _load_plainly(find: published.Find, name: str) -> Dataset:
    """Encode as in the thesis, but keep missing values and leave names of rows out."""
    data = find(name)
    return encode(drop_identifier(data) if name in IDENTIFIERS else data)


def _make_plan(
    name: str,
    datasets: tuple[str, ...],
    load: Callable[[published.Find, str], Dataset],
    models: Mapping[str, Any],
    n_repeats: int,
    find: published.Find,
    quick: bool,
) -> Plan:
    chosen = [one for one in datasets if not quick or one in QUICK]
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(chosen, load, find),
        models,
        splits=CrossValidation(
            10, 1 if quick else n_repeats, seed=0, permute_rows=True
        ),
    )


def _keep(notes: Mapping[Any, str], datasets: tuple[str, ...]) -> dict[Any, str]:
    return {
        place: why
        for place, why in notes.items()
        if (place if isinstance(place, str) else place[0]) in datasets
    }


def _make_part(
    name: str,
    title: str,
    datasets: tuple[str, ...],
    models: Mapping[str, Any],
    judge_it: Callable[..., Verdicts],
    *,
    load: Callable[[published.Find, str], Dataset] = load_as_in_thesis,
    n_repeats: int = 10,
    tolerance: published.Tolerance = TOLERANCE,
    notes: Mapping[Any, str] = NOTES,
    **options: Any,
) -> published.Part:
    return published.Part(
        name,
        title,
        partial(_make_plan, name, datasets, load, models, n_repeats),
        tolerance,
        notes=_keep(notes, datasets),
        absent=_keep(NOT_AT_HAND, datasets),
        judge=judge_it,
        **options,
    )


WITH_LEAVES = {
    name: _make_forest(max_leaf_nodes=leaves) for name, leaves in LEAVES.items()
}
COUNT_TOLERANCE = published.Tolerance(
    15.0, "the thesis has 36 sets, and random variation moves four or five of them"
)
WITHOUT_SPLICE = tuple(name for name in ALL_SETS if name != "splice")
ACCURACIES = _make_part(
    NAME,
    "Tables 4.3 to 4.5 as in the thesis: missing values filled with the mean of the "
    "class over all rows, a label leak; all sets but splice",
    WITHOUT_SPLICE,
    {**WITH_LEAVES, **make_competitors()},
    judge_accuracies,
    rule=f"{describe_rule(TOLERANCE)} Competitors are shown apart.",
    claims=judge_lead,
)
NAMES_OF_ROWS = _make_part(
    f"{NAME}: names of rows",
    "The two sets of which the thesis kept a column for the name of each row; three "
    "repetitions, as splice has 3477 columns then",
    tuple(IDENTIFIERS),
    {**WITH_LEAVES, **make_competitors()},
    judge_names,
    n_repeats=3,
    rule=f"{describe_rule(TOLERANCE)} Competitors, and zoo, which the first part has, "
    "are shown apart.",
)
COUNTS = _make_part(
    f"{NAME}: wins and losses",
    "Table 4.2, the six configurations without a limit of leaves: by how many sets, in "
    "percent, a competitor loses more often than it wins; without the six sets of "
    "more than 3000 rows",
    SMALL_SETS,
    {**_make_configurations(), **make_competitors()},
    judge_counts,
    tolerance=COUNT_TOLERANCE,
    notes={},
    rule="Losses less wins of a competitor by the thesis's unpaired t-test, in per "
    "cent of the data sets: 36 in print, at most 28 here. A cell *agrees* if ours is "
    f"within {COUNT_TOLERANCE} of the printed one ({COUNT_TOLERANCE.why}), and "
    "*differs*, the reproduction having failed there, if not: a count of tests has no "
    "standard error of its own. In the null control the printed values of a "
    "competitor change places among the configurations.",
)
ABLATION = _make_part(
    f"{NAME}: ordinary imputation and no locality",
    "Missing values filled with the mean of the training rows, no names of rows; and "
    "forests whose rows all weigh the same, compared with those with local weights",
    SMALL_SETS,
    {
        FULL: fill_by_mean(_make_forest()),
        FLAT: fill_by_mean(_make_forest(precision=0.0)),
        **make_competitors(fill=True),
    },
    show_ablation,
    load=_load_plainly,
    reference=FULL,
    apart=OBSERVATION,
    rule="All numbers are ours: each method, under *ours*, beside the forest of local "
    "trees with the same preparation. Nothing is counted; the claims are judged over "
    "the data sets.",
    claims=judge_locality,
    notes={},
)
REPRODUCTION = published.Reproduction.of(
    DESCRIPTION, (ACCURACIES, NAMES_OF_ROWS, COUNTS, ABLATION)
)
