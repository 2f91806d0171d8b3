"""The selections of the GhostMiner team for the feature selection challenge of 2003."""

from functools import partial

from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import CrossValidation
from manyminds.reproductions import published
from manyminds.reproductions.challenge_selections import DESCRIPTION
from manyminds.reproductions.challenge_selections.judging import (
    LEADS,
    N_FOLDS,
    N_REPEATS,
    judge_leads,
)
from manyminds.reproductions.challenge_selections.protocol import (
    ChallengeMeasures,
)
from manyminds.reproductions.judging.cells import describe_rule
from manyminds.reproductions.protocols.challenge_2003 import (
    load_short,
    make_models,
)

NAME = DESCRIPTION.name
SOURCE = DESCRIPTION.source
CHECK = "another implementation of these selectors, written from the paper alone"
TOLERANCE = published.Tolerance(2.0, "few rows, and no word on the folds")


def _make_plan(name: str, dataset: str, find: published.Find, quick: bool) -> Plan:
    splits = CrossValidation(3) if quick else CrossValidation(N_FOLDS, N_REPEATS)
    return Plan(
        published.name_plan(name, quick),
        published.list_sources([dataset], load_short, find),
        make_models(dataset),
        splits=splits,
        measure=ChallengeMeasures(),
    )


NOTES = {
    "arcene": "the paper's figure is that of a committee of nine such chains, which it "
    "puts at 1 to 1.5 points; a fold has 22 rows",
    "gisette-valid": "only 1,000 of the 7,000 labeled rows are at hand: the "
    "classifier learns from 889, the paper's from about 6,200",
}
CHECK_NOTES = {
    "arcene": "a fold has 22 rows, of which one is 4.5 points",
    "madelon": "the check had five folds, and for single selectors the best width of "
    "another classifier",
}
TITLES = {
    "madelon": "MADELON: union of what SSV ranking, SSV tree and correlation select; "
    "of 5-NN the paper says that it is about a point worse than its own classifier, "
    "whose error is 9 %",
    "arcene": "ARCENE: 7,000 features by SSV, linear SVM",
    "dexter": "DEXTER: 8,000 words by correlation, linear SVM",
    "dorothea": "DOROTHEA: frequent features, 2,000 by balanced SSV, two components, "
    "RBF SVM; balanced error",
    "gisette-valid": "GISETTE: features by correlation, RBF SVM and 5-NN, on the 1,000 "
    "rows at hand",
}


def _make_part(dataset: str, table: str) -> published.Part:
    """Return the part of a data set against the paper or against the check."""
    is_check = table == "ghostminer_check"
    notes = CHECK_NOTES if is_check else NOTES
    name = f"{NAME}: {dataset}" + (" against a check" if is_check else "")
    cells = published.read_published_cells(__package__, table)
    printed = published.PublishedTable(
        "Error in percent, nine-fold cross-validation, selection inside the folds",
        CHECK if is_check else SOURCE,
        "balanced_error" if dataset == "dorothea" else "error",
        {place: value for place, value in cells.items() if place[0] == dataset},
        scale=100.0,
    )
    return published.Part(
        name,
        TITLES[dataset] + ("; against another implementation" if is_check else ""),
        partial(_make_plan, name, dataset),
        TOLERANCE,
        printed,
        {dataset: notes[dataset]} if dataset in notes else {},
        reference="check" if is_check else "paper",
        rule=f"{describe_rule(TOLERANCE)} {CHECK_RULE if is_check else FEW_REPEATS}",
        apart=FITTED if dataset == "madelon" and not is_check else "",
        claims=judge_leads if is_check else None,
    )


FITTED = (
    "the paper prints neither the threshold nor the widths of this committee; they "
    "were chosen so that its 15 features and its error come out"
)
FEW_REPEATS = (
    f"There are {N_REPEATS} repetitions here: a cell agrees or is undecided. The null "
    "control of this page shuffles all its printed values together."
)
CHECK_RULE = (
    f"The reference is not the paper but {CHECK}: agreement says that two "
    f"implementations do the same, not that the paper is right. {FEW_REPEATS}"
)


REPRODUCTION = published.Reproduction.of(
    DESCRIPTION,
    (
        *(_make_part(dataset, "ghostminer") for dataset in TITLES),
        *(_make_part(dataset, "ghostminer_check") for dataset in LEADS),
    ),
)
