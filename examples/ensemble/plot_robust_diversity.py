"""
Sample weights of boosting with wrong labels
============================================

Two classes on either side of an oblique line; a tenth of the labels are flipped.
AdaBoost raises the weight of a row each time it is misclassified, and the wrong labels,
which always are, get large weights everywhere. DIVBOOST weights rows by how much its
members disagree. Far from the line they agree, and wrong labels there have no weight;
near the line, where the members disagree, they keep a large one.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.ensemble import DivBoostClassifier, ResampledAdaBoostClassifier
from manyminds.trees import DecisionTreeClassifier

rng = np.random.default_rng(0)
X = rng.uniform(size=(400, 2))
distance = (X.sum(axis=1) - 1.0) / np.sqrt(2.0)
is_wrong = rng.permutation(400) < 40
y = (distance > 0.0) ^ is_wrong
tree = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=8)
models = {
    "AdaBoost": ResampledAdaBoostClassifier(tree, random_state=0),
    "DIVBOOST": DivBoostClassifier(tree, random_state=0),
}

# %%
# Above, a row's area is its final weight; wrong labels are red. Below, the same weights
# against the distance from the line, in units of an equal share. The titles tell how
# much of the weight is on wrong labels further than 0.15 from the line.
fig, axes = plt.subplots(2, 2, figsize=(8, 7), layout="constrained", sharey="row")
for column, (name, model) in zip(axes.T, models.items()):
    weights = 400 * model.fit(X, y).sample_weights_
    share = weights[is_wrong & (abs(distance) > 0.15)].sum() / weights.sum()
    colors = np.where(is_wrong, "tab:red", "tab:blue")
    column[0].scatter(*X.T, s=8 * weights, c=colors, alpha=0.6, linewidth=0)
    column[0].plot([0, 1], [1, 0], color="black", linewidth=1)
    column[0].set_title(f"{name}: {100 * share:.0f} % on outliers")
    column[0].set(aspect="equal", xlabel="first feature", ylabel="second feature")
    for wrong, label in ((False, "right label"), (True, "wrong label")):
        some = is_wrong == wrong
        color = "tab:red" if wrong else "tab:blue"
        column[1].scatter(
            distance[some], weights[some] + 1e-3, s=9, c=color, label=label
        )
    column[1].set(yscale="log", ylim=(5e-4, 100), xlabel="distance from the line")
axes[1, 0].set_ylabel("final weight")
axes[1, 0].legend()
plt.show()
