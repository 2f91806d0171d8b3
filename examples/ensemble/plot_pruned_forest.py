"""
How many trees does a forest need to predict?
=============================================

A forest of 200 trees is pruned: on held-out rows its trees are ordered so that each
adds most to the vote of those before (reduced error). The control is a forest that
never had more trees: the trees of a forest are much alike, so whatever the order gains
must show above that curve. Here it does so for three trees only. Time falls with the
number of trees, accuracy on new rows little until some twenty are left: most of what
pruning saves, a smaller forest saves too, and needs no held-out rows.
"""

import time

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification

from manyminds.ensemble import PrunedClassifier, RandomForestClassifier

X, y = make_classification(
    6_000, 20, n_informative=8, flip_y=0.1, class_sep=0.7, random_state=0
)
forest = RandomForestClassifier(200, random_state=0).fit(X[:1_500], y[:1_500])
held_out, new = slice(1_500, 3_000), slice(3_000, None)


def rate(model):
    """Return the accuracy on new rows, and the best milliseconds of five."""
    seconds = []
    for _ in range(5):
        begun = time.perf_counter()
        accuracy = model.score(X[new], y[new])
        seconds.append(time.perf_counter() - begun)
    return 100 * accuracy, 1_000 * min(seconds)


sizes = [3, 5, 10, 20, 40, 70, 100, 140]
pruned = [
    rate(PrunedClassifier(forest, size=n, prefit=True).fit(X[held_out], y[held_out]))
    for n in sizes
]
first = [
    rate(RandomForestClassifier(n, random_state=0).fit(X[:1_500], y[:1_500]))
    for n in sizes
]
whole = rate(forest)

# %%
# Both axes of size are logarithmic; the lines end at the whole forest.
fig, axes = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
for name, found, marker in (("ordered", pruned, "o"), ("as grown", first, "s")):
    accuracy, milliseconds = zip(*found, whole)
    axes[0].plot([*sizes, 200], accuracy, marker=marker, label=name)
    axes[1].plot([*sizes, 200], milliseconds, marker=marker, label=name)
axes[0].set(xscale="log", xlabel="trees", ylabel="accuracy on new rows (%)")
axes[1].set(xscale="log", yscale="log", xlabel="trees", ylabel="time to predict (ms)")
axes[0].legend()
plt.show()
