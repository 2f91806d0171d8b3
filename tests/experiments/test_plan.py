"""Plans: every fold of every method, with a key of all that its result depends on."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

from manyminds.datasets import from_arrays
from manyminds.experiments import CrossValidation, DataSource, Method, Plan, Scores
from manyminds.experiments.plan import draw_seed, list_tasks, rename

DATA = from_arrays(np.arange(8.0)[:, None], list("abababab"), name="toy")
METHODS = {"one": DummyClassifier(), "two": DummyClassifier(strategy="most_frequent")}


def make_plan(**options):
    options = {"splits": CrossValidation(2, 2)} | options
    return Plan("plan", [DATA], options.pop("methods", METHODS), **options)


def list_keys(plan, data=DATA):
    return [task.slot.key for task in list_tasks(plan, data)]


def test_a_plan_counts_its_folds():
    sources = [DATA, DataSource("other", lambda: DATA)]
    assert len(Plan("p", sources, METHODS, splits=CrossValidation(5, 3))) == 2 * 2 * 15


def test_names_and_lists_of_methods_mean_the_same():
    listed = [Method(name, model) for name, model in METHODS.items()]
    assert make_plan(methods=listed).methods == make_plan().methods
    assert make_plan(metrics="accuracy").measure == Scores(("accuracy",))


def test_tasks_stand_fold_by_fold():
    slots = [task.slot for task in list_tasks(make_plan(), DATA)]
    assert [(slot.repeat, slot.fold, slot.method) for slot in slots] == [
        (repeat, fold, method)
        for repeat in range(2) for fold in range(2) for method in ("one", "two")
    ]  # fmt: skip
    assert len({slot.key for slot in slots}) == 8


def test_methods_share_the_fold_and_its_seed():
    first, second, third, _ = list(list_tasks(make_plan(), DATA))[:4]
    assert first.fold is second.fold
    assert first.fold.seed == draw_seed(0, 0, 0) != third.fold.seed


def test_names_do_not_matter_to_keys():
    renamed = {f"my {name}": model for name, model in METHODS.items()}
    assert list_keys(make_plan(methods=renamed)) == list_keys(make_plan())
    assert list_keys(make_plan(), rename(DATA, "another")) == list_keys(make_plan())


@pytest.mark.parametrize(
    "options",
    [
        {"seed": 1},
        {"metrics": ["balanced_accuracy"]},
        {"splits": CrossValidation(2, 2, seed=1)},
        {"methods": dict.fromkeys(METHODS, DummyClassifier(strategy="uniform"))},
    ],
    ids=lambda options: next(iter(options)),
)
def test_what_changes_a_result_changes_every_key(options):
    assert not set(list_keys(make_plan(**options))) & set(list_keys(make_plan()))


def test_seeds_differ_and_repeat():
    seeds = [draw_seed(s, r, f) for s in range(3) for r in range(3) for f in range(3)]
    assert len(set(seeds)) == 27 and max(seeds) < 2**31
    assert draw_seed(2, 1, 0) == seeds[21]


def test_a_data_set_is_renamed_only_if_needed():
    assert rename(DATA, "toy") is DATA
    other = rename(DATA, "other")
    assert other.name == "other" and other.fingerprint == DATA.fingerprint


@pytest.mark.parametrize(
    ("datasets", "methods", "message"),
    [
        ([], METHODS, "datasets is empty"),
        ([DATA], {}, "methods is empty"),
        ([DATA, DATA], METHODS, "datasets has the name 'toy' more than once"),
        ([DATA], [Method("a", None)] * 2, "methods has the name 'a' more than once"),
    ],
)
def test_each_name_stands_once(datasets, methods, message):
    with pytest.raises(ValueError, match=message):
        Plan("p", datasets, methods)
