"""The plans of learners of many labels."""

from manyminds.datasets.folder import DataFolder
from manyminds.reproductions.many_labels.plan import PEER_SETS, REPRODUCTION, SETS
from manyminds.reproductions.many_labels.protocol import TRAINING_ROWS


def test_the_number_of_folds_is_that_of_the_description():
    assert sum(len(part.outline()) for part in REPRODUCTION.parts) == (
        REPRODUCTION.n_folds
    )


def test_sets_have_the_rows_of_mulan(shared_data):
    find = DataFolder(shared_data).load
    for name, (n_rows, n_train) in TRAINING_ROWS.items():
        data = find(name)
        assert data.task == "multilabel" and data.n_samples == n_rows > n_train


def test_quick_plans_have_the_small_sets():
    for part in REPRODUCTION.parts:
        names = [source.name for source in part.outline(quick=True).datasets]
        assert names in (["ml-flags"], ["ml-enron"])
    assert set(PEER_SETS) < set(SETS)
