import re

import pytest

ADDRESS = "/search/iris-search/what-if"


def find_prediction(text):
    return re.search(r'id="prediction">(.*?)<', text)[1]


def test_a_row_of_the_table_is_shown_with_its_prediction(client):
    page = client.get(ADDRESS, params={"row": 1}).text
    assert find_prediction(page) == "Iris-setosa"
    assert 'value="5.1"' in page and "Contributions of the columns" in page
    assert find_prediction(client.get(ADDRESS, params={"row": 150}).text) != (
        "Iris-setosa"
    )


def test_changed_values_change_the_prediction(client):
    values = {"value:petallength": "6.5", "value:petalwidth": "2.2"}
    found = client.post(
        ADDRESS,
        params={"row": 1},
        data=values,
        headers={"X-CSRF-Token": client.csrf, "X-Fragment": "1"},
    )
    assert found.status_code == 200 and "<html" not in found.text
    assert find_prediction(found.text) == "Iris-virginica"


def test_text_in_a_column_of_numbers_is_an_error_in_one_sentence(client):
    found = client.post(
        ADDRESS, data={"value:petallength": "<i>long</i>", "csrf": client.csrf}
    )
    assert found.status_code == 400
    assert 'role="alert"' in found.text and "<i>long" not in found.text


def test_unlike_rows_are_noted(client):
    found = client.post(
        ADDRESS, data={"value:petallength": "600", "csrf": client.csrf}
    ).text
    assert "unlike those of training" in found and "petallength" in found


@pytest.mark.parametrize("row", ["0", "151", "x", "-1"])
def test_rows_that_are_not_there(client, row):
    assert client.get(ADDRESS, params={"row": row}).status_code == 400


def test_no_changes_without_the_token(client):
    assert client.post(ADDRESS, data={"value:petallength": "1"}).status_code == 403


def test_numbers_have_an_interval(finished_numbers, visit):
    with visit(finished_numbers.parent) as client:
        page = client.get("/search/sugar-search/what-if", params={"row": 3}).text
        low, high = map(
            float, re.search(r'id="interval">(\S+) to ([^<]+)<', page).groups()
        )
        assert low < float(find_prediction(page)) < high
