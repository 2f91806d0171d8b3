"""Claims about complexity: effects by data set."""

import numpy as np

from manyminds.experiments.record import Record
from manyminds.reproductions.complexity.claims import Side
from manyminds.reproductions.complexity.plan import (
    PARTS,
    SETS,
)
from manyminds.reproductions.complexity.protocol import (
    CLUSTERERS,
    CLUSTERS,
    PLAIN_AUC,
    SMALLEST,
    name_configuration,
    name_value,
)
from manyminds.reproductions.judging.claims import FAILS, HOLDS
from manyminds.reproductions.judging.verdicts import judge

IMBALANCE, BOUNDARY, SUCCESSES, CLAIMS, FORESTS, IRIS, LOCAL, IDENTITY = PARTS


def values_with(r, n, n_seeds=2):
    """Values as `Agreements` gives them; ``r`` is the same everywhere, or of a seed."""
    names = [
        name_configuration(probe, smallest)
        for probe in ("imbalance", "linear boundary")
        for smallest in SMALLEST
    ]
    values = {f"auc of {name}": 0.7 for name in names}
    values[PLAIN_AUC] = 0.8
    rs = np.broadcast_to(r, n_seeds)
    for name in names:
        for clusterer in CLUSTERERS:
            for s in CLUSTERS:
                for i in range(n_seeds):
                    values[name_value(name, clusterer, s, "r", i)] = float(rs[i])
                    values[name_value(name, clusterer, s, "clusters", i)] = float(n)
    return values


def record(dataset, values):
    return Record(dataset, dataset, "Random Forest", 0, 0, values)


def test_claims_have_effects_by_data_set():
    equal = [record(name, values_with(0.9, 3, 5)) for name in SETS[:5]]
    claims = judge(CLAIMS, equal).claims
    assert [claim.n for claim in claims] == [5] * 5
    assert [claim.verdict for claim in claims] == [HOLDS, HOLDS, FAILS, FAILS, FAILS]
    assert "0.700" in claims[0].remark and "0.800" in claims[0].remark
    better = []
    for name in SETS[:5]:
        values = values_with(0.9, 3, 5)
        for key in values:
            if key.startswith("linear") and " r " in key:
                values[key] = 0.5
        better.append(record(name, values))
    found = judge(CLAIMS, better)
    assert [claim.verdict for claim in found.claims] == [
        HOLDS, FAILS, HOLDS, FAILS, FAILS,
    ]  # fmt: skip
    assert found.claims[2].effect == 100.0
    assert all(cell.apart for cell in found.cells) and len(found.cells) == 15
    vacuous = [record(name, values_with(1.0, 2, 5)) for name in SETS[:5]]
    assert judge(CLAIMS, vacuous).claims[0].n == 0  # nothing to tell
    nothing = judge(CLAIMS, [], quick=True)
    assert {cell.verdict for cell in nothing.cells} == {"not run"}
    assert not nothing.claims


def test_sides_count_the_clusterings_of_their_clusterers():
    # Manual centroids succeed everywhere, k-means nowhere.
    values = values_with(0.9, 3)
    for key in values:
        if "k-means" in key and " r " in key:
            values[key] = 0.5
    name = name_configuration("imbalance")
    shares = [
        Side(name, some).measure(values)
        for some in (("manual",), ("k-means",), CLUSTERERS)
    ]
    assert shares == [100.0, 0.0, 50.0]
    assert Side(name).measure(values_with(0.9, 2)) == 0.0  # two clusters are none
