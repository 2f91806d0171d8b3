"""A reproduction is run, stored and judged again."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from manyminds.datasets import Dataset
from manyminds.experiments import (
    CrossValidation,
    DataSource,
    Plan,
    Record,
    open_store,
)
from manyminds.reproductions.judging.claims import judge_claim
from manyminds.reproductions.judging.verdicts import (
    judge,
)
from manyminds.reproductions.published import (
    Part,
    PublishedTable,
    PublishedValue,
    Reproduction,
    Tolerance,
)
from manyminds.reproductions.reproducing import judge_stored, reproduce
from manyminds.trees import DecisionTreeClassifier

METHODS = ("tree", "stump")


def make_plan(find, quick):
    return Plan(
        "toy (quick)" if quick else "toy",
        [DataSource(name, lambda name=name: find(name)) for name in ("a", "b")],
        {
            "tree": DecisionTreeClassifier(),
            "stump": DecisionTreeClassifier(max_depth=1),
        },
        splits=CrossValidation(2, 1 if quick else 5),
    )


def make_part(cells, limit=None, **options):
    table = PublishedTable("toys", "a paper", "accuracy", cells, scale=100.0)
    tolerance = Tolerance(1.0, "so said", limit=limit)
    return Part("toy", "toys", make_plan, tolerance, table, **options)


@pytest.fixture
def toy_table():
    y = np.repeat(["no", "yes"], 10).astype(object)
    X = pd.DataFrame({"x": np.repeat([0.0, 1.0], 10)})
    return Dataset("a", X, y, "classification")


def test_run_keeps_judges_and_recalls(tmp_path, toy_table):
    part = make_part({("a", m): PublishedValue(100.0) for m in METHODS})
    whole = Reproduction("toys", "toys", "a paper", "nothing", 1.0, 1.0, 1, (part,))

    def find(name):
        if name == "b":
            raise LookupError("no b here")
        return toy_table

    store = open_store(str(tmp_path / "records.sqlite"))
    (first,) = reproduce(whole, find, store)
    (quick,) = reproduce(whole, find, store, quick=True)
    (kept,) = judge_stored(whole, store)
    store.close()
    assert first.outcome.missing == {"b": "no b here"}
    assert [cell.verdict for cell in first.verdicts.cells] == ["agrees", "agrees"]
    assert quick.outcome.n_new == 0  # the first repetition was there already
    assert kept.verdicts == judge(part, first.outcome.records)
    assert (len(kept.records), kept.n_folds) == (20, 40)


class Records:
    """Records of plans by name, as a store or a file has them."""

    def __init__(self, **records):
        self.records = records

    def find(self, *, plan):
        return self.records.get(plan, [])


def make_records(n_folds):
    """Return the first folds of the tree on the data set a, all of accuracy 0.9."""
    return [
        Record(f"{i}", "a", "tree", *divmod(i, 2), {"accuracy": 0.9})
        for i in range(n_folds)
    ]


def make_pair(claims=None):
    """Return a reproduction of two parts, whose plans have their names."""
    part = make_part({("a", "tree"): PublishedValue(90.0)})
    parts = tuple(
        replace(
            part,
            name=name,
            make_plan=lambda find, quick, name=name: replace(
                make_plan(find, quick), name=name
            ),
        )
        for name in ("first", "second")
    )
    return Reproduction("r", "t", "s", "s", 1.0, 1.0, 2, parts, claims=claims)


def test_stored_records_go_to_the_part_of_their_plan():
    first, second = judge_stored(make_pair(), Records(second=make_records(10)))
    assert [len(one.records) for one in (first, second)] == [0, 10]
    assert [one.verdicts.cells[0].verdict for one in (first, second)] == [
        "not run",
        "agrees",
    ]
    assert first.n_folds == second.n_folds == 2 * 2 * 10


def test_a_page_can_claim_what_needs_several_parts():
    def judge_both(records):
        counts = [float(len(records[name])) for name in ("first", "second")]
        return [judge_claim("both", counts, unit="records", margin=1.0)]

    store = Records(first=make_records(10), second=make_records(3))
    first, second = judge_stored(make_pair(judge_both), store)
    assert first.verdicts.claims == ()
    assert [claim.effects for claim in second.verdicts.claims] == [(10.0, 3.0)]


def test_claims_over_parts_follow_those_of_the_last_part():
    def claim(text):
        return judge_claim(text, [1.0, 1.0, 1.0], unit="points", margin=0.5)

    pair = make_pair(lambda records: [claim("over all")])
    first, last = pair.parts
    last = replace(last, claims=lambda plan, records: [claim("its own")])
    found = judge_stored(replace(pair, parts=(first, last)), Records())
    assert [one.text for one in found[-1].verdicts.claims] == ["its own", "over all"]


def test_an_unknown_name_is_refused_before_a_store_is_opened(tmp_path):
    path = tmp_path / "records.sqlite"
    with pytest.raises(ValueError, match="no-such-page"):
        reproduce("no-such-page", store=str(path))
    assert not path.exists()
