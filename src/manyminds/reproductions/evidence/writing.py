"""Pages that compare, for every reproduction, the published with our numbers."""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from manyminds.experiments.store import Store
from manyminds.reproductions.evidence.page import (
    NOT_YET,
    format_control,
    join,
    make_page,
    summarize,
    to_markdown,
)
from manyminds.reproductions.judging.claims import CANNOT_TELL, FAILS, HOLDS
from manyminds.reproductions.judging.tabulation import Table, format_effect
from manyminds.reproductions.published import Reproduction
from manyminds.reproductions.record_file import RecordFile, encode_records
from manyminds.reproductions.registry import get_reproduction, list_reproductions
from manyminds.reproductions.reproducing import judge_stored
from manyminds.utils.files import write_atomically

SUMMARY = "summary.json"  # what the index says, for programs
RECORDS = "records"
OLD = (
    "No records of this page are kept: its verdicts follow an earlier rule, without a "
    "null control, and are not counted in the index. Run it again."
)
HEADINGS = {
    HOLDS: "Confirmed: these claims hold",
    FAILS: "Refuted: these claims do not hold here",
    CANNOT_TELL: "What these data cannot tell",
}
Summaries = dict[str, dict[str, Any]]


def write_evidence(
    store: Store | None,
    folder: str | os.PathLike[str],
    reproductions: Sequence[Reproduction] | None = None,
) -> list[Path]:
    """Write an index and a page for each reproduction, from records alone.

    Records that the store has are written to ``records/`` next to the pages, one small
    file for each reproduction, and the pages are made from these files: anybody can
    judge them again, without the hours that the runs took, and one machine need not
    have run everything. Writing is atomic, and the same records produce the same
    bytes.

    Parameters
    ----------
    store : Store or None
        See `manyminds.experiments.open_store`. None: only the files are read.
    folder : path
        Where the pages go, as Markdown; it is created if need be.
    reproductions : sequence of Reproduction, default=None
        What to write pages of; by default all that there are.

    Returns
    -------
    written : list of Path
        The index, the summary, the pages, then the files of new records.
    """
    if reproductions is None:
        reproductions = [get_reproduction(one.name) for one in list_reproductions()]
    folder = Path(folder)
    files = {} if store is None else _encode_new(reproductions, store)
    (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_atomically(folder / name, content)
    summaries, pages = {}, {}
    for one in reproductions:
        parts = judge_stored(one, RecordFile(folder / _name_file(one)))
        summary, page = summarize(parts), folder / f"{one.name}.md"
        if any(stored.records for stored in parts):
            summaries[one.name] = summary
            pages[page.name] = make_page(one, parts, summary)
        elif page.exists():
            pages[page.name] = _mark_as_old(page.read_text(encoding="utf-8"))
        else:
            pages[page.name] = make_page(one, parts, summary)
    texts = {
        "index.md": _make_index(reproductions, summaries),
        SUMMARY: json.dumps(summaries, indent=1, sort_keys=True) + "\n",
        **pages,
    }
    for name, text in texts.items():
        write_atomically(folder / name, text.encode())
    return [folder / name for name in (*texts, *files)]


def _encode_new(
    reproductions: Sequence[Reproduction], store: Store
) -> dict[str, bytes]:
    """Return the files of the records that the store has, by their names."""
    files = {}
    for one in reproductions:
        plans = [part.outline().name for part in one.parts]
        found = {plan: store.find(plan=plan) for plan in plans}
        if any(found.values()):
            files[_name_file(one)] = encode_records(found)
    return files


def _mark_as_old(page: str) -> str:
    """Return a page without records, with a note on that at its top."""
    if OLD in page or NOT_YET.capitalize() in page:
        return page
    title, rest = page.split("\n", 1)
    return f"{title}\n\n**{OLD}**\n{rest}"


def _name_file(reproduction: Reproduction) -> str:
    return f"{RECORDS}/{reproduction.name}.jsonl.gz"


def _make_index(reproductions: Sequence[Reproduction], summaries: Summaries) -> str:
    rows = tuple(
        (f"[{one.title}]({one.name}.md)", one.source, *_describe(summaries, one.name))
        for one in reproductions
    )
    pages = "\n".join(one.name for one in reproductions)
    heads = ("what", "source", "cells", "null control", "claims")
    return join(
        "# Evidence",
        "Published results, and claims of ours, beside what we found when we ran them. "
        "These pages are written by `manyminds evidence` from the records of "
        "`manyminds reproduce`; nobody edits them.",
        "Each page states the rule by which its cells are judged and what would have "
        "counted as failure. *Agrees* and *within random variation* are counted "
        "apart. The null control is the same judging with the printed values shuffled "
        "among the data sets, or with a method without effect: a page whose cells "
        "agree hardly more often than that is *not informative*.",
        _sum_up(reproductions, summaries),
        to_markdown(Table(heads, rows)),
        *(_list_claims(verdict, reproductions, summaries) for verdict in HEADINGS),
        f"```{{toctree}}\n:hidden:\n\n{pages}\n```",
    )


def _describe(summaries: Mapping[str, Any], name: str) -> list[str]:
    """Return the entries of a page in the index: cells, null control, claims."""
    if name not in summaries:
        return ["no records: run it again", "", ""]
    summary = summaries[name]
    cells = [f"{verdict} {n}" for verdict, n in summary["counts"].items() if n]
    if summary["apart"]:
        cells.append(f"{summary['apart']} shown apart")
    found = summary["control"]
    null = "" if found is None else format_control(found)
    if found is not None and not found["informative"]:
        null += ": **not informative**"
    verdicts = [claim["verdict"] for claim in summary["claims"]]
    claims = [f"{one} {verdicts.count(one)}" for one in HEADINGS if one in verdicts]
    return [", ".join(cells), null, ", ".join(claims)]


def _sum_up(reproductions: Sequence[Reproduction], summaries: Summaries) -> str:
    known = [summaries[one.name] for one in reproductions if one.name in summaries]
    if not known:
        return ""
    controls = [one["control"] for one in known if one["control"] is not None]
    informative = sum(one["informative"] for one in controls)
    verdicts = [claim["verdict"] for one in known for claim in one["claims"]]
    counts = ", ".join(f"{verdicts.count(one)} {_plural(one)}" for one in HEADINGS)
    return (
        f"**Of {len(controls)} pages with a null control {informative} are "
        f"informative. Of {len(verdicts)} claims {counts}.**"
    )


def _plural(verdict: str) -> str:
    return {HOLDS: "hold", FAILS: "do not hold"}.get(verdict, verdict)


def _list_claims(
    verdict: str, reproductions: Sequence[Reproduction], summaries: Summaries
) -> str:
    rows = tuple(
        (
            f"[{one.name}]({one.name}.md)",
            claim["text"],
            format_effect(claim),
            str(claim["n"]),
        )
        for one in reproductions
        if one.name in summaries
        for claim in summaries[one.name]["claims"]
        if claim["verdict"] == verdict
    )
    if not rows:
        return ""
    heads = ("page", "claim", "effect (95 % interval)", "n")
    return join(f"## {HEADINGS[verdict]}", to_markdown(Table(heads, rows)))
