"""Our forests against scikit-learn's: differences, equality, null control."""

import numpy as np
import pytest
from scipy.stats import wilcoxon

from manyminds.experiments import Record
from manyminds.reproductions import get_reproduction
from manyminds.reproductions.forests_against_scikit_learn.plan import (
    NAME,
    SETS,
)
from manyminds.reproductions.judging.claims import CANNOT_TELL, FAILS, HOLDS
from manyminds.reproductions.judging.controls import control
from manyminds.reproductions.judging.verdicts import judge

CLASSIFICATION, REGRESSION, RAW_CLASSES, RAW_NUMBERS = get_reproduction(NAME).parts


def records_of(part, values):
    """Return each data set and method its five repetitions of two folds."""
    plan = part.outline()
    metric = plan.metrics[0]
    return [
        Record(
            f"{source.name}{method.name}{i}", source.name, method.name, *place, found
        )
        for k, source in enumerate(plan.datasets)
        for method in plan.methods
        for i, place in enumerate((r, f) for r in range(5) for f in range(2))
        if (found := {metric: values(k, method.name, place[0])})
    ]


def test_worked_example_of_points():
    # Of set k, ours is k / 1000 above the peer, or below it for extra-trees.
    def values(k, method, repeat):
        sign = 0 if method.startswith("scikit") else -1 if "Extra" in method else 1
        return 0.8 + sign * k / 1000

    found = judge(CLASSIFICATION, records_of(CLASSIFICATION, values))
    forest, extra = found.columns
    n_sets = len(SETS["classification"])
    differences = np.arange(n_sets) / 10
    assert forest.method == "RandomForest" and extra.method == "ExtraTrees"
    assert forest.mean_difference == pytest.approx(differences.mean())
    assert extra.mean_difference == pytest.approx(-differences.mean())
    assert forest.counts["agrees"] == 4  # 0, 0.1, 0.2 and 0.3 points
    assert forest.counts["differs"] == n_sets - 4
    assert {claim.verdict for claim in found.claims} == {FAILS}
    assert [claim.effect for claim in found.claims] == [
        pytest.approx(differences.mean()),
        pytest.approx(-differences.mean()),
    ]
    assert f"p = {wilcoxon(differences).pvalue:.3f}" in forest.remark
    assert found.cells[0].reference == found.cells[0].mean == pytest.approx(80.0)


def test_worked_example_of_per_cent_and_chance():
    # Ours is 2 % above the peer's error in the mean; from repetition to repetition it
    # is 2 % more or less by 0 (surely different) or by up to 4 points (random).
    scatter = np.array([0.04, -0.04, 0.02, -0.02, 0.0])

    def values(k, method, repeat):
        if method.startswith("scikit"):
            return 5.0
        noise = scatter[repeat] if "Extra" in method else 0.0
        return 5.0 * (1.02 + noise)

    found = judge(REGRESSION, records_of(REGRESSION, values))
    forest, extra = found.columns
    assert forest.mean_difference == pytest.approx(2.0)
    assert extra.mean_difference == pytest.approx(2.0)
    assert forest.counts["differs"] == 10
    assert extra.counts["within random variation"] == 10
    assert [claim.verdict for claim in found.claims] == [FAILS, FAILS]


def test_equality_holds_only_with_a_narrow_interval():
    # Both have a mean difference of 0; in the second, sets differ by five points.
    def values_with(spread):
        return lambda k, method, repeat: (
            0.8 + (0.0 if method.startswith("scikit") else spread * (-1) ** k)
        )

    sixteen = SETS["classification"][:16]
    for spread, verdict in ((0.001, HOLDS), (0.05, CANNOT_TELL)):
        records = records_of(CLASSIFICATION, values_with(spread))
        records = [one for one in records if one.dataset in sixteen]
        claims = judge(CLASSIFICATION, records).claims
        assert [claim.verdict for claim in claims] == [verdict] * 2


@pytest.mark.parametrize("part", [CLASSIFICATION, REGRESSION])
def test_shuffled_peers_do_not_agree(part):
    records = records_of(part, lambda k, method, repeat: 0.5 + 0.02 * k)
    found = control([(part, judge(part, records).cells)])
    assert found.share == 100.0 and found.null_share < 20.0 and found.informative


def test_a_missing_side_is_no_result():
    def values(k, method, repeat):
        return None if method == "scikit-learn RandomForest" else 0.5

    records = [
        record
        for record in records_of(CLASSIFICATION, values)
        if record.values["accuracy"] is not None
    ]
    found = judge(CLASSIFICATION, records, missing={"iris": "gone"})
    assert found.columns[0].counts["not run"] == len(SETS["classification"])
    assert found.columns[1].counts["agrees"] == len(SETS["classification"])
    assert found.cells[0].why == "the data set was not found"
    assert found.cells[2].why == "no folds are recorded"


def test_raw_tables_share_the_peer():
    for part in (RAW_CLASSES, RAW_NUMBERS):
        found = judge(part, records_of(part, lambda k, method, repeat: 1.0 + k))
        assert [column.method for column in found.columns] == [
            "RandomForest, raw",
            "ExtraTrees, raw",
        ]
        assert "on raw tables has the same" in found.claims[0].text
        assert found.claims[0].verdict == HOLDS
