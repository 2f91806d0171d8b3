"""Judge a portfolio, leaving out one set at a time, and write the report."""

import numpy as np

from machine import markdown_table
from portfolio_choice import (
    LENGTH,
    PROTECTED,
    choose_order,
    regret_after,
    regret_in_time,
)
from portfolio_grid import list_by_hand

NUMBERS = (2, 3, 4, 8, 16)
COSTS = (1, 4, 16)  # multiples of the median time of a pipeline
N_RANDOM = 50


def judge(table, task):
    """Return the mean regret of each order after some pipelines, and in some time."""
    n_sets = len(table.sets)
    by_hand = [
        table.pipelines.index(one)
        for one in list_by_hand(task)
        if one in table.pipelines
    ]
    rng = np.random.default_rng(0)
    found = {"portfolio": [], "by hand": [], "random": []}
    for row in range(n_sets):
        orders = {
            "portfolio": [_follow(table.without(row), by_hand)],
            "by hand": [by_hand],
            "random": [_shuffle(table, rng) for _ in range(N_RANDOM)],
        }
        for name, some in orders.items():
            found[name].append(
                np.mean([_measure(table, row, order) for order in some], axis=0)
            )
    return {name: np.mean(rows, axis=0) for name, rows in found.items()}


def _follow(table, by_hand):
    """Return the order of a search: a portfolio, then the rest of the other list."""
    order = choose_order(table, LENGTH + len(PROTECTED))
    return order + [k for k in by_hand if k not in order]


def _shuffle(table, rng):
    """Return the trees of every search, then the others in random order."""
    first = [table.pipelines.index(one) for one in PROTECTED]
    drawn = [int(k) for k in rng.permutation(len(table.pipelines)) if k not in first]
    return first + drawn


def _measure(table, row, order):
    """Return the regrets of an order on a set."""
    after = [regret_after(table, row, order, n) for n in NUMBERS]
    return after + [regret_in_time(table, row, order, cost) for cost in COSTS]


def write_report(tables, portfolio, machine):
    """Return the report as Markdown."""
    parts = ["# The pipelines that a search tries first", machine, INTRODUCTION]
    for task, table in tables.items():
        if not table.sets:
            continue
        judged = judge(table, task)
        header = ["order", *(f"after {n}" for n in NUMBERS)]
        header += [f"in {cost} x median time" for cost in COSTS]
        rows = [
            [name, *(f"{value:.3f}" for value in values)]
            for name, values in judged.items()
        ]
        chosen = [
            f"{place}. `{describe(one)}`"
            for place, one in enumerate(portfolio[task], start=1)
        ]
        parts += [
            f"## {task.capitalize()}",
            f"{len(table.sets)} data sets, {len(table.pipelines)} pipelines: "
            f"{', '.join(table.sets)}.",
            markdown_table(header, rows),
            "\n".join(chosen),
        ]
    return "\n\n".join(parts) + "\n"


def describe(pipeline):
    """Describe a part of a pipeline in one line."""
    learner = pipeline["learner"]
    values = [
        f"{name.removeprefix(learner + '.')}={value}"
        for name, value in pipeline.items()
        if name != "learner"
    ]
    return f"{learner}({', '.join(values)})"


INTRODUCTION = """\
Mean normalized regret over data sets, less is better: (loss - best) / (median - best)
of all pipelines of the grid on a set, clipped at 1; RMSE for numbers, the mean of those
by log loss (probabilities of at least 0.0001) and by error for classes; three folds, at
most 10,000 rows. "after n": of the best of the first n pipelines that suit the set. "in
m x median time": of the best of those that end, one after the other, in m times the
median CPU time of a pipeline on the set. The portfolio is judged on each set by one
that is chosen without this set, and followed by the rest of the list by hand, as in a
search. "by hand" is the list that searches began with before. All orders begin with the
default boosting and forest, which every search evaluates. The two weights of the choice
were set by a look at the first of these records, so that its figures are slightly
optimistic.

```
python benchmarks/make_portfolio.py --data DIR --records FILE.jsonl --run \\
    --portfolio src/manyminds/search/study/portfolio.json \\
    --out benchmarks/results/portfolio.md
```"""
