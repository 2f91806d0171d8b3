"""A model that is kept predicts the same to the last bit, and nothing else is run."""

import json
import os
import zipfile

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import (
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    VotingClassifier,
)
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.gaussian_process import (
    GaussianProcessClassifier,
    GaussianProcessRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    OneHotEncoder,
    StandardScaler,
    TargetEncoder,
)
from sklearn.svm import SVC, SVR
from threadpoolctl import threadpool_limits

from manyminds.datasets import Dataset, from_frame
from manyminds.datasets.marked_numbers import NumberMark
from manyminds.datasets.model_input import as_table
from manyminds.ensemble import (
    CVCommittee,
    ExtraTreesClassifier,
    ForestOfLocalTreesClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    RotationForestClassifier,
)
from manyminds.experiments.preparation import prepared
from manyminds.feature_selection import (
    CorrelationSelector,
    MRMRSelector,
    SelectionCommittee,
    SSVSelector,
)
from manyminds.persistence.model_file import FACTS, check_model, load_model, save_model
from manyminds.search import PriorCorrectedClassifier, Problem, default_space
from manyminds.search.choice.stacked import (
    StackedClassifier,
    StackedRegressor,
    append_predictions,
)
from manyminds.search.choice.vote import VoteClassifier, VoteRegressor
from manyminds.trees import DecisionTreeClassifier
from manyminds.utils.errors import InputError


def draw_data(seed, task="classification", n_rows=60):
    """Draw a table with numbers, a category and gaps."""
    rng = np.random.default_rng(seed)
    kind = rng.permutation(np.arange(n_rows) % 3)
    hue = np.array(["red", "green", "blue"])[(kind + (rng.random(n_rows) < 0.2)) % 3]
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n_rows) + kind,
            "hue": pd.Categorical(hue, ["blue", "green", "red"]),
            "weight": rng.normal(size=n_rows),
            "age": rng.normal(size=n_rows) * kind,
        }
    )
    X.loc[[1, 5], "size"] = np.nan
    X.loc[[2, 9], "hue"] = np.nan
    y = np.array(["ape", "bee", "cat"], dtype=object)[kind]
    if task == "regression":
        y = kind + rng.normal(size=n_rows)
    return Dataset("animals", X, y, task)


def with_target_codes(estimator):
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    return make_pipeline(
        ColumnTransformer(
            [
                ("numbers", numbers, make_column_selector(dtype_include="number")),
                ("hue", TargetEncoder(), ["hue"]),
            ]
        ),
        estimator,
    )


def with_indicators(estimator):
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    encoder = OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=2)
    return make_pipeline(
        ColumnTransformer(
            [("numbers", numbers, ["size", "weight", "age"]), ("hue", encoder, ["hue"])]
        ),
        estimator,
    )


def after(selector):
    return make_pipeline(
        *[s for _, s in prepared(selector).steps], LogisticRegression()
    )


MODELS = {
    "our forest": RandomForestClassifier(5, random_state=0),
    "our forest of numbers": RandomForestRegressor(5, random_state=0),
    "our forest, raw categories": DecisionTreeClassifier(random_state=0),
    "extra trees": prepared(ExtraTreesClassifier(5, random_state=0)),
    "rotations": prepared(RotationForestClassifier(3, random_state=0)),
    "local trees": prepared(ForestOfLocalTreesClassifier(5, random_state=0)),
    "ssv": after(SSVSelector(3)),
    "mrmr": after(MRMRSelector(3)),
    "correlation": after(CorrelationSelector(3)),
    "committee of selectors": after(
        SelectionCommittee([("a", SSVSelector(3)), ("b", CorrelationSelector(3))])
    ),
    "k best": after(SelectKBest(f_classif, k=3)),
    "boosting": HistGradientBoostingClassifier(
        max_iter=3, categorical_features="from_dtype"
    ),
    "boosting of numbers": prepared(HistGradientBoostingRegressor(max_iter=3)),
    "svm": prepared(SVC(), scale=True),
    "svm of numbers": with_indicators(SVR()),
    "logistic": with_target_codes(LogisticRegression()),
    "net": with_indicators(MLPClassifier((4,), max_iter=5, random_state=0)),
    "neighbors": with_target_codes(KNeighborsClassifier(algorithm="kd_tree")),
    "neighbors of numbers": prepared(KNeighborsRegressor(algorithm="ball_tree")),
    "priors": prepared(PriorCorrectedClassifier(LogisticRegression())),
    "committee of folds": CVCommittee(prepared(LogisticRegression()), 2, voting="mean"),
    "vote": VotingClassifier(
        [("a", prepared(LogisticRegression())), ("b", DecisionTreeClassifier())],
        voting="soft",
    ),
    "vote of a search": VoteClassifier(
        [prepared(LogisticRegression()), DecisionTreeClassifier()],
        [0.25, 0.75],
        temperature=1.5,
        class_weights=np.array([1.0, 2.0, 3.0]),
    ),
    "vote of a search on numbers": VoteRegressor(
        [prepared(KNeighborsRegressor()), prepared(SVR())], [0.5, 0.5]
    ),
    "gaussian process": prepared(GaussianProcessClassifier(), scale=True),
    "gaussian process of numbers": prepared(GaussianProcessRegressor(), scale=True),
}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
def test_predictions_are_the_same_to_the_last_bit(name, tmp_path, seed):
    estimator = clone(MODELS[name])
    task = "classification" if is_classifier(estimator) else "regression"
    data, new = draw_data(seed, task), draw_data(seed + 1, task).X
    estimator.fit(data.X, data.y)
    save_model(tmp_path / "model.skops", estimator, data)
    found = load_model(tmp_path).predict_table(new)
    assert found.columns[0] == "prediction" and len(found) == len(new)
    assert found["prediction"].tolist() == estimator.predict(new).tolist()
    if hasattr(estimator, "predict_proba"):
        told = [f"probability {one}" for one in ("ape", "bee", "cat")]
        assert list(found)[1:] == told
        expected = estimator.predict_proba(new)
        assert (
            found[told].to_numpy().tobytes() == np.ascontiguousarray(expected).tobytes()
        )
    else:
        assert found.shape[1] == 1


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_stacked_models_share_their_inputs_after_loading(task, tmp_path, seed):
    is_class = task == "classification"
    forest = RandomForestClassifier if is_class else RandomForestRegressor
    kind = StackedClassifier if is_class else StackedRegressor
    vote = VoteClassifier if is_class else VoteRegressor
    data, new = draw_data(seed, task), draw_data(seed + 1, task).X
    first = [forest(3, random_state=k).fit(data.X, data.y) for k in range(2)]
    made = [
        one.predict_proba(data.X) if is_class else one.predict(data.X) for one in first
    ]
    above = forest(3).fit(append_predictions(data.X, made), data.y)
    members = [kind.of_fitted(first, above, data.y), first[0]]
    model = vote.of_fitted(members, data.y, [0.75, 0.25])
    save_model(tmp_path / "model.skops", model, data)
    found = load_model(tmp_path)
    made = found.predict_table(new)["prediction"].tolist()
    assert made == model.predict(new).tolist()
    stacked, alone = found.estimator.estimators_
    assert stacked.inputs_[0] is alone  # it predicts once for both


@pytest.fixture
def kept(tmp_path, seed):
    """Return a folder with a model, and what it was made of."""
    data = draw_data(seed)
    tree = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    about = {"metric": "accuracy", "score": np.float64(0.5), "when": [1, 2]}
    save_model(tmp_path / "model.skops", tree, data, about=about, target="kind")
    return tmp_path, data, tree


# ------------------------------------------------------------------ what is kept


def test_what_is_known_is_kept(kept):
    folder, _, _ = kept
    model = load_model(folder / "model.skops")
    assert [column.name for column in model.columns] == ["size", "hue", "weight", "age"]
    assert model.columns[1].levels == ("blue", "green", "red")
    assert model.columns[0].is_numeric and not model.columns[1].is_numeric
    assert model.about == {"metric": "accuracy", "score": 0.5, "when": [1, 2]}
    assert (model.target, model.task) == ("kind", "classification")
    assert model.classes == ("ape", "bee", "cat")
    assert model.versions["sklearn"] and model.date.startswith("20")
    with zipfile.ZipFile(folder / "model.skops") as archive:
        assert FACTS in archive.namelist()
        assert not any("pickle" in name for name in archive.namelist())


def test_whole_numbers_stay_classes(tmp_path, seed):
    data = draw_data(seed)
    y = np.unique(data.y, return_inverse=True)[1] + 1
    data = Dataset("coded", data.X, y, "classification")
    tree = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    save_model(tmp_path / "model.skops", tree, data)
    model = load_model(tmp_path)
    assert model.classes == (1, 2, 3)
    found = model.predict_table(data.X)
    assert found["prediction"].dtype.kind == "i"
    assert list(found)[1:] == ["probability 1", "probability 2", "probability 3"]


def test_several_labels(tmp_path, seed):
    data = draw_data(seed)
    labels = pd.DataFrame({c: (data.y == c).astype(int) for c in ("ape", "bee")})
    data = Dataset("labels", data.X, labels, "multilabel")
    model = prepared(KNeighborsClassifier()).fit(data.X, labels)
    save_model(tmp_path / "model.skops", model, data)
    found = load_model(tmp_path).predict_table(data.X)
    assert list(found) == [
        "prediction ape",
        "prediction bee",
        "probability ape",
        "probability bee",
    ]
    assert found.iloc[:, :2].to_numpy().tolist() == model.predict(data.X).tolist()
    proba = model.predict_proba(data.X)[1][:, 1]
    assert found["probability bee"].tolist() == proba.tolist()


def test_sparse_tables(tmp_path, seed):
    rng = np.random.default_rng(seed)
    X = csr_array(rng.normal(size=(30, 4)) * (rng.random((30, 4)) < 0.5))
    data = Dataset("thin", X, np.arange(30) % 2, "classification")
    model = LogisticRegression().fit(X, data.y)
    save_model(tmp_path / "model.skops", model, data)
    loaded = load_model(tmp_path)
    assert loaded.columns is None
    found = loaded.predict_table(X)["prediction"]
    assert found.tolist() == model.predict(X).tolist()
    with pytest.raises(ValueError, match=r"of 4 columns; got one of shape \(30, 3\)"):
        loaded.predict_table(X[:, :3])


def test_a_file_is_written_whole_or_not_at_all(kept, monkeypatch):
    folder, data, tree = kept
    before = (folder / "model.skops").read_bytes()

    def fail(*_):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="full"):
        save_model(folder / "model.skops", tree, data)
    assert os.listdir(folder) == ["model.skops"]
    assert (folder / "model.skops").read_bytes() == before


# ------------------------------------------------------------------ chains


QUICK = {  # of values that make a learner slow
    "gb.max_iter": 30,
    "real_mlp.width": 32,
    "real_mlp.epochs": 16,
    "flt.n_estimators": 10,
    "elm.n_hidden": 10,
}


def list_chains(space, problem):
    """List a chain for each learner, and of classes for each other option."""
    wishes = [{"learner": one.name} for one in space.learner]
    for stage in ("encode", "scale", "reduce", "select") if problem.n_classes else ():
        options = getattr(space, stage)
        wishes += [{"learner": "logistic", stage: one.name} for one in options]
    return [space.complete(QUICK | wish, problem) for wish in wishes]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("task", ["classification", "regression"])
@pytest.mark.parametrize("kind", ["frame", "sparse"])
def test_every_chain_is_written_loaded_and_asked(
    task, kind, tmp_path, seed, monkeypatch
):
    monkeypatch.setattr("manyminds.search.space.tree_learners.N_TREES", 4)
    data = draw_data(seed, task, n_rows=102)
    if kind == "sparse":
        rng = np.random.default_rng(seed)
        X = csr_array(np.abs(rng.normal(size=(102, 6))) * (rng.random((102, 6)) < 0.6))
        X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
        data = Dataset("thin", X, data.y, task)
    y = np.unique(data.y, return_inverse=True)[1] if task == "classification" else None
    problem = Problem.of(data.X, data.y if y is None else y, task, "accuracy")
    space = default_space(task).suiting(problem)
    fitted_on = as_table(data.X)
    chains = list_chains(space, problem)
    assert len(chains) >= (5 if kind == "sparse" else 15)
    with threadpool_limits(1):
        for chain in chains:
            model = space.build(chain, problem).fit(fitted_on, data.y)
            save_model(tmp_path / "model.skops", model, data)
            check_model(tmp_path, model, data)


def test_a_file_that_predicts_something_else_is_told(kept):
    folder, data, tree = kept
    other = clone(tree).fit(data.X, np.roll(data.y, 1))
    with pytest.raises(ValueError, match=r"cannot be used: its predictions differ"):
        check_model(folder, other, data)


# ------------------------------------------------------------------ new tables


def test_order_of_columns_and_dtypes_do_not_matter(kept):
    folder, data, tree = kept
    expected = tree.predict(data.X).tolist()
    model = load_model(folder)
    turned = data.X[["age", "hue", "weight", "size"]]
    assert model.predict_table(turned)["prediction"].tolist() == expected
    texts = data.X.astype(object).where(data.X.notna(), "?").map(str)
    assert model.predict_table(texts)["prediction"].tolist() == expected
    columns = {c: data.X[c].astype(object).tolist() for c in data.X}
    columns = {
        c: [None if v != v else v for v in values] for c, values in columns.items()
    }
    frame = pl.DataFrame(columns)
    assert model.predict_table(frame)["prediction"].tolist() == expected
    shuffled = data.X.sample(frac=1, random_state=0)
    assert model.predict_table(shuffled).index.tolist() == shuffled.index.tolist()


def test_a_lacking_column_is_named_with_what_is_near(kept):
    folder, data, _ = kept
    model = load_model(folder)
    wrong = data.X.rename(columns={"weight": "Wieght"})
    with pytest.raises(ValueError, match=r"needs the column 'weight'.*'Wieght'"):
        model.predict_table(wrong)
    with pytest.raises(ValueError, match="needs the columns 'size', 'age', which are"):
        model.predict_table(data.X[["hue", "weight"]])


def test_other_columns_are_left_out_with_a_word(kept):
    folder, data, tree = kept
    model = load_model(folder)
    with pytest.warns(UserWarning, match="1 columns .* left out: 'shoe'"):
        found = model.predict_table(data.X.assign(shoe=1.0, kind="ape"))
    assert found["prediction"].tolist() == tree.predict(data.X).tolist()


def test_unseen_categories_count_as_missing(kept):
    folder, data, tree = kept
    model = load_model(folder)
    strange = data.X.assign(hue=["pink", "teal"] * 30)
    with pytest.warns(UserWarning, match="'hue' holds 2 categories .*'pink', 'teal'"):
        found = model.predict_table(strange)
    none = data.X.assign(hue=pd.Categorical([None] * 60, data.X["hue"].cat.categories))
    assert found["prediction"].tolist() == tree.predict(none).tolist()


def test_text_among_numbers_is_an_error(kept):
    folder, data, _ = kept
    wrong = data.X.astype({"size": object})
    wrong.loc[3, "size"] = "big"
    with pytest.raises(ValueError, match=r"'size' holds numbers .* text .*'big'"):
        load_model(folder).predict_table(wrong)


def test_booleans_of_any_spelling_are_known(tmp_path, seed):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(40) % 2 == 0)
    frame = pd.DataFrame({"flag": truth, "x": rng.normal(size=40), "class": truth})
    data = from_frame(frame)
    tree = DecisionTreeClassifier(random_state=0).fit(data.X, data.y)
    save_model(tmp_path / "model.skops", tree, data)
    new = pd.DataFrame({"flag": ["TRUE", "false", "True"], "x": 0.0})
    found = load_model(tmp_path).predict_table(new)
    assert found["prediction"].tolist() == ["True", "False", "True"]


# ------------------------------------------------------------------ trust and versions


class Stranger(ClassifierMixin, BaseEstimator):
    """An estimator of nobody that we know."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[:1], len(X))


def test_other_types_must_be_trusted_by_name(tmp_path, seed, monkeypatch):
    import sys

    data = draw_data(seed)
    # Tests are imported by path; a type must be found by the name of its module.
    monkeypatch.setitem(sys.modules, Stranger.__module__, sys.modules[__name__])
    save_model(tmp_path / "model.skops", Stranger().fit(data.X, data.y), data)
    name = f"{Stranger.__module__}.Stranger"
    with pytest.raises(ValueError, match=r"not trusted: .*Stranger.*trusted=\["):
        load_model(tmp_path)
    model = load_model(tmp_path, trusted=[name])
    assert set(model.predict_table(data.X)["prediction"]) == {"ape"}


def test_functions_are_not_trusted_wherever_they_come_from(tmp_path, seed):
    from sklearn.datasets import load_files

    data = draw_data(seed)
    step = FunctionTransformer(load_files)
    model = make_pipeline(step, DecisionTreeClassifier())
    save_model(tmp_path / "model.skops", model, data)
    with pytest.raises(ValueError, match="load_files"):
        load_model(tmp_path)


def rewrite(path, **changes):
    """Write the facts of a model file anew."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[FACTS] = json.dumps(json.loads(parts[FACTS]) | changes).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def test_other_versions_are_told(kept):
    folder, _, _ = kept
    rewrite(folder / "model.skops", versions={"manyminds": "0.0.1", "sklearn": "1.2"})
    with pytest.warns(UserWarning, match=r"manyminds 0\.0\.1 .* scikit-learn 1\.2"):
        load_model(folder)
    rewrite(folder / "model.skops", format=99)
    with pytest.raises(ValueError, match="newer manyminds"):
        load_model(folder)


def test_what_is_no_model_is_told(kept, tmp_path):
    folder, _, _ = kept
    with pytest.raises(FileNotFoundError, match=r"a folder with a model\.skops"):
        load_model(tmp_path / "nowhere")
    (tmp_path / "text.skops").write_text("no model")
    with pytest.raises(ValueError, match="no model file of manyminds"):
        load_model(tmp_path / "text.skops")
    content = (folder / "model.skops").read_bytes()
    (tmp_path / "half.skops").write_bytes(content[: len(content) // 2])
    with pytest.raises(ValueError, match="or it is damaged"):
        load_model(tmp_path / "half.skops")


def test_units_are_kept_and_older_files_have_none(tmp_path):
    weights = [f"{40 + k},5 kg" for k in range(20)]
    frame = pd.DataFrame({"weight": weights, "id": range(20), "y": [0, 1] * 10})
    with pytest.warns(UserWarning, match="without their unit kg"):
        data = from_frame(frame, "y", drop=["id"])
    tree = DecisionTreeClassifier().fit(data.X, data.y)
    path = save_model(tmp_path / "model.skops", tree, data)
    [column] = load_model(path).columns
    assert column.mark == NumberMark("kg", ",")
    new = frame.head(2)
    assert load_model(path).read_rows(new)["weight"].tolist() == [40.5, 41.5]

    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    facts = json.loads(parts[FACTS])
    del facts["left_out"], facts["columns"][0]["mark"]
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in (parts | {FACTS: json.dumps(facts)}).items():
            archive.writestr(name, content)
    older = load_model(path)
    assert older.left_out == () and older.columns[0].mark is None
    with pytest.raises(InputError, match="numbers in the model, but text"):
        older.read_rows(new[["weight"]])
