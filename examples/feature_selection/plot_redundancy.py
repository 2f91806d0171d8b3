"""
Redundant columns, noise, and an exclusive or
=============================================

A filter that scores columns one by one keeps every copy of a good column. FCBF removes
columns that are redundant given a better one; CFS balances the correlations of a subset
with the class and those of its members with each other. Neither finds two columns that
are informative only jointly: a filter that evaluates pairs keeps them, and some noise.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.feature_selection import (
    CFSSelector,
    FCBFSelector,
    InformationGainSelector,
    PairwiseRedundancySelector,
)

rng = np.random.default_rng(0)
a, b, noise, blur = rng.normal(size=(4, 600))
left, right = rng.normal(size=(2, 600))
problems = {
    "class: a + 0.7 b > 0": (
        {"a": a, "copy of a": a + 0.3 * blur, "poor copy": a + blur, "b": b},
        a + 0.7 * b > 0,
    ),
    "class: left and right have one sign": (
        {"left": left, "right": right, "noise": noise},
        left * right > 0,
    ),
}
selectors = {
    "information gain": InformationGainSelector(),
    "FCBF": FCBFSelector(),
    "CFS": CFSSelector(),
    "pairs": PairwiseRedundancySelector(),
}

# %%
# Bars tell what each column says by itself, in bits. Below them, a filled square is a
# column that is kept.
fig, axes = plt.subplots(
    2, 2, figsize=(9, 4.6), sharex="col", sharey="row", layout="constrained",
    width_ratios=[4, 3], height_ratios=[1, 1.6],
)  # fmt: skip
for (title, (columns, y)), (top, below) in zip(problems.items(), axes.T):
    X, places = np.column_stack(list(columns.values())), np.arange(len(columns))
    gain = InformationGainSelector(discretize="quantile").fit(X, y).scores_
    top.bar(places, gain, color="#0072B2", width=0.6)
    top.set_title(title, fontsize=10)
    for row, selector in enumerate(selectors.values()):
        color = np.where(selector.fit(X, y).support_, "#0072B2", "none")
        below.scatter(places, 0 * places - row, 400, color, "s", ec="0.6")
    below.set(xticks=places, xticklabels=columns, ylim=(-3.6, 0.6))
    below.set(yticks=-np.arange(4), yticklabels=selectors)
axes[0, 0].set_ylabel("information gain (bits)")
plt.show()
