import math

import pytest

pytest.importorskip("starlette")
from manyminds.serve.pages.comparison import _read_summary


def test_the_form_lists_methods(client):
    page = client.get("/compare", params={"table": "bundled:iris"}).text
    assert '<option value="bundled:iris" selected>' in page
    assert "<code>rf</code>" in page


@pytest.mark.slow
def test_methods_are_compared(client, wait):
    form = {
        "table": ["bundled:iris", "bundled:wine"], "methods": "tree, dummy",
        "cv": "5", "csrf": client.csrf,
    }  # fmt: skip
    found = client.post("/compare", data=form, follow_redirects=False)
    page = wait(client, found.headers["location"]).text
    assert 'aria-label="Average ranks"' in page
    assert 'aria-label="Scores on iris"' in page and "Scores on wine" in page
    assert "manyminds compare iris wine" in page


@pytest.mark.parametrize(
    "changed", [{"cv": "0"}, {"table": []}, {"table": ["/etc/passwd"]}]
)
def test_bad_settings_are_refused(client, changed):
    form = {"table": ["bundled:iris"], "csrf": client.csrf} | changed
    assert client.post("/compare", data=form).status_code in (400, 404)


def test_infinite_statistics_survive_json():
    import json

    from manyminds.experiments import Record
    from manyminds.reports import summarize, to_plain

    records = [
        Record(f"{d}{m}{f}", f"d{d}", f"m{m}", 0, f, {"accuracy": 0.9 - 0.1 * m})
        for d in range(4)
        for m in range(3)
        for f in range(2)
    ]
    content = json.loads(json.dumps(to_plain(summarize(records))))
    # The ranks are the same on all data sets: the statistic is infinite.
    assert math.isinf(_read_summary(content).over_datasets.friedman.f)
