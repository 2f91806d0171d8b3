"""Claims on decision graphs hold, and fail, where they should."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.experiments.record import Record
from manyminds.reproductions.decision_graphs.judging import OURS
from manyminds.reproductions.decision_graphs.plan import PART
from manyminds.reproductions.judging.verdicts import judge


def make_records(gain=0.0, fewer=0.0, null=0.0):
    """Records in which ours is better by points of F, and gives up fewer classes."""
    rng, plan, records = np.random.default_rng(0), PART.outline(), []
    for k, source in enumerate(plan.datasets):
        shuffled = source.name.endswith("shuffled")
        for repeat in range(len(plan.splits)):
            for method in plan.methods:
                mine = method.name == OURS
                more = (null if shuffled else gain) if mine else 0.0
                level = 50.0 + 3.0 * k + more + rng.normal(0.0, 0.05)
                classes = {f"F of {c}": (level + c) / 100.0 for c in range(8)}
                values = {
                    **dict.fromkeys(("precision", "recall"), level / 100.0),
                    **dict.fromkeys(("weighted_f", "mean_f"), level / 100.0),
                    "given_up": 4.0 - fewer * mine + 0.1 * k,
                    **classes,
                }
                key = f"{source.name} {method.name} {repeat}"
                records.append(Record(key, source.name, method.name, repeat, 0, values))
    return records


def find(claims, part):
    (found,) = [claim for claim in claims if part in claim.text]
    return found


@pytest.mark.parametrize(
    ("gain", "verdict"),
    [(3.0, "holds"), (0.0, "does not hold"), (-3.0, "does not hold")],
)
def test_weighted_f(gain, verdict):
    claims = judge(PART, make_records(gain, null=-7.0)).claims
    for other in ("RF", "END", "MCSVM"):
        claim = find(claims, f"higher weighted F than {other}")
        assert claim.verdict == verdict and claim.n == 8
        # The null control is in the remark, not among the effects.
        assert_allclose(claim.effect, gain, atol=0.1)
        null = claim.remark.split("with shuffled labels ")[1].split()[0]
        assert_allclose(float(null), -7.0, atol=0.2)
    claim = find(claims, "mean class than RF")
    assert claim.verdict == verdict
    n_better, n_worse = {3.0: (8, 0), -3.0: (0, 8)}.get(gain, (None, None))
    if n_better is not None:
        assert f"better on {n_better}, worse on {n_worse} of 8" in claim.remark


@pytest.mark.parametrize(("fewer", "verdict"), [(2.0, "holds"), (0.0, "does not hold")])
def test_classes_given_up(fewer, verdict):
    claims = judge(PART, make_records(fewer=fewer)).claims
    claim = find(claims, "gives up fewer classes than RF")
    assert claim.verdict == verdict
    assert_allclose(claim.effect, fewer)
    mine, theirs = claim.remark.rsplit("in the mean ", 1)[1].split(" against ")
    assert_allclose(float(theirs) - float(mine), fewer, atol=0.11)


@pytest.mark.parametrize(("gain", "verdict"), [(0.5, "holds"), (9.0, "does not hold")])
def test_recall_is_claimed_to_be_equal(gain, verdict):
    claims = judge(PART, make_records(gain)).claims
    claim = find(claims, "same recall as MCSVM")
    assert claim.equal and claim.verdict == verdict


def test_nothing_recorded_is_no_claim():
    verdicts = judge(PART, [])
    assert verdicts.claims == ()
    assert {cell.verdict for cell in verdicts.cells} == {"not run"}
    assert all(cell.apart for cell in verdicts.cells)
