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


@pytest.fixture
def tags(finished_labels, visit):
    with visit(finished_labels.parent) as client:
        yield client


TAGS = "/search/tags-search/what-if"


def test_labels_are_predicted_and_one_is_explained(tags):
    page = tags.get(TAGS, params={"row": 3}).text
    assert "Explained label" in page and 'aria-label="Probability of odd"' in page
    form = {"label": "odd", "csrf": tags.csrf}
    assert "change of probability of odd" in tags.post(TAGS, data=form).text


def test_columns_that_are_not_shown_are_found_by_name(tags):
    page = tags.get(TAGS).text
    shown = re.findall(r'name="value:(.*?)"', page)
    assert len(shown) == 30 and "10 more keep their values" in page
    found = tags.get(f"{TAGS}/columns", params={"find": "size 3", "row": 1})
    names = re.findall(r'name="value:(.*?)"', found.text)
    assert sorted(names) == sorted(["Size 3", *(f"Size {k}" for k in range(30, 40))])
    assert found.headers["X-Found"] == "11" and "<html" not in found.text
    other = next(one for one in names if one not in shown)
    assert f'name="value:{other}"' in tags.get(TAGS, params={"find": other}).text


def test_a_found_column_can_be_changed(tags):
    shown = re.findall(r'name="value:(.*?)"', tags.get(TAGS).text)
    other = next(f"Size {k}" for k in range(40) if f"Size {k}" not in shown)
    form = {f"value:{other}": "900", "csrf": tags.csrf}
    page = tags.post(TAGS, data=form).text
    assert f'name="value:{other}" value="900"' in page
    assert "unlike those of training" in page
