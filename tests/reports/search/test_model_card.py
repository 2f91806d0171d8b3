"""The card of a model says what it was made of, how good it is, and where not."""

from dataclasses import replace

import pytest
from sklearn.datasets import make_regression

from manyminds.datasets import from_arrays, load_dataset
from manyminds.reports import summarize_search
from manyminds.reports.search.decisions import OneClass
from manyminds.reports.search.model_card import (
    LOSSES,
    ModelCard,
    make_model_card,
    render_model_card,
)
from manyminds.reports.search.page import render_search_page
from manyminds.reports.search.weak_slices import Slice
from manyminds.search import (
    ComplexModelSearchClassifier,
    ComplexModelSearchRegressor,
    default_space,
)

WEAK = Slice("town = Köln | Bonn", 1_234, 0.5, 0.125, 0.001)


@pytest.fixture
def card(summary):
    return ModelCard(
        summary,
        (WEAK,),
        LOSSES["classification"],
        ("toy: 1,200 rows.",),
        ("The model is the best pipeline.",),
        ("Rows were assumed independent.",),
        "No license of the model is stated.",
    )


def test_markdown(card):
    text = render_model_card(card)
    assert text.startswith("# Model of kind (toy)\n")
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert titles == [
        "Data", "Score on new rows", "Where it is worse", "How it was chosen",
        "Limits", "License", "Made by",
    ]  # fmt: skip
    assert "0.7500 (95 % interval 0.5000 to 0.8750)" in text
    assert "| town = Köln \\| Bonn | 1,234 | 0.5000 | 0.1250 |" in text
    assert "`manyminds search toy.csv`" in text


def test_decisions_and_models_of_one_class_are_said():
    data = load_dataset("iris")
    space = default_space("classification").only("learner", "lda")
    search = ComplexModelSearchClassifier(None, n_trials=1, space=space, random_state=0)
    search.fit(data.X, data.y)
    found = summarize_search(search, data)
    weights = dict(zip(map(str, data.classes), [1.0, 2.0, 0.5]))
    shown = replace(found, class_weights=weights, one_class=OneClass("a", 1.0, 0.5))
    card = make_model_card(search, data, shown)
    assert any("decisions were tuned for accuracy" in one for one in card.choice)
    assert "The model predicts a for 100.0%" in card.limits[0]
    text = render_model_card(make_model_card(search, data, found))
    assert "tuned" not in text and "constant" not in text


def test_no_slices_are_said(card):
    assert "significantly worse" in render_model_card(replace(card, slices=()))


def test_control_characters_do_not_break_the_table(card):
    bad = replace(WEAK, condition="a\nb\x1b[31m = 1")
    lines = render_model_card(replace(card, slices=(bad,))).splitlines()
    assert any(line.startswith("| a") and line.endswith("0.1250 |") for line in lines)
    assert "\x1b" not in "".join(lines)


@pytest.mark.slow
def test_page_shows_the_card(summary, details, card):
    page = render_search_page(summary, details, card=card)
    assert "town = Köln | Bonn" in page and "Rows were assumed independent." in page
    assert "Where the model is worse" not in render_search_page(summary, details)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_card_of_a_real_search(task):
    data = load_dataset("iris")
    kind, learner = ComplexModelSearchClassifier, "lda"
    if task == "regression":
        X, y = make_regression(300, 4, random_state=0)
        data = from_arrays(X, y, task="regression", name="plane")
        kind, learner = ComplexModelSearchRegressor, "ridge"
    space = default_space(task).only("learner", learner)
    search = kind(None, n_trials=2, cv=3, space=space, random_state=0, n_jobs=1)
    search.fit(data.X, data.y)
    text = render_model_card(
        make_model_card(search, data, summarize_search(search, data))
    )
    assert f"{data.n_samples:,} rows" in text and "BSD-3-Clause" in text
    assert ("only 150 rows" in text) == (task == "classification")
    assert "independent" in text and learner in text
