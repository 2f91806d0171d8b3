"""Decision graphs: tables 2 and 3 on public sets with many unequal classes."""

from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import WholeData
from manyminds.reproductions import published
from manyminds.reproductions.decision_graphs import DESCRIPTION
from manyminds.reproductions.decision_graphs.judging import (
    CLASS_MARGIN,
    EQUAL_MARGIN,
    F_MARGIN,
    claim_unequal,
    show_unequal,
)
from manyminds.reproductions.decision_graphs.protocol import (
    SHUFFLED,
    PerClassMeasures,
    load_unequal,
    make_methods,
)
from manyminds.reproductions.judging.observations import OBSERVATION

NAME = DESCRIPTION.name
SETS = (
    *("abalone", "arrhythmia", "audiology", "avila", "ecoli", "primary-tumor"),
    *("soybean", "yeast", f"yeast{SHUFFLED}"),
)
QUICK = ("ecoli",)
N_RUNS = 3


def _make_plan(find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(NAME, quick),
        published.list_sources(QUICK if quick else SETS, load_unequal, find),
        make_methods(),
        splits=WholeData(1 if quick else N_RUNS),
        measure=PerClassMeasures(),
    )


PART = published.Part(
    NAME,
    "F-scores by class, from the predictions of five folds, three times",
    _make_plan,
    published.Tolerance(F_MARGIN, "no cell of this part is counted"),
    judge=show_unequal,
    reference="the other",
    rule="The paper's proteins are not available: no cell is counted. The claims have "
    "data sets as units. A claim fails if its effect is, by the 95 % interval, less "
    f"than {F_MARGIN:g} point of F or of precision, or {CLASS_MARGIN:g} classes; equal "
    f"recall is within {EQUAL_MARGIN:g} points. A class is given up if its F-score is "
    "0. Fewer classes given up are no evidence alone: with shuffled labels, where "
    "nothing can be learned, methods that favor small classes give up few as well, so "
    "that the effect there is in the remarks. The rows show means of three runs: DDAG "
    "K-TIPCAC under *ours*, beside the other method.",
    apart=OBSERVATION,
    claims=claim_unequal,
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (PART,))
