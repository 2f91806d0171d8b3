"""
Information gains of irrelevant features
========================================

Every feature has some gain when it splits a node, and the smaller the node, the larger
the gain: some split always helps by random variation. To find relevant features, gains
must be compared with those of an irrelevant feature in a node of the same size.

Nine features, of which the first two determine the class, are drawn uniformly by a
forest. We plot the gains of all its splits against the size of the nodes.
"""

import matplotlib.pyplot as plt
import numpy as np

from manyminds.datasets.generators import make_simple
from manyminds.ensemble import RandomForestClassifier
from manyminds.feature_selection import ForestGainTestSelector
from manyminds.trees.nodes.expected_gain import exact_gain, upper_gain
from manyminds.trees.nodes.gain_statistics import list_node_gains

X, y = make_simple(random_state=0)
forest = RandomForestClassifier(
    500, criterion="entropy", max_features=1, bootstrap=False, random_state=0
).fit(X, y)
gains = list_node_gains(forest.trees_)
size = gains.counts.sum(axis=1)
edges = np.geomspace(4, 301, 12)
middle = np.sqrt(edges[:-1] * edges[1:])
place = np.digitize(size, edges) - 1

# %%
# The mean gain of the seven irrelevant features follows the curve of chance, from nodes
# with one row of the rarer class (below) to balanced ones (above); the other two rise
# above it. The thesis's fit of the upper curve is not a bound, and falls too slowly.
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
for f in range(9):
    mine = [gains.gain[(gains.feature == f) & (place == k)] for k in range(11)]
    mean = [one.mean() if len(one) > 20 else np.nan for one in mine]
    style = {"color": "0.6", "lw": 1}
    if f < 2:
        style = {"color": ("#0072B2", "#D55E00")[f], "marker": "os"[f]}
    label = f"feature {f + 1}" if f < 2 else "irrelevant" if f == 2 else None
    left.plot(middle, mean, label=label, **style)
whole = np.unique(middle.round().astype(int))
left.plot(whole, exact_gain(whole, whole // 2), "k--", label="chance, balanced")
left.plot(whole, exact_gain(whole, 1), "k:", label="chance, one row")
left.plot(whole, upper_gain(whole), color="#009E73", ls="-.", label="thesis's bound")
left.set(xscale="log", yscale="log", xlabel="rows in the node")
left.set(ylabel="mean information gain (bits)", title="gain of splits")
left.legend(fontsize=8)

selector = ForestGainTestSelector(random_state=0).fit(X, y)
colors = np.where(selector.support_, "#0072B2", "0.7")
right.bar(np.arange(1, 10), selector.scores_, color=colors)
right.axhline(0, color="k", lw=0.8)
right.set(xlabel="feature", xticks=range(1, 10), ylabel="test statistic t")
right.set_title("gain above chance; blue: kept")
plt.show()
