"""Published results, run again: one folder per paper, judged by one set of rules."""

from manyminds.reproductions.evidence.writing import write_evidence
from manyminds.reproductions.judging.verdicts import Verdicts, judge
from manyminds.reproductions.published import (
    Part,
    PublishedTable,
    PublishedValue,
    Reproduction,
    Tolerance,
)
from manyminds.reproductions.registry import get_reproduction, list_reproductions
from manyminds.reproductions.reproducing import Kept, Reproduced, recall, reproduce

__all__ = [
    "Kept",
    "Part",
    "PublishedTable",
    "PublishedValue",
    "Reproduced",
    "Reproduction",
    "Tolerance",
    "Verdicts",
    "get_reproduction",
    "judge",
    "list_reproductions",
    "recall",
    "reproduce",
    "write_evidence",
]
