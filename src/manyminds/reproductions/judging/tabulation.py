"""Tables of verdicts, which the terminal and the evidence pages print alike."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from manyminds.reproductions.judging.cells import VERDICTS, Cell
from manyminds.reproductions.judging.claims import Claim
from manyminds.reproductions.judging.verdicts import Column
from manyminds.reproductions.published import Part


@dataclass(frozen=True)
class Table:
    """A table of text.

    Parameters
    ----------
    heads : sequence of str
    rows : sequence of sequence of str
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def tabulate_cells(part: Part, cells: Iterable[Cell]) -> Table:
    """Return the table of the cells that count as evidence.

    Parameters
    ----------
    part : Part
    cells : iterable of Cell
        Those that are shown apart are left out.

    Returns
    -------
    table : Table
    """
    counted = (cell for cell in cells if not cell.apart)
    rows = ((*_list_entries(part, cell), cell.verdict, cell.why) for cell in counted)
    return Table((*_list_heads(part), "verdict", "why"), tuple(rows))


def tabulate_apart(part: Part, cells: Iterable[Cell]) -> Table:
    """Return the table of the cells that are no evidence, with the reason.

    The verdict that the rule would give is left out: it would be read as one.

    Parameters
    ----------
    part : Part
    cells : iterable of Cell
        Those that count are left out.

    Returns
    -------
    table : Table
    """
    rows = (
        (*_list_entries(part, cell), "; ".join(filter(None, (cell.apart, cell.why))))
        for cell in cells
        if cell.apart
    )
    return Table((*_list_heads(part), "why apart"), tuple(rows))


def tabulate_columns(part: Part, columns: Iterable[Column]) -> Table:
    """Return the table of verdicts by method; methods without any are left out.

    Parameters
    ----------
    part : Part
    columns : iterable of Column

    Returns
    -------
    table : Table
    """
    rows = (
        (
            column.method,
            *(str(column.counts[verdict]) for verdict in VERDICTS),
            _format_difference(column.mean_difference, part.tolerance.points),
            column.remark,
        )
        for column in columns
        if column.remark or any(column.counts.values())
    )
    difference = f"mean difference ({part.tolerance.unit})"
    return Table(("method", *VERDICTS, difference, "remark"), tuple(rows))


def tabulate_claims(claims: Sequence[Mapping[str, Any]]) -> Table:
    """Return the table of claims.

    Parameters
    ----------
    claims : sequence of mapping
        As `to_plain` returns them.

    Returns
    -------
    table : Table
    """
    rows = (
        (
            claim["text"],
            claim["verdict"],
            format_effect(claim),
            str(claim["n"]),
            f"{claim['margin']:g}",
            claim["remark"],
        )
        for claim in claims
    )
    heads = ("claim", "verdict", "effect (95 % interval)", "n", "margin", "remark")
    return Table(heads, tuple(rows))


def to_plain(claim: Claim) -> dict[str, Any]:
    """Return a claim as plain values, without its single effects."""
    plain = asdict(claim)
    del plain["effects"]
    return {
        name: round(value, 6) if isinstance(value, float) else value
        for name, value in plain.items()
    }


def format_effect(claim: Mapping[str, Any]) -> str:
    """Format effect and interval of a claim, such as "+1.2 (0.4 to 2.0) points"."""
    if claim["effect"] is None:
        return ""
    effect = f"{claim['effect']:+.3g}"
    if claim["low"] is not None:
        effect += f" ({claim['low']:.3g} to {claim['high']:.3g})"
    return f"{effect} {claim['unit']}".rstrip()


def _list_heads(part: Part) -> tuple[str, ...]:
    return "data set", "method", part.reference, "ours", "difference"


def _list_entries(part: Part, cell: Cell) -> tuple[str, ...]:
    return (
        cell.dataset,
        cell.method,
        _format_mean(cell.reference, cell.reference_std),
        _format_mean(cell.mean, cell.std),
        _format_difference(cell.difference, part.tolerance.points),
    )


def _format_mean(mean: float | None, std: float | None) -> str:
    """Format percentages with two decimal places, small numbers with more."""
    if mean is None:
        return ""
    digits = 2 if abs(mean) >= 10 else 4 if abs(mean) >= 0.1 else 6
    return f"{mean:.{digits}f}" + ("" if std is None else f" ± {std:.{digits - 1}f}")


def _format_difference(difference: float | None, points: float) -> str:
    """Format a difference with as many digits as the tolerance has."""
    digits = 2 if points >= 0.5 else 4
    return "" if difference is None else f"{difference:+.{digits}f}"
