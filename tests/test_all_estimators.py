"""Every public estimator passes scikit-learn's checks and ours."""

import re

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.base import clone, is_regressor
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from manyminds.testing import all_estimators, estimator_checks, small
from manyminds.testing.cases import has_n_jobs, seeded, takes_weights
from manyminds.testing.checks.repetition import assert_jobs_do_not_matter
from manyminds.testing.outputs import outputs

# Checks are of what surrounds members. Some estimators have many, which take long to
# fit by default; ``ClusterLocalClassifier`` is checked with the same default.
_TREES = {"estimator": DecisionTreeClassifier(max_depth=3)}
_NETS = {"max_iter": 20, "learning_rate": 1.0}
_NET = {"hidden_layer_sizes": (16, 16), "max_epochs": 40}
QUICK_MEMBERS = {
    "BorutaSelector": {"max_iter": 20},
    "ClasswiseClusterLocalClassifier": _TREES,
    "FeatureSliceLocalClassifier": _TREES,
    "HMEClassifier": _NETS,
    "HMRPEClassifier": _NETS,
    "MRPEClassifier": _NETS,
    "PartitionBlendClassifier": _TREES,
    "RandomPrototypeOracleClassifier": _TREES,
    "RandomSubsetLocalClassifier": _TREES,
    "RealMLPClassifier": _NET,
    "RealMLPRegressor": _NET,
}
# With five trees, the groups of scikit-learn's blobs were not found with one of six
# seeds (an adjusted Rand index of 0), with 20 trees it was 0.88 and more.
MEMBERS = {"UnsupervisedForest": {"n_estimators": 20}}
ESTIMATORS = [
    small(cls(**QUICK_MEMBERS.get(name, {}))).set_params(**MEMBERS.get(name, {}))
    for name, cls in all_estimators()
]

VERSION = tuple(map(int, re.findall(r"\d+", sklearn.__version__)[:3]))

# Checks of scikit-learn that ours include, with further inputs or methods. Theirs are
# left out for the estimators to which all of ours apply.
COVERED = {
    "check_classifiers_one_label": ["check_one_class"],
    "check_estimators_dtypes": ["check_number_types"],
    "check_estimators_nan_inf": ["check_infinity"],
    "check_estimators_overwrite_params": ["check_parameters_unchanged"],
    "check_estimators_pickle": ["check_pickle", "check_memory_mapped_model"],
    "check_f_contiguous_array_estimator": ["check_memory_layout"],
    "check_fit1d": ["check_number_of_dimensions"],
    "check_fit2d_1sample": ["check_one_row"],
    "check_fit_idempotent": ["check_same_seed", "check_refit"],
    "check_n_features_in_after_fitting": ["check_number_of_columns"],
    "check_readonly_memmap_input": ["check_memory_map"],
    "check_sample_weight_equivalence_on_dense_data": [
        "check_whole_weights",
        "check_zero_weights",
    ],
    "check_sample_weights_not_overwritten": ["check_inputs_unchanged"],
    "check_supervised_y_no_nan": ["check_target_with_nan"],
}

# Checks that a correct estimator fails, by class, each with the reason. Keep it short:
# a check that is listed here and passes fails the tests.
BOOTSTRAP = (
    "A weighted bootstrap is equivalent to one of repeated rows on average over seeds "
    "only, as check_whole_weights and check_zero_weights test."
)
SPLITS = "The check sets cv to a list of splits; this estimator takes an integer."
SPLIT_CHECKS = {"check_sample_weight_equivalence_on_dense_data": SPLITS}
if VERSION >= (1, 7):  # before, the check passes at a TypeError, as of wrong parameters
    SPLIT_CHECKS["check_sample_weight_equivalence_on_sparse_data"] = SPLITS
HELD_OUT = (
    "Rows are held out for pruning one by one: a row of weight two is held out as one, "
    "two equal rows are not."
)
HELD_OUT_SPARSE = {"check_sample_weight_equivalence_on_sparse_data": HELD_OUT}
ONCE = "A drawn row counts once whatever its weight, while each copy of it counts."
TWINS = (
    "Of two equal rows, one can be out of the bag while the other is in it; a row of "
    "weight two cannot."
)
ROWS = (
    "Folds of early stopping, draws of rows and least sizes of leaves count rows, not "
    "weights. Without them weights are copies: see the tests of gradient boosting."
)
BOOSTING = {
    "check_sample_weight_equivalence_on_dense_data": ROWS,
    "check_sample_weight_equivalence_on_sparse_data": ROWS,
}
SPARSE = {"check_sample_weight_equivalence_on_sparse_data": BOOTSTRAP}
FEWER_DRAWS = (
    "The forest inside draws as many rows as there are, not as their weights add up to."
)
AGREED = {
    "check_classifiers_multilabel_output_format_predict_proba": (
        "It takes scores between 0 and 1 only; those that members agree on are 0 or 1."
    )
}
FORESTS_INSIDE = {**AGREED, "check_whole_weights": FEWER_DRAWS}
SEARCH = (
    "Folds are drawn from rows, not from weights, and the size of the table determines "
    "which pipelines are evaluated."
)
FRAMES = {"check_set_output": "It returns dataframes for dataframes, with categories."}
SOLVER = "libsvm stops at a tolerance: weighted and repeated rows agree to 1e-5 only."
COLUMN = "The check passes one column of labels, and expects a vector of predictions."
SEARCHES = {
    "check_sample_weight_equivalence_on_dense_data": SEARCH,
    "check_sample_weight_equivalence_on_sparse_data": SEARCH,
}
STARTS = "Rows of the bootstrap and of EM's first states are drawn, not their weights."
DRAWN_CENTERS = {
    "check_sample_weight_equivalence_on_sparse_data": (
        "Centers and prototypes are drawn: weights are equivalent to repeated rows on "
        "average over seeds only, as check_whole_weights tests."
    )
}
UNITS = "A unit of the map may have no rows: labels are not consecutive."
DENSITY = "The density of a column that does not vary is infinite."
EXPECTED_FAILURES: dict[str, dict[str, str]] = {
    "AHERFClassifier": {"check_sample_weight_equivalence_on_dense_data": SPLITS},
    "AHERFRegressor": {"check_sample_weight_equivalence_on_dense_data": SPLITS},
    "ArithmeticFeatures": FRAMES,
    "BaggedRelevanceClassifier": AGREED,
    "BayesianNetworkClassifier": {"check_constant_column": DENSITY},
    "BinaryRelevanceClassifier": FORESTS_INSIDE,
    "BorutaSelector": {"check_whole_weights": TWINS},
    "CIWSForestClassifier": SPARSE,
    "CalibratedLabelRankingClassifier": AGREED,
    "ClassifierChain": FORESTS_INSIDE,
    "ClusterLocalClassifier": DRAWN_CENTERS,
    "ColumnCleaner": FRAMES,
    "CombinedNetworksClassifier": {
        "check_sample_weight_equivalence_on_dense_data": STARTS,
    },
    "ComplexModelSearchClassifier": {
        "check_constant_column": SEARCH,
        **SEARCHES,
    },
    "ComplexModelSearchRegressor": SEARCHES,
    "CrossedCategories": FRAMES,
    "DateEncoder": FRAMES,
    "DisjointRAkELClassifier": AGREED,
    "DynamicIntegrationClassifier": {**SPARSE, "check_whole_weights": TWINS},
    "ECOCClassifier": {"check_sample_weight_equivalence_on_dense_data": SPLITS},
    "EnsembleOfChainsClassifier": AGREED,
    "EnsembleOfPrunedSetsClassifier": AGREED,
    "EnsembleSelectionClassifier": {
        **HELD_OUT_SPARSE,
        "check_whole_weights": HELD_OUT,
    },
    "EnsembleSelectionRegressor": HELD_OUT_SPARSE,
    "FitselectClassifier": SPLIT_CHECKS,
    "ForestGainSelector": SPARSE,
    "ForestGainTestSelector": SPARSE,
    "ForestGainThresholdSelector": {**SPARSE, "check_whole_weights": ONCE},
    "GroupFeatures": FRAMES,
    "HOMERClassifier": AGREED,
    "GradientBoostingClassifier": BOOSTING,
    "GradientBoostingRegressor": BOOSTING,
    "KernelWidthSVR": {
        "check_sample_weight_equivalence_on_sparse_data": SOLVER,
        "check_whole_weights": SOLVER,
    },
    "LabelGroupClassifier": {"check_classifiers_train": COLUMN},
    "LambdaWSForestClassifier": SPARSE,
    "LocalRelevance": SPARSE,
    "PairwiseCouplingClassifier": SPLIT_CHECKS,
    "MinimalECOCClassifier": {
        "check_sample_weight_equivalence_on_dense_data": SPLITS,
    },
    "LabelPowersetClassifier": FORESTS_INSIDE,
    "LabelThresholdClassifier": AGREED,
    "MultiLabelForestClassifier": {**AGREED, **SPARSE},
    "MultiTargetForestRegressor": SPARSE,
    "PermutationImportanceSelector": SPARSE,
    "PrunedClassifier": HELD_OUT_SPARSE,
    "PrunedRegressor": HELD_OUT_SPARSE,
    "PrunedSetsClassifier": {
        **AGREED,
        "check_classifier_multioutput": (
            "The most probable set of labels need not have the most probable labels."
        ),
    },
    "RAkELClassifier": AGREED,
    "REPTreeClassifier": HELD_OUT_SPARSE,
    "REPTreeRegressor": {**HELD_OUT_SPARSE, "check_whole_weights": HELD_OUT},
    "RFLocalClassifier": SPARSE,
    "RandomForestClassifier": SPARSE,
    "RandomPrototypeOracleClassifier": DRAWN_CENTERS,
    "RandomForestRegressor": SPARSE,
    "SelfOrganizingMap": {"check_clustering": UNITS},
    "StackedRelevanceClassifier": {
        "check_sample_weight_equivalence_on_dense_data": SPLITS
    },
    "StableSelector": SPARSE,
    "TargetMeans": FRAMES,
    "TextEncoder": FRAMES,
    "TextScores": FRAMES,
    "TreeWSForestClassifier": SPARSE,
    "TwoStageWSForestClassifier": SPARSE,
}
if VERSION < (1, 7):
    TWO_CLASSES = (
        "The check joins all classes but that of the first row, which is another row "
        "once samples are shuffled."
    )
    for name in ("KernelTIPCACClassifier", "TIPCACClassifier"):
        EXPECTED_FAILURES[name] = {
            "check_sample_weight_equivalence_on_sparse_data": TWO_CLASSES
        }
if VERSION < (1, 7, 1):
    WHOLE_NUMBERS = "The check subtracts the mean from categories in place."
    for name in ("MRMRSelector", "WrapperSelector"):
        EXPECTED_FAILURES[name] = {"check_positive_only_tag_during_fit": WHOLE_NUMBERS}


# Small work is not run in parallel. This much is, by every estimator with n_jobs.
MUCH_WORK = {"n_samples": 2_000, "n_new": 50_000}
MANY_ESTIMATORS = 32
# Their support vector machines would take half a minute for so many rows.
SLOW_TO_FIT = (  # whose members always run in parallel
    "AHERFClassifier", "AHERFRegressor", "HERFClassifier", "HERFRegressor",
    "RealMLPClassifier", "RealMLPRegressor",
)  # fmt: skip
SLOW_TO_PREDICT = ("ECOCClassifier", "MinimalECOCClassifier")
SEVERAL_NETS = {**_NET, "n_estimators": 3}
PARALLEL = [
    cls(**SEVERAL_NETS if name.startswith("RealMLP") else {})
    for name, cls in all_estimators()
    if has_n_jobs(cls())
]
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


def _checks_of_scikit_learn():
    """Parametrize by their checks, without those that ours cover."""
    mark = parametrize_with_checks(
        ESTIMATORS, expected_failed_checks=_expected_failures
    )
    names, cases = mark.args
    cases = [case for case in cases if not _is_covered(*getattr(case, "values", case))]
    return pytest.mark.parametrize(names, cases, **mark.kwargs)


def _is_covered(estimator, check):
    ours = COVERED.get(getattr(check, "func", check).__name__)
    return ours is not None and set(ours) <= {
        check.__name__ for check in estimator_checks(estimator)
    }


def test_covering_checks_exist():
    ours = {check.__name__ for check in estimator_checks()}
    assert {name for names in COVERED.values() for name in names} <= ours


@_checks_of_scikit_learn()
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("name", "estimator", "check"), list(_our_checks()))
def test_our_checks(name, estimator, check):
    check(name, estimator)


@pytest.mark.parametrize("estimator", PARALLEL, ids=repr)
def test_parallel_work_does_not_change_results(estimator):
    if type(estimator).__name__ in SLOW_TO_FIT:
        assert_jobs_do_not_matter(seeded(small(estimator), 0), 200, 500)
        return
    if "n_estimators" in estimator.get_params():
        estimator = estimator.set_params(n_estimators=MANY_ESTIMATORS)
    else:
        estimator = small(estimator)
    if type(estimator).__name__ in SLOW_TO_PREDICT:
        estimator.set_params(estimator=GaussianNB())
    assert_jobs_do_not_matter(seeded(estimator, 0), **MUCH_WORK)


@pytest.mark.parametrize("estimator", BINNED, ids=lambda one: type(one).__name__)
def test_samples_of_weight_zero_do_not_change_bins(estimator, seed):
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
