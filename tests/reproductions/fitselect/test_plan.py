"""The plan on Fitselect: outlines, tables, claims."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import make_classification

from manyminds.experiments.record import Record
from manyminds.reproductions.fitselect.plan import (
    ACCURACY,
    CONTROL,
    REPRODUCTION,
    SETS,
    _make_models,
)
from manyminds.reproductions.judging.verdicts import judge


def test_tables_and_outlines():
    for part in REPRODUCTION.parts:
        assert {dataset for dataset, _ in part.table.cells} == set(SETS)
        assert len(part.table.cells) == 21
        assert len(part.outline()) == 7 * 4 * 20


def test_the_control_has_all_trees_of_the_same_folds():
    X, y = make_classification(90, 5, random_state=0)
    models = _make_models(12)
    some, control = (
        models[name].set_params(random_state=3).fit(X, y)
        for name in ("Fitselect", CONTROL)
    )
    assert len(control.selected_members_) == 36
    order = np.argsort(control.selected_members_)
    kept = control.predict_all(X)[order][some.selected_members_]
    assert_allclose(some.predict_all(X) == kept, True)


@pytest.mark.parametrize(("gain", "verdict"), [(0.05, "holds"), (0.0, "does not hold")])
def test_claims(gain, verdict):
    accuracy = {"Fitselect": 0.8 + gain}
    n_trees = {"Fitselect": 90.0, CONTROL: 1500.0}
    records = [
        Record(
            f"{name} {method} {k}",
            name,
            method,
            k,
            0,
            {
                "accuracy": accuracy.get(method, 0.8) + 0.002 * (-1) ** (k + i),
                "n_trees": n_trees.get(method, 500.0),
            },
        )
        for i, name in enumerate(SETS)
        for method in ("RF", "Forward", "Fitselect", CONTROL)
        for k in range(20)
    ]
    claims = {claim.text: claim for claim in judge(ACCURACY, records).claims}
    assert claims["Fitselect has a higher accuracy than RF"].verdict == verdict
    assert len(claims) == 5
    fewer = next(claim for text, claim in claims.items() if "a fifth" in text)
    assert fewer.verdict == "holds" and fewer.effect == pytest.approx(14.0)
