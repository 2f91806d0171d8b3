"""Proposals: what a search begins with, and what it protects from pruning."""

from dataclasses import replace

import numpy as np
import pytest

from manyminds.search import Problem, default_space
from manyminds.search.study import proposals
from manyminds.search.study.proposals import (
    Finished,
    _draw_parent,
    _is_tunable,
    add_task_defaults,
    list_floor_pipelines,
    list_initial_pipelines,
    list_protected_pipelines,
    propose,
)

SMALL = Problem("classification", 150, 30, 3, 50, n_encoded=30)
LARGE = Problem("classification", 5000, 30, 3, 50, n_encoded=30)
NUMBERS = Problem("regression", 150, 30, n_encoded=30)


def make_space(problem):
    return default_space(problem.task).suiting(problem)


@pytest.mark.parametrize("problem", [SMALL, LARGE, NUMBERS])
def test_initial_pipelines(problem):
    space = make_space(problem)
    initial = list_initial_pipelines(space, problem)
    protected = list_protected_pipelines(space, problem)
    assert initial[: len(protected)] == protected
    assert {one["learner"] for one in initial} == {one.name for one in space.learner}
    assert all(one == space.complete(one, problem) for one in initial)
    assert all(initial.count(one) == 1 for one in initial)


def test_a_large_table_protects_quick_trees():
    for problem, expected in [(SMALL, ["gb", "rf"]), (LARGE, ["quick_rf", "quick_gb"])]:
        protected = list_protected_pipelines(make_space(problem), problem)
        assert [one["learner"] for one in protected] == expected


def test_forests_consider_columns_by_their_task():
    shares = [
        add_task_defaults({"learner": name}, problem)[f"{name}.max_features"]
        for problem in (SMALL, NUMBERS, replace(NUMBERS, n_features=1_000))
        for name in ("rf", "et")
    ]
    assert shares == pytest.approx([30**-0.5, 30**-0.5, 0.6, 1.0, 0.3, 0.3])
    assert add_task_defaults({"learner": "rf", "rf.max_features": 0.1}, NUMBERS) == {
        "learner": "rf", "rf.max_features": 0.1,
    }  # fmt: skip
    assert add_task_defaults({"learner": "gb"}, NUMBERS) == {"learner": "gb"}


def test_pipelines_of_the_space_come_first():
    space = make_space(SMALL)
    own = {"learner": "logistic", "logistic.C": 7.0}
    initial = list_initial_pipelines(replace(space, first=[own]), SMALL)
    assert initial[0] == space.complete(own, SMALL)


def test_selectors_are_proposed_before_the_best_learner(seed):
    space, rng = make_space(SMALL), np.random.default_rng(seed)
    finished = [
        Finished(space.complete({"learner": name}, SMALL), criterion, 1.0)
        for name, criterion in {"nb": 0.7, "lda": 0.9}.items()
    ]
    known = [one.pipeline for one in finished]
    proposal = propose(finished, known, space, SMALL, np.inf, rng)
    assert proposal.stage == "select"
    assert proposal.fixed["learner"] == "lda"
    assert proposal.fixed["select"] == "correlation"


def test_a_selector_that_lost_is_not_tried_before_other_learners(seed):
    space, rng = make_space(SMALL), np.random.default_rng(seed)
    alone = {"nb": 0.7, "lda": 0.9, "knn_cv": 0.8}
    finished = [
        Finished(space.complete({"learner": name}, SMALL), criterion, seconds)
        for seconds, (name, criterion) in enumerate(alone.items())
    ]
    found = []
    # With a correlation nb, which is the quickest, is worse than most; with others not.
    while len(found) < 20:
        known = [one.pipeline for one in finished]
        proposal = propose(finished, known, space, SMALL, np.inf, rng)
        if proposal.stage != "select":
            break
        lost = proposal.fixed["select"] == "correlation"
        finished.append(Finished(proposal.fixed, 0.1 if lost else 0.95, 9.0))
        found.append((proposal.fixed["learner"], proposal.fixed["select"]))
    assert [one for one in found if one[1] == "correlation"] == [("nb", "correlation")]
    assert {name for name, _ in found[1:]} == set(alone)


def test_generators_are_proposed_before_learners_that_gain_by_them(seed):
    problem = replace(SMALL, n_categorical=2, n_numbers=5)
    space, rng = make_space(problem), np.random.default_rng(seed)
    finished = [
        Finished(space.complete({"learner": name}, problem), criterion, 1.0)
        for name, criterion in {"nb": 0.95, "gb": 0.9, "logistic": 0.8}.items()
    ]
    known = [one.pipeline for one in finished]
    found = []
    while (proposal := propose(finished, known, space, problem, np.inf, rng)).stage == (
        "generate"
    ):
        found.append((proposal.fixed["learner"], proposal.fixed["generate"]))
        known.append(proposal.fixed)
    assert found == [
        ("gb", "arithmetic"),
        ("gb", "crosses"),
        ("logistic", "arithmetic"),
        ("logistic", "crosses"),
        ("logistic", "level_means"),
    ]
    assert proposal.stage == "select"


def test_nothing_is_fixed_without_a_complete_trial(seed):
    rng = np.random.default_rng(seed)
    proposal = propose([], [], make_space(SMALL), SMALL, np.inf, rng)
    assert (proposal.stage, proposal.fixed) == ("tune", {})


@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("n_samples", [100, 3_000_000])
@pytest.mark.parametrize("n_features", [2, 100_000])
@pytest.mark.parametrize("n_classes", [2, 1000])
@pytest.mark.parametrize("sparse", [False, True])
def test_something_is_protected_whatever_the_size(
    task, n_samples, n_features, n_classes, sparse
):
    n_classes = n_classes if task == "classification" else 0
    problem = Problem(
        task, n_samples, n_features, n_classes, 2, n_encoded=n_features, sparse=sparse
    )
    space = make_space(problem)
    protected = list_protected_pipelines(space, problem)
    assert protected
    initial = list_initial_pipelines(space, problem)
    assert {str(one) for one in protected} <= {str(one) for one in initial}


def test_pipelines_of_the_portfolio_that_a_space_lacks_are_skipped(monkeypatch):
    portfolio = [
        {"learner": "none"},
        {"learner": "nb"},
        {"learner": "nb", "scale": "no"},
    ]
    monkeypatch.setattr(proposals, "list_portfolio", lambda task: list(portfolio))
    space = make_space(SMALL)
    learners = [one["learner"] for one in list_initial_pipelines(space, SMALL)]
    n_protected = len(list_protected_pipelines(space, SMALL))
    assert learners[n_protected] == "nb"
    assert learners.count("nb") == 1


def test_tuning_keeps_options_that_would_cost_much_to_change():
    pipeline = {"learner": "logistic", "generate": "arithmetic", "scale": "robust"}
    small = Problem("classification", 5_999, 8, 2, 50, n_encoded=8)
    fixed = proposals._fix_for_tuning(pipeline, small)
    assert fixed == {
        "learner": "logistic", "generate": "arithmetic", "committee": "alone",
    }  # fmt: skip
    large = Problem("classification", 6_000, 8, 2, 50, n_encoded=8)
    fixed = proposals._fix_for_tuning(pipeline, large)
    assert fixed == {**pipeline, "committee": "alone"}


def test_a_better_pipeline_does_not_begin_all_combinations_again(seed):
    space, rng = make_space(SMALL), np.random.default_rng(seed)
    first = space.complete({"learner": "logistic"}, SMALL)
    better = {**first, "logistic.C": 7.0, "committee": "committee"}
    finished, known = [Finished(first, 0.8, 1.0)], [first]
    while (one := propose(finished, known, space, SMALL, np.inf, rng)).stage in (
        "generate", "select",
    ):  # fmt: skip
        assert one.fixed["committee"] == "alone"
        known.append(one.fixed)
    assert len(known) > 4
    finished.append(Finished(better, 0.9, 1.0))
    proposal = propose(finished, [*known, better], space, SMALL, np.inf, rng)
    assert proposal.stage not in ("generate", "select")


def test_other_learners_than_the_best_are_changed_as_well(seed):
    rng = np.random.default_rng(seed)
    best = [Finished({"learner": "gb", "n": n}, 1.0, 1.0) for n in range(30)]
    best += [Finished({"learner": name}, 0.5, 1.0) for name in ("rf", "et")]
    drawn = [_draw_parent(best, rng).pipeline["learner"] for _ in range(400)]
    shares = [drawn.count(name) / 400 for name in ("gb", "rf", "et")]
    assert shares == pytest.approx([0.49, 0.25, 0.26], abs=0.1)


def test_only_learners_that_the_sampler_has_seen_succeed_are_tuned():
    best = [Finished({"learner": "gb"}, 1.0, 1.0)] * 11
    best += [Finished({"learner": "rf"}, 0.5, 1.0)] * 30
    assert _is_tunable(best[0], best)
    assert not _is_tunable(best[-1], best)  # the best five of 41 are boosting
    assert _is_tunable(best[-1], best[6:][::-1])


def test_nothing_is_chosen_that_is_worse_than_default_trees():
    for problem in (SMALL, LARGE, NUMBERS):
        floor = list_floor_pipelines(make_space(problem), problem)
        names = [one["learner"] for one in floor]
        assert {"gb", "rf"} <= set(names) and len(names) == len(set(names))
        protected = list_protected_pipelines(make_space(problem), problem)
        assert floor[: len(protected)] == protected
