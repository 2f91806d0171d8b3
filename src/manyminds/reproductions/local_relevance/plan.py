"""Local relevance: draws of features and weights of votes that depend on the sample."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from manyminds.datasets import Dataset
from manyminds.ensemble.boosting.div_boost import DivBoostClassifier
from manyminds.ensemble.local.dynamic_integration import (
    DynamicIntegrationClassifier,
)
from manyminds.ensemble.local.rf_local import RFLocalClassifier
from manyminds.experiments.plan import Plan
from manyminds.feature_selection.embedded.forest_gain_test import ForestGainTestSelector
from manyminds.reproductions import published
from manyminds.reproductions.local_relevance import DESCRIPTION
from manyminds.reproductions.local_relevance.protocol import (
    SAMPLES,
    SampledTrials,
    SelectedForest,
)
from manyminds.reproductions.protocols.rogers_2007 import (
    FRIEDMAN_ROWS,
    MARGIN,
    Q_MARGIN,
    SIMPLE_ROWS,
    TEST_SHARE,
    EnsembleMeasures,
    ThesisForest,
    claim_lower,
    load_prepared,
)
from manyminds.trees.mdl_tree import MDLTreeClassifier

NAME = DESCRIPTION.name
SOURCE = DESCRIPTION.source
SETS = ("breast-w", "sonar", "vote", "diabetes", "ionosphere", "friedman", "simple")
QUICK = ("sonar", "vote", "simple")
TRIALS = 100
FOREST, LOCAL = "RF", "RF LOCAL"
DESCRIBED = (FOREST, LOCAL, "DIVBOOST W2")  # members' error and Q are printed of these
ERROR_CLAIMS = {  # what the thesis says about its tables
    f"{one} has a lower error than {other}": (one, other)
    for one, other in (
        (LOCAL, FOREST),
        ("RF DYN INT", FOREST),
        (LOCAL, "RF DYN INT"),
        ("RF HT", FOREST),
        ("RF HT + RF LOCAL", LOCAL),
    )
}
BASE_CLAIMS = {
    f"Members of {LOCAL} have a lower error than those of {FOREST}": (LOCAL, FOREST)
}
Q_CLAIMS = {
    f"Members of {LOCAL} are less diverse (higher Q) than those of {FOREST}": (
        FOREST,
        LOCAL,
    )
}
FIXED_SAMPLE = (
    "the thesis does not say whether it drew one sample or one for each trial, as "
    "here: a single one carries its luck, up to 0.03"
)
UNIT = "the thesis does not print what the nodes of its test count for"
NOTES: dict[Any, str] = {
    "friedman": FIXED_SAMPLE,
    "simple": FIXED_SAMPLE,
    **{(dataset, "RF HT"): UNIT for dataset in SETS},
    **{(dataset, "RF HT + RF LOCAL"): UNIT for dataset in SETS},
    **{
        (dataset, "DIVBOOST W2"): "how the thesis priced the features of its trees is "
        "not clear; see robust-diversity"
        for dataset in SETS
    },
    **{
        (dataset, method): "its trees are said to be larger than ours by a tenth; why "
        "is not known"
        for dataset in ("ionosphere", "sonar")
        for method in (FOREST, LOCAL, "RF DYN INT")
    },
}


def _make_models(n_estimators: int) -> dict[str, Any]:
    forest = ThesisForest(n_estimators)
    tree = MDLTreeClassifier(max_bins=1000)
    test = ForestGainTestSelector(
        n_estimators,
        gamma=0.025,
        correction="none",
        expected_gain="midpoint",
        ess="unit",
        on_constant="leaf",
    )
    local = partial(
        RFLocalClassifier, n_estimators, estimator=forest, redraw_constant=False
    )
    return {
        FOREST: forest,
        "RF DYN INT": DynamicIntegrationClassifier(forest),
        LOCAL: local(),
        "DIVBOOST W2": DivBoostClassifier(tree, n_estimators, weighting="w2"),
        "RF HT": SelectedForest(test, forest),
        "RF HT + RF LOCAL": local(selector=test),
    }


def _load(find: published.Find, name: str) -> Dataset:
    return load_prepared(SAMPLES * FRIEDMAN_ROWS, SAMPLES * SIMPLE_ROWS, find, name)


def _make_plan(
    name: str, methods: tuple[str, ...], find: published.Find, quick: bool
) -> Plan:
    models = _make_models(100)
    chosen = [one for one in SETS if not quick or one in QUICK]
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(chosen, _load, find),
        {method: models[method] for method in methods},
        splits=SampledTrials(3 if quick else TRIALS, TEST_SHARE),
        measure=EnsembleMeasures(),
    )


def _make_part(
    name: str,
    title: str,
    metric: str,
    tolerance: published.Tolerance,
    claims: Mapping[str, tuple[str, str]],
    methods: tuple[str, ...] = DESCRIBED,
) -> published.Part:
    table = published.PublishedTable(
        f"{title}, 100 random trials of 90 % and 10 % of the rows",
        SOURCE,
        metric,
        published.read_published_cells(__package__, f"local_relevance_{metric}"),
    )
    return published.Part(
        name,
        title,
        partial(_make_plan, name, methods),
        tolerance,
        table,
        NOTES,
        claims=claim_lower(
            metric, claims, tolerance.unit, Q_MARGIN if metric == "q" else MARGIN
        ),
    )


ERROR = _make_part(
    NAME,
    "Error of forests of 100 trees",
    "error",
    published.Tolerance(
        0.01, "a trial of 20 rows moves by 0.05 with each row", "of error"
    ),
    ERROR_CLAIMS,
    methods=tuple(_make_models(1)),
)
BASE_ERROR = _make_part(
    f"{NAME}: base error",
    "Mean error of the members",
    "base_error",
    published.Tolerance(
        0.02, "sizes of trees differ for reasons that are not known", "of error"
    ),
    BASE_CLAIMS,
)
DIVERSITY = _make_part(
    f"{NAME}: Q",
    "Mean Q statistic of pairs of members on test rows",
    "q",
    published.Tolerance(
        0.05, "pairs without errors are not defined; we leave them out", "of Q"
    ),
    Q_CLAIMS,
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (ERROR, BASE_ERROR, DIVERSITY))
