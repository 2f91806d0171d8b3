import html
import json
import re


def test_counts_are_those_of_the_threshold(client, finished):
    import pandas as pd

    page = client.get(
        "/search/iris-search/threshold",
        params={"class": "Iris-virginica", "threshold": "0.3", "missed": "5"},
    ).text
    made = pd.read_csv(finished / "predictions.csv")
    chosen = made["probability Iris-virginica"] >= 0.3 - 1e-12
    has = made["target"] == "Iris-virginica"
    expected = [(chosen & has).sum(), (chosen & ~has).sum(), (~chosen & has).sum()]
    shown = [int(re.search(rf'id="{k}">(\d+)<', page)[1]) for k in ("tp", "fp", "fn")]
    assert shown == expected
    cost = re.search(r'id="cost">([\d.]+)<', page)[1]
    assert float(cost) == expected[1] + 5 * expected[2]


def test_the_script_has_all_counts(client):
    page = client.get("/search/iris-search/threshold").text
    hits, alarms = json.loads(html.unescape(re.search(r'data-counts="(.*?)"', page)[1]))
    assert len(hits) == len(alarms) == 201
    assert hits[0] == 50 and alarms[0] == 100  # everything from 0 on


def test_large_costs_stay_numbers_of_the_form(client):
    query = {"false": "25000", "missed": "0.5"}
    page = client.get("/search/iris-search/threshold", params=query).text
    assert 'value="25000"' in page and 'value="0.5"' in page
    assert re.search(r'id="cost">\d+,\d{3}<', page)


def test_the_lines_read_any_table(client):
    page = html.unescape(client.get("/search/iris-search/threshold").text)
    assert 'rows = read_features("new.csv", model.columns)' in page


def test_an_unknown_class_is_refused(client):
    found = client.get("/search/iris-search/threshold", params={"class": "<b>"})
    assert found.status_code == 400 and "&lt;b&gt;" in found.text


def test_nonsense_numbers_fall_back(client):
    query = {"threshold": "much", "false": "-3", "missed": "nan"}
    page = client.get("/search/iris-search/threshold", params=query)
    assert page.status_code == 200 and ">0.500</output>" in page.text


def test_labels_have_thresholds_too(finished_labels, visit):
    import pandas as pd

    with visit(finished_labels.parent) as client:
        query = {"class": "odd", "threshold": "0.4"}
        page = client.get("/search/tags-search/threshold", params=query).text
        result = client.get("/search/tags-search").text
    made = pd.read_csv(finished_labels / "predictions.csv")
    chosen = made["probability odd"] >= 0.4 - 1e-12
    hits = int((chosen & (made["target odd"] == 1)).sum())
    assert f'id="tp">{hits}<' in page and ">Label</label>" in page
    assert "/search/tags-search/threshold" in result


def test_numbers_have_none(finished_numbers, visit):
    with visit(finished_numbers.parent) as client:
        found = client.get("/search/sugar-search/threshold")
    assert found.status_code == 400 and "need probabilities" in found.text
