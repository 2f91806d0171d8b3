import numpy as np
import pandas as pd
import pytest

from manyminds.search import Problem, default_space
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.levels import Levels
from manyminds.search.evaluation.metrics import PredictionScorer
from manyminds.search.evaluation.sharing import SharedEvaluator, load_evaluator


@pytest.mark.parametrize("as_frame", [False, True])
def test_a_shared_evaluator_evaluates_alike(as_frame, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(90, 3)), np.arange(90) % 2
    if as_frame:
        X = pd.DataFrame(X, columns=list("abc")).assign(
            d=pd.Categorical(np.where(y == 1, "p", rng.choice(["p", "q"], 90)))
        )
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", "nb").suiting(problem)
    measure = PredictionScorer("accuracy", "classification", np.arange(2))
    folds = make_folds(3, X, y, "classification", 0)
    levels = Levels(folds, y, "classification", 0, (0.5, 1.0))
    evaluator = Evaluator(X, y, folds, space, problem, measure, levels=levels)
    shared = SharedEvaluator(evaluator)
    try:
        loaded = load_evaluator(shared.path)
        if not as_frame:
            assert isinstance(loaded.X.base, np.memmap)
        pipeline = space.complete({"learner": "nb"}, problem)
        for level in (0, 1):
            ours = evaluator(pipeline, level=level)
            theirs = loaded(pipeline, level=level)
            assert ours.fold_scores == theirs.fold_scores
        del loaded
    finally:
        shared.close()
    assert not shared.path.parent.exists()
