"""Summarize a comparison: means, ranks and tests, and what could not be computed."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from manyminds.analysis.comparison import (
    MethodComparison,
    bayesian_correlated_ttest,
    bayesian_signed_rank_test,
    compare_methods,
    corrected_resampled_ttest,
    holm,
    rank_methods,
    sign_test,
    wilcoxon_signed_rank,
    win_tie_loss,
)
from manyminds.experiments.measures import higher_is_better
from manyminds.experiments.record import Record
from manyminds.experiments.summaries import fold_scores, tabulate
from manyminds.reports.comparison.summary_types import (
    AgainstBest,
    Cell,
    ComparisonSummary,
    Failure,
    PairOverDatasets,
)

FEW_DATASETS = 5  # with fewer, tests over data sets have hardly any power
# Scores between 0 and 1, for which 0.01 is practically equivalent.
SHARES = (
    "accuracy",
    "average_precision",
    "balanced_accuracy",
    "f1",
    "jaccard",
    "precision",
    "recall",
    "roc_auc",
    "top_k_accuracy",
)


def summarize(
    records: Iterable[Record],
    metric: str = "accuracy",
    *,
    test_share: float | None = None,
    rope: float | None = None,
    alpha: float = 0.05,
    test: str = "nemenyi",
    missing: Mapping[str, str] | None = None,
) -> ComparisonSummary:
    """Summarize records of methods on data sets, and test whether the methods differ.

    Within a data set, every method is compared with the best one by the corrected
    resampled t-test and its Bayesian counterpart, on the folds that all methods have.
    Over data sets, the means are compared: three or more methods by Friedman's test and
    a post-hoc test, two by Wilcoxon's, the sign test and the Bayesian signed-rank test.
    A method without any score, and a data set without a fold that all methods have, are
    excluded from the tests; ``not_computed`` lists them.

    Parameters
    ----------
    records : iterable of Record
        Returned by `run`, or by the ``find`` method of a store.
    metric : str, default="accuracy"
        Score to summarize.
    test_share : float, default=None
        Share of the rows in a test fold. None means 1 / k, where k is the number of
        folds of a repetition; if that is 1, there is no test within data sets.
    rope : float, default=None
        Largest difference that is practically equivalent. None means 0.01 for scores
        between 0 and 1, such as accuracy, and 0 for all others.
    alpha : float, default=0.05
        Level of the tests.
    test : {"nemenyi", "wilcoxon-holm"}, default="nemenyi"
        Post-hoc test of three methods or more.
    missing : mapping of str to str, default=None
        Data sets that could not be loaded, and why.

    Returns
    -------
    summary : ComparisonSummary

    Examples
    --------
    >>> from manyminds.experiments import Record
    >>> from manyminds.reports import summarize
    >>> values = {"tree": [0.8, 0.9, 0.7], "forest": [0.9, 0.95, 0.9]}
    >>> records = [
    ...     Record(f"{method}{fold}", "iris", method, 0, fold, {"accuracy": score})
    ...     for method, scores in values.items()
    ...     for fold, score in enumerate(scores)
    ... ]
    >>> summary = summarize(records)
    >>> [(cell.method, round(cell.mean, 3), cell.rank) for cell in summary.cells]
    [('tree', 0.8, 2.0), ('forest', 0.917, 1.0)]
    >>> test = summary.against_best[0]
    >>> print(f"{test.best} is better than {test.method}: p = {test.p_value:.2f}")
    forest is better than tree: p = 0.24
    """
    records = list(records)
    table = tabulate(records, metric)
    datasets, methods = (tuple(dict.fromkeys(table[n])) for n in ("dataset", "method"))
    rope = _default_rope(metric) if rope is None else rope
    tests = _Tests(metric, higher_is_better(metric), alpha, rope, test)
    tests.read_shared_folds(records, table, datasets)
    tests.rank()
    tests.compare_within_datasets(test_share or _share_of_folds(records))
    tests.compare_over_datasets()
    return ComparisonSummary(
        metric,
        tests.higher_is_better,
        datasets,
        methods,
        _make_cells(table, tests, records),
        tests.average_ranks,
        tuple(tests.against_best),
        tests.over_datasets,
        tests.pair,
        alpha,
        rope,
        tuple(tests.not_computed),
        _list_failures(records, metric),
        dict(missing or {}),
        len(records),
        int(table["n_failed"].sum()),
        float(sum(record.seconds for record in records)),
        {record.method: record.estimator for record in records},
        "; ".join(sorted({record.versions for record in records if record.versions})),
    )


@dataclass
class _Tests:
    """Ranks and tests of the methods, filled step by step."""

    metric: str
    higher_is_better: bool
    alpha: float
    rope: float
    test: str
    folds: dict[str, pd.DataFrame] = field(default_factory=dict)
    ranks: dict[tuple[str, str], float] = field(default_factory=dict)
    best: set[tuple[str, str]] = field(default_factory=set)
    average_ranks: dict[str, float] = field(default_factory=dict)
    against_best: list[AgainstBest] = field(default_factory=list)
    over_datasets: MethodComparison | None = None
    pair: PairOverDatasets | None = None
    not_computed: list[str] = field(default_factory=list)

    def read_shared_folds(
        self, records: Sequence[Record], table: pd.DataFrame, datasets: Sequence[str]
    ) -> None:
        """Find the folds of each data set that all methods with any score have."""
        found = table.groupby("method", sort=False)["n"].sum()
        lost = set(found.index[found == 0])
        for method in sorted(lost):
            self.not_computed.append(f"{method} failed every fold: it has no rank.")
        of_dataset: dict[str, list[Record]] = {name: [] for name in datasets}
        for record in records:
            if record.method not in lost:
                of_dataset[record.dataset].append(record)
        n_methods = len(found) - len(lost)
        for name, chosen in of_dataset.items():
            if not any(self.metric in record.values for record in chosen):
                continue
            scores = fold_scores(chosen, self.metric, name)
            if len(scores) and scores.shape[1] == n_methods:
                self.folds[name] = scores
            elif n_methods > 1:
                self.not_computed.append(
                    f"{name} has no fold that all methods completed: it has no ranks "
                    "and is excluded from the tests."
                )

    def means(self) -> pd.DataFrame:
        """Return the means of the shared folds, data sets by methods."""
        return pd.DataFrame({name: f.mean() for name, f in self.folds.items()}).T

    def rank(self) -> None:
        """Rank the methods on every data set, and over all of them."""
        means = self.means()
        if means.shape[1] < 2:
            if means.shape[1]:
                self.not_computed.append("One method alone cannot be compared.")
            return
        ranked = rank_methods(means, higher_is_better=self.higher_is_better)
        self.average_ranks = dict(zip(ranked.names, ranked.average_ranks))
        for name, ranks in zip(self.folds, ranked.ranks):
            own = {(name, m): rank for m, rank in zip(ranked.names, ranks)}
            self.ranks |= own
            self.best |= {place for place in own if own[place] == min(ranks)}

    def compare_within_datasets(self, test_share: float | None) -> None:
        """Compare each method with the best of the data set, fold by fold."""
        if not self.average_ranks:
            return
        if test_share is None:
            self.not_computed.append(
                "Tests within a data set need the share of rows that a fold tests on: "
                "give test_share."
            )
            return
        for name, scores in self.folds.items():
            if len(scores) < 2:
                self.not_computed.append(
                    f"{name} has one fold only: no test within this data set."
                )
                continue
            self.against_best += self._compare_with_best(name, scores, test_share)

    def _compare_with_best(
        self, dataset: str, scores: pd.DataFrame, test_share: float
    ) -> list[AgainstBest]:
        means = scores.mean()
        best = str(means.idxmax() if self.higher_is_better else means.idxmin())
        others = [method for method in scores.columns if method != best]
        pairs = [(scores[best], scores[method]) for method in others]
        tests = [corrected_resampled_ttest(*p, test_share=test_share) for p in pairs]
        options = {"rope": self.rope, "higher_is_better": self.higher_is_better}
        bayes = [
            bayesian_correlated_ttest(*pair, test_share=test_share, **options)
            for pair in pairs
        ]
        adjusted = holm([found.p_value for found in tests])
        return [
            AgainstBest(
                dataset,
                best,
                method,
                abs(found.mean_difference),
                found.p_value,
                float(p_value),
                posterior.a_better,
                posterior.equivalent,
                posterior.b_better,
                len(scores),
            )
            for method, found, posterior, p_value in zip(others, tests, bayes, adjusted)
        ]

    def compare_over_datasets(self) -> None:
        """Compare the methods' means over the data sets, if there are several."""
        means = self.means()
        if not self.average_ranks:
            return
        if len(means) < 2:
            self.not_computed.append(
                "Tests over data sets need at least two data sets: these results "
                "hold for this data set only."
            )
            return
        if len(means) < FEW_DATASETS:
            self.not_computed.append(
                f"With {len(means)} data sets, tests over data sets have little power: "
                "a difference that is not significant may still exist."
            )
        if means.shape[1] == 2:
            self.pair = self._compare_pair(means)
        else:
            self.over_datasets = compare_methods(
                means,
                alpha=self.alpha,
                test=self.test,
                higher_is_better=self.higher_is_better,
            )

    def _compare_pair(self, means: pd.DataFrame) -> PairOverDatasets:
        first, second = means.columns
        a, b = means[first].to_numpy(), means[second].to_numpy()
        direction = {"higher_is_better": self.higher_is_better}
        counts = win_tie_loss(a, b, **direction)
        bayes = bayesian_signed_rank_test(
            a, b, rope=self.rope, random_state=0, **direction
        )
        return PairOverDatasets(
            first,
            second,
            counts.wins,
            counts.ties,
            counts.losses,
            wilcoxon_signed_rank(a, b).p_value,
            sign_test(counts.wins, counts.ties, counts.losses).p_value,
            bayes.a_better,
            bayes.equivalent,
            bayes.b_better,
        )


def _default_rope(metric: str) -> float:
    return 0.01 if metric.startswith(SHARES) else 0.0


def _share_of_folds(records: Sequence[Record]) -> float | None:
    n_folds = 1 + max(record.fold for record in records)
    return 1.0 / n_folds if n_folds > 1 else None


def _make_cells(
    table: pd.DataFrame, tests: _Tests, records: Sequence[Record]
) -> tuple[Cell, ...]:
    own: dict[tuple[str, str], list[float]] = {}
    for record in records:
        value = record.values.get(tests.metric, math.nan)
        if not math.isnan(value):
            own.setdefault((record.dataset, record.method), []).append(value)
    cells = []
    for row in table.itertuples(index=False):
        place = (row.dataset, row.method)
        shared = tests.folds.get(row.dataset, pd.DataFrame())
        known = row.method in shared
        scores = shared[row.method].tolist() if known else own.get(place, [])
        cells.append(
            Cell(
                *place,
                int(row.n),
                int(row.n_failed),
                None if row.n == 0 else float(row.mean),
                None if row.n < 2 else float(row.std),
                float(row.seconds),
                tests.ranks.get(place),
                place in tests.best,
                tuple(scores),
            )
        )
    return tuple(cells)


def _list_failures(records: Sequence[Record], metric: str) -> tuple[Failure, ...]:
    """Count the folds without a value by data set and method, with the first error."""
    reasons: dict[tuple[str, str], list[str]] = {}
    counts: dict[tuple[str, str], int] = {}
    for record in records:
        place = (record.dataset, record.method)
        counts[place] = counts.get(place, 0) + 1
        if math.isnan(record.values.get(metric, math.nan)):
            reason = record.error or f"{metric} is not a number"
            reasons.setdefault(place, []).append(reason)
    return tuple(
        Failure(*place, len(errors), counts[place], errors[0])
        for place, errors in reasons.items()
    )
