"""Do new parts of a chain pay? Log loss, accuracy and time beside the plain chain.

    python benchmarks/does_it_pay.py {pruning,experts,clusters} --data FOLDER
        [--out FILE.md] [--splits 5] [--trees 200] [--sets NAMES]

Repeated stratified hold-out, 70 % of at most 3,000 rows for fits.

pruning   The whole forest is what a search puts at the end of a chain; a pruned one
          holds 30 % of the training rows out, and keeps a fifth of the trees. The
          control is a forest that never grew more trees than the pruned one keeps, on
          all training rows: pruning pays only if it beats both.
experts   One logistic regression beside local ones, by clusters, by random subsets (the
          control) and as a blend; and a mixture of nets. A forest is what is possible.
clusters  A forest and a logistic regression of all columns beside those of the columns
          that RCE selects without the target, and of as many drawn at random.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import validate_data

from machine import describe_machine, markdown_table
from manyminds.analysis import wilcoxon_signed_rank
from manyminds.datasets.folder import DataFolder
from manyminds.ensemble import (
    ClusterLocalClassifier,
    FitselectClassifier,
    HMRPEClassifier,
    PartitionBlendClassifier,
    PrunedClassifier,
    RandomForestClassifier,
    RandomSubsetLocalClassifier,
)
from manyminds.feature_selection import RCESelector

SETS = (
    "car", "credit-g", "diabetes", "glass", "haberman", "ionosphere", "segment",
    "sonar", "spambase", "vehicle", "vowel", "waveform", "wdbc", "yeast",
)  # fmt: skip
NUMERIC = tuple(name for name in SETS if name not in ("car", "credit-g"))
MAX_ROWS = 3_000
SHARE = 0.2


def main():
    """Measure and print, or write a page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--trees", type=int, default=200)
    parser.add_argument("--sets", type=lambda text: text.split(","))
    options = parser.parse_args()
    folder = DataFolder(options.data)
    make_models, pairs = GROUPS[options.group]
    sets = options.sets or (SETS if options.group == "pruning" else NUMERIC)
    means = {
        name: measure(folder.load(name), options.splits, options.trees, make_models)
        for name in sets
    }
    page = "\n\n".join(
        [
            describe_machine(["numpy", "scikit-learn", "manyminds"]),
            f"{options.trees} trees, {options.splits} splits, {len(means)} data sets",
            report(means, 0, "log loss", "{:.3f}"),
            report(means, 1, "accuracy", "{:.3f}"),
            report(means, 2, "milliseconds to predict 1,000 rows", "{:.2f}"),
            *(
                [report(means, 3, "trees that predict", "{:.0f}")]
                if options.group == "pruning"
                else []
            ),
            compare(means, pairs),
        ]
    )
    print(page)
    if options.out is not None:
        options.out.write_text(page + "\n")


def make_pruned(n_trees, seed):
    """Return whole, pruned and small forests by name."""
    n_kept = round(SHARE * n_trees)
    forest = RandomForestClassifier(n_trees)
    return {
        "whole": RandomForestClassifier(n_trees, random_state=seed),
        "pruned": PrunedClassifier(
            forest, size=n_kept, voting="soft", random_state=seed
        ),
        "best size": PrunedClassifier(forest, voting="soft", random_state=seed),
        "Fitselect": FitselectClassifier(
            n_estimators=n_trees, step=10, random_state=seed
        ),
        "small": RandomForestClassifier(n_kept, random_state=seed),
    }


def make_experts(n_trees, seed):
    """Return one model, experts and a forest by name."""
    return {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "by clusters": ClusterLocalClassifier(random_state=seed),
        "random subsets": RandomSubsetLocalClassifier(random_state=seed),
        "blend": PartitionBlendClassifier(random_state=seed),
        "HMRPE": HMRPEClassifier(random_state=seed),
        "forest": RandomForestClassifier(n_trees, random_state=seed),
    }


class RandomColumns(SelectorMixin, BaseEstimator):
    """Select as many columns at random as RCE does."""

    def __init__(self, seed):
        self.seed = seed

    def fit(self, X, y=None):
        """Draw the columns."""
        X = validate_data(self, X)
        selected = RCESelector(random_state=self.seed).fit(X).get_support()
        rng = np.random.default_rng(self.seed)
        self.support_ = rng.permutation(selected)
        return self

    def _get_support_mask(self):
        return self.support_


def make_selections(n_trees, seed):
    """Return chains with and without selection by name."""
    found = {}
    for name, selectors in (
        ("all", ()),
        ("RCE", (RCESelector(random_state=seed),)),
        ("random", (RandomColumns(seed),)),
    ):
        forest = RandomForestClassifier(n_trees, random_state=seed)
        logistic = LogisticRegression(max_iter=1000)
        found[f"forest, {name}"] = make_pipeline(*selectors, forest)
        found[f"logistic, {name}"] = make_pipeline(
            *selectors, StandardScaler(), logistic
        )
    return found


def measure(data, n_splits, n_trees, make_models):
    """Return the mean log loss, accuracy and time of each model."""
    X, y = data.X, np.asarray(data.y).astype(str)
    if make_models is not make_pruned:  # distances need numbers
        X = X.select_dtypes("number").dropna(axis=1)
    found = {}
    for seed in range(n_splits):
        rows = np.random.default_rng(seed).permutation(len(y))[:MAX_ROWS]
        counts = dict(zip(*np.unique(y[rows], return_counts=True)))
        rows = rows[[counts[label] >= 5 for label in y[rows]]]
        train, test = train_test_split(
            rows, test_size=0.3, stratify=y[rows], random_state=seed
        )
        for name, model in make_models(n_trees, seed).items():
            model.fit(X.iloc[train], y[train])
            found.setdefault(name, []).append(rate(model, X.iloc[test], y[test]))
    return {name: np.mean(some, axis=0) for name, some in found.items()}


def rate(model, X, y):
    """Return log loss, accuracy, milliseconds for 1,000 rows, and trees."""
    p = model.predict_proba(X)
    seconds = np.inf
    for _ in range(3):
        begun = time.perf_counter()
        model.predict_proba(X)
        seconds = min(seconds, time.perf_counter() - begun)
    p = np.clip(p, 1e-3, 1.0)  # votes of few trees are often 0
    p /= p.sum(axis=1, keepdims=True)
    accuracy = accuracy_score(y, model.classes_[p.argmax(axis=1)])
    loss = log_loss(y, p, labels=model.classes_)
    kept = getattr(model, "selected_members_", None)
    n_trees = getattr(model, "n_estimators", 0) if kept is None else len(kept)
    return loss, accuracy, 1e6 * seconds / len(y), n_trees


def report(means, k, title, form):
    """Return a table of one measure by data set and model."""
    names = list(next(iter(means.values())))
    rows = [
        [data, *(form.format(of[name][k]) for name in names)]
        for data, of in means.items()
    ]
    average = [np.mean([of[name][k] for of in means.values()]) for name in names]
    rows.append(["mean", *(form.format(one) for one in average)])
    return f"{title}\n\n{markdown_table(['data set', *names], rows)}"


def compare(means, pairs):
    """Return a table of differences of some models from others."""
    rows = []
    for names, others in pairs:
        for name, other in ((a, b) for a in names for b in others):
            for k, measure_name, sign in ((0, "log loss", -1.0), (1, "accuracy", 1.0)):
                ours, theirs = (
                    np.array([of[one][k] for of in means.values()])
                    for one in (name, other)
                )
                gain = sign * (ours - theirs)
                p = wilcoxon_signed_rank(ours, theirs).p_value
                rows.append(
                    [f"{name} against {other}", measure_name, f"{gain.mean():+.4f}",
                     f"{np.sum(gain > 0)} of {len(gain)}", f"{p:.3f}"]
                )  # fmt: skip
    head = ["comparison", "measure", "mean gain", "better on", "p (Wilcoxon)"]
    return "Gains: positive is better\n\n" + markdown_table(head, rows)


GROUPS = {
    "pruning": (
        make_pruned,
        [(("pruned", "best size", "Fitselect"), ("whole", "small"))],
    ),
    "experts": (
        make_experts,
        [
            (("by clusters", "blend"), ("logistic", "random subsets", "forest")),
            (("HMRPE",), ("logistic", "forest")),
        ],
    ),
    "clusters": (
        make_selections,
        [
            (("forest, RCE",), ("forest, all", "forest, random")),
            (("logistic, RCE",), ("logistic, all", "logistic, random")),
        ],
    ),
}

if __name__ == "__main__":
    main()
