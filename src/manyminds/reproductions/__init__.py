"""Published results, run again: one folder per paper, judged by one set of rules."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from manyminds.reproductions.description import Description
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
    from manyminds.reproductions.reproducing import (
        PartResult,
        StoredPart,
        judge_stored,
        reproduce,
    )

__all__ = [
    "Description",
    "Part",
    "PartResult",
    "PublishedTable",
    "PublishedValue",
    "Reproduction",
    "StoredPart",
    "Tolerance",
    "Verdicts",
    "get_reproduction",
    "judge",
    "judge_stored",
    "list_reproductions",
    "reproduce",
    "write_evidence",
]

# What other rooms use past __all__.
INTERNALS = (
    "evidence.writing.RECORDS",
    "judging.tabulation.Table",
    "judging.tabulation.tabulate_apart",
    "judging.tabulation.tabulate_cells",
    "judging.tabulation.tabulate_claims",
    "judging.tabulation.tabulate_columns",
    "judging.tabulation.to_plain",
)

# A listing must not import estimators: each name is imported when it is first used.
HOMES = {
    "description": ("Description",),
    "evidence.writing": ("write_evidence",),
    "judging.verdicts": ("Verdicts", "judge"),
    "published": (
        "Part",
        "PublishedTable",
        "PublishedValue",
        "Reproduction",
        "Tolerance",
    ),
    "registry": ("get_reproduction", "list_reproductions"),
    "reproducing": ("PartResult", "StoredPart", "judge_stored", "reproduce"),
}


def __getattr__(name: str) -> Any:
    for module, names in HOMES.items():
        if name in names:
            home = importlib.import_module(f"{__name__}.{module}")
            return getattr(home, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
