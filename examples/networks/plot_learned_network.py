"""
A learned network compared with the true one
============================================

Rows are drawn from a public network, ``child``, whose graph is known. Hill climbing
learns a graph from them. More rows find more of the true edges; some arcs stay
reversed, for graphs with the same edges and the same colliders fit equally well.
"""

import matplotlib.pyplot as plt

from manyminds.datasets import load_network
from manyminds.networks import GraphDisplay, HillClimbingSearch

child = load_network("child")
true = child.to_networkx()

# %%
# With 300 rows many edges are missing; with 20,000 nearly all are found.
fig, axes = plt.subplots(1, 2, figsize=(11, 5.5), layout="constrained")
for ax, n_samples in zip(axes, (300, 20_000)):
    rows = child.sample(n_samples, random_state=0)
    search = HillClimbingSearch().fit(rows)
    display = GraphDisplay(search.graph_, true).plot([ax])
    title = ax.get_title().removeprefix("learned: ")
    ax.set_title(f"learned from {n_samples:,} rows\n{title}", fontsize=10)
    print(n_samples, "distance to the true graph:", display.comparison.distance)
plt.show()
