"""Predictions come back as they were written, from memory and from a file."""

import numpy as np
import pytest

from manyminds.search.evaluation.evaluation import Evaluation
from manyminds.search.study.prediction_store import open_prediction_store


@pytest.fixture(params=["memory", "file"])
def store(request, tmp_path):
    url = None if request.param == "memory" else str(tmp_path / "s.sqlite")
    store = open_prediction_store(url, "one")
    yield store
    store.close()


@pytest.mark.parametrize("selected", [[], [np.array([0, 2]), np.array([1])]])
def test_predictions_come_back(store, selected, seed):
    made = np.random.default_rng(seed).random((5, 3), dtype=np.float32)
    store.write(4, Evaluation(predictions=made, selected=selected, names=["a", "é"]))
    store.write(7, Evaluation(predictions=made[0], selected=[], names=[]))
    stored = store.read([4, 5])
    assert list(stored) == [4]
    np.testing.assert_array_equal(stored[4].predictions, made)
    assert stored[4].predictions.dtype == np.float32
    assert stored[4].names == ["a", "é"]
    for ours, theirs in zip(stored[4].selected, selected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_a_second_write_replaces_the_first(store):
    for value in (1.0, 2.0):
        store.write(0, Evaluation(predictions=np.array([value])))
    assert store.read([0])[0].predictions == [2.0]
