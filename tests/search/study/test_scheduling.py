"""A chain that is ahead gets the time that is left; safe ones always get a score."""

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_iris

from manyminds.search import Problem, default_space
from manyminds.search.evaluation.evaluating import Evaluation, Evaluator, is_hopeless
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.measuring import Measurer
from manyminds.search.study.scheduling import count_seconds_to_finish, is_ahead
from manyminds.search.study.study import Study

N_FOLDS = 5


class Played(Evaluator):
    """Evaluate chains by a script: score and seconds of each fold, on a clock of ours.

    script : dict of str to (float, float)
        Score and seconds of a fold, by the learner.
    """

    def play(self, script, clock):
        self.script, self.clock, self.calls = script, clock, []

    def __call__(self, chain, rival=(), limit=np.inf, begun=None):
        score, seconds = self.script[chain["learner"]]
        self.calls.append((chain["learner"], begun is not None))
        found = begun or Evaluation(predictions=np.zeros((len(self.y), 3)))
        found.state = "complete"
        while len(found.fold_scores) < N_FOLDS:
            self.clock.now += seconds
            found.fold_scores.append(score)
            found.score = score
            found.seconds += seconds
            found.fit_seconds = seconds
            n_done = len(found.fold_scores)
            if n_done < N_FOLDS and is_hopeless(found.fold_scores, rival):
                found.state = "stopped"
                break
            if n_done < N_FOLDS and found.seconds / n_done * N_FOLDS > limit:
                found.state = "slow"
                break
        return found


@pytest.fixture
def clock(monkeypatch):
    clock = SimpleNamespace(now=0.0, monotonic=lambda: clock.now)
    monkeypatch.setattr("manyminds.search.study.study.time", clock)
    return clock


def run(clock, script, seconds, reserve=np.inf, n_rows=150):
    X, y = load_iris(return_X_y=True)
    X, y = np.resize(X, (n_rows, 4)), np.resize(y, n_rows)
    problem = Problem.of(X, y, "classification", "accuracy")
    space = default_space("classification").only("learner", *script).suiting(problem)
    measure = Measurer("accuracy", "classification", np.arange(3))
    folds = make_folds(N_FOLDS, X, y, "classification", 0)
    evaluator = Played(X, y, folds, space, problem, measure)
    evaluator.play(script, clock)
    study = Study(evaluator, None, "search", 0)
    # A trial of each learner, so that every state is that of a first chain.
    study.run(seconds, len(script) + 2, 1, reserve)
    first = {}
    for one in study.tried():
        first.setdefault(one.chain["learner"], one)
    return first


def test_a_slow_chain_that_is_ahead_gets_the_time_that_is_left(clock):
    # All folds of "logistic" take 25 of 60 seconds, which is more than its share of 9.
    script = {"naive_bayes": (0.35, 0.1), "discriminant": (0.3, 0.1)}
    found = run(clock, {**script, "logistic": (0.8, 5.0)}, 60.0)
    assert found["logistic"].state == "complete"
    assert found["logistic"].fold_scores == [0.8] * N_FOLDS


def test_a_slow_chain_that_is_behind_is_dropped_after_a_fold(clock):
    script = {"discriminant": (0.8, 0.1), "linear_svm": (0.7, 5.0)}
    found = run(clock, script, 60.0)["linear_svm"]
    assert (found.state, len(found.fold_scores)) == ("slow", 1)


def test_a_slow_chain_that_is_ahead_but_would_come_too_late_is_dropped(clock):
    script = {"discriminant": (0.3, 0.1), "linear_svm": (0.8, 14.0)}
    found = run(clock, script, 60.0)["linear_svm"]
    assert (found.state, len(found.fold_scores)) == ("slow", 1)


def test_time_to_fit_all_rows_is_left_over(clock):
    # Folds end after 50 of 60 seconds; a fit to all rows takes 12.5 seconds more.
    script = {"discriminant": (0.3, 0.1), "linear_svm": (0.8, 10.0)}
    assert run(clock, script, 60.0, reserve=15.0)["linear_svm"].state == "complete"
    clock.now = 0.0
    assert run(clock, script, 60.0, reserve=2.0)["linear_svm"].state == "slow"


def test_no_chain_is_dropped_while_there_is_no_other(clock):
    found = run(clock, {"logistic": (0.5, 20.0)}, 60.0)
    assert found["logistic"].state == "complete"


def test_default_trees_always_get_a_score(clock):
    script = {"logistic": (0.9, 0.1), "boosting": (0.3, 4.0), "forest": (0.2, 3.0)}
    found = run(clock, script, 90.0)
    assert found["boosting"].state == found["forest"].state == "complete"


def test_a_large_table_has_quick_trees_first_whatever_the_defaults_take(clock):
    script = {"boosting": (0.5, 4.0), "quick_forest": (0.6, 5.0)}
    script |= {"forest": (0.7, 40.0), "logistic": (0.65, 0.5)}
    found = run(clock, script, 200.0, n_rows=3000)
    assert found["quick_forest"].state == "complete"
    assert found["quick_forest"].number == 0
    assert found["logistic"].state == "complete"
    assert found["forest"].state == "slow"


@pytest.mark.parametrize(
    ("scores", "incumbent", "expected"),
    [
        ([0.5], [], True),
        ([0.5, 0.4], [0.6, 0.2, 0.9], True),
        ([0.5], [0.5], False),
        ([np.nan, 0.1], [0.9, 0.2], False),
    ],
)
def test_chains_are_compared_on_the_folds_of_both(scores, incumbent, expected):
    assert is_ahead(scores, incumbent) is expected


def test_seconds_to_finish_by_hand():
    # Two of five folds took 8 seconds; the last fit takes 5 / 4 of 2 seconds.
    found = Evaluation("slow", fold_scores=[0.5, 0.5], seconds=8.0, fit_seconds=2.0)
    assert count_seconds_to_finish(found, 5, reserve=10.0) == 12.0
    assert count_seconds_to_finish(found, 5, reserve=1.0) == 13.5
