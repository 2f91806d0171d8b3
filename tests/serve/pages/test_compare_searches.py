import shutil


def test_a_search_equals_itself(client, served):
    shutil.copytree(served / "iris-search", served / "copy")
    query = {"first": "iris-search", "second": "copy"}
    page = client.get("/compare-searches", params=query).text
    assert "both are right on" in page and "p = 1 by" in page
    assert 'aria-label="Honest scores"' in page


def test_one_search_cannot_be_compared(client):
    assert "Two finished searches are needed" in client.get("/compare-searches").text


def test_a_search_that_is_not_there(client):
    query = {"first": "iris-search", "second": "../iris-search"}
    assert client.get("/compare-searches", params=query).status_code == 404
