import json

import pandas as pd
import pytest

pytest.importorskip("starlette")
from manyminds.serve.pages.result import draw_history
from manyminds.serve.results import TraceRow


def test_the_page_shows_the_scores_and_the_charts(client, finished):
    page = client.get("/search/iris-search")
    assert page.status_code == 200
    summary = json.loads((finished / "search.json").read_text())["summary"]
    assert f"{summary['honest']['score']:.4f}" in page.text
    assert f"{summary['honest']['naive']:.4f}" in page.text
    for name in ("Confusion matrix", "ROC curves", "Calibration", "Precision"):
        assert f'aria-label="{name}' in page.text
    assert summary["best"] in page.text


def test_numbers_have_residuals(finished_numbers, visit):
    with visit(finished_numbers.parent) as client:
        page = client.get("/search/sugar-search").text
        assert 'aria-label="Residuals"' in page and "median absolute" in page
        assert "Confusion matrix" not in page


def test_a_changed_file_changes_the_page(client, served):
    file = served / "iris-search" / "search.json"
    content = json.loads(file.read_text())
    client.get("/search/iris-search")
    content["summary"]["table"]["name"] = "<b>other</b>"
    file.write_text(json.dumps(content))
    page = client.get("/search/iris-search").text
    assert "&lt;b&gt;other&lt;/b&gt;" in page and "<b>other" not in page


def test_names_of_classes_and_columns_are_text(client, served):
    evil = '<script>alert("x")</script>'
    table = served / "iris-search" / "predictions.csv"
    made = pd.read_csv(table).replace("Iris-setosa", evil)
    made = made.rename(columns={"probability Iris-setosa": f"probability {evil}"})
    made.to_csv(table, index=False)
    file = served / "iris-search" / "search.json"
    content = json.loads(file.read_text())
    content["summary"]["best"] = evil
    content["summary"]["importance"] = [
        {"feature": evil, "importance": 1.0, "std": 0.1}
    ]
    file.write_text(json.dumps(content))
    page = client.get("/search/iris-search").text
    assert "<script>alert" not in page and "alert(" in page


def test_an_unfinished_search_leads_to_its_live_page(client, served):
    (served / "new").mkdir()
    (served / "new" / "search.json").write_text('{"state": "running", "identity": {}}')
    found = client.get("/search/new", follow_redirects=False)
    assert found.status_code == 303
    assert found.headers["location"] == "/search/new/live"


@pytest.mark.parametrize("name", ["model.skops", "report.html", "leaderboard.csv"])
def test_files_can_be_downloaded(client, finished, name):
    found = client.get(f"/search/iris-search/download/{name}")
    assert found.content == (finished / name).read_bytes()
    assert "attachment" in found.headers["content-disposition"]
    assert found.headers["content-type"] == "application/octet-stream"


@pytest.mark.parametrize("name", ["study.sqlite", "search.json", "..%2Fsecret", "x"])
def test_other_files_cannot(client, name):
    assert client.get(f"/search/iris-search/download/{name}").status_code == 404


def test_a_search_that_is_not_there(client):
    assert client.get("/search/nothing").status_code == 404


def test_the_history_has_a_point_for_each_improvement():
    scores = [0.5, 0.4, 0.7, 0.7, 0.9, 0.2]
    trace = tuple(
        TraceRow(k, float(k), "complete", score, score, f"p{k}", "")
        for k, score in enumerate(scores)
    )
    # The first, two improvements, and the end.
    assert draw_history(trace, "accuracy", True).count("<circle") == 4
    assert draw_history((), "accuracy", True) is None
