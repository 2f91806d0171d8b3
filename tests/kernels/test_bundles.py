"""Names of arrays' rows: each row has one, and arrays have as many rows as names."""

import numpy as np
import pytest

from manyminds.kernels import bundles as b
from manyminds.trees.arrays import make_record, make_work
from manyminds.trees.binning import bin_table
from manyminds.trees.growing import make_rules

COLUMNS = b.N_BINS, b.FIRST_BIN, b.HAS_MISSING, b.IS_CATEGORICAL
INTS = b.FEATURE, b.LEFT, b.N_SAMPLES, b.MISSING_LEFT, b.CATEGORY_SET, b.SPLIT_CODE
FLOATS = b.THRESHOLD, b.IMPURITY, b.NODE_WEIGHT
REALS = b.Y, b.WEIGHT, b.SHARE, b.SPARE_Y, b.SPARE_WEIGHT
SUMS = b.LEFT_SUM, b.RIGHT_SUM, b.TOTAL, b.SCALE, b.SCORE, b.KEY
ROWS, SETS = (b.ROW, b.SPARE_ROW), (b.TRIAL_SET, b.BEST_SET)
DRAWS, EDGES = (b.FEATURES, b.SWAPPED, b.FENWICK), (b.LOW, b.HIGH)


@pytest.fixture(scope="module")
def table():
    return bin_table(np.array([[0.0, 5.0], [1.0, np.nan], [2.0, 5.0]]))


@pytest.fixture(scope="module")
def room(table):
    rules = make_rules(3, 2, 2, 3.0, criterion="gini")
    return make_work(table, rules, 3, 1), make_record(table, rules, 3, 1, 1)


@pytest.mark.parametrize(
    "names", [COLUMNS, INTS, FLOATS, REALS, SUMS, ROWS, SETS, DRAWS, EDGES]
)
def test_rows_are_numbered_without_gaps(names):
    assert sorted(names) == list(range(len(names)))


def test_arrays_have_a_row_for_each_name(table, room):
    work, record = room
    assert table.columns.shape[1] == len(COLUMNS)
    assert len(table.edges) == len(EDGES)
    assert len(work.samples.rows) == len(ROWS)
    assert len(work.samples.reals) == len(REALS)
    assert len(work.scratch.sums) == len(SUMS)
    assert len(work.scratch.sets) == len(SETS)
    assert len(work.scratch.draws) == len(DRAWS)
    assert len(record.ints) == len(INTS)
    assert len(record.floats) == len(FLOATS)
    assert work.open_nodes.shape[1] == len(b.OpenNode._fields)


def test_columns_of_a_table_mean_what_their_names_say(table):
    assert table.columns[:, b.N_BINS].tolist() == [3, 1]
    assert table.columns[:, b.FIRST_BIN].tolist() == [0, 3]
    assert table.columns[:, b.HAS_MISSING].tolist() == [0, 1]
    assert table.columns[:, b.IS_CATEGORICAL].tolist() == [0, 0]
    assert table.edges[b.LOW].tolist() == [0.0, 1.0, 2.0, 5.0]
    assert (table.edges[b.HIGH] >= table.edges[b.LOW]).all()
