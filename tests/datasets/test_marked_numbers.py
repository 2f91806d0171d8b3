"""Numbers with marks of currencies, percent signs and groups of digits."""

import pandas as pd
import pytest

from manyminds.datasets import (
    Column,
    from_frame,
    match_columns,
    read_features,
    read_table,
)
from manyminds.datasets.marked_numbers import parse_marked_numbers


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["$1,234", "$5"], ([1234.0, 5.0], "$")),
        (["5%", "10 %", "0.5%"], ([5.0, 10.0, 0.5], "%")),
        (["1,234.50", "1,234", "950"], ([1234.5, 1234.0, 950.0], "")),
        (["1,234,567", "1,234"], ([1234567.0, 1234.0], "")),
        (["12,50 €", "1.234,00 €"], ([12.5, 1234.0], "€")),
        (["-£3.25", "+£4"], ([-3.25, 4.0], "£")),
        (["1,234", "2,345"], None),  # 1234 or 1.234?
        (["€5", "5"], None),  # of which unit is the second?
        (["5%", "$5"], None),
        (["$5%"], None),
        (["1,23.5"], None),
        (["5 %", "n/a"], None),
        (["12,50 €", "1,234.00 €"], None),  # two styles
        ([], None),
    ],
)
def test_texts_are_numbers_in_one_style_with_one_mark(texts, expected):
    assert parse_marked_numbers(texts) == expected


def write(path, prices):
    rows = [f"{price};{k % 2}" for k, price in enumerate(prices)]
    path.write_text("\n".join(["price;target", *rows]), encoding="utf-8")


def test_a_file_of_prices_is_read_as_numbers(tmp_path):
    write(tmp_path / "a.csv", ["€1,234.50", "NA", "€950", ""])
    with pytest.warns(UserWarning, match=r"'price' holds numbers with €.*'€1,234.50'"):
        data = read_table(tmp_path / "a.csv", task="classification")
    assert data.X["price"].dropna().tolist() == [1234.5, 950.0]


def test_rows_to_predict_are_read_in_the_same_way(tmp_path, recwarn):
    write(tmp_path / "new.csv", ["€3", "€1,000.25"])
    X = match_columns(read_features(tmp_path / "new.csv"), [Column("price")])
    assert X["price"].tolist() == [3.0, 1000.25]
    assert not any("price" in str(one.message) for one in recwarn.list)


def test_a_target_and_declared_categories_keep_their_texts():
    frame = pd.DataFrame({"rate": ["5%", "10%"] * 3, "target": ["1%", "2%"] * 3})
    data = from_frame(frame, categorical=["rate"])
    assert list(data.classes) == ["1%", "2%"]
    assert data.X["rate"].cat.categories.tolist() == ["10%", "5%"]


@pytest.mark.filterwarnings("ignore:Column 'price' holds numbers")
def test_a_target_of_prices_is_a_regression():
    prices = [f"€{1000 + 7 * k:,}.5" for k in range(40)]
    frame = pd.DataFrame({"size": range(40), "price": prices})
    data = from_frame(frame, "price")
    assert data.task == "regression"
    assert data.y[:2].tolist() == [1000.5, 1007.5]
    labels = from_frame(frame, "price", task="classification").classes
    assert labels[0] == "€1,000.5"
