"""Measure what each selector sees and what it costs: the table of "which selector?".

    python benchmarks/which_selector.py [--out FILE.rst] [--seeds 3]

Each question is a made-up table of 400 rows and 100 columns in which we know what is
there to be found; a selector is asked for as many features as that is, or, if it has no
such parameter, keeps as many as it likes. The share that it finds is averaged over the
seeds. The cost is one fit on 500 rows of 2,000 columns, on two threads.
"""

import argparse
import warnings
from pathlib import Path
from time import perf_counter

import numpy as np
import pandas as pd
from sklearn.feature_selection import SelectKBest, f_classif, mutual_info_classif
from sklearn.neighbors import KNeighborsClassifier

from manyminds.feature_selection import (
    ACESelector,
    BorutaSelector,
    CFSSelector,
    CorrelationSelector,
    FCBFSelector,
    ForestGainSelector,
    ForestGainTestSelector,
    ForestGainThresholdSelector,
    InformationGainSelector,
    MRMRSelector,
    PairwiseRedundancySelector,
    PermutationTestSelector,
    SelectionCommittee,
    SequentialFilterSelector,
    SSVSelector,
    StableSelector,
    TreeCandidateSelector,
    TreeSplitSelector,
    WrapperSelector,
)

N_ROWS, N_COLUMNS = 400, 100


def main():
    """Measure, print and write."""
    options = parse_arguments()
    rows = [measure(name, make, options.seeds) for name, make in SELECTORS.items()]
    text = write_table(["selector", *QUESTIONS, "cost"], rows)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="also write the table to this file")
    parser.add_argument("--seeds", type=int, default=3)
    return parser.parse_args()


# ---------------------------------------------------------------- questions
#
# Each gives a table, its classes, and groups of columns: of each group, one is wanted.


def draw_single(rng):
    """Five columns that are shifted between the classes by most of their spread."""
    X, y = rng.normal(size=(N_ROWS, N_COLUMNS)), rng.integers(2, size=N_ROWS)
    X[:, :5] += 0.8 * y[:, None]
    return pd.DataFrame(X), y, [[j] for j in range(5)]


def draw_curved(rng):
    """Two columns with the one class in the middle and the other on both sides."""
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    y = (np.abs(X[:, 0]) + np.abs(X[:, 1]) > 1.5).astype(int)
    return pd.DataFrame(X), y, [[0], [1]]


def draw_exclusive(rng):
    """Two of 20 columns, of which neither tells anything alone: exclusive or."""
    X = rng.uniform(-1.0, 1.0, size=(N_ROWS, 20))
    return pd.DataFrame(X), (X[:, 0] * X[:, 1] > 0.0).astype(int), [[0], [1]]


def draw_copies(rng):
    """Three columns of falling strength, each with seven near-copies."""
    X, y = rng.normal(size=(N_ROWS, N_COLUMNS)), rng.integers(2, size=N_ROWS)
    groups = [list(range(8 * g, 8 * g + 8)) for g in range(3)]
    for g, group in enumerate(groups):
        cause = rng.normal(size=N_ROWS) + (1.4 - 0.3 * g) * y
        X[:, group] = cause[:, None] + 0.1 * rng.normal(size=(N_ROWS, 8))
    return pd.DataFrame(X), y, groups


def draw_categories(rng):
    """Two categorical columns: four of eight levels go with the one class."""
    X, y = pd.DataFrame(rng.normal(size=(N_ROWS, N_COLUMNS))), rng.integers(2, size=400)
    for j in range(10):
        codes = rng.integers(8, size=N_ROWS)
        if j < 2:  # even levels go with class 0, odd ones with class 1, mostly
            codes = 2 * (codes // 2) + np.where(rng.random(N_ROWS) < 0.8, y, 1 - y)
        X[j] = pd.Categorical(np.array(list("abcdefgh"))[codes])
    return X, y, [[0], [1]]


QUESTIONS = {
    "single": draw_single,
    "curved": draw_curved,
    "exclusive or": draw_exclusive,
    "copies": draw_copies,
    "categories": draw_categories,
}


# ---------------------------------------------------------------- selectors

SEED = {"random_state": 0}
SELECTORS = {
    "scikit-learn's F": lambda k: SelectKBest(f_classif, k=k),
    "scikit-learn's mutual information": lambda k: SelectKBest(
        mutual_info_classif, k=k
    ),
    "CorrelationSelector": lambda k: CorrelationSelector(k),
    "InformationGainSelector": lambda k: InformationGainSelector(
        n_features_to_select=k
    ),
    "SSVSelector": lambda k: SSVSelector(k, n_jobs=2),
    "SSVSelector, tree": lambda k: SSVSelector(k, method="tree", **SEED),
    "SequentialFilterSelector": lambda k: SequentialFilterSelector(
        SSVSelector(k, method="tree", **SEED), n_rounds=3, n_per_round=k
    ),
    "SelectionCommittee": lambda k: SelectionCommittee(),
    "MRMRSelector": lambda k: MRMRSelector(k, n_jobs=2),
    "MRMRSelector, fast ensemble": lambda k: MRMRSelector(
        k, ensemble="fast", n_jobs=2, **SEED
    ),
    "FCBFSelector": lambda k: FCBFSelector(n_jobs=2),
    "CFSSelector": lambda k: CFSSelector(n_jobs=2),
    "PairwiseRedundancySelector": lambda k: PairwiseRedundancySelector(n_jobs=2),
    "WrapperSelector, 5-NN": lambda k: WrapperSelector(
        KNeighborsClassifier(), n_features_to_select=k, n_jobs=2
    ),
    "ForestGainSelector": lambda k: ForestGainSelector(k, n_jobs=2, **SEED),
    "ForestGainThresholdSelector": lambda k: ForestGainThresholdSelector(
        n_jobs=2, **SEED
    ),
    "ForestGainTestSelector": lambda k: ForestGainTestSelector(n_jobs=2, **SEED),
    "TreeSplitSelector": lambda k: TreeSplitSelector(),
    "TreeCandidateSelector": lambda k: TreeCandidateSelector(),
    "BorutaSelector": lambda k: BorutaSelector(n_jobs=2, **SEED),
    "ACESelector": lambda k: ACESelector(n_jobs=2, **SEED),
    "PermutationTestSelector": lambda k: PermutationTestSelector(n_jobs=2, **SEED),
    "StableSelector of mRMR": lambda k: StableSelector(
        MRMRSelector(k), n_features_to_select=k, n_jobs=2, **SEED
    ),
}


def measure(name, make, n_seeds):
    """One line: share found and number kept for each question, then the cost."""
    print(f"{name} ...", flush=True)
    cells = [ask(make, draw, n_seeds) for draw in QUESTIONS.values()]
    return [name, *cells, time_fit(make)]


def ask(make, draw, n_seeds):
    """Describe which share of the groups is found, and how many columns are kept."""
    found, kept = [], []
    for seed in range(n_seeds):
        X, y, groups = draw(np.random.default_rng(seed))
        try:
            selected = select(make(len(groups)), X, y)
        except (TypeError, ValueError):
            return "refuses"
        found.append(np.mean([selected[group].any() for group in groups]))
        kept.append(selected.sum())
    return f"{100 * np.mean(found):.0f} % ({np.mean(kept):.0f})"


def select(selector, X, y):
    """Fit; give the mask."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        X = X.rename(columns=str)
        return selector.fit(X, y).get_support()


def time_fit(make):
    """Seconds of a fit to 500 rows of 2,000 columns, of which ten tell the class."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 2_000)), rng.integers(2, size=500)
    X[:, :10] += 0.5 * y[:, None]
    make(10).fit(X[:60, :20], y[:60])  # to compile
    start = perf_counter()
    make(10).fit(X, y)
    seconds = perf_counter() - start
    return f"{1e3 * seconds:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def write_table(header, rows):
    """A table of reStructuredText."""
    lines = [".. list-table::", "   :header-rows: 1", ""]
    for row in [header, *rows]:
        lines += [f"   {'*' if i == 0 else ' '} - {cell}" for i, cell in enumerate(row)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
