"""
The path of one sample through a decision graph
===============================================

A decision graph has a node for each pair of classes. At each node a member that was
fitted to these two classes excludes one of them: to the left the last candidate, to the
right the first one. A sample meets one node of each layer, so that of the 45 members
for ten digits nine predict it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from manyminds.ensemble import DDAGKTIPCACClassifier

X, y = load_digits(return_X_y=True)
model = DDAGKTIPCACClassifier().fit(X[::2], y[::2])
X_new, y_new = X[1::2], y[1::2]
print(f"{model.score(X_new, y_new):.1%} of the other half are right.")

# %%
# The path is the list of the decisions, each with its winner and its loser.
sample = int(np.flatnonzero(y_new == 3)[0])
path = model.decision_path(X_new[[sample]])[0]
visited, first, last = [], 0, 9
for _, loser in path:
    visited.append((first, last))
    first, last = (first + 1, last) if loser == first else (first, last - 1)
visited.append((first, last))

# %%
# Candidates are the digits from the first to the last number of a node; those in the
# bottom row are the answers.
fig, ax = plt.subplots(figsize=(8, 5), layout="constrained")
for first in range(10):
    for last in range(first, 10):
        place, layer = (first + last) / 2, last - first
        on_path = (first, last) in visited
        text = f"{first}" if first == last else f"{first}|{last}"
        color = "C1" if on_path else "0.85"
        ax.text(place, layer, text, ha="center", va="center",
                bbox={"boxstyle": "circle", "fc": color, "ec": "k"})  # fmt: skip
        for after in ((first, last - 1), (first + 1, last)):
            if first < last:
                taken = on_path and after in visited
                ax.plot([place, sum(after) / 2], [layer, after[1] - after[0]],
                        color="C1" if taken else "0.7", lw=3 if taken else 0.8,
                        zorder=0)  # fmt: skip
inset = ax.inset_axes([0.02, 0.6, 0.2, 0.3])
inset.imshow(X_new[sample].reshape(8, 8), cmap="gray_r")
inset.set(xticks=[], yticks=[], title="the sample")
ax.set(title=f"Predicted: {path[-1][0]}")
ax.axis("off")
plt.show()
