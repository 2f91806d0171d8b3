"""Pages that show, for every reproduction, what was published beside what we found."""

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from manyminds.experiments.judging import (
    AGREES,
    BY_CHANCE,
    DIFFERS,
    NOT_RUN,
    UNDECIDED,
    Cell,
    Column,
)
from manyminds.experiments.plans import list_reproductions
from manyminds.experiments.published import Part, Reproduction
from manyminds.experiments.record import Record
from manyminds.experiments.reproducing import Kept, recall
from manyminds.experiments.store import Store
from manyminds.reports.page import write_whole

NOT_YET = "not run yet"
RULE = (
    "A cell *agrees* when the two means are within the tolerance. It *agrees within "
    "chance* when they are not, but are within three standard errors of what two "
    "independent replications would differ by, which our own repetitions tell. "
    "Otherwise it *differs*. A cell of which a fold failed, or whose data set was not "
    "to be had, is *not run*."
)


def write_evidence(
    store: Store,
    folder: str | os.PathLike[str],
    reproductions: Sequence[Reproduction] | None = None,
) -> list[Path]:
    """Write an index and a page for each reproduction, from a store alone.

    The same store gives the same bytes. A file is written whole or not at all. A
    reproduction of which the store has nothing keeps the page that is there, with its
    line in the index: one machine need not have run everything.

    Parameters
    ----------
    store : Store
        See `manyminds.experiments.open_store`.
    folder : path
        Where the pages go, as Markdown; it is made if need be.
    reproductions : sequence of Reproduction, default=None
        What to write pages of; by default all that there are.

    Returns
    -------
    written : list of Path
        The index, then the pages.
    """
    if reproductions is None:
        reproductions = list_reproductions()
    folder = Path(folder)
    found = [(one, recall(one, store)) for one in reproductions]
    states, texts = _read_states(folder / "index.md"), {}
    for one, parts in found:
        if any(kept.records for kept in parts) or one.name not in states:
            states[one.name] = _tell_state(parts)
            texts[f"{one.name}.md"] = _make_page(one, parts)
    texts = {"index.md": _make_index(reproductions, states), **texts}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, text.encode())
    return [folder / name for name in texts]


def _read_states(index: Path) -> dict[str, str]:
    """Read from an index what it says of each page that is there."""
    if not index.exists():
        return {}
    rows = re.findall(r"\((\S+)\.md\) \|.*\| (.*) \|$", index.read_text(), re.MULTILINE)
    return {
        name: state for name, state in rows if index.with_name(f"{name}.md").exists()
    }


def _make_index(reproductions: Sequence[Reproduction], states: dict[str, str]) -> str:
    rows = [
        [f"[{one.title}]({one.name}.md)", one.source, states[one.name]]
        for one in reproductions
    ]
    pages = "\n".join(one.name for one in reproductions)
    return _join(
        "# Evidence",
        "Published results, and claims of ours, beside what we found when we ran them. "
        "These pages are written by `manyminds evidence` from the records of "
        "`manyminds reproduce`; nobody edits them.",
        _make_table(["what", "source", "state"], rows),
        f"```{{toctree}}\n:hidden:\n\n{pages}\n```",
    )


def _tell_state(parts: list[Kept]) -> str:
    n_done = sum(len(kept.records) for kept in parts)
    if not n_done:
        return NOT_YET
    counts = {
        verdict: sum(column.counts[verdict] for column in _columns(parts))
        for verdict in (AGREES, BY_CHANCE, DIFFERS, UNDECIDED, NOT_RUN)
    }
    return ", ".join(f"{verdict} {n}" for verdict, n in counts.items() if n)


def _columns(parts: list[Kept]) -> list[Column]:
    return [column for kept in parts for column in kept.verdicts.columns]


def _make_page(reproduction: Reproduction, parts: list[Kept]) -> str:
    return _join(
        f"# {reproduction.title}",
        f"Source: {reproduction.source}.",
        reproduction.shows,
        f"Run again with `manyminds reproduce {reproduction.name}`; it takes about "
        f"{reproduction.minutes:g} minutes on two cores.",
        RULE,
        *(_make_part(kept) for kept in parts),
    )


def _make_part(kept: Kept) -> str:
    part, records = kept.part, kept.records
    head = [f"## {part.name}", f"{part.title}."]
    if not records:
        return _join(*head, f"**{NOT_YET.capitalize()}.**")
    tolerance = part.tolerance
    return _join(
        *head,
        f"Tolerance: {tolerance}; {tolerance.why}.",
        f"**{kept.verdicts.overall}**",
        _make_column_table(part, kept.verdicts.columns),
        _make_cell_table(part, kept.verdicts.cells),
        _tell_notes(part),
        _tell_run(kept),
    )


def _make_column_table(part: Part, columns: Iterable[Column]) -> str:
    kinds = (AGREES, BY_CHANCE, DIFFERS, UNDECIDED, NOT_RUN)
    rows = [
        [
            column.method,
            *(column.counts[kind] for kind in kinds),
            _sign(column.mean_difference),
            column.remark,
        ]
        for column in columns
    ]
    unit = f"mean difference ({part.tolerance.unit})"
    return _make_table(["method", *kinds, unit, "remark"], rows)


def _make_cell_table(part: Part, cells: Iterable[Cell]) -> str:
    rows = [
        [
            cell.dataset,
            cell.method,
            _say_mean(cell.reference, cell.reference_sd),
            _say_mean(cell.mean, cell.sd),
            _sign(cell.difference),
            cell.verdict,
            cell.why,
        ]
        for cell in cells
    ]
    heads = [
        "data set",
        "method",
        part.reference,
        "ours",
        "difference",
        "verdict",
        "why",
    ]
    return _make_table(heads, rows)


def _tell_notes(part: Part) -> str:
    """List what is known of differences, whether or not they came to light."""
    places: dict[str, list[str]] = {}
    for place, note in {**part.notes, **part.absent}.items():
        name = place if isinstance(place, str) else f"{place[0]} ({place[1]})"
        places.setdefault(note, []).append(name)
    if not places:
        return ""
    return "Known beforehand:\n\n" + "\n".join(
        f"- {', '.join(names)}: {note}." for note, names in places.items()
    )


def _tell_run(kept: Kept) -> str:
    """Say what was run, when, with what, and how long it took."""
    records = kept.records
    days = sorted(record.finished[:10] for record in records)
    when = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    minutes = sum(record.seconds for record in records) / 60
    n_sets = len({record.dataset for record in records})
    estimators = {record.method: record.estimator for record in records}
    lines = [
        f"{len(records)} of {kept.n_folds} folds on {n_sets} data sets, {when}, "
        f"{minutes:.1f} minutes of one core; with {_list_versions(records)}.",
        "Methods:",
        "\n".join(f"- {name}: `{text}`" for name, text in sorted(estimators.items())),
    ]
    return _join(*lines)


def _list_versions(records: Iterable[Record]) -> str:
    return "; or ".join(sorted({record.versions for record in records}))


def _say_mean(mean: float | None, sd: float | None) -> str:
    """Write per cents with two digits after the point, small numbers with more."""
    if mean is None:
        return ""
    digits = 2 if abs(mean) >= 10 else 4 if abs(mean) >= 0.1 else 6
    return f"{mean:.{digits}f}" + ("" if sd is None else f" ± {sd:.{digits - 1}f}")


def _sign(difference: float | None) -> str:
    return "" if difference is None else f"{difference:+.2f}"


def _make_table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(_to_cell(entry) for entry in line) + " |" for line in lines
    )


def _to_cell(entry: Any) -> str:
    """Write an entry on one line, without a bar that would end its cell."""
    return " ".join(str(entry).split()).replace("|", "\\|")


def _join(*paragraphs: str) -> str:
    return "\n\n".join(text.rstrip("\n") for text in paragraphs if text) + "\n"
