"""Ensembles: forests, bagging, boosting, rotations, local models, rules, committees."""

from manyminds.ensemble.bagging.bagging import BaggingClassifier, BaggingRegressor
from manyminds.ensemble.bagging.iterated_bagging import IteratedBaggingRegressor
from manyminds.ensemble.bagging.random_oracle import (
    RandomOracleClassifier,
    RandomOracleRegressor,
)
from manyminds.ensemble.boosting.adaboost_r2 import AdaBoostR2Regressor
from manyminds.ensemble.boosting.boost_by_majority import BoostByMajorityClassifier
from manyminds.ensemble.boosting.div_boost import DivBoostClassifier
from manyminds.ensemble.boosting.relevance_trace import relevance_trace
from manyminds.ensemble.boosting.resampled_adaboost import ResampledAdaBoostClassifier
from manyminds.ensemble.boosting.rp_boost import RpBoostClassifier
from manyminds.ensemble.committees.cv_committee import CVCommittee
from manyminds.ensemble.committees.delegating import DelegatingClassifier
from manyminds.ensemble.committees.ensemble_filter import EnsembleFilterClassifier
from manyminds.ensemble.committees.triskel import TriskelClassifier
from manyminds.ensemble.forests.extra_trees import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
)
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
from manyminds.ensemble.local.dynamic_integration import (
    DynamicIntegrationClassifier,
)
from manyminds.ensemble.local.local_trees import (
    ForestOfLocalTreesClassifier,
    ForestOfLocalTreesRegressor,
)
from manyminds.ensemble.local.proximity import forest_proximity
from manyminds.ensemble.local.rf_local import RFLocalClassifier
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
    "AdaBoostR2Regressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostByMajorityClassifier",
    "CIWSForestClassifier",
    "CVCommittee",
    "DelegatingClassifier",
    "DivBoostClassifier",
    "DynamicIntegrationClassifier",
    "EnsembleFilterClassifier",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "ForestOfLocalTreesClassifier",
    "ForestOfLocalTreesRegressor",
    "HERFClassifier",
    "HERFRegressor",
    "IteratedBaggingRegressor",
    "LambdaWSForestClassifier",
    "PARTClassifier",
    "RFLocalClassifier",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RandomOracleClassifier",
    "RandomOracleRegressor",
    "RandomRotationClassifier",
    "ResampledAdaBoostClassifier",
    "RobustC45Classifier",
    "RotationForestClassifier",
    "RotationForestRegressor",
    "RpBoostClassifier",
    "TreeWSForestClassifier",
    "TriskelClassifier",
    "TwoStageWSForestClassifier",
    "describe_composition",
    "forest_proximity",
    "plot_composition",
    "relevance_trace",
]

# What other rooms import from this one besides the public names.
INTERNALS = (
    "base.draw_member_seeds",
    "base.make_member",
    "base.route_weight",
    "base.run_on_members",
    "boosting.diversity_curves.q_statistic",
    "local.local_gains.average_gains",
    "local.local_gains.check_forest",
    "local.local_gains.make_uniform_forest",
    "local.local_gains.read_forest_rows",
    "local.local_gains.sum_gains",
)
