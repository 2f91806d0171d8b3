"""The catalog lists what can be named, ours first, and finds the classes of names."""

import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.ensemble import RandomForestClassifier as TheirForest
from sklearn.preprocessing import StandardScaler

from manyminds.ensemble import RandomForestClassifier, RandomForestRegressor
from manyminds.experiments.catalog import (
    ALIASES,
    find_class,
    list_methods,
    list_parameters,
    needs_scaling,
)
from manyminds.experiments.methods import make_method
from manyminds.learners import KernelWidthSVC, KNeighborsClassifierCV
from manyminds.utils.errors import InputError

CLASSES, NUMBERS = "classification", "regression"


def test_every_alias_means_what_its_table_says():
    for task, column in ((CLASSES, 0), (NUMBERS, 1)):
        for alias, names in ALIASES.items():
            if names[column] is not None and alias not in ("voting", "stacking"):
                estimator = make_method(alias, task).estimator
                assert type(estimator).__name__ == names[column]
                assert is_classifier(estimator) == (task == CLASSES)
                assert is_regressor(estimator) == (task == NUMBERS)


# Some that scikit-learn lists it has also deprecated.
@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("task", [CLASSES, NUMBERS])
def test_all_that_is_listed_can_be_made(task):
    for method in list_methods(task):
        if not method.needs:
            for name in (method.name, *method.aliases):
                made = make_method(name, task).estimator
                ours = type(made).__module__.startswith("manyminds.")
                assert ours == (method.library == "manyminds")
                assert needs_scaling(type(made)()) == method.scaled


def test_ours_come_first_and_theirs_have_a_prefix_where_both_are():
    listed = [method.name for method in list_methods(CLASSES)]
    ours = listed.index("RandomForestClassifier")
    assert ours < listed.index("sklearn.RandomForestClassifier")
    assert ours < listed.index("SVC")
    assert len(set(listed)) == len(listed)


def test_units_matter_to_distances_penalties_and_gradients():
    for alias in ("knn", "svm", "logistic", "ridge", "mlp", "sgd", "gp"):
        assert needs_scaling(make_method(alias, CLASSES).estimator), alias
    for alias in ("rf", "et", "tree", "gb", "ada", "nb", "lda", "qda", "dummy"):
        assert not needs_scaling(make_method(alias, CLASSES).estimator), alias
    inside = make_method("voting(estimators=[('a', rf), ('b', knn)])", CLASSES)
    assert needs_scaling(inside.estimator)
    assert not needs_scaling(StandardScaler())
    assert needs_scaling(KernelWidthSVC()) and needs_scaling(KNeighborsClassifierCV())


@pytest.mark.parametrize(
    ("name", "task", "kind"),
    [
        ("rf", CLASSES, RandomForestClassifier),
        ("rf", NUMBERS, RandomForestRegressor),
        ("RandomForest", "multilabel", RandomForestClassifier),
        ("sklearn.RandomForestClassifier", CLASSES, TheirForest),
    ],
)
def test_a_name_is_a_class_of_the_task(name, task, kind):
    assert find_class(name, task) is kind


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("linear", "linear is a regressor; the target has classes"),
        ("torch.rf", "before the dot stands sklearn or manyminds"),
        ("manyminds.svm", "manyminds has no 'svm'; leave out the prefix"),
        ("rff", "'rff', which is no known method. Close: rf"),
    ],
)
def test_errors_name_the_parameter_and_what_is_meant(name, message):
    with pytest.raises(InputError, match=r"^methods") as caught:
        find_class(name, CLASSES)
    assert message in str(caught.value)


def test_parameters_without_a_default_are_needed():
    needs = {method.name: method.needs for method in list_methods(CLASSES)}
    assert needs["VotingClassifier"] == ("estimators",)
    assert needs["RandomForestClassifier"] == ()
    assert "n_estimators" in list_parameters(RandomForestClassifier)
