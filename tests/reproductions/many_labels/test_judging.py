"""Claims of learners of many labels, with effects that are known."""

from dataclasses import replace

import pytest

from manyminds.experiments import Record
from manyminds.reproductions.judging.claims import FAILS, HOLDS
from manyminds.reproductions.judging.controls import control
from manyminds.reproductions.judging.verdicts import judge
from manyminds.reproductions.many_labels.plan import FOLDS, PEERS

MEASURES = ("subset_accuracy", "micro_f1", "hamming_loss", "average_precision")


def records_of(part, values):
    """Return the records of a part, with values by data set, method and repetition."""
    plan = part.outline()
    n_folds = plan.splits.n_splits
    return [
        Record(
            f"{source.name}{method.name}{i}", source.name, method.name, i // n_folds,
            i % n_folds, {"seconds": 1.0, **values(k, method.name, i // n_folds)},
        )
        for k, source in enumerate(plan.datasets)
        for method in plan.methods
        for i in range(len(plan.splits))
    ]  # fmt: skip


@pytest.mark.parametrize(("gain", "verdict"), [(0.05, HOLDS), (-0.05, FAILS)])
def test_claims_follow_the_measures(gain, verdict):
    # Each method is by so much better than those later in this list, on every set.
    order = ("ECC", "RAkEL", "RAkEL disjoint", "EPS", "CC", "LP", "2BR", "EBR", "BR",
             "PS")  # fmt: skip

    def values(k, method, repeat):
        place = order.index(method) if method in order else len(order)
        found = dict.fromkeys(MEASURES, 0.5 - gain * place + 0.001 * k * place)
        return found | {"hamming_loss": 0.5 + gain * place + 0.001 * k * place}

    claims = judge(FOLDS, records_of(FOLDS, values)).claims
    found = {claim.text: claim.verdict for claim in claims}
    text = "A chain has a higher subset accuracy than binary relevance"
    assert found[text] == verdict
    assert found["RAkEL has a higher micro F1 than label powersets"] == verdict
    text = "Bagged binary relevance has a lower Hamming loss than binary relevance"
    assert found[text] == verdict
    text = "Binary relevance has a lower Hamming loss than a chain"
    assert found[text] == {HOLDS: FAILS, FAILS: HOLDS}[verdict]
    assert len(claims) == 12


def test_learners_are_shown_and_not_counted():
    found = judge(
        FOLDS, records_of(FOLDS, lambda k, method, repeat: dict.fromkeys(MEASURES, 0.5))
    )
    assert all(cell.apart for cell in found.cells)
    assert "Hamming loss 0.500" in found.cells[0].why
    assert {cell.reference for cell in found.cells} == {50.0}


def test_peers_can_differ():
    # The peer of one is ten points better; all others are equal. Sets differ.
    def values(k, method, repeat):
        ahead = 0.1 if method == "peer of CC" else 0.0
        return {"subset_accuracy": 0.2 + 0.1 * k + ahead + 0.001 * repeat}

    found = judge(PEERS, records_of(PEERS, values))
    verdicts = {column.method: column.counts for column in found.columns}
    assert verdicts["CC"]["differs"] == 3 and verdicts["BR"]["agrees"] == 3
    drawn = control([(PEERS, found.cells)])
    assert drawn.null_share < drawn.share


def test_a_peer_that_is_not_installed_is_not_run():
    records = records_of(PEERS, lambda k, method, repeat: {"subset_accuracy": 0.5})
    lost = [
        replace(one, values={}, error="ImportError")
        if one.method == "peer of RAkEL of scikit-multilearn"
        else one
        for one in records
    ]
    columns = {column.method: column for column in judge(PEERS, lost).columns}
    assert columns["RAkEL of scikit-multilearn"].counts["not run"] == 3
