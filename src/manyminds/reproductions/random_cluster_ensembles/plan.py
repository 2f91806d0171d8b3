"""Random cluster ensembles: features selected without labels, judged with them."""

from functools import partial
from typing import Any

from manyminds.datasets import Dataset
from manyminds.experiments.plan import Plan
from manyminds.experiments.record import Record
from manyminds.experiments.splits import CrossValidation
from manyminds.feature_selection import (
    CEFSSelector,
    DaviesBouldinSelector,
    RCESelector,
    ScatterSeparabilitySelector,
    UnsupervisedForestSelector,
)
from manyminds.reproductions import published
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.effects import judge_methods
from manyminds.reproductions.random_cluster_ensembles import DESCRIPTION
from manyminds.reproductions.random_cluster_ensembles.protocol import (
    AllFeatures,
    ClusterMeasures,
    ConsensusClassifier,
    ForestOfBestGenes,
    GeneMeasures,
    RandomFeatures,
    Runs,
)

NAME = DESCRIPTION.name
SETS = ("ecoli", "iris", "lung-cancer", "vehicle")
N_RUNS, N_MEMBERS, N_TREES = 5, 200, 500
GENES, N_MAPS, TOP = "leukemia", 300, 0.01
MARGIN = 0.01  # smallest difference of the Rand index that matters
ALL, CONTROL = "All", "Random features"
OTHERS = ("Unsup. RF", "CEFS", "Scatter sep.", "DB-index")
REASON = (
    "scaling, the range of the number of clusters and the start of the judging k-means "
    "are not stated in the paper"
)
NOTES: dict[Any, str] = {
    **{(name, "CEFS"): "copied by the paper from another one" for name in SETS},
    **{(name, "Scatter sep."): "copied by the paper from another one" for name in SETS},
    **{(name, "DB-index"): "copied by the paper from another one" for name in SETS},
    **{
        (name, "Unsup. RF"): "the paper's rule of selection is not stated"
        for name in SETS
    },
    ("ecoli", ALL): "the paper has 325 of the 336 rows",
    ("ecoli", "RCE"): "the paper has 325 of the 336 rows",
    ("lung-cancer", ALL): "32 rows; how missing values were replaced is not stated",
    ("lung-cancer", "RCE"): "32 rows; how missing values were replaced is not stated",
}
CLAIMS = {
    f"k-means on the features of RCE has a higher {{}} than {text}": ("RCE", other)
    for text, other in (
        ("on all features", ALL),
        *((f"on those of {other}", other) for other in OTHERS),
        ("on as many drawn at random", CONTROL),
    )
}
GENE_CLAIMS = {
    "Clusters of the genes that RCE selects are more accurate than of all genes": (
        "Consensus, RCE-selected",
        "Consensus, all",
    ),
    "A supervised forest of all genes is more accurate than clusters of RCE's genes": (
        "RF, all",
        "Consensus, RCE-selected",
    ),
}


def _make_selectors(n_members: int, n_trees: int) -> dict[str, Any]:
    return {
        ALL: AllFeatures(),
        "RCE": RCESelector(n_estimators=n_members),
        "Unsup. RF": UnsupervisedForestSelector(n_estimators=n_trees),
        "CEFS": CEFSSelector(n_estimators=n_members),
        "Scatter sep.": ScatterSeparabilitySelector(),
        "DB-index": DaviesBouldinSelector(),
        CONTROL: RandomFeatures(n_members),
    }


def _make_gene_models(n_maps: int, n_trees: int) -> dict[str, Any]:
    return {
        "Consensus, all": ConsensusClassifier(None, n_maps),
        "Consensus, RCE-selected": ConsensusClassifier(TOP, n_maps),
        "RF, all": ForestOfBestGenes(None, n_trees),
        "RF, RF-selected": ForestOfBestGenes(TOP, n_trees),
    }


def _load(find: published.Find, name: str) -> Dataset:
    return find(name)


def _make_plan(name: str, find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(name, quick),
        published.list_sources(SETS[1:2] if quick else SETS, _load, find),
        _make_selectors(50 if quick else N_MEMBERS, 50 if quick else N_TREES),
        splits=Runs(2 if quick else N_RUNS),
        measure=ClusterMeasures(),
    )


def _make_gene_plan(name: str, find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(name, quick),
        published.list_sources((GENES,), _load, find),
        _make_gene_models(20 if quick else N_MAPS, 50 if quick else N_TREES),
        splits=CrossValidation(3 if quick else 10),
        measure=GeneMeasures(),
    )


def _judge(metric: str, word: str, plan: Plan, records: list[Record]) -> list[Claim]:
    return judge_methods(
        plan,
        records,
        metric,
        {text.format(word): pair for text, pair in CLAIMS.items()},
        unit=f"of {word}",
        margin=MARGIN,
        test_share=0.5,
    )


def _judge_genes(plan: Plan, records: list[Record]) -> list[Claim]:
    return judge_methods(
        plan,
        records,
        "accuracy",
        GENE_CLAIMS,
        unit="of accuracy",
        margin=MARGIN,
        test_share=0.1,
    )


def _make_table(title: str, metric: str, cells: str) -> published.PublishedTable:
    return published.PublishedTable(
        title,
        DESCRIPTION.source,
        metric,
        published.read_published_cells(__package__, cells),
    )


RAND = published.Part(
    NAME,
    "Rand index of k-means on the selected features with the classes, mean of 5 runs "
    "(20 in the paper)",
    partial(_make_plan, NAME),
    published.Tolerance(0.03, REASON, "of the Rand index"),
    _make_table("Rand index, 20 runs", "rand", "elghazel_rand"),
    NOTES,
    claims=partial(_judge, "rand", "Rand index"),
)
COUNT = published.Part(
    f"{NAME}: features",
    "Number of selected features, mean of the same runs",
    partial(_make_plan, f"{NAME}: features"),
    published.Tolerance(1.0, REASON, "features"),
    _make_table("Selected features, 20 runs", "n_features", "elghazel_features"),
    {(name, method): REASON for name in SETS for method in (ALL, "RCE", *OTHERS)},
    claims=partial(_judge, "adjusted_rand", "adjusted Rand index"),
)
LEUKEMIA = published.Part(
    f"{NAME}: genes",
    "Accuracy on Leukemia, 10-fold cross-validation, the best 1 % of the genes; "
    "Ovarian, the paper's other set, is not among ours",
    partial(_make_gene_plan, f"{NAME}: genes"),
    published.Tolerance(
        0.05, "72 samples, and map sizes are not stated", "of accuracy"
    ),
    _make_table("Accuracy, 10-fold cross-validation", "accuracy", "elghazel_genes"),
    {
        (GENES, method): "72 samples; the size of maps and ensembles is not stated"
        for method in _make_gene_models(1, 1)
    },
    claims=_judge_genes,
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (RAND, COUNT, LEUKEMIA))
