"""
Features compared with their shadows
====================================

Boruta gives every feature a shadow, a copy with permuted values, fits a forest to both
and checks whether the feature is more important than the best of the shadows. After
some rounds, a feature has significantly more, or fewer, hits than half of the rounds.

Five features determine the target here (Friedman's first function). The sixth is a
noisy copy of the fourth: a minimal set for prediction would leave it out, but it is
relevant, and Boruta keeps it. The other nine are noise.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1

from manyminds.feature_selection import BorutaSelector

X, y = make_friedman1(300, 15, noise=1.0, random_state=0)
X[:, 5] = X[:, 3] + 0.2 * np.random.default_rng(0).normal(size=300)
boruta = BorutaSelector(random_state=0, n_jobs=2).fit(X, y)

# %%
# A line spans the importances of a feature (the rise of the out-of-bag error when it is
# shuffled, in standard errors) in all rounds that it took part in; the dot is their
# median. The line at the top is what had to be beaten.
history = [column[np.isfinite(column)] for column in boruta.importance_history_.T]
order = np.argsort([np.median(values) for values in history])
state = np.where(boruta.support_, "kept", "rejected")
state[boruta.support_weak_] = "tentative"
colors = {"kept": "#3d8bc9", "tentative": "black", "rejected": "#b0b0b0"}

fig, ax = plt.subplots(figsize=(8, 5), layout="constrained")
names = []
for place, j in enumerate(order):
    color = colors[state[j]]
    ax.hlines(place, history[j].min(), history[j].max(), color=color, lw=5, alpha=0.5)
    ax.plot(np.median(history[j]), place, "o", color=color)
    names.append(f"feature {j + 1}: {state[j]}, {boruta.n_hits_[j]} hits")
shadow = boruta.shadow_history_
ax.hlines(15, shadow.min(), shadow.max(), color="#d9822b", lw=5, alpha=0.5)
ax.plot(np.median(shadow), 15, "o", color="#d9822b")
ax.set_yticks(range(16), [*names, "best shadow"])
ax.set(
    xlabel="importance, in standard errors",
    title=f"{boruta.n_iter_} rounds of Boruta",
)
plt.show()
