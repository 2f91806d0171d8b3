"""The tables on correlation scores: tables, plans, loading, and iris."""

from manyminds.datasets import load_dataset
from manyminds.datasets.folder import DataFolder
from manyminds.experiments.measures import Fold
from manyminds.reproductions.correlation_score.plan import (
    NORMALISED,
    ORIGINAL,
    ORIGINAL_SIZES,
    REPRODUCTION,
    SETS,
    _load,
    make_methods,
)
from manyminds.reproductions.correlation_score.protocol import (
    SCORES,
    SIZES,
    RankingRun,
    SubsetSizes,
)


def fold_of(data, size):
    return Fold(data, next(SubsetSizes((size,)).split(data.y, True)), 0)


# Acceptance 8, as far as one data set goes; the plan has the others.
def test_iris_has_the_counts_of_the_thesis():
    data, forest = load_dataset("iris"), make_methods()["Random Forest"]
    runs = [
        RankingRun()(forest.set_params(random_state=0), fold_of(data, size))
        for size in (1, 2, 3)
    ]
    assert sum(run["R²"] for run in runs) == 2
    assert sum(run["η²"] for run in runs) == 3


def test_tables_are_complete():
    for part in REPRODUCTION.parts:
        cells = part.table.cells
        by_size = "sizes" in part.name
        assert len(cells) == (15 * 7 if by_size else 36 * 10)
    for part, totals in (
        (ORIGINAL, (447, 311, 297, 81, 301, 287, 78, 263, 260, 53)),
        (NORMALISED, (447, 289, 278, 79, 284, 277, 76, 245, 243, 61)),
    ):
        methods = ["runs"] + [f"{m}, {s}" for m in make_methods() for s in SCORES]
        cells = part.table.cells
        sums = [sum(c.mean for (_, m), c in cells.items() if m == n) for n in methods]
        assert tuple(sums) == totals
    assert {f"size {size}" for size in SIZES} == {
        row for row, _ in ORIGINAL_SIZES.table.cells
    }


def test_sets_have_the_columns_of_the_thesis(shared_data):
    # The number of runs in the tables is the number of sizes below the columns.
    find = DataFolder(shared_data).load
    for name in SETS:
        data = _load(find, name, normalized=False)
        n_runs = sum(size < data.n_features for size in SIZES)
        assert n_runs == ORIGINAL.table.cells[name, "runs"].mean, name


def test_quick_and_full_outlines():
    assert len(ORIGINAL.outline()) == 19 * 3 * 15
    assert len(ORIGINAL.outline(quick=True)) == 3 * 3 * 4
