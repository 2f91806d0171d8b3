"""Estimators answer any table with finite numbers, or with an error that explains."""

import gc
import os
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter

import numpy as np
import psutil
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

from manyminds.preprocessing import LocalBinaryPatterns
from manyminds.testing import all_estimators, small
from manyminds.testing.cases import case_for, seeded, takes_tables
from manyminds.testing.outputs import assert_same, outputs

LONG = "MANYMINDS_FUZZ_N" in os.environ
QUICK = ("ExtraTreesClassifier", "GradientBoostingRegressor", "MRMRSelector")
SLOW_SEARCHES = ("ComplexModelSearchClassifier", "ComplexModelSearchRegressor")
CLASSES = {
    name: cls
    for name, cls in all_estimators()
    if (LONG or name in QUICK) and name not in SLOW_SEARCHES and takes_tables(cls())
}
# Messages of NumPy and Python about arrays that the user has never seen.
INTERNAL = (
    "zero-size array", "empty sequence", "broadcast", "reshape array", "out of bounds",
    "not aligned", "unpack", "subscriptable", "NoneType", "math domain", "arange",
    "did not converge", "Singular matrix", "not positive definite", "a must be",
    "probabilities contain", "probabilities do not", "concatenate", "stack",
)  # fmt: skip
DTYPES = (
    np.float64, np.float64, np.float32, np.float16, np.int64, np.int8, np.uint8, bool,
    object,
)  # fmt: skip
N_ROWS = (0, 1, 2, 3, 5, 12, 30)
N_COLUMNS = (1, 2, 4)


def draw_numbers(rng, shape):
    """Return numbers of one of many magnitudes, some of them equal."""
    plain = rng.normal(size=shape)
    kinds = (
        plain, plain, np.round(plain), np.full(shape, 3.0), np.zeros(shape),
        plain * 1e300, plain * 1e-300, plain * 5e-324, 1.0 + plain * 1e-15,
        2.0**53 + np.round(plain), plain * 10.0 ** rng.integers(-200, 200, shape),
        np.where(plain > 1.5, 1e308, plain),
    )  # fmt: skip
    return kinds[int(rng.integers(len(kinds)))]


def draw_layout(rng, X):
    """Return the same table in another memory order, or one that cannot be written."""
    kind = int(rng.integers(5))
    if kind == 1:
        return np.asfortranarray(X)
    if kind == 2:
        return np.repeat(X, 2, axis=0)[::2]
    if kind == 3:
        return X[::-1, ::-1]
    if kind == 4:
        X.flags.writeable = False
    return X


def draw_target(rng, estimator, n_rows):
    if not has_fit_parameter(estimator, "y"):
        return None
    several = not get_tags(estimator).target_tags.single_output
    shape = (n_rows, 3) if several else n_rows
    if is_regressor(estimator):
        return draw_numbers(rng, shape)
    if several:
        return rng.integers(0, 2, size=shape)
    n_classes = (1, 2, 3, max(1, n_rows))[int(rng.integers(4))]
    y = rng.integers(0, n_classes, size=n_rows)
    return y.astype(str) if rng.random() < 0.3 else y


def draw_weight(rng, estimator, n_rows):
    if not has_fit_parameter(estimator, "sample_weight") or rng.random() < 0.5:
        return {}
    weight = rng.uniform(size=n_rows)
    kinds = (
        np.where(weight < 0.5, 0.0, weight), np.zeros(n_rows), weight * 1e-300,
        weight * 1e300, (weight > 0.3).astype(int), np.eye(1, n_rows)[0],
    )  # fmt: skip
    return {"sample_weight": kinds[int(rng.integers(len(kinds)))]}


def draw_case(rng, estimator):
    n_rows = N_ROWS[int(rng.integers(len(N_ROWS)))]
    X = draw_numbers(rng, (n_rows, N_COLUMNS[int(rng.integers(len(N_COLUMNS)))]))
    if n_rows > 2 and rng.random() < 0.2:
        X = X[rng.integers(0, 2, size=n_rows)]  # two rows, many times
    dtype = DTYPES[int(rng.integers(len(DTYPES)))]
    if dtype in (np.float16, np.float32, np.int8, np.uint8, np.int64):
        X = np.clip(np.nan_to_num(X), *((-100, 100) if dtype != np.uint8 else (0, 200)))
    if get_tags(estimator).input_tags.positive_only:
        X = np.abs(X)
    y = draw_target(rng, estimator, n_rows)
    return draw_layout(rng, X.astype(dtype)), y, draw_weight(rng, estimator, n_rows)


def check_error(error):
    text = str(error)
    assert isinstance(error, ValueError | TypeError), f"{type(error).__name__}: {text}"
    assert not isinstance(error, np.linalg.LinAlgError), f"LinAlgError: {text}"
    assert text, "an error without a message"
    assert not any(words in text for words in INTERNAL), f"not for users: {text}"


def fit_and_ask(estimator, X, y, options):
    """Fit and ask: finite numbers of as many rows, or an error that explains."""
    kept = X.copy(), None if y is None else y.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fitted = (
                estimator.fit(X, **options)
                if y is None
                else estimator.fit(X, y, **options)
            )
            found = outputs(fitted, X)
        except Exception as error:
            check_error(error)
            found = {}
    assert_array_equal(X, kept[0], err_msg="X has changed")
    if y is not None:
        assert_array_equal(y, kept[1], err_msg="y has changed")
    for name, values in found.items():
        assert len(values) == len(X), f"{name} has {len(values)} rows of {len(X)}"
        # The density of a column that does not vary is infinite.
        if values.dtype.kind == "f" and name not in ("transform", "score_samples"):
            assert np.isfinite(values).all(), f"{name} is not finite"


@pytest.mark.parametrize("name", CLASSES)
def test_odd_tables(name, fuzzer):
    estimator = seeded(small(CLASSES[name]()), 0)
    for number, rng in fuzzer.rngs(30, zlib.crc32(name.encode())):
        X, y, options = draw_case(rng, estimator)
        target = "" if y is None else f" {len(np.unique(y))} targets"
        label = f"{name} {number} {X.dtype}{X.shape}{target} {list(options)}"
        fuzzer.run(label, fit_and_ask, clone(estimator), X, y, options)


# Without random draws, only rounding depends on the order of the rows.
DETERMINISTIC = [
    name
    for name, cls in all_estimators()
    if takes_tables(cls())
    and (is_classifier(cls()) or is_regressor(cls()))
    and not any("random_state" in key for key in cls().get_params(deep=True))
]
if not LONG:
    DETERMINISTIC = DETERMINISTIC[:3]
# libsvm takes rows in their order and stops at ``tol``: outputs differ by as much.
BY_STEPS = ("KernelWidthSVC", "KernelWidthSVR")


@pytest.mark.parametrize("name", DETERMINISTIC)
def test_order_of_rows_does_not_matter(name, seed):
    estimator = seeded(small(dict(all_estimators())[name]()), 0)
    if name in BY_STEPS:
        estimator.set_params(tol=1e-10)
    case = case_for(estimator, seed=seed)
    expected = outputs(clone(estimator).fit(case.X, case.y), case.X_new)
    order = np.random.default_rng(seed).permutation(len(case.X))
    found = outputs(clone(estimator).fit(case.X[order], case.y[order]), case.X_new)
    assert_same(found, expected, "another order of rows", tolerance=1e-6)


PREDICTORS = [n for n, c in CLASSES.items() if is_classifier(c()) or is_regressor(c())]


@pytest.mark.parametrize("name", PREDICTORS)
def test_eight_threads_predict_the_same(name, seed):
    estimator = seeded(small(CLASSES[name]()), 0)
    case = case_for(estimator, n_new=200, seed=seed)
    fitted = estimator.fit(case.X, case.y)
    again = seeded(small(CLASSES[name]()), 0).fit(case.X, case.y)
    expected = outputs(fitted, case.X_new)
    with ThreadPoolExecutor(8) as pool:  # of a model that nothing has asked before
        for found in pool.map(lambda _: outputs(again, case.X_new), range(24)):
            assert_same(found, expected, "eight threads")


# Of each room that has kernels, or calls those of another.
REPEATED = (
    "DecisionTreeClassifier", "MDLTreeClassifier", "REPTreeRegressor",
    "RandomForestClassifier", "ExtraTreesClassifier", "GradientBoostingClassifier",
    "GradientBoostingRegressor", "RpBoostClassifier", "RotationForestClassifier",
    "NRBFRegressor", "LMNetRegressor", "RealMLPClassifier", "SelfOrganizingMap",
    "KernelTIPCACClassifier", "ELMClassifier", "TANClassifier", "AODEClassifier",
    "HillClimbingSearch", "BayesianNetworkClassifier", "MRMRSelector", "SSVSelector",
    "PCSelector", "ACESelector", "FCBFSelector", "LocalBinaryPatterns", "MatrixScaler",
    "TargetMeans", "AdaBoostMHClassifier", "MultiLabelForestClassifier",
    "MLkNNClassifier", "DynamicSelectionClassifier", "RFLocalClassifier",
    "RandomClusterEnsemble", "MultiResolutionComplexity",
)  # fmt: skip


def draw_images(seed):
    """Return an estimator of images, with some."""
    images = np.random.default_rng(seed).uniform(size=(12, 256))
    return LocalBinaryPatterns(tile_sizes=[4], image_shape=(16, 16)), images


@pytest.mark.skipif(not LONG, reason="a thousand fits are for `make fuzz`")
@pytest.mark.parametrize("name", REPEATED)
def test_a_thousand_fits_do_not_leak(name, seed):
    if name == "LocalBinaryPatterns":
        estimator, X = draw_images(seed)
        y, X_new = None, X
    else:
        estimator = seeded(small(dict(all_estimators())[name]()), 0)
        X, y, X_new = attrgetter("X", "y", "X_new")(case_for(estimator, seed=seed))
    if name in ("PCSelector", "ACESelector"):  # too few rows to select a feature
        X, y = np.tile(X, (5, 1)), np.tile(y, 5)
    if name == "RealMLPClassifier":
        estimator.set_params(max_epochs=2, hidden_layer_sizes=(16,))
    process = psutil.Process()

    def fit_many(n):
        for _ in range(n):
            outputs(clone(estimator).fit(X, y), X_new)
        gc.collect()
        return process.memory_info().rss

    before = fit_many(200)
    grown = fit_many(1_000) - before
    assert grown < 10_000_000, f"{grown:,} bytes in 1,000 fits"


MANY_CLASSES = (
    "RandomForestClassifier",
    "ExtraTreesClassifier",
    "DecisionTreeClassifier",
)


@pytest.mark.parametrize("name", MANY_CLASSES)
def test_a_thousand_classes(name, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(2_000, 2)), np.arange(2_000) % 1_000
    fitted = seeded(small(dict(all_estimators())[name]()), 0).fit(X, y)
    shares = fitted.predict_proba(X[:50])
    assert shares.shape == (50, 1_000) and np.allclose(shares.sum(axis=1), 1.0)
