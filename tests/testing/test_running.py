"""Good estimators pass, ours and scikit-learn's, and failures are listed."""

import pytest
from sklearn.cluster import KMeans
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.multioutput import MultiOutputRegressor
from sklearn.naive_bayes import ComplementNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from manyminds.testing import check_estimator, estimator_checks, failed_checks
from manyminds.testing.plain import PlainClassifier, PlainRegressor

# scikit-learn's own docstrings follow other rules: deprecated parameters keep their
# old default, and examples are printed with fewer digits.
OTHER_RULES = {"check_documented_defaults", "check_example"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(),
        DecisionTreeRegressor(),
        KNeighborsClassifier(),
        LogisticRegression(),
        # For sparse input Ridge turns to a solver that stops at the tolerance.
        Ridge(tol=1e-12),
        StandardScaler(),
    ],
    ids=repr,
)
def test_good_estimators_of_scikit_learn_pass(estimator):
    check_estimator(estimator, skip=OTHER_RULES)


@pytest.mark.slow
@pytest.mark.parametrize(
    "estimator",
    [
        KMeans(n_clusters=2),
        ComplementNB(),
        SelectKBest(k=2),
        SimpleImputer(),
        FunctionTransformer(),
        MultiOutputRegressor(Ridge()),
        KernelRidge(kernel="precomputed"),
    ],
    ids=repr,
)
def test_checks_find_data_for_estimators_of_many_kinds(estimator):
    # Whether these pass is their own affair; that most checks do shows that the
    # data suits them.
    n_checks = len(list(estimator_checks(estimator)))
    assert len(failed_checks(estimator)) <= n_checks // 5


def test_checks_have_names_and_say_what_they_demand():
    names = [check.__name__ for check in estimator_checks()]
    assert len(names) == len(set(names))
    assert all(name.startswith("check_") for name in names)
    assert all(check.__doc__ for check in estimator_checks())


def test_checks_are_chosen_for_the_estimator():
    for_ridge = {check.__name__ for check in estimator_checks(Ridge())}
    assert "check_target_length" in for_ridge
    assert not {"check_n_jobs", "check_label_types", "check_set_output"} & for_ridge


class Breaks(PlainRegressor):
    def predict(self, X):
        return super().predict(X)[:-1]


def test_all_failures_are_listed_at_once():
    with pytest.raises(AssertionError) as caught:
        check_estimator(Breaks())
    lines = str(caught.value).splitlines()
    assert any(line.startswith("check_one_row: Breaks: ") for line in lines)
    assert any(line.startswith("check_constant_column: ") for line in lines)


def test_skipped_checks_do_not_count():
    check_estimator(Breaks(), skip=set(failed_checks(Breaks())))


def test_an_unknown_name_cannot_be_skipped():
    with pytest.raises(ValueError, match="check_typo"):
        check_estimator(PlainRegressor(), skip=["check_typo"])


def test_an_estimator_is_left_as_it_was():
    estimator = PlainClassifier(n_estimators=50)
    check_estimator(estimator)
    assert vars(estimator) == vars(PlainClassifier(n_estimators=50))
