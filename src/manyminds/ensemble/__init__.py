"""Ensembles: forests, boosting, codes, labels, experts, clusterings and others."""

from manyminds.ensemble.bagging.bagging import BaggingClassifier, BaggingRegressor
from manyminds.ensemble.bagging.iterated_bagging import IteratedBaggingRegressor
from manyminds.ensemble.bagging.random_oracle import (
    RandomOracleClassifier,
    RandomOracleRegressor,
)
from manyminds.ensemble.boosting.adaboost_r2 import AdaBoostR2Regressor
from manyminds.ensemble.boosting.boost_by_majority import BoostByMajorityClassifier
from manyminds.ensemble.boosting.div_boost import DivBoostClassifier
from manyminds.ensemble.boosting.gradient.gradient_boosting import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from manyminds.ensemble.boosting.relevance_trace import relevance_trace
from manyminds.ensemble.boosting.resampled_adaboost import ResampledAdaBoostClassifier
from manyminds.ensemble.boosting.rp_boost import RpBoostClassifier
from manyminds.ensemble.clusterings.consensus import combine_clusterings
from manyminds.ensemble.clusterings.display import ConsensusMatrixDisplay
from manyminds.ensemble.clusterings.random_cluster_ensemble import (
    RandomClusterEnsemble,
)
from manyminds.ensemble.clusterings.unsupervised_forest import UnsupervisedForest
from manyminds.ensemble.codes.decoders import decode
from manyminds.ensemble.codes.discriminant_tree import discriminant_tree_code
from manyminds.ensemble.codes.distances import column_distances, row_distances
from manyminds.ensemble.codes.ecoc import ECOCClassifier
from manyminds.ensemble.codes.fixed_codes import (
    minimal_code,
    one_vs_all_code,
    one_vs_one_code,
)
from manyminds.ensemble.codes.label_groups import LabelGroupClassifier
from manyminds.ensemble.codes.minimal_ecoc import MinimalECOCClassifier
from manyminds.ensemble.codes.nested_dichotomies import NestedDichotomiesClassifier
from manyminds.ensemble.codes.random_codes import (
    balanced_code,
    dense_random_code,
    sparse_random_code,
)
from manyminds.ensemble.codes.weighted_ecoc import WeightedECOCClassifier
from manyminds.ensemble.committees.cv_committee import CVCommittee
from manyminds.ensemble.committees.delegating import DelegatingClassifier
from manyminds.ensemble.committees.ensemble_filter import EnsembleFilterClassifier
from manyminds.ensemble.committees.triskel import TriskelClassifier
from manyminds.ensemble.experts.classwise_local import ClasswiseClusterLocalClassifier
from manyminds.ensemble.experts.cluster_local import ClusterLocalClassifier
from manyminds.ensemble.experts.hme import HMEClassifier
from manyminds.ensemble.experts.hmrpe import HMRPEClassifier
from manyminds.ensemble.experts.mrpe import MRPEClassifier
from manyminds.ensemble.experts.partition_blend import PartitionBlendClassifier
from manyminds.ensemble.experts.prototype_oracle import (
    RandomPrototypeOracleClassifier,
)
from manyminds.ensemble.experts.report import (
    compare_with_one_model,
    describe_experts,
    measure_probabilities,
    plot_experts,
)
from manyminds.ensemble.experts.slice_local import FeatureSliceLocalClassifier
from manyminds.ensemble.experts.subset_local import RandomSubsetLocalClassifier
from manyminds.ensemble.forests.extra_trees import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
)
from manyminds.ensemble.forests.merging import merge_forests
from manyminds.ensemble.forests.random_forest import (
    RandomForestClassifier,
    RandomForestRegressor,
)
from manyminds.ensemble.forests.weighted_draws.ci_ws import CIWSForestClassifier
from manyminds.ensemble.forests.weighted_draws.lambda_ws import LambdaWSForestClassifier
from manyminds.ensemble.forests.weighted_draws.tree_ws import TreeWSForestClassifier
from manyminds.ensemble.forests.weighted_draws.two_stage_ws import (
    TwoStageWSForestClassifier,
)
from manyminds.ensemble.graphs.ddag_ktipcac import DDAGKTIPCACClassifier
from manyminds.ensemble.graphs.decision_dag import DecisionDAGClassifier
from manyminds.ensemble.graphs.max_wins import MaxWinsClassifier
from manyminds.ensemble.graphs.pairwise_coupling import PairwiseCouplingClassifier
from manyminds.ensemble.local.dynamic_integration import (
    DynamicIntegrationClassifier,
)
from manyminds.ensemble.local.local_trees import (
    ForestOfLocalTreesClassifier,
    ForestOfLocalTreesRegressor,
)
from manyminds.ensemble.local.proximity import forest_neighbors, forest_proximity
from manyminds.ensemble.local.rf_local import RFLocalClassifier
from manyminds.ensemble.multilabel.adaboost_mh import AdaBoostMHClassifier
from manyminds.ensemble.multilabel.binary_relevance import BinaryRelevanceClassifier
from manyminds.ensemble.multilabel.classifier_chain import ClassifierChain
from manyminds.ensemble.multilabel.forest import (
    MultiLabelForestClassifier,
    MultiTargetForestRegressor,
)
from manyminds.ensemble.multilabel.homer import HOMERClassifier
from manyminds.ensemble.multilabel.label_powerset import LabelPowersetClassifier
from manyminds.ensemble.multilabel.label_ranking import (
    CalibratedLabelRankingClassifier,
)
from manyminds.ensemble.multilabel.measures import describe_labels, measure_labels
from manyminds.ensemble.multilabel.ml_knn import MLkNNClassifier
from manyminds.ensemble.multilabel.pruned_sets import PrunedSetsClassifier
from manyminds.ensemble.multilabel.rakel import (
    DisjointRAkELClassifier,
    RAkELClassifier,
)
from manyminds.ensemble.multilabel.row_ensembles import (
    BaggedRelevanceClassifier,
    EnsembleOfChainsClassifier,
    EnsembleOfPrunedSetsClassifier,
)
from manyminds.ensemble.multilabel.stacked_relevance import StackedRelevanceClassifier
from manyminds.ensemble.multilabel.stratification import IterativeStratifiedKFold
from manyminds.ensemble.multilabel.thresholds import (
    LabelThresholdClassifier,
    cardinality_threshold,
    center_thresholds,
    label_thresholds,
)
from manyminds.ensemble.pruning.dynamic import DynamicSelectionClassifier
from manyminds.ensemble.pruning.ensemble_selection import (
    EnsembleSelectionClassifier,
    EnsembleSelectionRegressor,
)
from manyminds.ensemble.pruning.fitselect import FitselectClassifier
from manyminds.ensemble.pruning.instance_pruning import InstancePruningClassifier
from manyminds.ensemble.pruning.pruned import PrunedClassifier, PrunedRegressor
from manyminds.ensemble.rotations.aherf import AHERFClassifier, AHERFRegressor
from manyminds.ensemble.rotations.composition import (
    describe_composition,
    plot_composition,
)
from manyminds.ensemble.rotations.herf import HERFClassifier, HERFRegressor
from manyminds.ensemble.rotations.random_rotation import (
    RandomRotationClassifier,
)
from manyminds.ensemble.rotations.rotation_forest import (
    RotationForestClassifier,
    RotationForestRegressor,
)
from manyminds.ensemble.rules.part import PARTClassifier
from manyminds.ensemble.rules.robust_c45 import RobustC45Classifier

__all__ = [
    "AHERFClassifier",
    "AHERFRegressor",
    "AdaBoostMHClassifier",
    "AdaBoostR2Regressor",
    "BaggedRelevanceClassifier",
    "BaggingClassifier",
    "BaggingRegressor",
    "BinaryRelevanceClassifier",
    "BoostByMajorityClassifier",
    "CIWSForestClassifier",
    "CVCommittee",
    "CalibratedLabelRankingClassifier",
    "ClassifierChain",
    "ClasswiseClusterLocalClassifier",
    "ClusterLocalClassifier",
    "ConsensusMatrixDisplay",
    "DDAGKTIPCACClassifier",
    "DecisionDAGClassifier",
    "DelegatingClassifier",
    "DisjointRAkELClassifier",
    "DivBoostClassifier",
    "DynamicIntegrationClassifier",
    "DynamicSelectionClassifier",
    "ECOCClassifier",
    "EnsembleFilterClassifier",
    "EnsembleOfChainsClassifier",
    "EnsembleOfPrunedSetsClassifier",
    "EnsembleSelectionClassifier",
    "EnsembleSelectionRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "FeatureSliceLocalClassifier",
    "FitselectClassifier",
    "ForestOfLocalTreesClassifier",
    "ForestOfLocalTreesRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "HERFClassifier",
    "HERFRegressor",
    "HMEClassifier",
    "HMRPEClassifier",
    "HOMERClassifier",
    "InstancePruningClassifier",
    "IteratedBaggingRegressor",
    "IterativeStratifiedKFold",
    "LabelGroupClassifier",
    "LabelPowersetClassifier",
    "LabelThresholdClassifier",
    "LambdaWSForestClassifier",
    "MLkNNClassifier",
    "MRPEClassifier",
    "MaxWinsClassifier",
    "MinimalECOCClassifier",
    "MultiLabelForestClassifier",
    "MultiTargetForestRegressor",
    "NestedDichotomiesClassifier",
    "PARTClassifier",
    "PairwiseCouplingClassifier",
    "PartitionBlendClassifier",
    "PrunedClassifier",
    "PrunedRegressor",
    "PrunedSetsClassifier",
    "RAkELClassifier",
    "RFLocalClassifier",
    "RandomClusterEnsemble",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RandomOracleClassifier",
    "RandomOracleRegressor",
    "RandomPrototypeOracleClassifier",
    "RandomRotationClassifier",
    "RandomSubsetLocalClassifier",
    "ResampledAdaBoostClassifier",
    "RobustC45Classifier",
    "RotationForestClassifier",
    "RotationForestRegressor",
    "RpBoostClassifier",
    "StackedRelevanceClassifier",
    "TreeWSForestClassifier",
    "TriskelClassifier",
    "TwoStageWSForestClassifier",
    "UnsupervisedForest",
    "WeightedECOCClassifier",
    "balanced_code",
    "cardinality_threshold",
    "center_thresholds",
    "column_distances",
    "combine_clusterings",
    "compare_with_one_model",
    "decode",
    "dense_random_code",
    "describe_composition",
    "describe_experts",
    "describe_labels",
    "discriminant_tree_code",
    "forest_neighbors",
    "forest_proximity",
    "label_thresholds",
    "measure_labels",
    "measure_probabilities",
    "merge_forests",
    "minimal_code",
    "one_vs_all_code",
    "one_vs_one_code",
    "plot_composition",
    "plot_experts",
    "relevance_trace",
    "row_distances",
    "sparse_random_code",
]

# What other rooms import from this one besides the public names.
INTERNALS = (
    "base.draw_member_seeds",
    "base.make_member",
    "base.route_weight",
    "base.run_on_members",
    "boosting.diversity_curves.q_path",
    "boosting.diversity_curves.q_statistic",
    "boosting.gradient.stopping.split_rows",
    "clusterings.members.cluster_by_means",
    "clusterings.unsupervised_forest.grow_unsupervised",
    "local.local_gains.average_gains",
    "local.local_gains.check_forest",
    "local.local_gains.make_uniform_forest",
    "local.local_gains.read_forest_rows",
    "local.local_gains.sum_gains",
    "multilabel.base.MultiLabelMixin",
    "multilabel.label_powerset.DIGITS",
    "multilabel.measures.divide_or_one",
    "multilabel.measures.measure_row_scores",
    "multilabel.measures.measure_row_sets",
    "neighbors.MAX_DISTANCE",
)
