from pathlib import Path

import numpy as np
import pytest

from manyminds.search.evaluation import kept_models
from manyminds.search.evaluation.kept_models import KeptModels

PIPELINE = {"learner": "gb", "gb.learning_rate": 0.1}


def test_models_are_those_of_their_pipeline(tmp_path):
    kept = KeptModels(tmp_path)
    kept.save(PIPELINE, [np.arange(3)])
    np.testing.assert_array_equal(
        kept.load(dict(reversed(PIPELINE.items())))[0], [0, 1, 2]
    )
    assert not kept.has({**PIPELINE, "rows": 0.5})
    assert [one.suffix for one in tmp_path.iterdir()] == [".joblib"]


@pytest.mark.parametrize(("name", "limit"), [("MAX_FILE", 1_000), ("MAX_FOLDER", -1)])
def test_what_is_too_large_is_not_kept(tmp_path, monkeypatch, name, limit):
    monkeypatch.setattr(kept_models, name, limit)
    kept = KeptModels(tmp_path)
    kept.save(PIPELINE, [np.zeros(1_000)])
    assert not kept.has(PIPELINE) and not list(tmp_path.iterdir())


def test_what_cannot_be_written_is_not_kept(tmp_path):
    kept = KeptModels(tmp_path)
    kept.save(PIPELINE, [lambda: None])
    assert not kept.has(PIPELINE) and not list(tmp_path.iterdir())
    kept = KeptModels(tmp_path / "removed")
    kept.save(PIPELINE, [1])
    assert not kept.has(PIPELINE)


def test_no_more_is_written_than_may_be_kept(tmp_path, monkeypatch):
    sizes = []
    unlink = Path.unlink

    def measure(self, missing_ok=False):
        sizes.append(self.stat().st_size if self.exists() else 0)
        unlink(self, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", measure)
    monkeypatch.setattr(kept_models, "MAX_FILE", 100_000)
    KeptModels(tmp_path).save(PIPELINE, [np.zeros(10_000), np.zeros(5_000_000)])
    assert 0 <= max(sizes) <= 100_000


def test_the_better_ones_are_kept_and_the_best_of_each_learner(tmp_path, monkeypatch):
    # There is room for three: of boosting the better two, and the net.
    kept = KeptModels(tmp_path)
    kept.save({"learner": "gb"}, [np.zeros(100)])
    (file,) = tmp_path.iterdir()
    monkeypatch.setattr(kept_models, "MAX_FOLDER", 3 * file.stat().st_size)
    file.unlink()
    scores = {("net", 1): -0.9, ("gb", 1): -0.4, ("gb", 2): -0.2, ("gb", 3): -0.3}
    pipelines = {key: {"learner": key[0], "number": key[1]} for key in scores}
    for key, score in scores.items():
        kept.save(pipelines[key], [np.zeros(100)], score)
    found = [key for key in scores if kept.has(pipelines[key])]
    assert found == [("net", 1), ("gb", 2), ("gb", 3)]
    kept.save({"learner": "gb", "number": 4}, [np.zeros(100)], -0.5)  # too weak
    assert [key for key in scores if kept.has(pipelines[key])] == found
    kept.save({"learner": "svm"}, [np.zeros(100)], -2.0)  # the first of its learner
    found = [key for key in scores if kept.has(pipelines[key])]
    assert found == [("net", 1), ("gb", 2)] and kept.has({"learner": "svm"})
    assert not list(tmp_path.glob("*.part"))
