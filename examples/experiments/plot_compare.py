"""
Compare four methods on several data sets
=========================================

A plan names data sets, methods and splits; a store keeps every fold, so that the next
run does only what is new; a summary tests the differences, within each data set and
over all of them. Every point below is a fold, and all methods see the same folds.

The command ``manyminds compare`` does the same, and writes a report.
"""

import os
import tempfile

import matplotlib.pyplot as plt

from manyminds.datasets import load_dataset
from manyminds.experiments import (
    CrossValidation,
    Method,
    Plan,
    needs_scaling,
    open_store,
    parse_methods,
    prepared,
    run,
)
from manyminds.reports import describe_tests, summarize

SPELLED = "forest=rf(n_estimators=30), tree, knn, nb"
names = ["iris", "wine", "balance-scale"]
methods = [
    Method(method.name, prepared(method.estimator, needs_scaling(method.estimator)))
    for method in parse_methods(SPELLED, "classification")
]
plan = Plan(
    "four methods",
    [load_dataset(name) for name in names],
    methods,
    splits=CrossValidation(n_splits=5, n_repeats=2),
)
with tempfile.TemporaryDirectory() as folder:
    store = open_store(os.path.join(folder, "records.sqlite"))
    summary = summarize(run(plan, store).records)
    store.close()
print("\n".join(describe_tests(summary)))

# %%
# Different means are no proof: look at the spread of the folds and at the tests above.
fig, axes = plt.subplots(1, 3, figsize=(9, 2.4), sharey=True, layout="constrained")
for ax, name in zip(axes, names):
    cells = [cell for cell in summary.cells if cell.dataset == name]
    for place, cell in enumerate(cells):
        ax.plot(cell.scores, [place] * len(cell.scores), "o", color="C0", alpha=0.3)
        ax.plot(cell.mean, place, "|", color="C1", markersize=18, markeredgewidth=3)
    ax.set(title=name, xlabel=summary.metric, yticks=range(4))
    ax.set_yticklabels(summary.methods)
axes[0].invert_yaxis()
plt.show()
