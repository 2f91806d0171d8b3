"""Runs: what is missing is done, once, and nothing is lost."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB

from manyminds.datasets import Dataset
from manyminds.experiments import (
    CrossValidation,
    DataSource,
    GivenSplits,
    Plan,
    WholeData,
    open_store,
    run,
)
from manyminds.experiments.plan import draw_seed
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.databases import StoreError

SCRIPT = Path(__file__).with_name("plans_to_break.py")


def iris(name="iris"):
    X, y = load_iris(return_X_y=True, as_frame=True)
    return Dataset(name, X, y.to_numpy(), "classification")


def small_plan(name="small", n_repeats=2, **options):
    methods = {"tree": DecisionTreeClassifier(max_features=1), "bayes": GaussianNB()}
    splits = CrossValidation(5, n_repeats)
    return Plan(name, [iris()], methods, splits=splits, **options)


def table(records):
    return {
        (one.dataset, one.method, one.repeat, one.fold): dict(one.values)
        for one in records
    }


def test_scores_are_those_of_cross_val_score(store):
    outcome = run(small_plan(), store)
    X, y = load_iris(return_X_y=True, as_frame=True)
    for repeat in range(2):
        folds = StratifiedKFold(5, shuffle=True, random_state=repeat)
        theirs = cross_val_score(GaussianNB(), X, y, cv=folds)
        ours = [
            one.values["accuracy"]
            for one in outcome.records
            if one.method == "bayes" and one.repeat == repeat
        ]
        np.testing.assert_allclose(ours, theirs)


def test_a_loss_and_its_negative_are_two_metrics(store):
    metrics = ["log_loss", "neg_log_loss", "accuracy"]
    for record in run(small_plan(n_repeats=1, metrics=metrics), store).records:
        assert list(record.values) == metrics
        assert record.values["log_loss"] == -record.values["neg_log_loss"]
        assert 0.0 <= record.values["accuracy"] <= 1.0


def test_a_rerun_does_only_what_is_missing(store):
    first = run(small_plan(), store)
    assert (first.n_new, len(first.records)) == (20, 20)
    assert run(small_plan(), store).n_new == 0
    assert run(small_plan(n_repeats=3), store).n_new == 10
    more = Plan("small", [iris()], {"bayes": GaussianNB(), "one": DummyClassifier()})
    assert run(more, store).n_new == 20  # ten folds are other folds than five
    assert table(run(small_plan(), store).records) == table(first.records)


def test_what_changes_the_result_is_done_anew(store):
    plan = Plan("p", [iris()], {"m": DummyClassifier(strategy="prior")})
    assert run(plan, store).n_new == 10
    for other in (
        Plan("p", [iris()], {"m": DummyClassifier(strategy="uniform")}),
        Plan("p", [iris().take(range(149))], {"m": DummyClassifier(strategy="prior")}),
        Plan("p", [iris()], {"m": DummyClassifier(strategy="prior")}, seed=1),
        Plan(
            "p",
            [iris()],
            {"m": DummyClassifier(strategy="prior")},
            metrics=["accuracy", "f1_macro"],
        ),
    ):
        assert run(other, store).n_new == 10
    # The plan has one record for each of its places: the newest.
    assert {
        record.values.keys() == {"accuracy", "f1_macro"}
        for record in store.find(plan="p")
    } == {True}


def test_another_version_of_a_library_is_done_anew(store, monkeypatch):
    run(small_plan(), store)
    monkeypatch.setattr("sklearn.__version__", "99.0")
    outcome = run(small_plan(), store)
    assert outcome.n_new == 20
    assert "sklearn 99.0" in outcome.records[0].versions


def test_another_plan_uses_what_is_there_under_its_own_names(store):
    run(small_plan(), store)
    other = Plan(
        "other", [iris("flowers")], {"nb": GaussianNB()}, splits=CrossValidation(5, 2)
    )
    outcome = run(other, store)
    assert outcome.n_new == 0
    assert {(one.dataset, one.method) for one in outcome.records} == {("flowers", "nb")}
    assert table(store.find(plan="other")) == table(outcome.records)


def test_two_names_for_one_thing_are_done_once(store):
    plan = Plan("twins", [iris()], {"one": GaussianNB(), "two": GaussianNB()})
    outcome = run(plan, store)
    assert (outcome.n_new, len(outcome.records)) == (10, 20)
    assert len(store.find(plan="twins")) == 20


@pytest.mark.slow
@pytest.mark.parametrize(("n_jobs", "backend"), [(2, "threading"), (2, "loky")])
def test_results_do_not_depend_on_who_does_them(store, tmp_path, n_jobs, backend):
    alone = run(small_plan(), store)
    other = open_store(str(tmp_path / "other.sqlite"))
    with joblib.parallel_config(backend=backend):
        together = run(small_plan(), other, n_jobs=n_jobs)
    other.close()
    assert table(together.records) == table(alone.records)


class Fragile(ClassifierMixin, BaseEstimator):
    """Fails where the test rows begin with an even number."""

    def __init__(self, cured=False):
        self.cured = cured

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if not self.cured and len(X) > 120:
            raise FloatingPointError("too many rows for me")
        return self

    def predict(self, X):
        return np.repeat(self.classes_[0], len(X))


def test_a_failed_fold_is_recorded_and_does_not_stop_the_rest(store):
    pairs = [(range(120), range(120, 150)), (range(130), range(130, 150))]
    methods = {"fragile": Fragile(), "bayes": GaussianNB()}
    plan = Plan("fragile", [iris()], methods, splits=GivenSplits(pairs))
    outcome = run(plan, store)
    assert len(outcome.records) == 4
    (failed,) = outcome.failed
    assert (failed.method, failed.fold) == ("fragile", 1)
    assert failed.error == "FloatingPointError: too many rows for me"
    assert failed.values == {}
    assert run(plan, store).n_new == 0
    assert run(plan, store, retry_failed=True).n_new == 1


def test_a_missing_data_set_is_reported_and_the_rest_done(store):
    def fail():
        raise LookupError("no data set is called atlantis")

    plan = Plan("p", [DataSource("atlantis", fail), iris()], {"nb": GaussianNB()})
    outcome = run(plan, store)
    assert outcome.missing == {"atlantis": "no data set is called atlantis"}
    assert len(outcome.records) == 10


def test_a_data_set_too_small_for_its_splits_is_reported(store):
    tiny = iris().take(range(4), name="tiny")
    outcome = run(Plan("p", [tiny, iris()], {"nb": GaussianNB()}), store)
    assert list(outcome.missing) == ["tiny"] and len(outcome.records) == 10


def count_leaves(estimator, fold):
    tree = estimator.fit(fold.X_train, fold.y_train)
    return {"leaves": tree.get_n_leaves(), "rows": len(fold.split.train)}


def test_any_named_numbers_can_be_measured(store):
    methods = {"tree": DecisionTreeClassifier(max_features=1)}
    plan = Plan("size", [iris()], methods, splits=WholeData(5), measure=count_leaves)
    records = run(plan, store).records
    assert len(records) == 5
    assert all(record.values["rows"] == 150 for record in records)
    assert len({record.values["leaves"] for record in records}) > 1


def test_every_fold_has_its_own_seed_and_a_set_one_is_kept(store):
    seen = []

    def look(estimator, fold):
        seen.append((estimator.random_state, fold.seed))
        return {}

    for state in (None, 7):
        methods = {"tree": DecisionTreeClassifier(random_state=state)}
        plan = Plan("p", [iris()], methods, splits=WholeData(3), measure=look)
        run(plan, store)
    assert seen[:3] == [(draw_seed(0, r, 0),) * 2 for r in range(3)]
    assert len(set(seen[:3])) == 3
    assert [state for state, _ in seen[3:]] == [7, 7, 7]


def test_progress_tells_what_is_left(store):
    seen = []
    run(small_plan(), store, on_progress=seen.append)
    assert [state.done for state in seen] == list(range(1, 21))
    assert {state.total for state in seen} == {20}
    assert seen[-1].remaining == 0.0
    assert all(state.remaining > 0 for state in seen[:-1])
    assert seen[0].latest == "iris, tree"


def test_ctrl_c_leaves_a_consistent_store(store):
    def stop(state):
        if state.done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(small_plan(), store, on_progress=stop)
    records = store.find(plan="small")
    assert len(records) == 7
    assert store.owners(record.key for record in records) == {}
    assert run(small_plan(), store).n_new == 13


def test_an_error_of_the_store_is_raised(store, monkeypatch):
    calls = []

    def broken(keys, owner, seconds):
        calls.append(keys)
        if len(calls) > 5:
            raise OSError("disk full")
        return keys

    monkeypatch.setattr(store, "claim", broken)
    with pytest.raises(OSError, match="disk full"):
        run(small_plan(), store, n_jobs=2)
    monkeypatch.undo()
    assert len(store.find(plan="small")) == 5


def die(estimator, fold):
    os._exit(1)


def test_the_death_of_a_worker_is_told(store):
    plan = Plan("death", [iris()], {"nb": GaussianNB()}, measure=die)
    with pytest.raises(RuntimeError, match="A worker process died"):
        run(plan, store, n_jobs=2)
    assert store.find(plan="death") == []


def start(*arguments):
    command = [sys.executable, str(SCRIPT), *(str(one) for one in arguments)]
    paths = {"PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **paths}
    )


def finish(process):
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return [int(number) for number in output.split()]


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory):
    """Return the table of a run that nothing disturbed."""
    folder = tmp_path_factory.mktemp("unbroken")
    url = str(folder / "records.sqlite")
    finish(start("run", url, folder / "log"))
    store = open_store(url)
    records = store.find(plan="breakable")
    store.close()
    return table(records)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills processes that it forked")
def test_killed_at_random_moments(unbroken, tmp_path, seed):
    expected = unbroken
    url = str(tmp_path / "records.sqlite")
    n_killed, *recorded = finish(start("kill", url, 20, seed))
    assert n_killed >= 10, "most runs had ended before they were killed"
    assert recorded == sorted(recorded), "a record was lost"
    assert recorded[-1] > 0, "all were killed before they had done anything"
    n_new, n_records = finish(start("run", url, tmp_path / "log"))
    assert (n_new, n_records) == (len(expected) - recorded[-1], len(expected))
    store = open_store(url)
    assert table(store.find(plan="breakable")) == expected
    assert len(store.find()) == len(expected)
    store.close()


@pytest.mark.slow
def test_two_runners_share_the_work(unbroken, open_again, tmp_path):
    expected = unbroken
    store = open_again()
    if found := store.find(plan="breakable"):  # of another test, on one server
        store.delete(record.key for record in found)
    log = tmp_path / "log"
    url = store.url.render_as_string(hide_password=False)
    outcomes = [finish(one) for one in [start("run", url, log) for _ in range(2)]]
    assert [n_records for _, n_records in outcomes] == [len(expected)] * 2
    assert sum(n_new for n_new, _ in outcomes) == len(expected)
    assert all(n_new > 0 for n_new, _ in outcomes), "one runner did it all"
    lines = [line.rsplit(" ", 1)[0] for line in log.read_text().splitlines()]
    assert len(lines) == len(set(lines)) == len(expected)
    assert table(store.find(plan="breakable")) == expected
    store.close()


def crash(estimator, fold):
    ctypes.string_at(0)  # reads address 0


@pytest.mark.slow
def test_a_worker_that_segfaults_is_told(store):
    plan = Plan("crash", [iris()], {"nb": GaussianNB()}, measure=crash)
    with pytest.raises(RuntimeError, match="A worker process died"):
        run(plan, store, n_jobs=2)
    assert store.find(plan="crash") == []


def take_too_much(estimator, fold):
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (2**30, before[1]))
    try:
        return {"n": float(np.ones(2**32).sum())}
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="limits memory as Linux does")
def test_a_worker_out_of_memory_fails_its_fold_only(store):
    plan = Plan("memory", [iris()], {"nb": GaussianNB()}, measure=take_too_much)
    outcome = run(plan, store, n_jobs=2)
    assert len(outcome.failed) == len(outcome.records) == 10
    assert all("MemoryError" in record.error for record in outcome.failed)


def test_a_store_that_cannot_be_renewed_ends_no_run(store, monkeypatch, capsys):
    def refuse(*_):
        raise StoreError("The store is away.")

    module = sys.modules["manyminds.experiments.run"]
    monkeypatch.setattr(module, "LEASE_SECONDS", 0.02)
    monkeypatch.setattr(store, "renew", refuse)
    monkeypatch.setattr(store, "release", refuse)
    assert run(small_plan(), store).n_new == 20
    assert capsys.readouterr().err == ""
