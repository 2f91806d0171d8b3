"""Feature selection: filters, embedded and causal selectors, committees, stability."""

from manyminds.feature_selection.causal.grow_shrink import GrowShrinkSelector
from manyminds.feature_selection.causal.hiton import HITONSelector
from manyminds.feature_selection.causal.hybrid import HybridCausalSelector
from manyminds.feature_selection.causal.iamb import IAMBSelector
from manyminds.feature_selection.causal.mmmb import MMMBSelector
from manyminds.feature_selection.causal.pc import PCSelector
from manyminds.feature_selection.causal.tpda import TPDASelector
from manyminds.feature_selection.committees.level_adjusted import (
    LevelAdjustedSelector,
)
from manyminds.feature_selection.committees.selection_committee import (
    SelectionCommittee,
)
from manyminds.feature_selection.committees.sequential_filter import (
    SequentialFilterSelector,
)
from manyminds.feature_selection.committees.wrapper import WrapperSelector
from manyminds.feature_selection.contrasts.ace import ACERound, ACESelector
from manyminds.feature_selection.contrasts.blanket_distance import blanket_distance
from manyminds.feature_selection.embedded.boruta import BorutaSelector
from manyminds.feature_selection.embedded.forest_gain import ForestGainSelector
from manyminds.feature_selection.embedded.forest_gain_test import ForestGainTestSelector
from manyminds.feature_selection.embedded.forest_gain_threshold import (
    ForestGainThresholdSelector,
)
from manyminds.feature_selection.embedded.local_relevance import (
    LocalRelevance,
    relevance_matrix,
)
from manyminds.feature_selection.embedded.mdl_tree_selectors import (
    TreeCandidateSelector,
    TreeSplitSelector,
)
from manyminds.feature_selection.embedded.permutation_importance import (
    PermutationImportanceSelector,
)
from manyminds.feature_selection.embedded.permutation_test import (
    PermutationTestSelector,
)
from manyminds.feature_selection.filters.cfs import CFSSelector
from manyminds.feature_selection.filters.correlation import CorrelationSelector
from manyminds.feature_selection.filters.discretization import make_code_table
from manyminds.feature_selection.filters.fcbf import FCBFSelector
from manyminds.feature_selection.filters.high_variance import HighVarianceSelector
from manyminds.feature_selection.filters.information_gain import (
    InformationGainSelector,
)
from manyminds.feature_selection.filters.mrmr import MRMRSelector
from manyminds.feature_selection.filters.mrmr_cost import (
    count_passes,
    estimate_passes,
)
from manyminds.feature_selection.filters.pairwise_redundancy import (
    PairwiseRedundancySelector,
)
from manyminds.feature_selection.filters.ssv import SSVSelector
from manyminds.feature_selection.filters.topic_words import TopicWordSelector
from manyminds.feature_selection.relevance import (
    expected_ensemble_accuracy,
    find_marginally_relevant,
    find_strongly_relevant,
    find_weakly_relevant,
    is_markov_blanket,
)
from manyminds.feature_selection.stability.display import StabilityDisplay
from manyminds.feature_selection.stability.error_bounds import bound_false_selections
from manyminds.feature_selection.stability.stable_selector import StableSelector
from manyminds.feature_selection.unsupervised.cefs import CEFSSelector
from manyminds.feature_selection.unsupervised.davies_bouldin import (
    DaviesBouldinSelector,
)
from manyminds.feature_selection.unsupervised.display import ClusterImportanceDisplay
from manyminds.feature_selection.unsupervised.rce import RCESelector
from manyminds.feature_selection.unsupervised.scatter_separability import (
    ScatterSeparabilitySelector,
)
from manyminds.feature_selection.unsupervised.scree import scree_test
from manyminds.feature_selection.unsupervised.unsupervised_forest import (
    UnsupervisedForestSelector,
)
from manyminds.networks.constraint.clock import TimeLimitWarning
from manyminds.trees.nodes.node_complexity import node_complexity

__all__ = [
    "ACERound",
    "ACESelector",
    "BorutaSelector",
    "CEFSSelector",
    "CFSSelector",
    "ClusterImportanceDisplay",
    "CorrelationSelector",
    "DaviesBouldinSelector",
    "FCBFSelector",
    "ForestGainSelector",
    "ForestGainTestSelector",
    "ForestGainThresholdSelector",
    "GrowShrinkSelector",
    "HITONSelector",
    "HighVarianceSelector",
    "HybridCausalSelector",
    "IAMBSelector",
    "InformationGainSelector",
    "LevelAdjustedSelector",
    "LocalRelevance",
    "MMMBSelector",
    "MRMRSelector",
    "PCSelector",
    "PairwiseRedundancySelector",
    "PermutationImportanceSelector",
    "PermutationTestSelector",
    "RCESelector",
    "SSVSelector",
    "ScatterSeparabilitySelector",
    "SelectionCommittee",
    "SequentialFilterSelector",
    "StabilityDisplay",
    "StableSelector",
    "TPDASelector",
    "TimeLimitWarning",
    "TopicWordSelector",
    "TreeCandidateSelector",
    "TreeSplitSelector",
    "UnsupervisedForestSelector",
    "WrapperSelector",
    "blanket_distance",
    "bound_false_selections",
    "count_passes",
    "estimate_passes",
    "expected_ensemble_accuracy",
    "find_marginally_relevant",
    "find_strongly_relevant",
    "find_weakly_relevant",
    "is_markov_blanket",
    "make_code_table",
    "node_complexity",
    "relevance_matrix",
    "scree_test",
]

# What other rooms may import besides.
INTERNALS = (
    "associations.CodeTable",
    "associations.absolute_pearson",
    "associations.symmetrical_uncertainty",
    "base.assign_folds",
    "base.count_to_select",
    "filters.mrmr.combine_votes",
    "stability.jaccard_stability",
    "stability.nogueira_stability",
    "stability.null_interval",
)
