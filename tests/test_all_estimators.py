"""Every public estimator, found by itself, passes scikit-learn's checks and ours."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone, is_regressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from manyminds.testing import all_estimators, estimator_checks, small
from manyminds.testing.cases import has_n_jobs, seeded, takes_weights
from manyminds.testing.checks.repetition import assert_jobs_do_not_matter
from manyminds.testing.outputs import outputs

ESTIMATORS = [small(cls()) for _, cls in all_estimators()]

# Checks that a right estimator fails, by class, each with the reason. Keep it short:
# a check that is listed here and passes fails the tests.
BOOTSTRAP = (
    "A weighted bootstrap equals one of repeated rows on average over seeds, not draw "
    "by draw; check_whole_weights and check_zero_weights of ours test just that."
)
SPLITS = "It sets cv to a list of splits, and this estimator takes a number of folds."
HELD_OUT = (
    "Which rows are held out for pruning is drawn row by row: a row of weight two is "
    "held out as one, two rows are not."
)
ONCE = "A drawn row counts once however heavy it is, while copies of it count each."
TWINS = (
    "Of a row that is there twice, one can be out of the bag while its twin is in it; "
    "a row of weight two cannot."
)
DENSE = {"check_sample_weight_equivalence_on_dense_data": BOOTSTRAP}
BOTH = {**DENSE, "check_sample_weight_equivalence_on_sparse_data": BOOTSTRAP}
SEARCH = (
    "Folds are drawn of rows, not of their weights, and the size of the table tells "
    "which chains are tried."
)
FRAMES = {"check_set_output": "It gives frames for frames, so that categories stay."}
SOLVER = "libsvm stops at a tolerance: weighted and repeated rows agree to 1e-5 only."
SEARCHES = {
    "check_constant_column": SEARCH,
    "check_sample_weight_equivalence_on_dense_data": SEARCH,
    "check_sample_weight_equivalence_on_sparse_data": SEARCH,
}
EXPECTED_FAILURES: dict[str, dict[str, str]] = {
    "AHERFClassifier": {"check_sample_weight_equivalence_on_dense_data": SPLITS},
    "AHERFRegressor": {"check_sample_weight_equivalence_on_dense_data": SPLITS},
    "AdaBoostR2Regressor": DENSE,
    "BaggingClassifier": DENSE,
    "BaggingRegressor": DENSE,
    "BoostByMajorityClassifier": DENSE,
    "BorutaSelector": {**DENSE, "check_whole_weights": TWINS},
    "CIWSForestClassifier": BOTH,
    "ColumnCleaner": FRAMES,
    "ComplexModelSearchClassifier": SEARCHES,
    "ComplexModelSearchRegressor": SEARCHES,
    "DateEncoder": FRAMES,
    "DivBoostClassifier": DENSE,
    "DynamicIntegrationClassifier": {**BOTH, "check_whole_weights": TWINS},
    "ForestGainSelector": BOTH,
    "HERFClassifier": DENSE,
    "HERFRegressor": DENSE,
    "IteratedBaggingRegressor": DENSE,
    "LambdaWSForestClassifier": BOTH,
    "LocalRelevance": BOTH,
    "PermutationImportanceSelector": BOTH,
    "PermutationTestSelector": DENSE,
    "REPTreeClassifier": {
        "check_sample_weight_equivalence_on_dense_data": HELD_OUT,
        "check_sample_weight_equivalence_on_sparse_data": HELD_OUT,
    },
    "REPTreeRegressor": {
        "check_sample_weight_equivalence_on_dense_data": HELD_OUT,
        "check_sample_weight_equivalence_on_sparse_data": HELD_OUT,
        "check_whole_weights": HELD_OUT,
    },
    "RandomOracleClassifier": DENSE,
    "RandomOracleRegressor": DENSE,
    "RandomRotationClassifier": DENSE,
    "ResampledAdaBoostClassifier": DENSE,
    "RotationForestClassifier": DENSE,
    "RotationForestRegressor": DENSE,
    "ForestGainTestSelector": BOTH,
    "RFLocalClassifier": BOTH,
    "ForestGainThresholdSelector": {**BOTH, "check_whole_weights": ONCE},
    "RandomForestClassifier": BOTH,
    "RandomForestRegressor": BOTH,
    "KernelWidthSVR": {
        "check_sample_weight_equivalence_on_dense_data": SOLVER,
        "check_sample_weight_equivalence_on_sparse_data": SOLVER,
        "check_whole_weights": SOLVER,
    },
    "StableSelector": BOTH,
    "TreeWSForestClassifier": BOTH,
    "TwoStageWSForestClassifier": BOTH,
}


# Small jobs are not shared out. So much work is, by every estimator with n_jobs.
MUCH_WORK = {"n_samples": 2_000, "n_new": 50_000}
MANY_ESTIMATORS = 32
PARALLEL = [cls() for _, cls in all_estimators() if has_n_jobs(cls())]
BINNED = [
    seeded(estimator, 0).set_params(max_bins=16)
    for estimator in ESTIMATORS
    if takes_weights(estimator) and "max_bins" in estimator.get_params()
]


def _expected_failures(estimator):
    return EXPECTED_FAILURES.get(type(estimator).__name__, {})


def _our_checks():
    for estimator in ESTIMATORS:
        name, failures = type(estimator).__name__, _expected_failures(estimator)
        for check in estimator_checks(estimator):
            reason = failures.get(check.__name__)
            marks = [pytest.mark.xfail(reason=reason)] if reason else []
            label = f"{name}-{check.__name__}"
            yield pytest.param(name, estimator, check, id=label, marks=marks)


def test_estimators_are_found():
    found = {name for name, _ in all_estimators()}
    expected = {
        "DecisionTreeClassifier",
        "ExtraTreesRegressor",
        "RandomForestClassifier",
    }
    assert expected <= found


def test_expected_failures_name_estimators_that_exist():
    assert set(EXPECTED_FAILURES) <= {name for name, _ in all_estimators()}


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=_expected_failures)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("name", "estimator", "check"), list(_our_checks()))
def test_our_checks(name, estimator, check):
    check(name, estimator)


@pytest.mark.parametrize("estimator", PARALLEL, ids=repr)
def test_much_work_is_shared_out_without_a_trace(estimator):
    if "n_estimators" in estimator.get_params():
        estimator = estimator.set_params(n_estimators=MANY_ESTIMATORS)
    else:
        estimator = small(estimator)
    assert_jobs_do_not_matter(seeded(estimator, 0), **MUCH_WORK)


@pytest.mark.parametrize("estimator", BINNED, ids=lambda one: type(one).__name__)
def test_rows_of_weight_zero_shape_no_bins(estimator, seed):
    # Exactly, draws included, and with more distinct values than bins.
    rng = np.random.default_rng(seed)
    X, X_new = rng.normal(size=(90, 4)), rng.normal(size=(60, 4))
    weight = np.where(np.arange(90) % 3 == 0, 0.0, rng.uniform(0.5, 2.0, size=90))
    kept = weight > 0.0
    y = X[:, 0] + X[:, 1] if is_regressor(estimator) else (X[:, 0] > 0.0).astype(int)
    X[~kept] = 9.0 * X[~kept] + 1.0
    weighted = clone(estimator).fit(X, y, sample_weight=weight)
    without = clone(estimator).fit(X[kept], y[kept], sample_weight=weight[kept])
    expected = outputs(without, X_new)
    for name, answer in outputs(weighted, X_new).items():
        assert_array_equal(answer, expected[name], err_msg=name)
