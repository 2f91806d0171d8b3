"""Published tables, tolerances, and outlines of plans."""

import numpy as np
import pytest

from manyminds.experiments import (
    CrossValidation,
    DataSource,
    Plan,
)
from manyminds.reproductions.published import (
    Part,
    PublishedTable,
    PublishedValue,
    Tolerance,
    read_published_cells,
)
from manyminds.trees import DecisionTreeClassifier


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


def test_tolerance_in_words():
    assert str(Tolerance(1.0, "")) == "1 point"
    assert str(Tolerance(0.3, "")) == "0.3 points"
    assert str(Tolerance(1.0, "", "%")) == "1 %"


def test_outline_loads_nothing():
    plan = make_part({}).outline()
    assert len(plan) == 40
    with pytest.raises(LookupError, match="not loaded"):
        plan.datasets[0].load()


def test_printed_table_has_the_means_of_the_thesis():
    # Unweighted means over the 36 sets, and a cell of each kind.
    cells = read_published_cells(
        "manyminds.reproductions.protocols.tamponi_2015", "flt_4_5"
    )
    expected = {
        "FLT r=50": 86.03,
        "FLT r=100": 86.32,
        "FLT r=inf": 86.66,
        "AdaBoost": 81.78,
        "Bagging": 85.93,
        "Random Forest": 85.84,
    }
    assert len(cells) == 36 * 6
    for method, mean in expected.items():
        printed = [value.mean for (_, m), value in cells.items() if m == method]
        assert np.mean(printed) == pytest.approx(mean, abs=0.0051)
    assert cells["splice", "Random Forest"] == PublishedValue(85.81, 2.2)
