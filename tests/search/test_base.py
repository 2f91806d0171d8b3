"""The base of both searches: wrong parameters, tables and studies are named at once."""

from types import SimpleNamespace

import numpy as np
import optuna
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import NotFittedError
from sklearn.metrics import matthews_corrcoef
from sklearn.model_selection import ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB

from manyminds.search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
    Learner,
    UninformativeTableError,
    default_space,
)
from manyminds.search.choice import second_level
from manyminds.search.choice.class_weights import decide_by
from manyminds.search.evaluation import folds, levels
from manyminds.search.evaluation.folds import list_tested
from manyminds.search.evaluation.resources import Resources
from manyminds.search.study.scheduler import Scheduler
from manyminds.utils.errors import InputError

QUICK = default_space("classification").only("learner", "nb", "lda")


def search(n_trials=2, **options):
    options = {"space": QUICK, "random_state": 0, **options}
    return ComplexModelSearchClassifier(None, n_trials=n_trials, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"budget": None}, "budget and n_trials cannot both be None"),
        ({"budget": "soon"}, "budget must be seconds"),
        ({"metric": "acuracy", "n_trials": 1}, "did you mean 'accuracy'"),
        ({"cv": 200, "n_trials": 1}, "cv must be at least 2 and"),
    ],
)
def test_bad_parameters_are_named(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        ComplexModelSearchClassifier(**options).fit(X, y)


def test_bad_tables_are_named():
    X, y = load_iris(return_X_y=True, as_frame=True)
    with pytest.raises(ValueError, match="at least two classes"):
        search().fit(X[:50], y[:50])
    with pytest.raises(ValueError, match=r"infinite value.*, first in row 1"):
        search().fit(X.replace(X.iloc[0, 0], np.inf), y)
    with pytest.raises(ValueError, match=r"different names; twice: .'a'"):
        search().fit(X.set_axis(["a", "b", "c", "a"], axis=1), y)
    with pytest.raises(TypeError, match="'lists' holds values that are neither"):
        search().fit(X.assign(lists=[[1, 2]] * 150), y)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        search().fit(X, y[:-1])


@pytest.mark.slow
def test_a_storage_with_other_rows_or_folds_is_refused(tmp_path):
    X, y = load_wine(return_X_y=True)
    options = {"storage": tmp_path / "s.sqlite", "random_state": 0}
    search(2, **options).fit(X, y)
    search(1, **options).fit(X, y)
    moved = X + 1.0
    for table, target, other in ((moved, y, 0), (X, y[::-1], 0), (X, y, 1)):
        with pytest.raises(ValueError, match="other rows, weights, groups"):
            search(1, **{**options, "random_state": other}).fit(table, target)
    with pytest.raises(ValueError, match="other rows, weights, groups"):
        search(1, **options).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(ValueError, match="another dependence: None, not 'groups'"):
        search(1, **options).fit(X, y, groups=np.arange(len(y)))


@pytest.mark.slow
def test_a_stored_search_keeps_its_folds_whatever_the_budget(tmp_path, monkeypatch):
    monkeypatch.setattr(folds, "MAX_ROWS", 100)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), np.arange(200) % 2
    X[:, 0] += y
    options = {"space": QUICK, "random_state": 0, "n_trials": 1, "n_jobs": 1}

    def fit(budget, **more):
        one = ComplexModelSearchClassifier(budget, **options, **more)
        return one.fit(X, y)

    assert [len(fit(budget).folds_) for budget in (60.0, 120.0, None)] == [1, 10, 1]
    for name, budgets, n_folds in (("s", (120.0, 60.0), 10), ("t", (60.0, 120.0), 1)):
        stored = {"storage": tmp_path / f"{name}.sqlite"}
        found = [fit(budget, **stored) for budget in budgets]
        assert [len(one.folds_) for one in found] == [n_folds] * 2
        assert len(found[1].trace_) == 2


@pytest.mark.slow
def test_a_search_has_a_second_level(tmp_path, monkeypatch):
    # As of 6,000 rows and 90 seconds; with these, of few.
    monkeypatch.setattr(levels, "MIN_TWO_LEVELS", 300)
    monkeypatch.setattr(second_level, "MIN_SECONDS", 1.0)
    monkeypatch.setattr(second_level, "SHARE", 0.4)
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(600, 4))).add_prefix("x")
    X["kind"] = pd.Categorical(rng.choice(["u", "v"], size=600))
    y = np.where(X["x0"] * X["x1"] + 0.3 * rng.normal(size=600) > 0, "yes", "no")
    space = default_space("classification").only("learner", "gb", "extra_gb", "nb")
    options = {
        "metric": "log_loss", "space": space, "random_state": 0, "n_jobs": 1,
        "storage": tmp_path / "s.sqlite",
    }  # fmt: skip
    one = ComplexModelSearchClassifier(6.0, **options).fit(X, y)
    above = one.trace_.query("stage == 'stack'")
    assert len(above) and (above["state"] == "complete").all()
    assert above["pipeline"].str.match(r"predictions of \d pipelines > ").all()
    assert set(above["pipeline"]) < set(one.leaderboard_["pipeline"])
    assert (one.predict(X) == y).mean() > 0.8
    assert len(one.importance_) == 5
    again = ComplexModelSearchClassifier(2.0, **options).fit(X, y)  # resumed
    assert (again.predict(X) == y).mean() > 0.8
    for more in ({"predict_limit": 10.0}, {"n_trials": 3}, {"committee": False}):
        options = {**options, **more, "storage": None}
        trace = ComplexModelSearchClassifier(3.0, **options).fit(X, y).trace_
        assert "stack" not in set(trace["stage"])


def make_bayes(problem):
    return GaussianNB()


def test_a_storage_of_other_learners_is_refused_by_their_names(tmp_path):
    # As after a library of boosting was installed, or on a machine without it.
    X, y = load_iris(return_X_y=True)
    options = {"storage": tmp_path / "s.sqlite", "committee": False}
    search(2, **options).fit(X, y)
    more = QUICK.adding("learner", Learner("bayes", make_bayes))
    with pytest.raises(InputError, match="learners: it lacks bayes, which this search"):
        search(1, **options, space=more).fit(X, y)
    study = optuna.load_study(
        study_name="search", storage=f"sqlite:///{options['storage']}"
    )
    earlier = {**study.user_attrs["about"]}
    del earlier["options"]  # as an earlier version described it
    study.set_user_attr("about", earlier)
    assert len(search(1, **options).fit(X, y).trace_) == 3


@pytest.mark.parametrize(
    "X",
    [
        np.full((40, 3), np.nan),
        np.ones((40, 3)),
        csr_array((40, 3)),
        pd.DataFrame({"none": [None] * 40, "one": ["a"] * 40, "two": [2.0] * 40}),
    ],
    ids=["missing", "constant", "sparse", "frame"],
)
def test_a_table_without_information_is_refused_at_once(X, monkeypatch):
    monkeypatch.setattr(Scheduler, "run", lambda *_: pytest.fail("a search was begun"))
    with pytest.raises(UninformativeTableError, match="each of its 3 columns is"):
        ComplexModelSearchClassifier("60s").fit(X, np.arange(40) % 2)


@pytest.fixture
def no_search(monkeypatch):
    """Fail if a search begins."""
    monkeypatch.setattr(Scheduler, "run", lambda *_: pytest.fail("a search was begun"))


@pytest.mark.parametrize("blank", [0.0, np.nan])
def test_columns_that_vary_in_one_row_give_a_model(blank, seed):
    # In folds without that row, nothing varies.
    X = np.full((40, 2), blank)
    X[:, 1] = 3.0
    X[7, 0], X[8, 0] = 1.0, blank if blank == 0.0 else 2.0
    y = np.tile([0, 0, 0, 1], 10)
    found = search(random_state=seed).fit(X, y)
    assert found.leaderboard_["score"].max() == 0.75  # one of them may be pruned
    assert found.predict(X).mean() < 0.2


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"n_trials": 0}, "n_trials"),
        ({"alpha": -1.0}, "alpha"),
        ({"outer_cv": 1}, "outer_cv"),
        ({"validation": "twice"}, "validation"),
        ({"space": "large"}, "space"),
        ({"on_progress": 3}, "on_progress"),
    ],
)
def test_parameters_of_a_wrong_kind_are_named(options, name, no_search):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        ComplexModelSearchClassifier(**options).fit(X, y)


@pytest.mark.parametrize(
    "kind", [ComplexModelSearchClassifier, ComplexModelSearchRegressor]
)
def test_parameters_survive_a_clone(kind):
    model = kind("5m", n_trials=3, alpha=0.5, storage="study.sqlite", n_jobs=2)
    assert clone(model).get_params() == model.get_params()


@pytest.fixture(scope="module")
def mixed():
    """Return a frame of several dtypes, and a search that was fitted on it."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "paid": rng.random(120) < 0.5,
            "grade": rng.choice(["1", "2"], 120),
            "dose": pd.Categorical(rng.choice([0.5, 2.0], 120)),
            "size": rng.normal(size=120),
        }
    )
    y = ((X["grade"] == "1") ^ X["paid"]).astype(int)
    space = default_space("classification").only("learner", "gb")
    return X, search(1, space=space, committee=False).fit(X, y)


@pytest.mark.parametrize(
    "change",
    [
        lambda X: X.assign(grade=X["grade"].astype(int)),
        lambda X: X.assign(grade=X["grade"].astype(float)),
        lambda X: X.assign(paid=X["paid"].astype(str).str.lower()),
        lambda X: X.assign(paid=X["paid"].astype(int)),
        lambda X: X.assign(dose=X["dose"].astype(float)),
        lambda X: X.assign(size=X["size"].astype(str)),
    ],
    ids=["integers", "floats", "words", "bits", "categories", "numbers as text"],
)
def test_new_frames_are_read_as_that_of_training(mixed, change):
    X, found = mixed
    assert_allclose(found.predict_proba(change(X)), found.predict_proba(X))


def test_cells_that_cannot_be_read_as_those_of_training_are_named(mixed):
    X, found = mixed
    missing = found.predict_proba(X.assign(paid=None))
    with pytest.warns(UserWarning, match="'paid' holds 2 categories that the model"):
        assert_allclose(found.predict_proba(X.assign(paid=X["paid"] + 2)), missing)
    with pytest.raises(InputError, match="'size' holds numbers in the model, but text"):
        found.predict(X.assign(size="large"))
    with pytest.raises(ValueError, match="feature names"):
        found.predict(X.drop(columns="size"))
    with pytest.raises(InputError, match="at least 1 row"):
        found.predict(X[:0])


def test_columns_whose_names_are_numbers_are_found_by_them():
    X, y = load_iris(return_X_y=True)
    X = pd.DataFrame(X).assign(**{"4": 1.0}).set_axis(range(5), axis=1)
    found = search(1, committee=False).fit(X, y)
    assert_allclose(found.predict_proba(X[[4, 0, 3, 2, 1]]), found.predict_proba(X))
    with pytest.raises(InputError, match="needs the column '3', which is not in"):
        found.predict(X.rename(columns={3: 9}))


def test_there_is_no_prediction_before_a_fit():
    with pytest.raises(NotFittedError):
        search().predict([[0.0]])


@pytest.mark.parametrize(
    ("cv", "n_tested"),
    [(TimeSeriesSplit(3), 111), (ShuffleSplit(1, test_size=50, random_state=0), 50)],
    ids=["blocks", "one part"],
)
@pytest.mark.slow
def test_rows_that_are_never_tested_have_no_part_in_the_scores(cv, n_tested):
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(150)
    X, y = X[order], y[order]
    found = search(3, cv=cv, alpha=1.0).fit(X, y)
    tested = list_tested(found.folds_)
    assert found.oof_predictions_.shape == (150, 3) and len(tested) == n_tested
    assert np.isfinite(found.oof_predictions_).all(axis=1).nonzero()[0].tolist() == (
        tested.tolist()
    )
    made = found.oof_predictions_[tested].argmax(axis=1)
    assert found.honest_score_.naive == pytest.approx((made == y[tested]).mean())
    assert found.honest_score_.low <= found.honest_score_.score
    assert found.leaderboard_["std"].isna().all() == (len(found.folds_) == 1)
    assert found.importance_["std"].isna().all() == (len(found.folds_) == 1)


def draw_patients(rng, n_patients=40, n_visits=5):
    """Draw visits that look alike, of patients whose class nothing explains."""
    patient = np.repeat(np.arange(n_patients), n_visits)
    places = rng.normal(size=(n_patients, 3))[patient]
    X = places + 0.01 * rng.normal(size=places.shape)
    return X, rng.permutation(np.arange(n_patients) % 2)[patient], patient


@pytest.mark.slow
def test_the_score_of_new_groups_is_not_that_of_known_ones(seed):
    # Visits of known patients are told apart without error; new patients are guessed.
    # In 60 draws, scores with groups were 0.32 to 0.72; in 30 without, all were 1.
    X, y, patient = draw_patients(np.random.default_rng(seed))
    space = default_space("classification").only("learner", "knn_cv", "nb")
    model = ComplexModelSearchClassifier(
        None, n_trials=3, space=space, committee=False, random_state=0
    )
    flattered = clone(model).fit(X, y).honest_score_
    honest = clone(model).fit(X, y, groups=patient)
    assert flattered.score > 0.95
    assert honest.honest_score_.score < 0.85
    for train, test in honest.folds_:
        assert not set(patient[train]) & set(patient[test])
    assert not any("committee" in text for text in honest.trace_["pipeline"])


def test_texts_are_scored_unless_later_rows_would_score_them(seed):
    # By groups, they are scored by other groups.
    rng = np.random.default_rng(seed)
    words = rng.choice(["rain", "sun", "wind", "fog", "hail"], size=(60, 4))
    X = pd.DataFrame(
        {"note": [" ".join(row) for row in words], "x": rng.normal(size=60)}
    )
    X["note"] += [f" day {k}" for k in range(60)]
    y, patient = np.arange(60) % 2, np.arange(60) // 2
    for known, is_scored in (
        ({}, True),
        ({"groups": patient}, True),
        ({"time": patient}, False),
    ):
        found = search(1, committee=False).fit(X, y, **known)
        assert ("text_scores" in found.best_model_.named_steps) == is_scored


@pytest.mark.slow
def test_only_the_past_predicts(seed):
    rng = np.random.default_rng(seed)
    day, X = rng.permutation(np.arange(120) // 3), rng.normal(size=(120, 3))
    y = (X[:, 0] > 0).astype(int)
    found = search(2).fit(X, y, time=day)
    for train, test in found.folds_:
        assert day[train].max() < day[test].min()
    never = np.isnan(found.oof_predictions_).any(axis=1)
    assert never.any() and day[never].max() < day[~never].min()


def test_components_suit_the_first_block_of_time(seed):
    # It is trained on 10 of 60 rows, and failed with 24 components.
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 200))
    y = (X[:, 0] > 0).astype(int)
    space = default_space("classification").only("reduce", "pca")
    space = space.only("learner", "logistic", "lda")
    found = search(2, space=space).fit(X, y, time=np.arange(60))
    assert (found.trace_["state"] == "complete").all()


def test_models_of_the_oldest_rows_alone_are_not_kept():
    # The mean of the models of all folds was worse than any of them on a trend.
    evaluator = SimpleNamespace(
        problem=SimpleNamespace(task="regression"), levels=SimpleNamespace(top=1)
    )
    for time, is_kept in ((None, True), (np.arange(3), False)):
        evaluator.time, evaluator.kept = time, None
        with search()._keep_models(evaluator, Resources(has_processes=True)):
            assert (evaluator.kept is not None) == is_kept


def test_groups_and_times_are_checked_at_once(no_search):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="groups and time cannot both be given"):
        search().fit(X, y, groups=y, time=np.arange(150))
    with pytest.raises(ValueError, match="groups must have at least two"):
        search().fit(X, y, groups=np.zeros(150))
    with pytest.raises(ValueError, match="time must have a value in each row"):
        search().fit(X, y, time=np.where(y == 1, np.nan, 1.0))
    with pytest.raises(ValueError, match="at most the number of groups, 3; got 4"):
        search(cv=4).fit(X, y, groups=y)


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"groups": np.arange(150) % 2}, "the number of groups, 2; got 3"),
        ({"groups": np.arange(150) // 50}, "with outer_cv=3: "),
        ({"groups": np.arange(150) % 3, "outer_cv": 2}, "groups must have at least"),
        ({"sample_weight": np.eye(150)[0]}, "sample_weight must be above 0"),
    ],
    ids=["few groups", "classes are groups", "one group is left", "one weight"],
)
def test_outer_folds_that_cannot_be_are_refused_at_once(known, message, no_search):
    X, y = load_iris(return_X_y=True)
    y = np.minimum(y, 1) if "sample_weight" not in known else y
    options = {"outer_cv": known.pop("outer_cv", 3), "validation": "nested"}
    with pytest.raises(InputError, match=message):
        search(**options).fit(X, y, **known)


@pytest.mark.slow
def test_weights_count_in_fits_and_scores(seed):
    # Rows of weight 0 might as well not be there; a weight of 2 is two equal rows.
    rng = np.random.default_rng(seed)
    X, y = load_iris(return_X_y=True)
    X = X + 0.5 * rng.normal(size=X.shape)
    weights = rng.choice([0.0, 1.0, 2.0], size=150)
    space = default_space("classification").only("learner", "nb", "logistic", "knn_cv")
    found = search(4, space=space, metric="balanced_accuracy").fit(X, y, weights)
    assert set(found.leaderboard_["learner"]) == {"nb", "logistic"}
    made = decide_by(found.oof_predictions_, found.class_weights_).argmax(axis=1)
    recalls = [np.average(made[y == c] == c, weights=weights[y == c]) for c in range(3)]
    assert found.honest_score_.naive == pytest.approx(np.mean(recalls))
    scorer = search(2, metric="matthews_corrcoef").fit(X, y, weights)
    made = decide_by(scorer.oof_predictions_, scorer.class_weights_).argmax(axis=1)
    expected = matthews_corrcoef(y, made, sample_weight=weights)
    assert scorer.honest_score_.naive == pytest.approx(expected)


def score_without_weights(model, X, y):
    return float((model.predict(X) == y).mean())


def test_weights_that_cannot_be_used_are_refused(no_search):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="sample_weight must be at least 0"):
        search().fit(X, y, np.where(y == 1, -1.0, 1.0))
    with pytest.raises(ValueError, match="metric must be a metric that takes sample"):
        search(metric=score_without_weights).fit(X, y, np.ones(150))
    space = QUICK.only("learner", "lda")
    with pytest.raises(ValueError, match="a learner that takes sample_weight; got lda"):
        search(space=space).fit(X, y, np.ones(150))
