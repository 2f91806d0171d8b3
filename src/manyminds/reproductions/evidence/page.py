"""The evidence of one reproduction as a page: claims, null control, every cell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from manyminds.experiments.record import Record
from manyminds.reproductions.judging.cells import VERDICTS, Cell, describe_rule
from manyminds.reproductions.judging.claims import Claim, flip_claims
from manyminds.reproductions.judging.controls import (
    MIN_LEAD,
    N_DRAWS,
    SHUFFLED,
    Control,
    control,
)
from manyminds.reproductions.judging.verdicts import Column, count_verdicts
from manyminds.reproductions.published import Part, Reproduction
from manyminds.reproductions.reproducing import Kept

NOT_YET = "not run yet"
CLAIM_RULE = (
    "A claim *holds* if the 95 % interval of its mean effect lies above 0, *does not "
    "hold* if it lies below the smallest effect worth the name, and *cannot be told* "
    "otherwise. A claim of equality holds if the interval lies within that margin."
)


def summarize(parts: Sequence[Kept]) -> dict[str, Any]:
    """Return what the index says of a reproduction, as plain values.

    Parameters
    ----------
    parts : sequence of Kept

    Returns
    -------
    summary : dict
        ``counts`` of verdicts, number of cells ``apart``, the null ``control`` (or
        None), ``claims``, and the share of them that hold without an effect.
    """
    cells = [cell for kept in parts for cell in kept.verdicts.cells if kept.records]
    claims = [claim for kept in parts for claim in kept.verdicts.claims]
    n_flipped, null_share = flip_claims(claims, N_DRAWS, np.random.default_rng(0))
    found = control(
        [(kept.part, kept.verdicts.cells) for kept in parts if kept.records]
    )
    return {
        "counts": count_verdicts(cell for cell in cells if not cell.apart),
        "apart": sum(bool(cell.apart) for cell in cells),
        "control": None
        if found is None
        else {**asdict(found), "informative": found.informative},
        "claims": [_to_plain(claim) for claim in claims],
        "claims_controlled": n_flipped,
        "claims_null_share": None if np.isnan(null_share) else null_share,
    }


def make_page(
    reproduction: Reproduction, parts: Sequence[Kept], summary: Mapping[str, Any]
) -> str:
    """Return the page of a reproduction as Markdown.

    Parameters
    ----------
    reproduction : Reproduction
    parts : sequence of Kept
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
        *(_make_part(kept) for kept in parts),
    )


def format_control(found: Mapping[str, Any]) -> str:
    """Return the shares of a null control in one line."""
    return f"{found['share']:.0f} % agree, null {found['null_share']:.0f} %"


def format_effect(claim: Mapping[str, Any]) -> str:
    """Return effect and interval of a claim, such as "+1.2 (0.4 to 2.0) points"."""
    if claim["effect"] is None:
        return ""
    effect = f"{claim['effect']:+.3g}"
    if claim["low"] is not None:
        effect += f" ({claim['low']:.3g} to {claim['high']:.3g})"
    return f"{effect} {claim['unit']}".rstrip()


def make_table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(_to_cell(entry) for entry in line) + " |" for line in lines
    )


def join(*paragraphs: str) -> str:
    """Return paragraphs with a blank line between them; empty ones are left out."""
    return "\n\n".join(text.rstrip("\n") for text in paragraphs if text) + "\n"


def _to_plain(claim: Claim) -> dict[str, Any]:
    plain = asdict(claim)
    del plain["effects"]
    return {
        name: round(value, 6) if isinstance(value, float) else value
        for name, value in plain.items()
    }


def _describe_claims(summary: Mapping[str, Any]) -> str:
    claims = summary["claims"]
    if not claims:
        return ""
    rows = [
        [
            claim["text"],
            claim["verdict"],
            format_effect(claim),
            claim["n"],
            f"{claim['margin']:g}",
            claim["remark"],
        ]
        for claim in claims
    ]
    heads = ["claim", "verdict", "effect (95 % interval)", "n", "margin", "remark"]
    null = summary["claims_null_share"]
    words = (
        ""
        if null is None
        else f"Null control of the claims: with random signs of the single effects, "
        f"{N_DRAWS} times, {null:.1f} % of {summary['claims_controlled']} claims hold."
    )
    return join("## Claims", CLAIM_RULE, make_table(heads, rows), words)


def _describe_page_control(parts: Sequence[Kept], summary: Mapping[str, Any]) -> str:
    if summary["control"] is None:
        return (
            "## Null control\n\nNo cell of this page is counted: there is nothing to "
            "shuffle. What can be said is among the claims."
            if any(kept.records for kept in parts)
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


def _make_part(kept: Kept) -> str:
    part, records = kept.part, kept.records
    head = [f"## {part.name}", f"{part.title}."]
    if not records:
        return join(*head, f"**{NOT_YET.capitalize()}.**")
    verdicts = kept.verdicts
    counted = [cell for cell in verdicts.cells if not cell.apart]
    found = control([(part, verdicts.cells)])
    return join(
        *head,
        part.rule or describe_rule(part.tolerance),
        f"**{verdicts.overall}**",
        "" if found is None else _describe_control(found),
        _make_column_table(part, verdicts.columns) if counted else "",
        _make_cell_table(part, counted) if counted else "",
        _show_apart(part, [cell for cell in verdicts.cells if cell.apart]),
        _list_notes(part),
        _describe_run(kept),
    )


def _make_column_table(part: Part, columns: Iterable[Column]) -> str:
    rows = [
        [
            column.method,
            *(column.counts[kind] for kind in VERDICTS),
            _format_difference(column.mean_difference, part.tolerance.points),
            column.remark,
        ]
        for column in columns
        if column.remark or any(column.counts.values())
    ]
    unit = f"mean difference ({part.tolerance.unit})"
    return make_table(["method", *VERDICTS, unit, "remark"], rows)


def _make_cell_table(part: Part, cells: Iterable[Cell]) -> str:
    rows = [[*_list_entries(part, cell), cell.verdict, cell.why] for cell in cells]
    return make_table([*_list_heads(part), "verdict", "why"], rows)


def _show_apart(part: Part, cells: Sequence[Cell]) -> str:
    """Return the cells that are no evidence, with the reason, in a table of their own.

    The verdict that the rule would give is left out: it would be read as one.
    """
    if not cells:
        return ""
    rows = [
        [*_list_entries(part, cell), "; ".join(filter(None, (cell.apart, cell.why)))]
        for cell in cells
    ]
    return join(
        "Shown apart, not counted:",
        make_table([*_list_heads(part), "why apart"], rows),
    )


def _list_heads(part: Part) -> list[str]:
    return ["data set", "method", part.reference, "ours", "difference"]


def _list_entries(part: Part, cell: Cell) -> list[str]:
    return [
        cell.dataset,
        cell.method,
        _format_mean(cell.reference, cell.reference_sd),
        _format_mean(cell.mean, cell.sd),
        _format_difference(cell.difference, part.tolerance.points),
    ]


def _list_notes(part: Part) -> str:
    """Return what is known of differences, whether or not they came to light."""
    places: dict[str, list[str]] = {}
    for place, note in {**part.notes, **part.absent}.items():
        name = place if isinstance(place, str) else f"{place[0]} ({place[1]})"
        places.setdefault(note, []).append(name)
    if not places:
        return ""
    return "Known beforehand:\n\n" + "\n".join(
        f"- {', '.join(names)}: {note}." for note, names in places.items()
    )


def _describe_run(kept: Kept) -> str:
    """Return what was run, when, with what, and how long it took."""
    records = kept.records
    days = sorted(record.finished[:10] for record in records)
    when = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    minutes = sum(record.seconds for record in records) / 60
    n_sets = len({record.dataset for record in records})
    n_repeats = len({record.repeat for record in records})
    estimators = {record.method: record.estimator for record in records}
    return join(
        f"{len(records)} of {kept.n_folds} folds in {n_repeats} repetitions on "
        f"{n_sets} data sets, {when}, {minutes:.1f} minutes of one core; with "
        f"{_list_versions(records)}.",
        "Methods:",
        "\n".join(f"- {name}: `{text}`" for name, text in sorted(estimators.items())),
    )


def _list_versions(records: Iterable[Record]) -> str:
    return "; or ".join(sorted({record.versions for record in records}))


def _format_mean(mean: float | None, sd: float | None) -> str:
    """Return per cents with two digits after the point, small numbers with more."""
    if mean is None:
        return ""
    digits = 2 if abs(mean) >= 10 else 4 if abs(mean) >= 0.1 else 6
    return f"{mean:.{digits}f}" + ("" if sd is None else f" ± {sd:.{digits - 1}f}")


def _format_difference(difference: float | None, points: float) -> str:
    """Return a difference with as many digits as the tolerance asks for."""
    digits = 2 if points >= 0.5 else 4
    return "" if difference is None else f"{difference:+.{digits}f}"


def _to_cell(entry: Any) -> str:
    """Return an entry on one line, without a bar that would end its cell."""
    return " ".join(str(entry).split()).replace("|", "\\|")
