"""Compare the boosters of the search with their defaults: ours and other libraries.

    python benchmarks/booster_learners.py --data DIR [--sets a,b] [--patience 60]

Loss (log loss, or RMSE over the standard deviation of the target) and CPU seconds of a
fit, the mean over folds. Libraries that are not installed are left out.
"""

import argparse

import numpy as np

from machine import describe_machine, markdown_table
from make_portfolio import Problems
from manyminds.datasets import DataFolder
from manyminds.search.space.boosters import OPTIONS, list_boosters

SETS = (
    "housing,diabetes,credit-g,vehicle,cmc,winequality-red,segment,abalone,spambase,"
    "kin8nm,cpu-small,page-blocks"
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--patience", type=float, default=60.0)
    options = parser.parse_args()
    learners = ["gb", *(one.name for one in list_boosters())]
    folder, rows, ranks = DataFolder(options.data), [], []
    for name in options.sets.split(","):
        problems = Problems(folder.load(name))
        found = [
            problems.evaluate({"learner": one}, options.patience) for one in learners
        ]
        losses = [np.mean(one.get("loss", np.nan)) for one in found]
        ranks.append(np.where(np.isnan(losses), np.nan, np.argsort(np.argsort(losses))))
        cells = [
            f"{loss:.4f} ({min(one['seconds']):.2f} s)" if loss == loss else "-"
            for loss, one in zip(losses, found)
        ]
        rows.append([name, len(problems.y), *cells])
        print(rows[-1], flush=True)
    rows.append(
        ["mean rank", "", *(f"{1 + rank:.2f}" for rank in np.nanmean(ranks, axis=0))]
    )
    print(describe_machine(["manyminds", *(one.name for one in OPTIONS)]))
    print(markdown_table(["set", "rows", *learners], rows))


if __name__ == "__main__":
    main()
