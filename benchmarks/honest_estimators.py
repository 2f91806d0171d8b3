"""Compare estimators of the score of the best of many models, where truth is known.

    python benchmarks/honest_estimators.py [--repeats 40] [--jobs 2] [--out FILE.md]

Predictions are drawn directly, without fitting a model, so that the true score of each
model is known by a formula. The best of M models is chosen on n rows, and its score is
estimated. With out(m) and in(m) the scores of model m on the rows that a bootstrap
sample has not drawn and has drawn, m_b its best model, m* the best of all rows:

- naive: the score by which m* was chosen;
- BBC-CV: the mean of out(m_b);
- in-out: naive less the mean of in(m_b) - out(m_b);
- out: naive less the mean of out(m*) - out(m_b);
- Efron: naive less the mean of in(m_b) - naive(m_b);
- ours: naive less the mean of in(m_b) - in(m*) - out(m_b) + out(m*), of each class
  apart where the score is a mean over classes: `correct_selection_bias`.

Predictions drawn directly do not depend on each other. Models of a cross-validation do,
since they share training rows. So scikit-learn's models are fitted too, to tables that
are drawn, and have 3,000 test rows.

Bias is the estimate less the true score of m*, more being better: a positive bias is
too good. About 10 minutes on two idle cores.
"""

import argparse
import warnings
from itertools import product
from pathlib import Path
from zlib import crc32

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy.special import expit, roots_hermitenorm
from scipy.stats import norm
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from machine import describe_machine, markdown_table
from manyminds.search import correct_selection_bias
from manyminds.search.choice.selection_bias import draw_counts
from manyminds.search.evaluation.metrics import PredictionScorer

DESIGNS = {
    "two classes, balanced": np.array([1.0, 1.0]),
    "two classes, 1 : 20": np.array([20.0, 1.0]),
    "60 classes, shares 1, 1/2, 1/3 ...": 1.0 / np.arange(1, 61),
    "numbers, normal errors": None,
    "numbers, errors of t(2.5)": 2.5,
}
FITTED = {  # share of the rarer class, or None; signal
    "fitted: noise": (0.5, 0.0),
    "fitted: weak signal": (0.5, 0.4),
    "fitted: 1 : 9": (0.1, 0.8),
    "fitted: numbers, noise": (None, 0.0),
    "fitted: numbers": (None, 0.5),
}
SKILLS = ("equal", "few better", "noise")
N_MODELS, N_ROWS = (1, 5, 50, 200), (50, 200, 1000)
N_FITTED, N_TESTED = 12, 3_000
N_BOOTSTRAPS = 100
NAMES = ("naive", "BBC-CV", "in-out", "out", "Efron", "ours")


def main():
    """Simulate all cells, then print and write the tables."""
    warnings.simplefilter("ignore", RuntimeWarning)  # samples that cannot be scored
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=40, help="draws of 50 rows")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="also write the tables to this file")
    options = parser.parse_args()
    cells = list(product(DESIGNS, SKILLS, N_MODELS, N_ROWS))
    cells += list(product(FITTED, [""], [N_FITTED], [100, 300]))
    done = Parallel(options.jobs, backend="multiprocessing")(
        delayed(simulate)(*cell, options.repeats) for cell in cells
    )
    text = write_report(pd.DataFrame([row for rows in done for row in rows]), options)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def simulate(design, skill, n_models, n_rows, n_repeats):
    """Draw predictions several times; compare estimates with the true score."""
    rng = np.random.default_rng(crc32(f"{design}{skill}{n_models}{n_rows}".encode()))
    draw = draw_classes if "classes" in design else draw_numbers
    draw = draw_fitted if design in FITTED else draw
    rows = []
    for _ in range(max(4, n_repeats * 50 // max(50, n_rows // 2))):
        P, y, truth = draw(rng, design, skill, n_models, n_rows)
        for metric, true in truth.items():
            kind = "classification" if P.ndim == 3 else "regression"
            classes = np.arange(P.shape[2]) if P.ndim == 3 else None
            measure = PredictionScorer(metric, kind, classes)
            found = estimate(P, y, measure, true, int(rng.integers(2**31)))
            if found is None:
                continue
            rows.append(
                {"design": design, "skill": skill, "n_models": n_models,
                 "n_rows": n_rows, "metric": metric, **found}
            )  # fmt: skip
    return rows


def estimate(P, y, measure, truth, seed):
    """Return bias of every estimator, and whether the intervals hold the truth.

    None if a class is too rare for any of them.
    """
    ours = correct_selection_bias(P, y, measure, N_BOOTSTRAPS, random_state=seed)
    if ours.reason:
        return None
    naive = measure.score_weighted(P, y, np.ones((1, len(y))))[0]
    best = int(np.nanargmax(naive))
    drawn = draw_counts(np.random.RandomState(seed), N_BOOTSTRAPS, len(y))
    inside = measure.score_weighted(P, y, drawn)
    drawn = drawn[~np.isnan(inside).all(axis=1)]
    inside = inside[~np.isnan(inside).all(axis=1)]
    outside = measure.score_weighted(P, y, (drawn == 0).astype(float))
    bags = np.arange(len(drawn))
    picked = np.nanargmax(inside, axis=1)
    chosen_in, chosen_out = inside[bags, picked], outside[bags, picked]
    gap = outside[:, best] - chosen_out
    estimates = {
        "naive": naive[best],
        "BBC-CV": np.nanmean(chosen_out),
        "in-out": naive[best] - np.nanmean(chosen_in - chosen_out),
        "out": naive[best] - max(np.nanmean(gap), 0.0),
        "Efron": naive[best] - np.nanmean(chosen_in - naive[picked]),
        "ours": ours.score,
    }
    low, high = np.nanpercentile(chosen_out, [2.5, 97.5])
    return {
        **{name: value - truth[best] for name, value in estimates.items()},
        "holds": ours.low <= truth[best] <= ours.high,
        "BBC-CV holds": low <= truth[best] <= high,
    }


def draw_skills(rng, skill, n_models):
    """Return how far models are above chance; of some, a twentieth is better."""
    skills = np.full(n_models, 0.0 if skill == "noise" else 1.0)
    if skill == "few better":
        skills[rng.permutation(n_models)[: max(1, n_models // 20)]] += 0.5
    return skills


def draw_classes(rng, design, skill, n_models, n_rows):
    """Draw probabilities of classes; rare classes are harder. Return true scores."""
    shares = DESIGNS[design] / DESIGNS[design].sum()
    codes = []
    while len(codes) < 2:
        codes, y = np.unique(rng.choice(len(shares), n_rows, p=shares), False, True)
    harder = 0.0 if skill == "noise" else 1.5 * np.exp(-n_rows * shares / 5.0)
    logits = draw_skills(rng, skill, n_models)[:, None] - harder + 0.0 * shares
    common = 0.0 if skill == "noise" else 0.6  # of the variance: rows that are hard
    noise = np.sqrt(common) * rng.normal(size=n_rows) + np.sqrt(1 - common) * (
        rng.normal(size=(n_models, n_rows))
    )
    given = expit(logits[:, codes][:, y] + noise)
    n_classes = len(codes)
    rest = 1.0 if n_classes == 2 else 0.9  # of what is left, for one other class
    P = np.zeros((n_models, n_rows, n_classes), dtype=np.float32)
    if n_classes > 2:
        P += (0.1 * (1 - given) / (n_classes - 2))[..., None]
    other = (y + rng.integers(1, n_classes, size=given.shape)) % n_classes
    np.put_along_axis(P, other[..., None], (rest * (1 - given))[..., None], 2)
    true = np.broadcast_to(y, given.shape)
    np.put_along_axis(P, true[..., None], given[..., None], 2)
    return P, y, find_true_scores(logits, shares, codes, rest)


def find_true_scores(logits, shares, codes, rest):
    """Return what each model scores on infinitely many rows."""
    nodes, weights = roots_hermitenorm(40)
    recalls = norm.cdf(logits - np.log(rest))
    logs = np.log(expit(logits[..., None] + nodes)) @ (weights / weights.sum())
    truth = {
        "accuracy": recalls @ shares,
        "balanced_accuracy": recalls[:, codes].mean(axis=1),
        "log_loss": logs @ shares,
    }
    if len(shares) == 2:
        truth["auc"] = norm.cdf(logits.sum(axis=1) / np.sqrt(2))
    return truth


def draw_numbers(rng, design, skill, n_models, n_rows):
    """Draw predictions of numbers whose errors have a known variance."""
    freedom = DESIGNS[design]
    spread = 1.0 if freedom is None else freedom / (freedom - 2.0)

    def draw(*size):
        return (
            rng.normal(size=size) if freedom is None else rng.standard_t(freedom, size)
        )

    better = draw_skills(rng, skill, n_models) > 1.0
    scale, common = np.where(better, 0.85, 1.0), 0.0 if skill == "noise" else 0.8
    noise = draw(n_rows)
    y = 3.0 * rng.normal(size=n_rows) + noise
    own = draw(n_models, n_rows)
    errors = scale[:, None] * (np.sqrt(common) * noise + np.sqrt(1 - common) * own)
    variance = scale**2 * spread
    truth = {"rmse": -np.sqrt(variance), "r2": 1.0 - variance / (9.0 + spread)}
    return y - errors, y, truth


def draw_fitted(rng, design, skill, n_models, n_rows):
    """Fit models to a table that is drawn; return predictions and test scores."""
    share, signal = FITTED[design]
    X = rng.normal(size=(n_rows + N_TESTED, 8))
    if share is None:
        y = signal * X[:, 0] + rng.normal(size=len(X))
        models, folds = list_regressors(), KFold(10, shuffle=True, random_state=0)
    else:
        y = (np.arange(len(X)) % round(1 / share) == 0).astype(int)
        X[:, :3] += signal * y[:, None]
        models = list_classifiers()
        folds = StratifiedKFold(10, shuffle=True, random_state=0)
    method = "predict" if share is None else "predict_proba"
    X_train, y_train = X[:n_rows], y[:n_rows]
    P = np.stack(
        [cross_val_predict(one, X_train, y_train, cv=folds, method=method)
         for one in models]
    )  # fmt: skip
    fitted = [one.fit(X_train, y_train) for one in models]
    made = np.stack([getattr(one, method)(X[n_rows:]) for one in fitted])
    kind = "regression" if share is None else "classification"
    classes = None if share is None else np.arange(2)
    metrics = ("accuracy", "balanced_accuracy", "log_loss", "auc")
    truth = {
        metric: PredictionScorer(metric, kind, classes).score_weighted(
            made, y[n_rows:], np.ones((1, N_TESTED))
        )[0]
        for metric in (("rmse", "r2") if share is None else metrics)
    }
    return P, y_train, truth


def list_classifiers():
    """List models of different families and settings."""
    return [
        *(LogisticRegression(C=value) for value in (0.003, 0.1, 3.0)),
        *(KNeighborsClassifier(n) for n in (3, 9, 25)),
        *(DecisionTreeClassifier(max_depth=n, random_state=0) for n in (1, 2, 4)),
        *(make_pipeline(SelectKBest(k=n), GaussianNB()) for n in (1, 3, 8)),
    ]


def list_regressors():
    """List models of different families and settings."""
    return [
        *(Ridge(value) for value in (1.0, 30.0, 300.0)),
        *(KNeighborsRegressor(n) for n in (3, 9, 25)),
        *(DecisionTreeRegressor(max_depth=n, random_state=0) for n in (1, 2, 3)),
        *(make_pipeline(SelectKBest(f_regression, k=n), Ridge()) for n in (1, 2, 4)),
    ]


def write_report(table, options):
    """Tables of bias and coverage."""
    fitted = table[table["design"].isin(list(FITTED))]
    table = table[~table["design"].isin(list(FITTED))]
    several = table[table["n_models"] > 1]
    heavy = table["design"] == "numbers, errors of t(2.5)"
    parts = [
        "# Which estimate of the best model's score is right?",
        describe_machine(["manyminds", "numpy"]),
        "Predictions are drawn directly (`benchmarks/honest_estimators.py` says how), "
        "so that the true score of every model is known. Bias is the estimate less the "
        "true score of the chosen model, times 100, more being better: above 0 is too "
        f"good. Means over {', '.join(map(str, N_ROWS))} rows, 5, 50 and 200 models, "
        "and models that are equal, of which a few are better, or that guess; "
        f"{len(table):,} estimates in all. The last columns: how often intervals of "
        "95 % hold the true score. Where models are fitted, predictions depend on each "
        "other: see the second table, of 100 and 300 rows and 12 models.",
        make_table(several, ["design", "metric"], NAMES),
        "Models fitted by ten-fold cross-validation, compared with their scores on "
        f"{N_TESTED:,} test rows; {len(fitted):,} estimates:",
        make_table(fitted, ["design", "metric"], NAMES),
        "By the number of models to choose from, without errors of t(2.5):",
        make_table(table[~heavy], ["n_models"], NAMES),
        "By the number of rows, without errors of t(2.5):",
        make_table(several[~heavy[several.index]], ["n_rows"], NAMES),
        "One model, where nothing is chosen and the estimate is the naive score: what "
        "is left is the noise of the draws. Errors of t(2.5) have no fourth moment: "
        "most samples lack the errors that make the true RMSE, and no estimate can "
        "know of them.",
        make_table(table[table["n_models"] == 1], ["design", "metric"], ["ours"]),
    ]
    return "\n\n".join(parts) + "\n"


def make_table(table, by, names):
    """Return a table of mean bias and coverage."""
    groups = table.groupby(by, sort=False)
    lines = []
    for key, group in groups:
        bias = [f"{100 * group[name].mean():+.2f}" for name in names]
        holds = [f"{group[name].mean():.0%}" for name in ("holds", "BBC-CV holds")]
        lines.append([*map(str, key), *bias, *holds])
    return markdown_table([*by, *names, "ours holds", "BBC-CV holds"], lines)


if __name__ == "__main__":
    main()
