"""Whether nets behave as the paper on bias and variance saw them in its figures."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from manyminds.experiments.judging import (
    AGREES,
    DIFFERS,
    UNDECIDED,
    Cell,
    Verdicts,
    find_reason,
    measure_cells,
    say_verdict,
    sum_up,
    tell_not_run,
)
from manyminds.experiments.plan import Plan
from manyminds.experiments.plans.looking.bias_variance_protocol import name_value
from manyminds.experiments.published import Part
from manyminds.experiments.record import Record

EARLY, LATE = 5, 15  # epochs
MANY = 16  # nodes
CLOSE = 1.0  # points that make no difference worth the name
Read = Callable[[str, str, int], float]


@dataclass(frozen=True)
class Claim:
    """Something that the paper says about its figures: one number is below another.

    Parameters
    ----------
    text : str
        What it says.
    methods : tuple of str
        Whose records are needed.
    low, high : callable
        ``low(read)`` should be the smaller number.
    """

    text: str
    methods: tuple[str, ...]
    low: Callable[[Read], float]
    high: Callable[[Read], float]


def judge_noise(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Hold the noise against table 1; nothing is left to chance in it."""
    assert part.table is not None
    found = measure_cells(plan, records, part.table.metric, part.table.scale)
    cells = []
    for place, published in part.table.cells.items():
        if place not in found:
            continue
        measured = found[place]
        if isinstance(measured, str):
            cells.append(tell_not_run(part, place, measured, missing, published))
            continue
        gap = measured.mean - published.mean
        verdict, asks = say_verdict(gap, part.tolerance, 0.0)
        why = find_reason(part, place) if asks else ""
        cells.append(
            Cell(*place, verdict, why, published.mean, None, measured.mean, None,
                 measured.n, gap)
        )  # fmt: skip
    return sum_up(part, plan, cells)


def judge_claims(
    part: Part, plan: Plan, records: list[Record], missing: Mapping[str, str]
) -> Verdicts:
    """Look which of the paper's observations hold, on the mean of the runs.

    Parameters
    ----------
    part : Part
    plan : Plan
        Full or quick.
    records : list of Record
    missing : mapping of str to str
        Data sets that could not be had, and why.

    Returns
    -------
    verdicts : Verdicts
        A cell *agrees* if the number that should be smaller is.
    """
    methods = [method.name for method in plan.methods]
    epochs = plan.methods[0].estimator.epochs
    cells = []
    for source in plan.datasets:
        done = [one for one in records if one.dataset == source.name]
        read = _make_reader([one for one in done if not one.failed])
        for claim in list_claims(methods, epochs):
            place = source.name, claim.text
            problem = _find_problem(claim, done, len(plan.splits))
            if problem:
                problem = problem if done else ""
                cells.append(tell_not_run(part, place, problem, missing))
                continue
            cells.append(_judge_claim(part, place, claim, read, len(plan.splits)))
    return sum_up(part, plan, cells)


def list_claims(methods: list[str], epochs: tuple[int, ...]) -> Iterator[Claim]:
    """Give what the paper says about these methods."""
    sizes = sorted({int(name.split()[1]) for name in methods})
    has_code = any(name.startswith("ECOC") for name in methods)
    rivals = ("bagging", "ECOC") if has_code else ("bagging",)
    for size in sizes:
        for family in rivals:
            yield from _list_gains(family, size, epochs, two_class=not has_code)
        if has_code:
            yield _compare(
                "ECOC errs less than bagging", "ECOC", "bagging", "error", size, EARLY
            )
            yield _compare(
                "ECOC is at its best no later than bagging", "ECOC", "bagging", "best",
                size, LATE, epochs,
            )  # fmt: skip
    if has_code:
        yield from _list_oddities(sizes, epochs)
    if has_code and MANY in sizes:
        yield _list_end(MANY)


def _list_gains(
    family: str, size: int, epochs: tuple[int, ...], two_class: bool
) -> Iterator[Claim]:
    single = f"single {size}"
    ours = f"{family} {size}"
    for part, words in (
        ("error", "errs less"),
        ("variance", "varies less"),
        ("variance_effect", "has a smaller variance effect"),
    ):
        yield _compare(f"{family} {words}", family, "single", part, size, EARLY)
    if two_class:
        yield Claim(
            f"{family} has about the same systematic effect, {_at(size, LATE)}",
            (ours, single),
            lambda read: abs(
                read(ours, "systematic_effect", LATE)
                - read(single, "systematic_effect", LATE)
            ),
            lambda read: CLOSE,
        )
        return
    yield _compare(
        f"{family} has a smaller systematic effect", family, "single",
        "systematic_effect", size, EARLY,
    )  # fmt: skip
    yield Claim(
        f"the systematic effect falls less than the other by {family}, "
        f"{_at(size, EARLY)}",
        (ours, single),
        lambda read: _fall(read, ours, single, "systematic_effect"),
        lambda read: _fall(read, ours, single, "variance_effect"),
    )
    yield _compare(
        f"{family} is at its best no later", family, "single", "best", size, LATE,
        epochs,
    )  # fmt: skip


def _list_oddities(sizes: list[int], epochs: tuple[int, ...]) -> Iterator[Claim]:
    weak, first, then = f"single {sizes[0]}", epochs[0], epochs[1]
    yield Claim(
        f"variance falls early, {weak} nodes, epochs {first} to {then}",
        (weak,),
        lambda read: read(weak, "variance", then),
        lambda read: read(weak, "variance", first),
    )
    yield Claim(
        f"while its effect rises, {weak} nodes, epochs {first} to {then}",
        (weak,),
        lambda read: read(weak, "variance_effect", first),
        lambda read: read(weak, "variance_effect", then),
    )
    yield Claim(
        f"less than half of the variance has an effect, {weak} nodes, epoch {first}",
        (weak,),
        lambda read: read(weak, "variance_effect", first),
        lambda read: read(weak, "variance", first) / 2.0,
    )
    if 4 in sizes:
        yield Claim(
            "the variance effect is negative at some epoch, bagging 4 nodes",
            ("bagging 4",),
            lambda read: min(read("bagging 4", "variance_effect", e) for e in epochs),
            lambda read: 0.0,
        )


def _list_end(size: int) -> Claim:
    names = f"bagging {size}", f"ECOC {size}"
    return Claim(
        f"bagging and ECOC err alike in the end, {_at(size, LATE)}",
        names,
        lambda read: abs(read(names[0], "error", LATE) - read(names[1], "error", LATE)),
        lambda read: 2.0 * CLOSE,
    )


def _compare(
    words: str,
    family: str,
    rival: str,
    part: str,
    size: int,
    epoch: int,
    epochs: tuple[int, ...] = (),
) -> Claim:
    ours, theirs = f"{family} {size}", f"{rival} {size}"
    if part == "best":
        return Claim(
            f"{words}, {size} nodes",
            (ours, theirs),
            lambda read: find_best_epoch(read, ours, epochs),
            lambda read: find_best_epoch(read, theirs, epochs),
        )
    return Claim(
        f"{words}, {_at(size, epoch)}",
        (ours, theirs),
        lambda read: read(ours, part, epoch),
        lambda read: read(theirs, part, epoch),
    )


def find_best_epoch(read: Read, method: str, epochs: tuple[int, ...]) -> float:
    """Give the first epoch at which the error is within a point of the least."""
    errors = np.array([read(method, "error", epoch) for epoch in epochs])
    return float(epochs[int(np.argmax(errors <= errors.min() + CLOSE))])


def _fall(read: Read, ours: str, theirs: str, part: str) -> float:
    return read(theirs, part, EARLY) - read(ours, part, EARLY)


def _at(size: int, epoch: int) -> str:
    return f"{size} nodes, epoch {epoch}"


def _make_reader(records: list[Record]) -> Read:
    def read(method: str, part: str, epoch: int) -> float:
        name = name_value(part, epoch)
        return float(np.mean([r.values[name] for r in records if r.method == method]))

    return read


def _find_problem(claim: Claim, records: list[Record], n_runs: int) -> str:
    """Say why a claim cannot be judged, if so."""
    for method in claim.methods:
        mine = [one for one in records if one.method == method]
        failed = [one.error for one in mine if one.failed]
        if failed:
            return f"{method}: {failed[0]}"
        if len(mine) < n_runs:
            return f"{method}: {len(mine)} of {n_runs} runs are recorded"
    return ""


def _judge_claim(
    part: Part, place: tuple[str, str], claim: Claim, read: Read, n_runs: int
) -> Cell:
    low, high = claim.low(read), claim.high(read)
    holds = low <= high if "best" in claim.text else low < high
    verdict = AGREES if holds else (DIFFERS if n_runs > 1 else UNDECIDED)
    why = "" if holds else find_reason(part, place)
    return Cell(*place, verdict, why, high, None, low, None, n_runs, low - high)
