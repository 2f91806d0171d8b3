import pytest


def test_the_form_offers_tables_and_selectors(client):
    page = client.get("/select", params={"table": "bundled:iris"}).text
    assert '<option value="bundled:iris" selected>iris</option>' in page
    assert "mRMR" in page


@pytest.mark.slow
def test_columns_are_selected(client, wait):
    form = {
        "table": "bundled:iris", "selector": "correlation", "number": "2",
        "resamples": "10", "permutations": "0", "csrf": client.csrf,
    }  # fmt: skip
    found = client.post("/select", data=form, follow_redirects=False)
    page = wait(client, found.headers["location"]).text
    assert "2 of 4 columns are kept" in page
    assert 'aria-label="Selection frequencies"' in page
    assert "petallength, petalwidth" in page or "petalwidth, petallength" in page
    assert "Select columns of iris" in client.get("/select").text


@pytest.mark.parametrize(
    "changed",
    [{"selector": "magic"}, {"number": "many"}, {"table": "../x.csv"}, {"table": ""}],
)
def test_bad_settings_are_refused(client, changed):
    form = {"table": "bundled:iris", "csrf": client.csrf} | changed
    assert client.post("/select", data=form).status_code in (400, 404)


def test_another_job_is_no_selection(client):
    assert client.get("/selection/0123").status_code == 404
