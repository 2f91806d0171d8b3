"""Compare weights of committees: greedy, greedy with diversity, on the simplex.

    python benchmarks/committee_weights.py --data DIR [--store DIR] [--out FILE.md]

For each data set, a pool of twelve pipelines is cross-validated on at most 1,000
training rows and fitted to all of them; all other rows are test rows. The weights come
from out-of-fold predictions, and the mean of the members' predictions is scored on the
test rows. So the comparison needs no honest score: the test rows decide. Pools are
stored in ``--store``, a file for each set, and not made again: about ten minutes on one
core, and seconds once they are there.
"""

import argparse
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from machine import describe_machine, markdown_table
from manyminds.analysis.diversity import double_fault, output_correlation
from manyminds.datasets import DataFolder
from manyminds.datasets.model_input import as_table
from manyminds.search import Problem, default_space, grow_committee, weigh_committee
from manyminds.search.choice.bootstrap import BootstrapJudge
from manyminds.search.choice.mixture import average_predictions
from manyminds.search.choice.simplex import Losses
from manyminds.search.choice.strategies import Strategies
from manyminds.search.choice.thinning import drop_spare, trim_weights
from manyminds.search.evaluation.evaluator import Evaluator
from manyminds.search.evaluation.folds import make_folds
from manyminds.search.evaluation.label_metrics import make_scorer
from manyminds.search.study.proposals import list_initial_pipelines
from manyminds.utils.tables import take_rows

SETS = (
    "vehicle", "credit-g", "cmc", "yeast", "car", "segment", "page-blocks", "waveform",
    "housing", "abalone", "kin8nm",
)  # fmt: skip
MAX_TRAINED = 1_000
MAX_TESTED = 5_000
N_PIPELINES = 12
DIVERSITY = 0.1  # worth of full diversity, as a share of the best score
TUNED = ("log_loss", "balanced_accuracy", "f1_macro", "matthews_corrcoef")
KEYS = ("best", "best, tuned", "committee", "committee, tuned", "chosen")
LONGEST = 15.0  # seconds for the folds of a pipeline


def main():
    """Make the pools that are not stored yet, then compare on all of them."""
    options = parse_arguments()
    options.store.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore")
    pools = {}
    for name in options.sets:
        path = options.store / f"{name}.npz"
        if not path.exists():
            np.savez_compressed(path, **make_pool(DataFolder(options.data).load(name)))
        pools[name] = dict(np.load(path))
        print(name, pools[name]["P"].shape, flush=True)
    if options.pools_only:
        return
    text = write_report(pools)
    print(text)
    if options.out:
        options.out.write_text(text, encoding="utf-8")


def parse_arguments():
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--store", type=Path, default=Path("committee-pools"))
    parser.add_argument("--sets", type=lambda text: text.split(","), default=SETS)
    parser.add_argument("--pools-only", action="store_true")
    parser.add_argument("--out", type=Path)
    return parser.parse_args()


# ------------------------------------------------------------------ pools


def make_pool(data):
    """Return out-of-fold and test predictions of a dozen pipelines."""
    X, task = as_table(data.X), data.task
    classes, y = None, np.asarray(data.y)
    if task == "classification":
        classes, y = np.unique(y, return_inverse=True)
    y = y if task == "classification" else y.astype(float)
    order = np.random.default_rng(0).permutation(len(y))
    n_train = min(MAX_TRAINED, len(y) // 2)
    train, test = order[:n_train], order[n_train : n_train + MAX_TESTED]
    X_train, y_train = take_rows(X, train), y[train]
    measure = make_scorer("auto", task, classes)
    problem = Problem.of(X_train, y_train, task, measure.kind)
    space = default_space(task).suiting(problem)
    folds = make_folds(5, X_train, y_train, task, 0)
    evaluator = Evaluator(X_train, y_train, folds, space, problem, measure)
    made = {"P": [], "P_test": [], "fit": [], "predict": []}
    for pipeline in list_initial_pipelines(space, problem):
        found = evaluator(pipeline, limit=LONGEST)
        if found.state != "complete":
            print(pipeline["learner"], found.state, found.reason)
            continue
        model = space.build(pipeline, problem).fit(X_train, y_train)
        made["P"].append(found.predictions)
        made["P_test"].append(evaluator.predict(model, take_rows(X, test)))
        made["fit"].append(found.fit_seconds)
        made["predict"].append(found.predict_seconds)
        if len(made["P"]) == N_PIPELINES:
            break
    made = {key: np.asarray(values) for key, values in made.items()}
    return made | {"y": y_train, "y_test": y[test]}


# ------------------------------------------------------------------ weights


def take_best(pool, measure):
    """Take the best model alone."""
    scores = [measure(one, pool["y"]) for one in pool["P"]]
    return np.eye(len(scores))[int(np.argmax(scores))]


def take_greedily(pool, measure):
    """Grow a committee, as ``grow_committee`` does by default."""
    return grow_committee(pool["P"], pool["y"], measure, random_state=0)


def take_in_one_bag(pool, measure):
    """Grow a committee of all models, not of random halves."""
    return grow_committee(pool["P"], pool["y"], measure, n_bags=1, random_state=0)


def take_diverse(pool, measure):
    """Add the model with the best sum of score and diversity, for 20 rounds."""
    P, y = pool["P"].astype(np.float64), pool["y"]
    if P.ndim == 3:
        alike = double_fault(y, P.argmax(axis=2), average=None)
        alike = alike / np.nanmax(alike)
    else:
        alike = output_correlation(P - y, average=None)
    np.fill_diagonal(alike, 1.0)
    worth = DIVERSITY * abs(max(measure(one, y) for one in P))
    counts, total, best = np.zeros(len(P)), np.zeros_like(P[0]), (-np.inf, None)
    for size in range(1, 21):
        scores = measure.score_weighted((total + P) / size, y, np.ones((1, len(y))))[0]
        wish = scores.copy()
        if counts.any():
            wish -= worth * (alike @ counts) / counts.sum()
        added = int(np.argmax(wish))
        total, counts = total + P[added], counts + np.eye(len(P))[added]
        if scores[added] > best[0]:
            best = scores[added], counts / counts.sum()
    return best[1]


def take_simplex(pool, measure):
    """Minimize the loss over the simplex."""
    return trim_weights(weigh_committee(pool["P"], pool["y"]))


def take_fewer(pool, measure):
    """Minimize the loss over the simplex, and drop the members that are not missed."""
    return drop_spare(take_simplex(pool, measure), Losses(pool["P"], pool["y"]))


WEIGHTS = {
    "best": take_best,
    "greedy": take_greedily,
    "greedy, one bag": take_in_one_bag,
    "one bag + diversity": take_diverse,
    "simplex": take_simplex,
    "simplex, thinned": take_fewer,
}


def compare_weights(pools):
    """Return the test loss and the size of each committee, and the times better."""
    rows, losses = [], []
    for name, pool in pools.items():
        measure = make_measure(pool, "log_loss")
        row, found = [name], []
        for choose in WEIGHTS.values():
            weights = choose(pool, measure)
            mixed = average_predictions(weights, pool["P_test"])
            found.append(-measure(mixed, pool["y_test"]))
            row.append(f"{found[-1]:.4g} ({np.count_nonzero(weights)})")
        rows.append(row)
        losses.append(found)
    losses = np.array(losses)
    greedy = losses[:, list(WEIGHTS).index("greedy")]
    rows.append(["mean ratio to greedy", *(losses / greedy[:, None]).mean(axis=0)])
    rows.append(["sets better than greedy", *(losses < greedy[:, None]).sum(axis=0)])
    return rows


# ------------------------------------------------------------------ tuning


def compare_tuning(pools):
    """Return test scores of the strategies, and of the one that the replay chooses."""
    rows = []
    for metric in TUNED:
        for name, pool in pools.items():
            if pool["P"].ndim < 3:
                continue
            measure = make_measure(pool, metric)
            every = np.ones(len(pool["P"]), dtype=bool)
            strategies = Strategies(measure, every, every, 0)
            order = np.argsort([-measure(one, pool["y"]) for one in pool["P"]])
            judge = BootstrapJudge(
                SimpleNamespace(y=pool["y"], folds=[], measure=measure),
                pool["P"][order], len(order), 0.0, np.inf, 0,
            )  # fmt: skip
            found = strategies.choose(
                judge.rank, judge.P, judge.y, np.ones(len(judge.y))
            )
            chosen = judge.choose(strategies)
            found["chosen"] = found["best"] if chosen is None else chosen[0]
            scores = {
                key: measure.show(
                    measure(one.decide(pool["P_test"][order]), pool["y_test"])
                )
                for key, one in found.items()
            }
            rows.append([metric, name, *(f"{scores[key]:.4f}" for key in KEYS)])
    return rows


# ------------------------------------------------------------------ report


def make_measure(pool, metric):
    """Return the scorer of a pool: RMSE for numbers."""
    if pool["P"].ndim < 3:
        return make_scorer("rmse", "regression")
    return make_scorer(metric, "classification", np.arange(pool["P"].shape[2]))


def write_report(pools):
    """Return the tables as Markdown."""
    first = [
        [f"{one:.3f}" if isinstance(one, float) else one for one in row]
        for row in compare_weights(pools)
    ]
    second = compare_tuning(pools)
    parts = [
        "# Weights of committees",
        "Pools of twelve pipelines, weighed by out-of-fold predictions on at most "
        f"{MAX_TRAINED} rows, scored on the other rows (`committee_weights.py`).",
        describe_machine(["manyminds", "scikit-learn", "numpy"]),
        "## Log loss or RMSE on test rows (members)",
        markdown_table(["set", *WEIGHTS], first),
        "## Tuning, on test rows",
        "Log loss with a temperature, other metrics with weights of classes; `chosen` "
        "is what the replay on bootstrap samples chooses.",
        markdown_table(["metric", "set", *KEYS], second),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    main()
