"""Statements of the paper on bias and variance: which there are, and their effects."""

import numpy as np

from manyminds.reproductions.bias_variance.plan import EPOCHS, PARTS
from manyminds.reproductions.bias_variance.statements import (
    find_best_epoch,
    list_statements,
)

NOISE, ESTIMATED, MANY, TWO, DERMATOLOGY = PARTS


def test_an_epoch_is_chosen_in_the_other_runs():
    # The least effect of each run is at an epoch of its own, where the other is 1: the
    # least of all would be negative by selection alone.
    names = [method.name for method in MANY.outline().methods]
    statement = next(
        one for one in list_statements(names, EPOCHS) if "negative" in one.kind
    )
    first = dict.fromkeys(EPOCHS, 1.0) | {1: -2.0}
    second = dict.fromkeys(EPOCHS, 1.0) | {15: -2.0}

    def reader(values):
        return lambda method, part, epoch: values[epoch]

    assert statement.measure(reader(first), reader(second)) == -1.0
    assert statement.low(reader(first)) == -2.0
    assert np.isnan(statement.measure(reader(first), None))


def test_statements_cover_what_the_paper_says():
    methods = [method.name for method in MANY.outline().methods]
    statements = list(list_statements(methods, EPOCHS))
    texts = [statement.text for statement in statements]
    assert len(texts) == len(set(texts))
    assert len({statement.kind for statement in statements}) == 19
    for words in (
        "ECOC errs less than bagging, 2 nodes",
        "bagging and ECOC of strong nets err alike in the end, 16 nodes",
        "the variance effect of bagging is negative at some epoch, 4 nodes",
        "the variance effect of weak single nets rises from epoch 1 to 2, 2 nodes",
    ):
        assert any(text.startswith(words) for text in texts)


def test_best_epoch_is_the_first_within_a_point():
    errors = dict(zip((1, 2, 3, 5), (40.0, 30.9, 30.0, 32.0)))
    assert find_best_epoch(lambda m, part, e: errors[e], "x", (1, 2, 3, 5)) == 2.0
