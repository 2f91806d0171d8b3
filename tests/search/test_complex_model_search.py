"""The search as a user sees it."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_iris,
    load_wine,
    make_multilabel_classification,
)
from sklearn.metrics import matthews_corrcoef
from sklearn.model_selection import cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from manyminds.datasets import from_arrays, read_table
from manyminds.ensemble import measure_labels
from manyminds.persistence import load_model, save_model
from manyminds.search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
    Learner,
    default_space,
)
from manyminds.search.choice.class_weights import decide_by
from manyminds.search.choice.vote import VoteClassifier
from manyminds.utils.errors import InputError, InputWarning
from manyminds.workflows import run_prediction

QUICK = default_space("classification").only(
    "learner", "logistic", "nb", "nrbf", "lda", "linear_svm"
)
NUMBERS = default_space("regression").only("learner", "ridge", "nrbf", "elastic_net")
# Generators would take most of the time on tables as small as these.
QUICK = QUICK.only("generate", "ungenerated")
NUMBERS = NUMBERS.only("generate", "ungenerated")


def search(n_trials=6, **options):
    options = {"space": QUICK, "random_state": 0, **options}
    return ComplexModelSearchClassifier(None, n_trials=n_trials, **options)


@pytest.fixture(scope="module")
def fitted():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return search(14).fit(X, y), X, y


def test_tells_what_it_found(fitted):
    found, X, y = fitted
    board = found.leaderboard_
    assert (board["score"].diff().dropna() <= 1e-12).all()
    assert ((board["low"] <= board["score"]) & (board["score"] <= board["high"])).all()
    assert len(found.trace_) == 14
    assert set(found.trace_["state"]) <= {"complete", "pruned", "failed"}
    assert found.trace_["best"].dropna().is_monotonic_increasing
    assert found.honest_score_.low <= found.honest_score_.score
    assert found.honest_score_.n_candidates == len(board)
    assert found.score(X, y) > 0.95
    assert found.feature_names_in_.tolist() == list(X.columns)
    assert sum(weight for _, weight in found.weights_) == pytest.approx(1.0)


def test_out_of_fold_predictions_are_those_of_the_chosen_pipelines():
    X, y = load_wine(return_X_y=True)
    found = search(5, committee=False).fit(X, y)
    again = cross_val_predict(
        found.best_model_, X, y, cv=found.folds_, method="predict_proba"
    )
    np.testing.assert_allclose(found.oof_predictions_, again, atol=1e-6)
    assert found.committee_ is None and found.model_ is found.best_model_


@pytest.mark.slow
def test_a_committee_is_a_weighted_vote_of_its_pipelines():
    X, y = load_wine(return_X_y=True)
    for seed in range(6):
        found = search(10, metric="log_loss", random_state=seed).fit(X, y)
        if found.committee_ is not None:
            break
    assert isinstance(found.committee_, VoteClassifier)
    votes = [member.predict_proba(X) for member in found.committee_.estimators_]
    weights = [weight for _, weight in found.weights_]
    np.testing.assert_allclose(
        found.predict_proba(X), np.average(votes, axis=0, weights=weights), atol=1e-9
    )


@pytest.mark.slow
def test_decisions_are_tuned_to_the_metric_and_probabilities_are_not():
    rng = np.random.default_rng(0)
    y = (rng.random(600) < 0.1).astype(int)
    X = rng.normal(size=(600, 3)) + y[:, None]
    space = QUICK.only("learner", "logistic")
    pool = {"n_trials": 1, "space": space, "metric": "matthews_corrcoef"}
    found = search(**pool, committee=False).fit(X, y)
    weights = found.class_weights_
    assert weights is not None and found.model_ is found.best_model_
    made = (found.predict_proba(X) * weights).argmax(axis=1)
    np.testing.assert_array_equal(found.predict(X), made)
    member = found.best_model_.estimators_[0]
    np.testing.assert_allclose(found.predict_proba(X), member.predict_proba(X))
    honest = found.honest_score_
    decided = (found.oof_predictions_ * weights).argmax(axis=1)
    assert honest.naive == pytest.approx(matthews_corrcoef(y, decided))
    assert honest.score < honest.naive


@pytest.mark.slow
def test_a_limit_of_predicting_leaves_slow_pipelines_out():
    X, y = load_wine(return_X_y=True)
    with pytest.warns(InputWarning, match="No pipeline predicts"):
        found = search(2, predict_limit=1e12).fit(X, y)
    assert found.committee_ is None and len(found.weights_) == 1


@pytest.mark.slow
def test_the_result_does_not_depend_on_the_number_of_processes():
    X, y = load_iris(return_X_y=True)
    alone, together = (search(10, n_jobs=n).fit(X, y) for n in (1, 2))
    columns = ["score", "pipeline", "trial"]
    pd.testing.assert_frame_equal(
        alone.leaderboard_[columns], together.leaderboard_[columns]
    )
    np.testing.assert_allclose(alone.predict_proba(X), together.predict_proba(X))


@pytest.mark.slow
def test_numbers_are_predicted_too():
    X, y = load_diabetes(return_X_y=True)
    found = ComplexModelSearchRegressor(
        None, n_trials=6, space=NUMBERS, metric="r2", random_state=0
    ).fit(X, y)
    assert found.score(X, y) > 0.4
    assert 0.35 < found.honest_score_.score < 0.6
    assert found.oof_predictions_.shape == y.shape
    low, high = found.predict_interval(X, 0.8)
    assert 0.7 < ((low <= y) & (y <= high)).mean() < 0.95
    assert found.calibration_.n_rows == len(y)


@pytest.mark.slow
def test_losses_are_told_as_losses():
    X, y = load_diabetes(return_X_y=True)
    found = ComplexModelSearchRegressor(None, n_trials=4, space=NUMBERS, random_state=0)
    found.fit(X, y)
    assert found.metric_ == "rmse"
    assert (found.leaderboard_["score"] > 0).all()
    assert found.leaderboard_["score"].is_monotonic_increasing
    assert found.honest_score_.low < found.honest_score_.score


@pytest.mark.slow
def test_tables_with_text_gaps_and_booleans_are_read():
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.iloc[:, :2].assign(hue=np.where(y == 1, "red", "blue"), big=X.iloc[:, 0] > 6)
    X.iloc[::7, 0] = np.nan
    found = search(5).fit(X, y)
    new = X.assign(hue="green")
    assert found.score(X, y) > 0.8
    assert found.predict(new).shape == y.shape


def test_polars_frames_are_read():
    polars = pytest.importorskip("polars")
    X, y = load_iris(return_X_y=True, as_frame=True)
    frame = polars.DataFrame({str(name): X[name].to_list() for name in X})
    found = search(3).fit(frame, y)
    np.testing.assert_array_equal(found.predict(frame), found.predict(X))


@pytest.mark.slow
def test_sparse_tables_stay_sparse():
    X, y = load_breast_cancer(return_X_y=True)
    X = np.where(X > X.mean(axis=0), X / X.max(axis=0), 0.0)
    space = default_space("classification").only("learner", "logistic", "linear_svm")
    found = search(4, space=space).fit(csr_array(X), y)
    assert found.score(csr_array(X), y) > 0.9


@pytest.mark.slow
def test_labels_come_back_as_they_were():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    found = search(3).fit(X, names)
    assert set(found.predict(X)) == set(names)
    assert found.classes_.tolist() == sorted(set(names))


@pytest.mark.slow
def test_rare_classes_count_where_the_metric_says_so():
    X, y = load_breast_cancer(return_X_y=True)
    rows = np.r_[np.flatnonzero(y == 1), np.flatnonzero(y == 0)[:25]]
    found = search(6, metric="balanced_accuracy", committee=False)
    found.fit(X[rows], y[rows])
    assert found.leaderboard_["pipeline"].str.contains("priors|weights").all()
    assert found.honest_score_.score > 0.85


@pytest.mark.slow
def test_a_budget_ends_the_search_in_time():
    import time

    X, y = load_iris(return_X_y=True)
    start = time.monotonic()
    found = ComplexModelSearchClassifier(3.0, space=QUICK, random_state=0).fit(X, y)
    assert time.monotonic() - start < 20
    assert len(found.leaderboard_) >= 1


@pytest.mark.slow
def test_a_storage_keeps_the_search_and_goes_on(tmp_path):
    X, y = load_iris(return_X_y=True)
    file = tmp_path / "study.sqlite"
    first = search(3, storage=file).fit(X, y)
    second = search(3, storage=file).fit(X, y)
    assert len(second.trace_) == 6
    assert second.trace_["pipeline"].tolist()[:3] == first.trace_["pipeline"].tolist()
    assert second.trace_["pipeline"].is_unique
    with pytest.raises(ValueError, match="made with another metric"):
        search(1, storage=file, metric="log_loss").fit(X, y)
    with pytest.raises(ValueError, match="made with another table"):
        search(1, storage=file).fit(X[:100], y[:100])


def make_hasty(problem):
    raise RuntimeError("too hasty")


def test_a_search_in_which_nothing_works_says_why():
    X, y = load_iris(return_X_y=True)
    space = default_space("classification").adding(
        "learner", Learner("hasty", make_hasty)
    )
    with pytest.raises(ValueError, match="too hasty"):
        search(2, space=space.only("learner", "hasty")).fit(X, y)


def make_tree(problem):
    return DecisionTreeClassifier(max_depth=2, random_state=0)


def test_pipelines_of_ones_own_are_evaluated():
    X, y = load_iris(return_X_y=True)
    space = default_space("classification").adding("learner", Learner("my", make_tree))
    found = search(4, space=space.only("learner", "my")).fit(X, y)
    assert (found.leaderboard_["learner"] == "my").all()


@pytest.mark.parametrize("as_text", [False, True])
def test_dates_are_taken_apart_in_the_pipeline(as_text, seed):
    # The class is the weekend, which no other column tells.
    rng = np.random.default_rng(seed)
    days = pd.Series(pd.date_range("2024-01-01", periods=140, freq="D"))
    y = np.where(days.dt.day_of_week > 4, "end", "work")
    X = pd.DataFrame({"day": days, "noise": rng.normal(size=140)})
    X = X.assign(day=days.dt.strftime("%Y-%m-%d")) if as_text else X
    space = default_space("classification").only("learner", "rf")
    found = search(1, space=space).fit(X, y)
    assert found.best_model_.steps[0][0] == "dates"
    assert found.score(X, y) > 0.95
    assert (found.predict(X.iloc[:3]) == y[:3]).all()
    assert set(found.importance_["feature"]) <= {"day", "noise"}


WORDS = [f"word{number}" for number in range(30)]


@pytest.mark.slow
def test_free_text_is_read_from_file_to_prediction(tmp_path, seed):
    # The class is a word of the text: each text is different.
    rng = np.random.default_rng(seed)
    y = rng.permutation(["bad", "good"] * 60)
    texts = [" ".join(rng.permutation([*rng.choice(WORDS, 5), word])) for word in y]
    frame = pd.DataFrame({"note": texts, "size": rng.normal(size=120), "class": y})
    frame.loc[3, "note"] = None
    frame.to_csv(tmp_path / "all.csv", index=False)
    data = read_table(tmp_path / "all.csv")
    space = default_space("classification").only("learner", "rf")
    found = search(1, space=space).fit(data.X, data.y)
    assert [name for name, _ in found.best_model_.steps[:2]] == ["text_scores", "texts"]
    assert found.leaderboard_["score"][0] > 0.8
    save_model(tmp_path / "model.skops", found.model_, data)
    new = pd.DataFrame({"note": ["good news", "bad news", "", None], "size": 0.0})
    new.to_csv(tmp_path / "new.csv", index=False)
    made = run_prediction(tmp_path / "model.skops", tmp_path / "new.csv").predictions
    assert made.iloc[:2, 0].tolist() == ["good", "bad"]
    known = run_prediction(tmp_path / "model.skops", data.X).predictions
    assert (known.iloc[:, 0] == found.predict(data.X)).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["arithmetic", "crosses", "level_means"])
def test_generated_columns_reach_the_model_and_its_file(name, tmp_path, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.uniform(size=(300, 2)), columns=["a", "b"])
    for hue in ("c", "d"):
        X[hue] = pd.Categorical(rng.choice(["x", "y", "z"], 300))
    y = np.where(X["a"] > X["b"], 1, 0) + 2 * (X["c"] == X["d"]).to_numpy()
    space = default_space("classification").only("learner", "logistic")
    found = search(1, space=space.only("generate", name)).fit(X, y)
    assert found.best_model_.steps[0][0] == "generate"
    assert set(found.importance_["feature"]) <= set(X)
    save_model(tmp_path / "model.skops", found.model_, from_arrays(X, y))
    made = load_model(tmp_path / "model.skops").predict_table(X)
    assert_array_equal(made.iloc[:, 0].to_numpy().astype(int), found.predict(X))


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_rarer_than_folds_can_be_scored_by_auc(n_classes):
    rng = np.random.default_rng(0)
    y = np.zeros(90, dtype=np.int64)
    for code in range(1, n_classes):
        y[5 * code : 5 * code + 5] = code
    X = rng.normal(size=(90, 3)) + y[:, None]
    found = search(3, metric="auc").fit(X, y)
    assert len(found.folds_) == 5
    assert found.honest_score_.score > 0.7
    assert np.isfinite(found.honest_score_.low)
    assert np.isfinite(found.importance_["importance"]).all()


@pytest.mark.parametrize("metric", ["balanced_accuracy", "rmse"])
def test_a_pipeline_has_one_score_wherever_it_is_shown(metric):
    # The mean over folds, that of all rows and that of samples stood side by side.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    if metric == "rmse":
        y, options = X[:, 0] + rng.standard_t(2.5, size=60), {"space": NUMBERS}
        kind = ComplexModelSearchRegressor
    else:
        y, options, kind = np.digitize(X[:, 0], [-1.5, 0.5]), {"space": QUICK}, None
    found = (kind or ComplexModelSearchClassifier)(
        None, n_trials=4, metric=metric, committee=False, random_state=0, **options
    ).fit(X, y)
    made, weights = found.oof_predictions_, found.class_weights_
    shown = found._measure.show(found._measure(made, y))
    honest, board = found.honest_score_, found.leaderboard_
    assert board["score"].iloc[0] == found.trace_["best"].iloc[-1] == shown
    if weights is not None:  # decisions of the model are tuned to the metric
        shown = found._measure.show(found._measure(decide_by(made, weights), y))
        assert shown > board["score"].iloc[0]
    assert honest.naive == shown
    worse = honest.score >= shown if metric == "rmse" else honest.score <= shown
    assert worse and honest.low <= honest.score <= honest.high


def test_one_row_of_a_class_is_judged_or_said_not_to_be():
    # It was "index -1 is out of bounds" after all trials, and no model.
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)), np.append(np.zeros(79, dtype=np.int64), 1)
    space = QUICK.only("learner", "nb", "lda")
    found = search(4, metric="auc", space=space, cv=2).fit(X, y)
    honest = found.honest_score_
    assert found.predict(X).shape == (80,) and np.isfinite(honest.naive)
    if honest.n_candidates > 1:
        assert np.isnan(honest.score) and "class 1 has 1 row" in honest.reason
    else:
        assert honest.score == honest.naive


def test_a_scorer_that_fails_on_samples_does_not_lose_the_model():
    def score(model, rows, y):
        if len(rows) not in (50, 150):  # neither a fold nor all rows
            raise RuntimeError("these are not all rows")
        return float((model.predict(rows) == y).mean())

    X, y = load_iris(return_X_y=True)
    found = search(4, metric=score, cv=3).fit(X, y)
    assert found.predict(X).shape == (150,)
    assert found.honest_score_.naive == found.leaderboard_["score"].iloc[0]
    assert found.honest_score_.reason == "these are not all rows"
    assert np.isnan(found.honest_score_.score)


def test_a_slow_scorer_judges_all_pipelines():
    X, y = load_iris(return_X_y=True)
    found = search(4, metric="matthews_corrcoef", cv=3).fit(X, y)
    assert found.honest_score_.n_candidates == len(found.leaderboard_)


def test_few_rows_and_whole_numbers_of_a_regression():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=8), "hue": list("abababab")})
    y = np.arange(8.0)
    options = {"space": NUMBERS, "random_state": 0}
    found = ComplexModelSearchRegressor(None, n_trials=2, **options).fit(X, y)
    assert len(found.folds_) == 8


# ---------------------------------------------------------------- many labels


def test_sets_of_classes(fitted):
    found, X, y = fitted
    sets = found.predict_set(X, 0.9)
    assert sets.shape == (178, 3) and sets.any(axis=1).all()
    assert sets[np.arange(178), y].mean() > 0.9
    assert (found.predict_set(X, 0.999, by_class=True)).all()  # too few rows


@pytest.fixture(scope="module")
def labeled():
    """Return a fitted search on four labels, and its data."""
    X, Y = make_multilabel_classification(120, 8, n_classes=4, random_state=0)
    X = pd.DataFrame(X, columns=list("abcdefgh"))
    search = ComplexModelSearchClassifier(None, n_trials=5, cv=3, random_state=0)
    return search.fit(X, Y), X, Y


def test_a_target_of_several_columns_is_many_labels(labeled):
    search, X, Y = labeled
    assert search.task_ == "multilabel" and search.metric_ == "micro_f1"
    assert search.predict(X).shape == search.predict_proba(X).shape == Y.shape
    assert_array_equal(search.predict(X), search.predict_proba(X) > 0.5)
    assert search.oof_predictions_.shape == Y.shape
    naive = measure_labels(Y, search.oof_predictions_ > 0.5)["micro_f1"]
    assert search.honest_score_.naive == pytest.approx(naive)
    assert search.honest_score_.score <= naive
    assert search.calibration_ is None
    with pytest.raises(ValueError, match="this search was of many labels"):
        search.predict_set(X)
    labels = [Y[test].mean(axis=0) for _, test in search.folds_]
    assert np.ptp(labels, axis=0).max() < 0.06  # folds have their share of each label


def test_the_final_threshold_meets_the_number_of_labels(labeled):
    search, _, Y = labeled
    found = (search.oof_predictions_ > 0.5).sum(axis=1).mean()
    assert abs(found - Y.sum(axis=1).mean()) < 0.15


def test_a_model_of_many_labels_is_saved_without_pickle(labeled, tmp_path):
    search, X, Y = labeled
    data = from_arrays(X, Y, name="toy")
    path = save_model(tmp_path / "model.skops", search.model_, data)
    found = load_model(path).predict_table(data.X)
    assert_array_equal(found.iloc[:, :4].to_numpy(), search.model_.predict(data.X))


@pytest.mark.slow
def test_searches_on_many_labels_can_be_nested(labeled):
    _, X, Y = labeled
    search = ComplexModelSearchClassifier(
        None, n_trials=1, cv=2, validation="nested", outer_cv=2, random_state=0,
        metric="hamming_loss",
    ).fit(X, pd.DataFrame(Y, columns=list("abcd")))  # fmt: skip
    assert search.honest_score_.method == "nested"
    assert 0.0 < search.honest_score_.score < 0.5


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([[0, 2], [1, 0]], "column 1 holds 2"),
        ([[0, np.nan], [1, 0]], "missing in 1 of 2 rows"),
        ([["a", "b"], ["b", "a"]], "0 or 1"),
    ],
)
def test_labels_are_zero_or_one(y, message):
    with pytest.raises(InputError, match=message):
        ComplexModelSearchClassifier().fit([[0.0], [1.0]], y)
