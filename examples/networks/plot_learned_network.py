"""
A learned network compared with the true one
============================================

Rows are drawn from a public network, ``child``, whose graph is known. Hill climbing
learns a graph from them. More rows find more of the true edges; some arcs stay
reversed, for graphs with the same edges and the same colliders fit equally well.
"""

import matplotlib.pyplot as plt

from manyminds.datasets import load_network
from manyminds.networks import HillClimbingSearch, compare_graphs, plot_network
from manyminds.networks.drawing import place_in_layers

child = load_network("child")
true = child.to_networkx()
positions = place_in_layers(true)

# %%
# With 300 rows many edges are missing; with 20,000 nearly all are found.
fig, axes = plt.subplots(1, 2, figsize=(11, 5.5), layout="constrained")
for ax, n_samples in zip(axes, (300, 20_000)):
    rows = child.sample(n_samples, random_state=0)
    search = HillClimbingSearch().fit(rows)
    plot_network(search.graph_, true, positions=positions, ax=ax, node_size=500)
    ax.set_title(f"{n_samples:,} rows, BIC {search.score_:,.0f}")
    edges = compare_graphs(search.graph_, true)
    print(n_samples, {kind: len(arcs) for kind, arcs in edges.items()})
plt.show()
