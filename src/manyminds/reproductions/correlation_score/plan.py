"""Correlation scores: do they rank random subsets of columns as classifiers do?"""

from functools import partial
from typing import Any

from manyminds.datasets import Dataset
from manyminds.ensemble import RandomForestClassifier
from manyminds.experiments.plan import DataSource, Plan
from manyminds.reproductions import published
from manyminds.reproductions.correlation_score import DESCRIPTION
from manyminds.reproductions.correlation_score.judging import (
    MARGIN,
    claim_significance,
    judge_sets,
    judge_sizes,
)
from manyminds.reproductions.correlation_score.protocol import (
    SIZES,
    RankingRun,
    RealStumpBoost,
    SubsetSizes,
    normalize_rows,
)
from manyminds.reproductions.protocols.tamponi_2015.preparation import (
    add_identifier,
    encode,
    fill_by_class,
)

NAME = DESCRIPTION.name
SOURCE = DESCRIPTION.source
SETS = (
    *("audiology", "autos", "balance-scale", "breast-w", "colic", "diabetes", "glass"),
    *("heart-c", "heart-h", "heart-statlog", "hepatitis", "ionosphere", "iris"),
    *("labor", "lymph", "primary-tumor", "sonar", "vote", "zoo"),
)
QUICK, QUICK_SIZES = ("balance-scale", "iris", "labor"), (1, 2, 3, 8)
TOLERANCE = published.Tolerance(
    15.0,
    "which ten subsets are drawn moves a count of fifteen runs by about two",
    limit=30.0,
)
RULE = (
    "Compared is the share of significant runs, in points. A cell *agrees* within 15 "
    "points of print, which is two runs of fifteen. It is *within random variation* if "
    "it is further away, but at most 30 points and at most three standard errors of "
    "the difference of two binomial shares; it *differs*, and the reproduction has "
    "failed there, beyond those standard errors, and is *undecided* if they exceed 30 "
    "points. With fifteen runs they are up to 55 points: a cell differs only if it is "
    "far off, and the null control says what agreement is worth. The claims are on the "
    f"mean over the data sets; one fails if its 95 % interval lies below {MARGIN:g} "
    "points."
)
NOTES: dict[Any, str] = {
    **dict.fromkeys(
        SETS,
        "other subsets were drawn, and the folds of scikit-learn were others in 2014",
    ),
}


def make_methods() -> dict[str, Any]:
    """Return the classifiers of the thesis, of 100 trees or stumps each."""
    return {
        "Random Forest": RandomForestClassifier(
            100, max_features="log2", max_bins=65535
        ),
        "Bagging": RandomForestClassifier(100, max_features=None, max_bins=65535),
        "AdaBoost": RealStumpBoost(100),
    }


def _load(find: published.Find, name: str, normalized: bool) -> Dataset:
    data = fill_by_class(encode(find(name)))
    if name == "zoo":
        data = add_identifier(data)
    return normalize_rows(data) if normalized else data


def _make_plan(name: str, normalized: bool, find: published.Find, quick: bool) -> Plan:
    chosen = [one for one in SETS if not quick or one in QUICK]
    return Plan(
        published.name_plan(name, quick),
        [DataSource(one, partial(_load, find, one, normalized)) for one in chosen],
        make_methods(),
        splits=SubsetSizes(QUICK_SIZES if quick else SIZES),
        measure=RankingRun(),
    )


def _make_part(name: str, title: str, table: str, normalized: bool) -> published.Part:
    by_size = "sizes" in table
    printed = published.PublishedTable(
        f"{title}, ten random subsets a run",
        SOURCE,
        "R²",
        published.read_published_cells(__package__, f"correlation_score_{table}"),
    )
    scope = "samples of length one" if normalized else "samples as they are"
    return published.Part(
        name,
        title,
        partial(_make_plan, name, normalized),
        TOLERANCE,
        printed,
        {} if by_size else NOTES,
        judge=judge_sizes if by_size else judge_sets,
        rule=SAME_RULE if by_size else RULE,
        apart="the same runs as in the part above, by size" if by_size else "",
        claims=None if by_size else partial(claim_significance, scope),
    )


SAME_RULE = (
    "These are the runs of the part above, by the size of the subsets: no cell is "
    "counted a second time."
)
ORIGINAL = _make_part(
    NAME,
    "Runs in which score and error go against each other significantly, by data set, "
    "in percent",
    "orig",
    False,
)
ORIGINAL_SIZES = _make_part(
    f"{NAME}: sizes",
    "The same runs by size of the subsets, in percent",
    "sizes_orig",
    False,
)
NORMALISED = _make_part(
    f"{NAME}: rows of length one",
    "Significant runs by data set, in percent, each sample divided by its length",
    "norm",
    True,
)
NORMALISED_SIZES = _make_part(
    f"{NAME}: rows of length one, sizes",
    "The same runs by size of the subsets, in percent",
    "sizes_norm",
    True,
)
REPRODUCTION = published.Reproduction.of(
    DESCRIPTION, (ORIGINAL, ORIGINAL_SIZES, NORMALISED, NORMALISED_SIZES)
)
