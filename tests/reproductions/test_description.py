"""Descriptions: plain values that no listing can change."""

import json
from dataclasses import FrozenInstanceError, asdict

import pytest

from manyminds.reproductions import list_reproductions
from manyminds.reproductions.description import Description
from manyminds.reproductions.published import Reproduction

TOYS = Description("toys", "Toys", "A. Child, 2001", "That toys last.", 3.0, 0.5, 40)


def test_a_description_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        TOYS.n_folds = 41


def test_a_reproduction_takes_over_every_value():
    whole = Reproduction.of(TOYS, parts=())
    assert {name: getattr(whole, name) for name in asdict(TOYS)} == asdict(TOYS)
    assert isinstance(whole, Description)


@pytest.mark.parametrize("one", list_reproductions(), ids=lambda one: one.name)
def test_descriptions_are_plain_values(one):
    assert Description(**json.loads(json.dumps(asdict(one)))) == one
    assert 0.0 < one.quick_minutes < one.minutes and one.n_folds > 0
