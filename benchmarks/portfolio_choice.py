"""Choose an ordered list of pipelines that leaves little regret soon."""

import json
from dataclasses import dataclass

import numpy as np

LENGTH = 10  # pipelines of a portfolio
PROTECTED = ({"learner": "gb"}, {"learner": "rf"})
COST_WEIGHT = 0.3  # exponent of the cost that a decrease of regret is divided by
QUALITY_WEIGHT = 0.05  # of the quality of a pipeline alone


@dataclass(frozen=True)
class Table:
    """Regrets and costs of pipelines (columns) on data sets (rows).

    A cost is the time of a pipeline over the median time of all on the same set.
    """

    sets: list
    pipelines: list
    regret: np.ndarray
    cost: np.ndarray

    @classmethod
    def from_records(cls, records, grid):
        """Read the sets on which all pipelines of the grid have a record."""
        pipelines = [json.dumps(one) for one in grid]
        at = {pipeline: k for k, pipeline in enumerate(pipelines)}
        by_set: dict = {}
        for one in records:
            place = at.get(json.dumps(one["pipeline"]))
            if place is not None:
                by_set.setdefault(one["set"], {})[place] = one
        sets = [name for name, found in by_set.items() if len(found) == len(grid)]
        shape = len(sets), len(pipelines)
        regret, cost = np.ones(shape), np.full(shape, np.nan)
        for row, name in enumerate(sets):
            found = by_set[name]
            regret[row] = np.mean(
                [_regrets(found, len(pipelines), kind) for kind in ("loss", "error")],
                axis=0,
            )
            for place, one in found.items():
                if one.get("seconds"):
                    cost[row, place] = min(one["seconds"])  # the first may compile
            cost[row] /= max(np.nanmedian(cost[row]), 1e-3)
        # A pipeline that does not suit a set costs nothing there: it is skipped.
        return cls(sets, list(grid), regret, np.nan_to_num(cost))

    def without(self, row):
        """Return the table without a set."""
        kept = np.arange(len(self.sets)) != row
        names = [name for name, keep in zip(self.sets, kept) if keep]
        return Table(names, self.pipelines, self.regret[kept], self.cost[kept])


def _regrets(found, n_pipelines, kind):
    """Return the regrets on a set: 1 for what has no complete record."""
    losses = np.full(n_pipelines, np.nan)
    for place, one in found.items():
        if one["state"] == "complete":
            losses[place] = np.mean(one[kind])
    best, median = np.nanmin(losses), np.nanmedian(losses)
    if median - best <= 1e-12:
        return np.where(losses <= best + 1e-12, 0.0, 1.0)
    return np.nan_to_num(np.clip((losses - best) / (median - best), 0.0, 1.0), nan=1.0)


def choose_order(table, length):
    """Return the columns of a greedy list, the next one by regret saved and cost.

    The decrease of the mean regret that a pipeline brings, and a share of how good it
    is by itself, is divided by a root of its mean cost, so that cheap ones come early.
    The share keeps the order from following few sets too closely. The list begins with
    the trees that every search evaluates.
    """
    order = [table.pipelines.index(one) for one in PROTECTED]
    left = table.regret[:, order].min(axis=1, initial=1.0)
    mean_cost = np.maximum(table.cost.mean(axis=0), 0.02)
    quality = 1.0 - table.regret.mean(axis=0)
    for _ in range(min(length, len(table.pipelines)) - len(order)):
        after = np.minimum(left[:, np.newaxis], table.regret)
        saved = left.mean() - after.mean(axis=0)
        value = (saved + QUALITY_WEIGHT * quality) / mean_cost**COST_WEIGHT
        value[order] = -1.0
        best = int(value.argmax())
        order.append(best)
        left = np.minimum(left, table.regret[:, best])
    return order


def choose_portfolio(table, length):
    """Return the pipelines of the greedy list after those of every search."""
    order = choose_order(table, length + len(PROTECTED))
    return [table.pipelines[k] for k in order[len(PROTECTED) :]]


def regret_after(table, row, order, n_pipelines):
    """Return the least regret on a set of the first pipelines that suit it."""
    suiting = [k for k in order if table.cost[row, k] > 0.0]
    return table.regret[row, suiting[:n_pipelines]].min(initial=1.0)


def regret_in_time(table, row, order, cost):
    """Return the least regret on a set of what ends within a multiple of the median."""
    suiting = np.array([k for k in order if table.cost[row, k] > 0.0], dtype=int)
    ended = suiting[np.cumsum(table.cost[row, suiting]) <= cost]
    return table.regret[row, ended].min(initial=1.0)
