"""Comparison: statistical tests of methods on one or many data sets."""

from manyminds.analysis.comparison.bayesian import (
    BayesianSignedRankResult,
    BayesianTTestResult,
    bayesian_correlated_ttest,
    bayesian_signed_rank_test,
)
from manyminds.analysis.comparison.control import ControlComparison, compare_to_control
from manyminds.analysis.comparison.diagram import plot_critical_difference
from manyminds.analysis.comparison.five_by_two import (
    FiveByTwoResult,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
)
from manyminds.analysis.comparison.groups import (
    CriticalDifference,
    critical_difference,
)
from manyminds.analysis.comparison.p_values import adjust_p_values, hochberg, holm
from manyminds.analysis.comparison.posthoc import (
    NemenyiResult,
    PairwiseTests,
    nemenyi_test,
    pairwise_wilcoxon,
)
from manyminds.analysis.comparison.ranks import (
    FriedmanResult,
    MethodRanks,
    friedman_test,
    rank_methods,
)
from manyminds.analysis.comparison.resampled import (
    TTestResult,
    corrected_resampled_ttest,
    paired_ttest,
    unpaired_ttest,
    unpaired_ttest_from_summary,
)
from manyminds.analysis.comparison.signed_ranks import (
    SignTestResult,
    WilcoxonResult,
    sign_test,
    wilcoxon_signed_rank,
)
from manyminds.analysis.comparison.summary import MethodComparison, compare_methods
from manyminds.analysis.comparison.win_tie_loss import (
    WinTieLoss,
    win_tie_loss,
    win_tie_loss_from_summary,
)

__all__ = [
    "BayesianSignedRankResult",
    "BayesianTTestResult",
    "ControlComparison",
    "CriticalDifference",
    "FiveByTwoResult",
    "FriedmanResult",
    "MethodComparison",
    "MethodRanks",
    "NemenyiResult",
    "PairwiseTests",
    "SignTestResult",
    "TTestResult",
    "WilcoxonResult",
    "WinTieLoss",
    "adjust_p_values",
    "bayesian_correlated_ttest",
    "bayesian_signed_rank_test",
    "compare_methods",
    "compare_to_control",
    "corrected_resampled_ttest",
    "critical_difference",
    "five_by_two_cv_ftest",
    "five_by_two_cv_ttest",
    "friedman_test",
    "hochberg",
    "holm",
    "nemenyi_test",
    "paired_ttest",
    "pairwise_wilcoxon",
    "plot_critical_difference",
    "rank_methods",
    "sign_test",
    "unpaired_ttest",
    "unpaired_ttest_from_summary",
    "wilcoxon_signed_rank",
    "win_tie_loss",
    "win_tie_loss_from_summary",
]
