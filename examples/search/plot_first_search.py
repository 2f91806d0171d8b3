"""
A search and its honest score
=============================

A small search on the wine data. Each point is a pipeline with the 95 % interval of its
cross-validated score. The best of them, the naive score, is a little too optimistic,
because it was chosen by this score; the honest score subtracts the estimated bias.
"""

import matplotlib.pyplot as plt

from manyminds.datasets import load_dataset
from manyminds.search import ComplexModelSearchClassifier, default_space

data = load_dataset("wine")
space = default_space("classification").only(
    "learner", "logistic", "linear_svm", "gaussian_svm", "nrbf", "ssv_tree"
)
search = ComplexModelSearchClassifier(
    budget=None, n_trials=8, cv=5, space=space, committee=False, random_state=0
)
search.fit(data.X, data.y)

board, honest = search.leaderboard_, search.honest_score_
places = range(len(board))
fig, ax = plt.subplots(figsize=(7.5, 3.6), layout="constrained")
ax.axvspan(honest.low, honest.high, color="tab:orange", alpha=0.15)
ax.axvline(honest.score, color="tab:orange", label="honest score, 95 % interval")
ax.axvline(honest.naive, color="tab:gray", linestyle=":", label="naive score")
errors = [board["score"] - board["low"], board["high"] - board["score"]]
ax.errorbar(board["score"], places, xerr=errors, fmt="o", capsize=2)
ax.set_yticks(places, board["learner"])
ax.invert_yaxis()
ax.set_xlabel("accuracy of the pooled out-of-fold predictions")
ax.legend(loc="upper left", fontsize=8)
plt.show()
