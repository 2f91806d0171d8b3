"""
An ensemble of mRMR searches is more stable than one
====================================================

mRMR runs on ten subsets of nine tenths of the rows. The more of the selected features
two subsets have in common, the more one may trust the selection. A fast ensemble of
twenty searches, each of which leaves out one twentieth of the rows, is more stable than
a single search.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.feature_selection import MRMRSelector, count_passes
from manyminds.feature_selection.filters.mrmr import combine_votes
from manyminds.feature_selection.stability import jaccard_stability

rng = np.random.default_rng(0)
hidden = rng.normal(size=(60, 12))  # what 600 measured columns have in common
X = hidden @ rng.normal(size=(12, 600)) + 1.5 * rng.normal(size=(60, 600))
y = hidden[:, 0] + hidden[:, 1] > 0
subset = rng.permutation(np.arange(60) % 10)
sizes = np.arange(1, 41)

# %%
# A search for forty features begins with that for thirty-nine: one fit for all sizes.
kinds = {"one search": "none", "inner ensemble": "inner", "fast ensemble": "fast"}
curves = {}
for name, kind in kinds.items():
    chosen = np.zeros((len(sizes), 10, 600), dtype=bool)
    for i in range(10):
        mrmr = MRMRSelector(40, ensemble=kind).fit(X[subset != i], y[subset != i])
        for k in sizes:
            first = mrmr.selected_[:k]
            if kind == "fast":  # members vote anew about their first k
                first = combine_votes(mrmr.members_[:, :k], mrmr.scores_)[0][:k]
            chosen[k - 1, i, first] = True
    curves[name] = [jaccard_stability(masks) for masks in chosen]
    print(f"{name}: {mrmr.n_passes_} passes over the rows")
print(f"twenty searches apart: {count_passes(600, 40, 20)} passes over the rows")

# %%
fig, ax = plt.subplots(figsize=(7, 4), layout="constrained")
styles = (("0.4", ":"), ("C0", "--"), ("C1", "-"))
for (name, curve), (color, line) in zip(curves.items(), styles):
    ax.plot(sizes, curve, color=color, linestyle=line, linewidth=2, label=name)
ax.set(
    xlabel="number of features chosen",
    ylabel="mean Jaccard index of 45 pairs of subsets",
    title="Stability of mRMR on 60 rows and 600 columns",
    ylim=(0, None),
)
ax.legend(frameon=False)
plt.show()
