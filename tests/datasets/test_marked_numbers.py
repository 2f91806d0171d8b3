"""Numbers with marks of currencies, percent signs and groups of digits."""

import pandas as pd
import pytest

from manyminds.datasets import (
    Column,
    describe_columns,
    from_frame,
    match_columns,
    read_features,
    read_table,
)
from manyminds.datasets.columns import read_column
from manyminds.datasets.marked_numbers import (
    NumberMark,
    parse_marked_numbers,
    parse_with_mark,
)
from manyminds.utils.errors import InputError


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
    found = parse_marked_numbers(texts)
    assert (found and (found[0], found[1].text)) == expected


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


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["84,3 kg", "77 kg", "68,9 kg"], ([84.3, 77.0, 68.9], "kg", ",")),
        (["37.1 °C", "-2.5°C", "36 °C"], ([37.1, -2.5, 36.0], "°C", ".")),
        (["139 mmHg", "121 mmHg", "98 mmHg"], ([139.0, 121.0, 98.0], "mmHg", "")),
        (["1.5 µg/m³", "2 µg/m³", "0.3 µg/m³"], ([1.5, 2.0, 0.3], "µg/m³", ".")),
        (["1.250,5 g", "980 g", "12 g"], ([1250.5, 980.0, 12.0], "g", ",")),
        (["1,250 g", "980 g", "12 g"], None),  # 1250 or 1.25?
        (["5 mg", "10 mg"], None),  # two doses are categories
        (["84 kg", "77 kg", "900 g"], None),
        (["84 kg", "77 kg", "68"], None),
        (["A12", "A13", "A14"], None),
        (["12A/13B", "12A/14B", "12A/15B"], None),
        (["007 kg", "012 kg", "013 kg"], None),  # codes
        (["4th", "5th", "6th"], None),
        (["9 am", "10 am", "11 am"], None),
        (["3 kilometersph", "4 kilometersph", "5 kilometersph"], None),
        (["3 of a", "4 of a", "5 of a"], None),
    ],
)
def test_numbers_of_one_unit(texts, expected):
    found = parse_marked_numbers(texts)
    assert (found and (found[0], found[1].text, found[1].decimal)) == expected
    assert expected is None or parse_marked_numbers(texts, with_units=False) is None


def test_numbers_of_a_known_mark():
    kg = NumberMark("kg", ",")
    assert parse_with_mark(["84,3 kg", "77", "1e2"], kg) == [84.3, 77.0, 100.0]
    assert parse_with_mark(["84.3 kg", "77.25kg"], kg) == [84.3, 77.25]
    assert parse_with_mark(["84,3 kg", "84 g", "heavy"], kg) == [84.3, None, None]
    # Nothing has shown the decimal mark.
    assert parse_with_mark(["1,250 kg"], NumberMark("kg")) == [None]
    assert parse_with_mark(["1,25 kg", "3 kg"], NumberMark("kg")) == [1.25, 3.0]


@pytest.mark.filterwarnings("ignore:Column 'eur' holds numbers")
def test_a_column_of_one_unit_is_noted_and_read_again_in_the_same_way():
    weights = ["84,3 kg", "77 kg", None, "68,9 kg", "-"]
    frame = pd.DataFrame({"weight": weights, "eur": ["€5", "€6", "€7", "€8", "€9"]})
    with pytest.warns(UserWarning) as caught:
        data = from_frame(frame.assign(target=list("ababa")))
    notes = [str(one.message) for one in caught if "weight" in str(one.message)]
    assert "except for 1 of 4 cells: '-' (1). They are read as missing" in notes[0]
    assert "read as numbers, without their unit kg" in notes[1]
    columns = describe_columns(data.X, data.marks)
    assert columns[0].mark == NumberMark("kg", ",")

    new = pd.DataFrame({"weight": ["70,5 kg", "71", None], "eur": ["€1", "2", None]})
    X = match_columns(new, columns)
    assert X["weight"].tolist()[:2] == [70.5, 71.0] and X["eur"].tolist()[:2] == [1, 2]
    assert X.isna().sum().tolist() == [1, 1]
    for name, cell in [("weight", "70500 g"), ("weight", "70 €"), ("eur", "$2")]:
        with pytest.raises(InputError, match=r"numbers with (kg|€) in the model, but"):
            match_columns(new.assign(**{name: cell}), columns)


def test_a_unit_where_the_model_knows_none_is_refused():
    new = pd.DataFrame({"weight": ["70 kg", "80 kg", "90 kg"]})
    with pytest.raises(InputError, match="holds numbers in the model, but text"):
        match_columns(new, [Column("weight")])


def test_words_among_numbers_of_a_unit_are_told():
    weights = [f"{50 + k},5 kg" for k in range(30)] + ["unknown"]
    with pytest.warns(UserWarning, match="numbers with kg, except for 1 of 31 cells"):
        column = read_column(pd.Series(weights, name="weight"))
    assert column.dtype == "category"


@pytest.mark.filterwarnings("ignore:Column 'height' holds numbers")
def test_a_target_of_one_unit_is_a_regression():
    frame = pd.DataFrame({"x": range(40), "height": [f"{k}.5 cm" for k in range(40)]})
    assert from_frame(frame, "height").y[:2].tolist() == [0.5, 1.5]
