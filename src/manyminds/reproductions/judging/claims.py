"""Claims of papers: whether they hold, with effect size and interval."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest
from scipy.stats import t as student

HOLDS = "holds"
FAILS = "does not hold"
CANNOT_TELL = "cannot be told"
LEVEL = 0.95
MIN_UNITS = 3  # data sets, or runs, that an interval needs


@dataclass(frozen=True)
class Claim:
    """A claim of a paper, and the verdict of these data.

    Parameters
    ----------
    text : str
        The claim, in one sentence without a full stop.
    verdict : str
        "holds", "does not hold" or "cannot be told".
    effect : float or None
        Mean effect; positive is in the direction of the claim.
    low, high : float or None
        Its 95 % interval.
    unit : str
        Unit of the effect.
    n : int
        Data sets, or runs, that the effect is the mean of.
    margin : float
        Smallest relevant effect: a claim does not hold if the interval lies
        below it. For a claim of equality, the largest effect that is still equal.
    equal : bool, default=False
        Whether the claim is that there is no difference.
    effects : tuple of float, default=()
        The single effects, for the null control.
    remark : str, default=""
        Additional information.
    test_share : float, default=0.0
        Share of the samples that a fold tests on, if the effects are those of folds
        that share training samples.
    by_share : bool, default=False
        Whether only the signs of the effects count, see `judge_share`.
    """

    text: str
    verdict: str
    effect: float | None
    low: float | None
    high: float | None
    unit: str
    n: int
    margin: float
    equal: bool = False
    effects: tuple[float, ...] = ()
    remark: str = ""
    test_share: float = 0.0
    by_share: bool = False


def judge_claim(
    text: str,
    effects: Iterable[float],
    *,
    unit: str,
    margin: float,
    equal: bool = False,
    remark: str = "",
    test_share: float = 0.0,
) -> Claim:
    """Judge a claim by the mean of its effects and Student's interval of it.

    A claim that something is better *holds* if the 95 % interval of the mean effect
    lies above 0, and *does not hold* if it lies below the margin, the smallest
    relevant effect; if both are so, the effect is real but small, and the claim holds.
    Otherwise it *cannot be told*. A claim that two things are equal holds if the
    interval lies within the margin on both sides of 0, does not hold if it lies
    outside, and cannot be told otherwise.

    Parameters
    ----------
    text : str
        The claim.
    effects : iterable of float
        One for each data set, or each independent run; positive is in the direction
        of the claim. Values that are not finite are left out.
    unit : str
        Unit of the effects.
    margin : float
        See `Claim`.
    equal : bool, default=False
        Whether the claim is that there is no difference.
    remark : str, default=""
    test_share : float, default=0.0
        Share of the samples that each fold tests on, if the effects are those of the
        folds of one data set. Such folds share training samples; the interval is then
        that of the corrected resampled t-test.

    Returns
    -------
    claim : Claim

    Examples
    --------
    >>> from manyminds.reproductions.judging.claims import judge_claim
    >>> claim = judge_claim("it helps", [1.0, 2.0, 3.0], unit="points", margin=0.5)
    >>> claim.verdict, round(claim.low, 2), round(claim.high, 2)
    ('cannot be told', -0.48, 4.48)
    >>> judge_claim("it helps", [1.8, 2.0, 2.2], unit="points", margin=0.5).verdict
    'holds'
    >>> judge_claim("it helps", [-0.2, 0.1, 0.2], unit="points", margin=1.0).verdict
    'does not hold'
    """
    values = np.array([one for one in effects if np.isfinite(one)], dtype=float)
    effect = float(values.mean()) if len(values) else None
    if len(values) < MIN_UNITS or effect is None:
        remark = remark or f"fewer than {MIN_UNITS} data sets or runs"
        return Claim(
            text, CANNOT_TELL, effect, None, None, unit, len(values), margin, equal,
            tuple(values.tolist()), remark, test_share,
        )  # fmt: skip
    half = student.ppf(0.5 + LEVEL / 2.0, len(values) - 1)
    shared = test_share / (1.0 - test_share)  # Nadeau and Bengio's correction
    half *= values.std(ddof=1) * np.sqrt(1.0 / len(values) + shared)
    low, high = effect - float(half), effect + float(half)
    return Claim(
        text, decide(low, high, margin, equal), effect, low, high, unit, len(values),
        margin, equal, tuple(values.tolist()), remark, test_share,
    )  # fmt: skip


def judge_share(
    text: str, effects: Iterable[float], *, margin: float, remark: str = ""
) -> Claim:
    """Judge a claim by the share of data sets on which it is so.

    For effects whose sizes cannot be averaged over data sets. The effect is the share
    of positive effects, ties counting half, less 50 %; its interval is the exact one
    of Clopper and Pearson.

    Parameters
    ----------
    text : str
    effects : iterable of float
        One for each data set; only their signs count.
    margin : float
        In points of the share above 50 %, see `Claim`.
    remark : str, default=""

    Returns
    -------
    claim : Claim

    Examples
    --------
    >>> from manyminds.reproductions.judging.claims import judge_share
    >>> claim = judge_share("it helps", [1.0] * 18 + [-1.0] * 2, margin=10.0)
    >>> claim.verdict, claim.effect, round(claim.low, 1), round(claim.high, 1)
    ('holds', 40.0, 18.3, 48.8)
    """
    values = np.sign([one for one in effects if np.isfinite(one)])
    n = len(values)
    if n < MIN_UNITS:
        return judge_claim(
            text, values, unit="points", margin=margin, remark=remark
        )  # too few: cannot be told
    wins = float(np.sum(values > 0) + 0.5 * np.sum(values == 0))
    interval = binomtest(int(np.floor(wins)), n).proportion_ci(LEVEL)
    top = binomtest(int(np.ceil(wins)), n).proportion_ci(LEVEL)
    low, high = 100.0 * interval.low - 50.0, 100.0 * top.high - 50.0
    return Claim(
        text, decide(low, high, margin), 100.0 * wins / n - 50.0, low, high,
        "points of the share of data sets above 50 %", n, margin, False,
        tuple(values.tolist()), remark, by_share=True,
    )  # fmt: skip


def decide(low: float, high: float, margin: float, equal: bool = False) -> str:
    """Return the verdict on a claim whose effect lies between ``low`` and ``high``."""
    if equal:
        if -margin <= low and high <= margin:
            return HOLDS
        return FAILS if low > margin or high < -margin else CANNOT_TELL
    if low > 0.0:
        return HOLDS
    return FAILS if high < margin else CANNOT_TELL


def flip_claims(
    claims: Sequence[Claim], n_draws: int, rng: np.random.Generator
) -> tuple[int, float]:
    """Return how many claims can be controlled, and how many hold without effect.

    Each effect gets a random sign: what a method without effect would show. Claims of
    equality, and those with too few effects, have no such control.

    Parameters
    ----------
    claims : sequence of Claim
    n_draws : int
    rng : numpy Generator

    Returns
    -------
    n_claims : int
    share : float
        Mean share of these claims that hold, in percent; NaN without claims.
    """
    able = [one for one in claims if not one.equal and len(one.effects) >= MIN_UNITS]
    if not able:
        return 0, np.nan
    held = 0
    for claim in able:
        for _ in range(n_draws):
            signs = rng.choice([-1.0, 1.0], size=len(claim.effects))
            held += _judge_again(claim, signs * claim.effects).verdict == HOLDS
    return len(able), 100.0 * held / (len(able) * n_draws)


def _judge_again(claim: Claim, effects: np.ndarray) -> Claim:
    """Judge a claim by the same rule with other effects."""
    if claim.by_share:
        return judge_share("", effects, margin=claim.margin)
    return judge_claim(
        "", effects, unit="", margin=claim.margin, test_share=claim.test_share
    )
