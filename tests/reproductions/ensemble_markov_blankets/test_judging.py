"""Claims about selectors: judged on records with known distances."""

import pytest

from manyminds.experiments.record import Record
from manyminds.reproductions.ensemble_markov_blankets.plan import (
    NULL,
    PRINTER,
    REPRODUCTION,
)
from manyminds.reproductions.judging.claims import FAILS, HOLDS
from manyminds.reproductions.judging.verdicts import judge


def make_records(part, find_values):
    plan = part.outline()
    return [
        Record(f"{n} {m.name} {i}", source.name, m.name, i, 0, values)
        for n, source in enumerate(plan.datasets)
        for m in plan.methods
        for i in range(len(plan.splits))
        for values in [find_values(source.name, m.name, i + n % 2)]
    ]


@pytest.mark.parametrize("better", [True, False])
def test_ace_is_closer_or_not(better):
    def find_values(name, method, i):
        low = method.startswith("ACE") == better
        harder = 0.2 if "product" in name else 0.0
        return {"d": (0.1 if low else 0.5) + 0.01 * i + harder, "n_selected": 2.0}

    part = REPRODUCTION.parts[1]
    claims = judge(part, make_records(part, find_values)).claims
    ace = [one for one in claims if one.text.startswith("ACE")]
    assert len(ace) == 12
    assert {one.verdict for one in ace} == {HOLDS if better else FAILS}
    harder = [one for one in claims if one.text.startswith("Products")]
    assert len(harder) == 5 and {one.verdict for one in harder} == {HOLDS}
    assert all(one.n == 6 for one in claims)
    filters = [one for one in claims if one.text.startswith("CFSBestFirst")]
    assert len(filters) == 1 and filters[0].verdict == FAILS  # equal


def test_sizes_of_ace_are_those_of_the_ranking():
    def find_values(name, method, i):
        if method == "SVM(MB)":
            return {"d": 0.0, "d of 3": 0.6 + 0.01 * i, "n_selected": 3.0}
        return {"d": 0.2 + 0.01 * i, "n_selected": 3.0}

    claims = judge(PRINTER, make_records(PRINTER, find_values)).claims
    told, by_size = claims[-2:]
    assert told.verdict == HOLDS and told.effect == pytest.approx(0.2, abs=0.02)
    assert by_size.verdict == HOLDS and by_size.effect == pytest.approx(0.4)
    assert by_size.n == 6


@pytest.mark.parametrize("n_filled, verdict", [(0, HOLDS), (10, FAILS)])
def test_selections_of_noise_are_counted(n_filled, verdict):
    def find_values(name, method, i):
        return {"n_selected": 2.0 * (i < n_filled)}

    verdicts = judge(NULL, make_records(NULL, find_values))
    assert len(verdicts.claims) == 4
    assert {one.verdict for one in verdicts.claims} == {verdict}
    assert all(cell.apart for cell in verdicts.cells)
