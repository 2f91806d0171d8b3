"""The evidence of one reproduction as a page: claims, null control, every cell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import Cell, describe_rule
from manyminds.reproductions.judging.claims import flip_claims
from manyminds.reproductions.judging.controls import (
    MIN_LEAD,
    N_DRAWS,
    SHUFFLED,
    Control,
    control,
)
from manyminds.reproductions.judging.tabulation import (
    Table,
    tabulate_apart,
    tabulate_cells,
    tabulate_claims,
    tabulate_columns,
    to_plain,
)
from manyminds.reproductions.judging.verdicts import count_verdicts
from manyminds.reproductions.published import Part, Reproduction
from manyminds.reproductions.reproducing import StoredPart

NOT_YET = "not run yet"
CLAIM_RULE = (
    "A claim *holds* if the 95 % interval of its mean effect lies above 0, *does not "
    "hold* if it lies below the smallest effect worth the name, and *cannot be told* "
    "otherwise. A claim of equality holds if the interval lies within that margin."
)


def summarize(parts: Sequence[StoredPart]) -> dict[str, Any]:
    """Return the summary of a reproduction in the index, as plain values.

    Parameters
    ----------
    parts : sequence of StoredPart

    Returns
    -------
    summary : dict
        ``counts`` of verdicts, number of cells ``apart``, the null ``control`` (or
        None), ``claims``, and the share of them that hold without an effect.
    """
    cells = [
        cell for stored in parts for cell in stored.verdicts.cells if stored.records
    ]
    claims = [claim for stored in parts for claim in stored.verdicts.claims]
    n_flipped, null_share = flip_claims(claims, N_DRAWS, np.random.default_rng(0))
    found = control(
        [(stored.part, stored.verdicts.cells) for stored in parts if stored.records]
    )
    return {
        "counts": count_verdicts(cell for cell in cells if not cell.apart),
        "apart": sum(bool(cell.apart) for cell in cells),
        "control": None
        if found is None
        else {**asdict(found), "informative": found.informative},
        "claims": [to_plain(claim) for claim in claims],
        "claims_controlled": n_flipped,
        "claims_null_share": None if np.isnan(null_share) else null_share,
    }


def make_page(
    reproduction: Reproduction, parts: Sequence[StoredPart], summary: Mapping[str, Any]
) -> str:
    """Return the page of a reproduction as Markdown.

    Parameters
    ----------
    reproduction : Reproduction
    parts : sequence of StoredPart
    summary : mapping
        What `summarize` returns of the parts.

    Returns
    -------
    page : str
    """
    return join(
        f"# {reproduction.title}",
        f"Source: {reproduction.source}.",
        reproduction.shows,
        f"Run again with `manyminds reproduce {reproduction.name}`; it takes about "
        f"{reproduction.minutes:g} minutes on two cores.",
        _describe_claims(summary),
        _describe_page_control(parts, summary),
        *(_make_part(stored) for stored in parts),
    )


def format_control(found: Mapping[str, Any]) -> str:
    """Return the shares of a null control in one line."""
    return f"{found['share']:.0f} % agree, null {found['null_share']:.0f} %"


def to_markdown(table: Table) -> str:
    """Return a table in Markdown."""
    lines = [table.heads, ["---"] * len(table.heads), *table.rows]
    return "\n".join(
        "| " + " | ".join(_to_cell(entry) for entry in line) + " |" for line in lines
    )


def join(*paragraphs: str) -> str:
    """Return paragraphs with a blank line between them; empty ones are left out."""
    return "\n\n".join(text.rstrip("\n") for text in paragraphs if text) + "\n"


def _describe_claims(summary: Mapping[str, Any]) -> str:
    claims = summary["claims"]
    if not claims:
        return ""
    null = summary["claims_null_share"]
    words = (
        ""
        if null is None
        else f"Null control of the claims: with random signs of the single effects, "
        f"{N_DRAWS} times, {null:.1f} % of {summary['claims_controlled']} claims hold."
    )
    return join("## Claims", CLAIM_RULE, to_markdown(tabulate_claims(claims)), words)


def _describe_page_control(
    parts: Sequence[StoredPart], summary: Mapping[str, Any]
) -> str:
    if summary["control"] is None:
        return (
            "## Null control\n\nNo cell of this page is counted: there is nothing to "
            "shuffle. What can be said is among the claims."
            if any(stored.records for stored in parts)
            else ""
        )
    known = {name: summary["control"][name] for name in Control.__dataclass_fields__}
    n_counted = sum(summary["counts"].values())
    return join("## Null control", _describe_control(Control(**known), n_counted))


def _describe_control(found: Control, n_counted: int | None = None) -> str:
    of = "" if n_counted is None else f" of {n_counted} counted"
    words = (
        f"{found.n_cells} cells{of} have a null control: {SHUFFLED}, or the control "
        f"that a part names, {N_DRAWS} times. As printed, {found.share:.1f} % agree "
        f"and {found.within:.1f} % are within random variation. In the null draws "
        f"{found.null_share:.1f} % agree (at most {found.null_high:.1f} %) and "
        f"{found.null_within:.1f} % are within random variation."
    )
    if found.informative:
        return words
    return (
        f"{words} **Not informative**: the cells agree hardly more often than by "
        f"chance; a page is informative if the share of cells that agree exceeds every "
        f"null draw, and their mean by {MIN_LEAD:g} points."
    )


def _make_part(stored: StoredPart) -> str:
    part, records = stored.part, stored.records
    head = [f"## {part.name}", f"{part.title}."]
    if not records:
        return join(*head, f"**{NOT_YET.capitalize()}.**")
    verdicts = stored.verdicts
    counted = [cell for cell in verdicts.cells if not cell.apart]
    found = control([(part, verdicts.cells)])
    return join(
        *head,
        part.rule or describe_rule(part.tolerance),
        f"**{verdicts.overall}**",
        "" if found is None else _describe_control(found),
        to_markdown(tabulate_columns(part, verdicts.columns)) if counted else "",
        to_markdown(tabulate_cells(part, verdicts.cells)) if counted else "",
        _show_apart(part, verdicts.cells),
        _list_notes(part),
        _describe_run(stored),
    )


def _show_apart(part: Part, cells: Sequence[Cell]) -> str:
    table = tabulate_apart(part, cells)
    return join("Shown apart, not counted:", to_markdown(table)) if table.rows else ""


def _list_notes(part: Part) -> str:
    """Return the reasons for differences that were known before the run."""
    places: dict[str, list[str]] = {}
    for place, note in {**part.notes, **part.absent}.items():
        name = place if isinstance(place, str) else f"{place[0]} ({place[1]})"
        places.setdefault(note, []).append(name)
    if not places:
        return ""
    return "Known beforehand:\n\n" + "\n".join(
        f"- {', '.join(names)}: {note}." for note, names in places.items()
    )


def _describe_run(stored: StoredPart) -> str:
    """Return what was run, when, with what, and how long it took."""
    records = stored.records
    days = sorted(record.finished[:10] for record in records)
    when = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    minutes = sum(record.seconds for record in records) / 60
    n_sets = len({record.dataset for record in records})
    n_repeats = len({record.repeat for record in records})
    estimators = {record.method: record.estimator for record in records}
    return join(
        f"{len(records)} of {stored.n_folds} folds in {n_repeats} repetitions on "
        f"{n_sets} data sets, {when}, {minutes:.1f} minutes of one core; with "
        f"{_list_versions(records)}.",
        "Methods:",
        "\n".join(f"- {name}: `{text}`" for name, text in sorted(estimators.items())),
    )


def _list_versions(records: Iterable[Record]) -> str:
    return "; or ".join(sorted({record.versions for record in records}))


def _to_cell(entry: str) -> str:
    """Return an entry on one line, without a bar that would end its cell."""
    return " ".join(entry.split()).replace("|", "\\|")
