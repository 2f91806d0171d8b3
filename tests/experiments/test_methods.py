"""Methods are found by name, ours first, and nothing of a text is executed."""

import pytest
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.ensemble import VotingRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.neural_network import MLPClassifier
from sklearn.tree import DecisionTreeRegressor as TheirTree

from manyminds.ensemble import (
    BaggingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.experiments.methods import make_method, parse_methods
from manyminds.trees import DecisionTreeClassifier, DecisionTreeRegressor

CLASSES, NUMBERS = "classification", "regression"


# ------------------------------------------------------------------ what names mean


@pytest.mark.parametrize(
    "text, task, kind, parameters",
    [
        ("rf", CLASSES, RandomForestClassifier, {}),
        ("rf", NUMBERS, RandomForestRegressor, {}),
        ("rf()", CLASSES, RandomForestClassifier, {}),
        (" rf ( n_estimators = 50 ) ", CLASSES, RandomForestClassifier, {}),
        ("rf", "multilabel", RandomForestClassifier, {}),
        ("RandomForest", NUMBERS, RandomForestRegressor, {}),
        ("RandomForestClassifier(max_depth=3)", CLASSES, RandomForestClassifier, {}),
        ("manyminds.rf", CLASSES, RandomForestClassifier, {}),
        ("sklearn.rf", CLASSES, TheirForest, {}),
        ("sklearn.RandomForest", CLASSES, TheirForest, {}),
        ("sklearn.RandomForestClassifier", CLASSES, TheirForest, {}),
        ("knn(n_neighbors=1)", CLASSES, KNeighborsClassifier, {"n_neighbors": 1}),
        ("knn", NUMBERS, KNeighborsRegressor, {}),
        ("mlp(alpha=-1.5e-3)", CLASSES, MLPClassifier, {"alpha": -0.0015}),
        (
            "mlp(hidden_layer_sizes=(5, 2), activation='tanh', warm_start=True)",
            CLASSES,
            MLPClassifier,
            {"hidden_layer_sizes": (5, 2), "activation": "tanh", "warm_start": True},
        ),
        (
            "rf(class_weight={'a': 1, 'b': -2}, max_depth=None)",
            CLASSES,
            RandomForestClassifier,
            {"class_weight": {"a": 1, "b": -2}, "max_depth": None},
        ),
    ],
)
def test_a_text_means_an_estimator(text, task, kind, parameters):
    method = make_method(text, task)
    assert method.name == text.strip()
    assert type(method.estimator) is kind
    assert parameters.items() <= method.estimator.get_params().items()


def test_ridge_is_what_the_task_asks_for():
    # Without a suffix, Ridge is a class of its own; for classes it has a sibling.
    assert type(make_method("Ridge", CLASSES).estimator).__name__ == "RidgeClassifier"
    assert type(make_method("Ridge", NUMBERS).estimator).__name__ == "Ridge"


def test_methods_stand_inside_methods():
    bagging = make_method("bagging(estimator=tree(max_depth=3))", CLASSES).estimator
    assert type(bagging) is BaggingClassifier
    assert type(bagging.estimator) is DecisionTreeClassifier
    assert bagging.estimator.max_depth == 3
    text = "voting(estimators=[('ours', tree), ('theirs', sklearn.tree())])"
    voting = make_method(text, NUMBERS).estimator
    assert type(voting) is VotingRegressor
    assert [name for name, _ in voting.estimators] == ["ours", "theirs"]
    assert [type(one) for _, one in voting.estimators] == [
        DecisionTreeRegressor,
        TheirTree,
    ]


# ------------------------------------------------------------------ lists and names


def test_a_list_is_split_at_its_own_commas_only():
    text = (
        "rf, mlp(hidden_layer_sizes=(5, 2)), a name=svm(kernel='rbf'),"
        "rf(class_weight={'x,y)': 1, \"(\": 2}), knn"
    )
    assert [method.name for method in parse_methods(text, CLASSES)] == [
        "rf",
        "mlp(hidden_layer_sizes=(5, 2))",
        "a name",
        "rf(class_weight={'x,y)': 1, \"(\": 2})",
        "knn",
    ]


@pytest.mark.parametrize(
    "text, said",
    [
        ("rf, rf", "methods has 'rf' more than once"),
        ("a=rf, a=knn", "methods has 'a' more than once"),
        ("rf, RandomForest", "'rf' and 'RandomForest', which are the same method"),
        ("rf, rf(n_jobs=2)", "the same method"),
        ("", "methods is empty"),
        (" , ", "methods is empty"),
    ],
)
def test_no_method_comes_twice(text, said):
    with pytest.raises(ValueError, match="methods") as error:
        parse_methods(text, CLASSES)
    assert said in str(error.value)


def test_a_method_twice_with_different_parameters_is_fine():
    names = [m.name for m in parse_methods("a=rf, b=rf(max_depth=2)", CLASSES)]
    assert names == ["a", "b"]


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    "text, task, said",
    [
        ("rff", CLASSES, "'rff', which is no known method. Close: rf"),
        ("RandomForrest", CLASSES, "Close: RandomForest"),
        ("qqqq", CLASSES, "Short names are ada, adaboost_mh, aode"),
        ("LinearRegression", CLASSES, "is a regressor; the target has classes"),
        ("linear", CLASSES, "linear is a regressor; the target has classes"),
        ("sklearn.logistic", NUMBERS, "is a classifier; the target has numbers"),
        ("RandomForestClassifier", NUMBERS, "is a classifier; the target has numbers"),
        ("manyminds.svm", CLASSES, "manyminds has no 'svm'; leave out the prefix"),
        ("torch.rf", CLASSES, "before the dot stands sklearn or manyminds"),
        ("rf(n_trees=3)", CLASSES, "'rf' has no parameter 'n_trees'; it takes boots"),
        ("bagging(estimator=rf(x=1))", CLASSES, "'rf' has no parameter 'x'"),
        ("voting", CLASSES, "'voting' needs the parameter estimators"),
        ("rf(max_depth=os)", CLASSES, "'os', which is no known method"),
        ("PCA", CLASSES, "'PCA', which is no known method"),
    ],
)
def test_errors_say_what_would_be_right(text, task, said):
    with pytest.raises(ValueError, match="methods") as error:
        make_method(text, task)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "rf(",
        "rf(n_estimators=50",
        "rf)",
        "rf rf",
        "rf(3)",
        "rf(**{})",
        "rf(*[1])",
        "rf(n_estimators=1+1)",
        "rf(n_estimators=[i for i in (1, 2)])",
        "rf(max_depth=f'{1}')",
        "rf(max_depth=b'1')",
        "rf(max_depth=1j)",
        "rf(max_depth=...)",
        "rf(class_weight={**{}})",
        "rf()()",
        "lambda: 1",
        "5",
        "'rf'",
        "[rf]",
        "rf == rf",
        "=rf",
        "a=",
        "a=b=rf",
        "rf\x00",
        "(" * 500,
        "rf(max_depth=" + "-" * 500 + "1)",
    ],
)
def test_what_is_no_method_cannot_be_read(text):
    with pytest.raises(ValueError, match="which cannot be read; a method is a name"):
        make_method(text, CLASSES)


def test_nothing_is_executed(tmp_path):
    file = tmp_path / "made"
    for text in (
        f"open({str(file)!r}, 'w')",
        f"rf(max_depth=open({str(file)!r}, 'w'))",
        f"__import__('os').mkdir({str(file)!r})",
        f"rf(max_depth=__import__('os').mkdir(path={str(file)!r}))",
    ):
        with pytest.raises(ValueError, match="methods"):
            make_method(text, CLASSES)
    assert not file.exists()


def test_unknown_tasks_are_refused():
    with pytest.raises(ValueError, match="task must be one of classification"):
        make_method("rf", "clustering")
