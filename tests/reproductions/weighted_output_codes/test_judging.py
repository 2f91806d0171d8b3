"""Claims on faces hold, and fail, where they should."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from manyminds.experiments.record import Record
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.weighted_output_codes.plan import PART
from manyminds.reproductions.weighted_output_codes.protocol import UNITS, VARIANTS


def make_records(change=None, before=16.0, without_signal=False):
    """Records with an error of 8 and an area of 90, but for the changed values.

    They are changed without signal as well if asked for; there sigmoids change nothing.
    """
    rng, plan, records = np.random.default_rng(0), PART.outline(), []
    for source in plan.datasets:
        level = rng.normal()
        has_signal = "without" not in source.name
        for method in plan.methods:
            values = {}
            for variant in VARIANTS:
                values[f"error {variant}"] = 8.0
                values[f"AUC {variant}"] = 90.0
                values[f"error without sigmoids {variant}"] = (
                    before if has_signal else 8
                )
                for unit in UNITS:
                    values[f"error of AU {unit} {variant}"] = 8.0
                    values[f"AUC of AU {unit} {variant}"] = 90.0
            for (kind, name), value in (change or {}).items():
                if kind == method.name and (has_signal or without_signal):
                    values[name] += value
            values = {k: v + level + rng.normal(0, 0.01) for k, v in values.items()}
            key = f"{source.name} {method.name}"
            records.append(Record(key, source.name, method.name, 0, 0, values))
    return records


def find(claims, part):
    (found,) = [claim for claim in claims if part in claim.text]
    return found


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(-2.0, "holds"), (0.0, "does not hold"), (2.0, "does not hold")],
)
def test_features_and_variants(value, verdict):
    change = {("LBP", "error both"): value, ("LBP", "AUC both"): -value}
    claims = judge(PART, make_records(change)).claims
    for text in (
        "Filtered patterns have a lower error",
        "Filtered patterns have a larger area",
        "Bootstrap and weights lower the error",
        "Bootstrap and weights raise the area",
    ):
        claim = find(claims, text)
        assert claim.verdict == verdict and claim.n == 10
        assert_allclose(claim.effect, -value, atol=0.1)
        # On faces without signal nothing was changed.
        null = float(claim.remark.rsplit(" ", 1)[1])
        assert_allclose(null, 0.0, atol=0.1)
    assert find(claims, "Bootstrap alone").verdict == "does not hold"


def test_an_effect_that_needs_no_signal_says_nothing():
    change = {("LBP", "error both"): -2.0}
    text = "Filtered patterns have a lower error"
    assert find(judge(PART, make_records(change)).claims, text).verdict == "holds"
    # A little more without signal than with it, or random signs would decide.
    records = make_records(change, without_signal=True)
    for record in records:
        if "without" in record.dataset and record.method == "LBP":
            record.values["error both"] -= 0.1
    claim = find(judge(PART, records).claims, text)
    assert claim.verdict == "cannot be told" and "not less" in claim.remark


@pytest.mark.parametrize(("value", "verdict"), [(0.1, "holds"), (3.0, "does not hold")])
def test_components_are_claimed_to_gain_nothing(value, verdict):
    claims = judge(PART, make_records({("PCA", "error both"): value})).claims
    assert find(claims, "leave the error as it is").verdict == verdict


@pytest.mark.parametrize(
    ("before", "verdict"), [(20.0, "holds"), (9.0, "does not hold")]
)
def test_share_of_the_error_that_sigmoids_remove(before, verdict):
    claims = judge(PART, make_records(before=before)).claims
    for kind in ("filtered patterns", "principal components"):
        claim = find(claims, f"more than 40 % of the error, {kind}")
        assert claim.verdict == verdict
        assert find(claims, f"Sigmoids lower the error, {kind}").verdict == "holds"


def test_tables_are_shown_apart():
    verdicts = judge(PART, make_records())
    assert len(verdicts.cells) == 30 and all(cell.apart for cell in verdicts.cells)
    cells = {(cell.dataset, cell.method): cell for cell in verdicts.cells}
    cell = cells["both", "error of AU 7 LBP"]
    assert cell.reference == 12.3 and cell.n == 10
    assert_allclose(cell.mean, 8.0, atol=1.0)


def test_nothing_recorded_is_no_claim():
    verdicts = judge(PART, [])
    assert verdicts.claims == ()
    assert {cell.verdict for cell in verdicts.cells} == {"not run"}
