"""Weighted output codes: tables 2 to 4 on made-up faces, orderings only."""

from manyminds.experiments.plan import Plan
from manyminds.experiments.splits import GivenSplits
from manyminds.reproductions import published
from manyminds.reproductions.weighted_output_codes import DESCRIPTION
from manyminds.reproductions.weighted_output_codes.judging import (
    MADE_UP,
    MARGIN,
    claim_orderings,
    show_tables,
)
from manyminds.reproductions.weighted_output_codes.protocol import (
    FACES,
    N_TEST,
    N_TRAIN,
    NO_SIGNAL,
    LabelMeasures,
    PictureFeatures,
    load_faces,
)

NAME = DESCRIPTION.name
DRAWS = tuple(f"{FACES}{k}" for k in range(1, 11))
NULL_DRAWS = tuple(f"{NO_SIGNAL}{k}" for k in range(1, 3))


def _make_plan(find: published.Find, quick: bool) -> Plan:
    return Plan(
        published.name_plan(NAME, quick),
        published.list_sources(
            DRAWS[:1] if quick else (*DRAWS, *NULL_DRAWS), load_faces, find
        ),
        {kind: PictureFeatures(kind) for kind in ("PCA", "LBP")},
        splits=GivenSplits([(range(N_TRAIN), range(N_TRAIN, N_TRAIN + N_TEST))]),
        measure=LabelMeasures(10 if quick else 60),
    )


PART = published.Part(
    NAME,
    "Mean error and area under the curve of six labels, in percent, on made-up faces: "
    f"{N_TRAIN} to train on, {N_TEST} to test on",
    _make_plan,
    published.Tolerance(MARGIN, "no cell of this part is counted"),
    judge=show_tables,
    rule="No cell is counted: the faces are made up, and levels are not those of "
    "photographs. The claims have draws of faces as units, each with its own training "
    "and test pictures. A claim fails if its effect is, by the 95 % interval, less "
    f"than {MARGIN:g} points; a claim of equality, if it is more than that away from "
    "0; that of a share of the error, if it is below the share. The remarks have the "
    "same effects on faces without signal, where no feature can help: an effect that "
    "is not less there says nothing about faces, and its claim cannot be told.",
    apart=MADE_UP,
    claims=claim_orderings,
)
REPRODUCTION = published.Reproduction.of(DESCRIPTION, (PART,))
