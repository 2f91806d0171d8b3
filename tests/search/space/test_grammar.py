"""The grammar proposes no chain that cannot be fitted to a table of odd shape.

    python tests/search/space/test_grammar.py 300

draws 300 pipelines for each table instead of a few, and prints those that fail.
"""

import sys
import warnings
from collections import Counter

import numpy as np
import optuna
import pandas as pd
import pytest
from scipy.sparse import csr_array

from manyminds.search import Problem, default_space

N_DRAWN = 4


def draw_levels(rng, n, n_levels):
    return pd.Categorical([f"level {one}" for one in rng.integers(n_levels, size=n)])


def make_mixed(rng):
    X = pd.DataFrame(rng.normal(size=(90, 5)), columns=list("abcde"))
    X.loc[::3, "a"] = np.nan
    X["b"] = np.nan
    X["c"] = draw_levels(rng, 90, 4)
    X.loc[::4, "c"] = None
    return X, np.arange(90) % 3


def make_one_informative(rng):
    X = np.zeros((80, 6))
    X[:, 2] = rng.normal(size=80)
    return X, np.arange(80) % 2


def make_half_missing(rng):
    X = rng.normal(size=(90, 8))
    X[:, ::2] = np.nan
    return X, np.arange(90) % 2


def make_dates(rng):
    days = pd.to_timedelta(rng.integers(2000, size=90), "D")
    return pd.DataFrame({"day": pd.Timestamp("2020-01-01") + days}), np.arange(90) % 2


def make_categories(rng, n, n_columns, n_levels):
    return pd.DataFrame(
        {f"c{j}": draw_levels(rng, n, n_levels) for j in range(n_columns)}
    )


def make_sparse(rng):
    X = rng.normal(size=(90, 40)) * (rng.random((90, 40)) < 0.1)
    return csr_array(X), np.arange(90) % 2


def make_part_constant(rng):
    return rng.normal(size=(90, 4)), np.where(np.arange(90) < 8, np.arange(90.0), 0.0)


CLASSES = {
    "two columns": lambda rng: (rng.normal(size=(80, 2)), np.arange(80) % 2),
    "one column": lambda rng: (rng.normal(size=(80, 1)), np.arange(80) % 3),
    "one informative column": make_one_informative,
    "two rows of each class": lambda rng: (
        rng.normal(size=(120, 3)), np.repeat(np.arange(60), 2),
    ),
    "only categories": lambda rng: (make_categories(rng, 90, 6, 3), np.arange(90) % 2),
    "2,000 levels": lambda rng: (
        make_categories(rng, 300, 1, 2000).assign(a=rng.normal(size=300)),
        np.arange(300) % 2,
    ),
    "sparse": make_sparse,
    "wide": lambda rng: (rng.normal(size=(50, 300)), np.arange(50) % 2),
    "half of the columns missing": make_half_missing,
    "mixed": make_mixed,
    "dates": make_dates,
    "rare class": lambda rng: (rng.normal(size=(90, 4)), np.arange(90) < 3),
    "few rows": lambda rng: (rng.normal(size=(12, 3)), np.arange(12) % 2),
}  # fmt: skip
NUMBERS = {
    "constant part": make_part_constant,
    "categories of numbers": lambda rng: (
        make_categories(rng, 90, 2, 30), rng.normal(size=90),
    ),
    "few numbers": lambda rng: (rng.normal(size=(12, 3)), rng.normal(size=12)),
    "large numbers": lambda rng: (
        1e12 * rng.normal(size=(80, 4)), 1e9 * rng.normal(size=80),
    ),
}  # fmt: skip
SHAPES = {
    **{name: ("classification", make) for name, make in CLASSES.items()},
    **{name: ("regression", make) for name, make in NUMBERS.items()},
}


def draw_pipelines(space, problem, n_drawn, rng):
    """Yield random pipelines, every third of them changed from the one before."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    sampler = optuna.samplers.RandomSampler(seed=int(rng.integers(2**31)))
    study = optuna.create_study(sampler=sampler)
    pipeline = None
    for number in range(n_drawn):
        if pipeline is None or number % 3:
            pipeline = space.suggest(study.ask(), problem)
        else:
            pipeline = space.change(pipeline, problem, rng)
        if number % 8:  # seven models take seven times as long
            pipeline = space.complete({**pipeline, "committee": "alone"}, problem)
        yield pipeline


def list_failures(task, make, n_drawn, rng):
    """Fit random pipelines to two thirds of a table; list what fails, and why."""
    X, y = make(rng)
    y = y.astype(int) if task == "classification" else y
    problem = Problem.of(X, y, task)
    space = default_space(task).suiting(problem)
    # Every third row of each class is left out.
    order = np.argsort(y, kind="stable")
    train, test = np.sort(order[np.arange(len(y)) % 3 > 0]), np.sort(order[::3])
    failures = []
    for pipeline in draw_pipelines(space, problem, n_drawn, rng):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = space.build(pipeline, problem)
                model.fit(_take(X, train), y[train])
                predict = model.predict if task == "regression" else model.predict_proba
                assert np.isfinite(predict(_take(X, test))).all()
        except Exception as error:
            failures.append((pipeline, f"{type(error).__name__}: {error}"))
    return failures


def _take(X, rows):
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_random_pipelines_can_be_fitted(name, seed):
    assert not list_failures(*SHAPES[name], N_DRAWN, np.random.default_rng(seed))


if __name__ == "__main__":
    for name, shape in SHAPES.items():
        failures = list_failures(*shape, int(sys.argv[1]), np.random.default_rng(0))
        print(name, len(failures), "failures", flush=True)
        for reason, n in Counter(reason for _, reason in failures).most_common():
            print("   ", n, reason, next(p for p, why in failures if why == reason))
