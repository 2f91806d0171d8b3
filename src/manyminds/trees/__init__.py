"""Decision trees: grow them on binned columns, prune them, read them."""

from manyminds.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from manyminds.trees.mdl_tree import MDLTreeClassifier
from manyminds.trees.pruning import prune_cost_complexity, prune_reduced_error
from manyminds.trees.rep_tree import REPTreeClassifier, REPTreeRegressor
from manyminds.trees.rules import export_rules
from manyminds.trees.ssv_tree import SSVTreeClassifier
from manyminds.trees.structure import Trees
from manyminds.trees.surrogates import Surrogates, masking_matrix, surrogate_splits

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "MDLTreeClassifier",
    "REPTreeClassifier",
    "REPTreeRegressor",
    "SSVTreeClassifier",
    "Surrogates",
    "Trees",
    "export_rules",
    "masking_matrix",
    "prune_cost_complexity",
    "prune_reduced_error",
    "surrogate_splits",
]

# What other rooms import from this one besides the public names.
INTERNALS = (
    "_parameters.CATEGORICAL_FEATURES",
    "_parameters.CCP_ALPHA",
    "_parameters.CLASSES",
    "_parameters.COLUMNS",
    "_parameters.GROWTH_LIMITS",
    "_parameters.MAX_DEPTH",
    "_parameters.MIN_SAMPLES_LEAF",
    "_parameters.NAMES",
    "_parameters.SPLIT_LIMITS",
    "_parameters.SQUARED_ERROR",
    "base.TreeClassifierMixin",
    "base.TreeModel",
    "base.TreeRegressorMixin",
    "binned.MAX_BINS",
    "binned.make_binned_table",
    "binning.MAX_BINS",
    "binning.bin_table",
    "binning.wants_row_copy",
    "boosting.Booster",
    "boosting.GrowthOptions",
    "boosting.SAMPLINGS",
    "chunks.divide_rows",
    "columns.ColumnEncoder",
    "columns.encode_table",
    "columns.map_dense_blocks",
    "columns.ColumnEncoder",
    "contributions.ContributionsMixin",
    "contributions.tree_contributions",
    "cuts.apply_cuts",
    "cuts.find_cuts",
    "folds.limit_folds",
    "folds.renumber_folds",
    "growing.count_features",
    "growing.draw_seeds",
    "growing.grow",
    "growing.list_draws",
    "growing.make_rules",
    "growing.make_sampling",
    "growing.read_record",
    "label_growing.MAX_LABELS",
    "label_growing.grow_on_labels",
    "label_growing.grow_on_targets",
    "nodes.expected_gain.exact_gain",
    "nodes.expected_gain.midpoint_gain",
    "nodes.feature_draws.bound_gains",
    "nodes.feature_draws.draw_most_uniformly",
    "nodes.feature_draws.normalize",
    "nodes.gain_statistics.ESS",
    "nodes.gain_statistics.GainStatistics",
    "nodes.gain_statistics.collect_gains",
    "nodes.gain_statistics.list_node_gains",
    "nodes.node_complexity.node_complexity",
    "nodes.node_complexity.number_complexity",
    "nodes.node_rows.list_all_gains",
    "nodes.node_rows.shadow_gains",
    "out_of_bag.OutOfBagGrower",
    "permutation.oob_permutation_importance",
    "rare_codes.list_rare_codes",
    "rep_tree.grow_rep_trees",
)
