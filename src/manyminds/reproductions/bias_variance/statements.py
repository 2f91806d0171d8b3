"""Statements of the paper on bias and variance about its figures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

EARLY, LATE = 5, 15  # epochs
MANY = 16  # nodes
MARGIN = 1.0  # points, or epochs, that make no difference worth the name
Read = Callable[[str, str, int], float]


@dataclass(frozen=True)
class Statement:
    """One number is below another, or equal to it, for nets of one size.

    Parameters
    ----------
    kind : str
        The statement, the same for all sizes.
    where : str
        Size of the nets, and epoch.
    methods : tuple of str
        Whose records are needed.
    low, high : callable
        ``low(read)`` should be the smaller number.
    unit : str, default="points"
    equal : bool, default=False
        Whether the two numbers should be equal instead.
    effect : callable, default=None
        ``effect(read, others)`` returns the effect in one run where something is
        chosen by its result: chosen in the other runs, it does not flatter this one.
    """

    kind: str
    where: str
    methods: tuple[str, ...]
    low: Callable[[Read], float]
    high: Callable[[Read], float]
    unit: str = "points"
    equal: bool = False
    effect: Callable[[Read, Read], float] | None = None

    @property
    def text(self) -> str:
        """The statement on nets of this size."""
        return f"{self.kind}, {self.where}"

    def measure(self, read: Read, others: Read | None) -> float:
        """Return the effect in one run; NaN if it needs other runs and has none."""
        if self.effect is None:
            return self.high(read) - self.low(read)
        return np.nan if others is None else self.effect(read, others)


def list_statements(methods: list[str], epochs: tuple[int, ...]) -> Iterator[Statement]:
    """Yield the statements of the paper about these methods.

    Parameters
    ----------
    methods : list of str
        Family and number of nodes each, such as "ECOC 2".
    epochs : tuple of int
        After which the nets were measured.

    Yields
    ------
    statement : Statement
    """
    sizes = sorted({int(name.split()[1]) for name in methods})
    has_code = any(name.startswith("ECOC") for name in methods)
    families = ("bagging", "ECOC") if has_code else ("bagging",)
    for size in sizes:
        for family in families:
            yield from _list_gains(family, size, epochs, two_class=not has_code)
        if has_code:
            yield _compare(
                "ECOC errs less than bagging", "ECOC", "bagging", "error", size, EARLY
            )
            yield _compare_best("ECOC", "bagging", size, epochs)
    if has_code:
        yield from _list_oddities(sizes, epochs)
    if has_code and MANY in sizes:
        yield _list_end(MANY)


def find_best_epoch(read: Read, method: str, epochs: tuple[int, ...]) -> float:
    """Return the first epoch at which the error is within a point of the least."""
    errors = np.array([read(method, "error", epoch) for epoch in epochs])
    return float(epochs[int(np.argmax(errors <= errors.min() + MARGIN))])


def _list_gains(
    family: str, size: int, epochs: tuple[int, ...], two_class: bool
) -> Iterator[Statement]:
    single, ours = f"single {size}", f"{family} {size}"
    for part, words in (
        ("error", "errs less"),
        ("variance", "varies less"),
        ("variance_effect", "has a smaller variance effect"),
    ):
        words = f"{family} {words} than a single net"
        yield _compare(words, family, "single", part, size, EARLY)
    effect = "systematic effect"
    if two_class:
        words = f"{family} has the same {effect} as a single net"
        same = _compare(words, family, "single", "systematic_effect", size, LATE)
        yield replace(same, equal=True)
        return
    words = f"{family} has a smaller {effect} than a single net"
    yield _compare(words, family, "single", "systematic_effect", size, EARLY)
    yield Statement(
        f"{family} lowers the {effect} less than the variance effect",
        _at(size, EARLY),
        (ours, single),
        lambda read: _fall(read, ours, single, "systematic_effect"),
        lambda read: _fall(read, ours, single, "variance_effect"),
    )
    yield _compare_best(family, "single", size, epochs)


def _list_oddities(sizes: list[int], epochs: tuple[int, ...]) -> Iterator[Statement]:
    weak, first, then = f"single {sizes[0]}", epochs[0], epochs[1]
    where = f"{sizes[0]} nodes"
    yield Statement(
        f"the variance of weak single nets falls from epoch {first} to {then}",
        where,
        (weak,),
        lambda read: read(weak, "variance", then),
        lambda read: read(weak, "variance", first),
    )
    yield Statement(
        f"the variance effect of weak single nets rises from epoch {first} to {then}",
        where,
        (weak,),
        lambda read: read(weak, "variance_effect", first),
        lambda read: read(weak, "variance_effect", then),
    )
    yield Statement(
        "less than half of the variance of weak single nets has an effect at epoch "
        f"{first}",
        where,
        (weak,),
        lambda read: read(weak, "variance_effect", first),
        lambda read: read(weak, "variance", first) / 2.0,
    )
    if 4 in sizes:
        yield _list_negative("bagging 4", epochs)


def _list_negative(method: str, epochs: tuple[int, ...]) -> Statement:
    def choose(read: Read) -> int:
        return min(epochs, key=lambda epoch: read(method, "variance_effect", epoch))

    return Statement(
        "the variance effect of bagging is negative at some epoch",
        f"{method.split()[1]} nodes",
        (method,),
        lambda read: read(method, "variance_effect", choose(read)),
        lambda read: 0.0,
        effect=lambda read, others: -read(method, "variance_effect", choose(others)),
    )


def _list_end(size: int) -> Statement:
    words = "bagging and ECOC of strong nets err alike in the end"
    same = _compare(words, "bagging", "ECOC", "error", size, LATE)
    return replace(same, equal=True)


def _compare(
    words: str, family: str, other: str, part: str, size: int, epoch: int
) -> Statement:
    ours, theirs = f"{family} {size}", f"{other} {size}"
    return Statement(
        words,
        _at(size, epoch),
        (ours, theirs),
        lambda read: read(ours, part, epoch),
        lambda read: read(theirs, part, epoch),
    )


def _compare_best(
    family: str, other: str, size: int, epochs: tuple[int, ...]
) -> Statement:
    ours, theirs = f"{family} {size}", f"{other} {size}"
    name = "a single net" if other == "single" else other
    return Statement(
        f"{family} is at its best at an earlier epoch than {name}",
        f"{size} nodes",
        (ours, theirs),
        lambda read: find_best_epoch(read, ours, epochs),
        lambda read: find_best_epoch(read, theirs, epochs),
        "epochs",
    )


def _fall(read: Read, ours: str, theirs: str, part: str) -> float:
    return read(theirs, part, EARLY) - read(ours, part, EARLY)


def _at(size: int, epoch: int) -> str:
    return f"{size} nodes, epoch {epoch}"
