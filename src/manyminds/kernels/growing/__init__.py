"""Growing trees over binned columns: histograms, cuts, search, nodes, trees.

``trees.grow_trees`` is the entry point. Each file calls those before it in this list;
``label_cuts`` stands beside ``cuts``, for trees with many targets.
"""
