"""The stories of the local page in a real browser, from drop to download."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from manyminds.utils.leases import is_alive

pytestmark = pytest.mark.slow
HERE = Path(__file__).parent
TIMEOUT = 180_000  # milliseconds, on a busy machine
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SALES = "id,color,size,weight,price\n" + "".join(
    f"c-{k},{'red' if k % 3 else 'blue'},{k % 7},{k if k % 5 else ''},{2 * k + k % 3}\n"
    for k in range(60)
)


@pytest.fixture(scope="module")
def browser():
    """Return a headless Chromium."""
    api = pytest.importorskip(
        "playwright.sync_api", reason="Playwright is not installed"
    )
    path = next((found for one in BROWSERS if (found := shutil.which(one))), None)
    if path is None:
        pytest.skip("there is no Chromium on this machine")
    with api.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, finished, finished_numbers, finished_labels):
    """Return the folder that is served, with finished searches of each task."""
    folder = tmp_path_factory.mktemp("browsed")
    shutil.copytree(finished, folder / "iris-search")
    shutil.copytree(finished, folder / "iris-again")
    shutil.copytree(finished_numbers, folder / "sugar-search")
    shutil.copy(finished_numbers.parent / "sugar.csv", folder)
    shutil.copytree(finished_labels, folder / "tags-search")
    shutil.copy(finished_labels.parent / "tags.csv", folder)
    return folder


@pytest.fixture(scope="module")
def link(folder):
    """Return the link of a server of the folder."""
    pytest.importorskip("uvicorn")
    words = ["serve", str(folder), "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "manyminds", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    lines = []
    for line in process.stdout:
        lines.append(line)
        if found := re.search(r"http://\S+", line):
            break
    else:
        raise AssertionError("".join(lines))
    yield found[0]
    process.terminate()
    process.wait(timeout=60)
    for file in folder.glob(".manyminds/jobs/*/job.json"):  # of tests that failed
        owner = json.loads(file.read_text())["owner"]
        if owner and is_alive(owner):
            psutil.Process(int(owner.split(":")[1])).kill()


@pytest.fixture
def visit(browser, link):
    """Return a function that opens a page as a visitor who has the link.

    Afterwards no request has left the machine, and no page has reported an error.
    """
    contexts, problems = [], []

    def open_page(address="/", **options):
        context = browser.new_context(
            base_url=link.partition("/?")[0], accept_downloads=True, **options
        )
        context.set_default_timeout(TIMEOUT)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console",
            lambda one: (
                one.type == "error" and problems.append(f"{one.text} {one.location}")
            ),
        )
        page.on("pageerror", lambda one: problems.append(str(one)))
        page.on("request", lambda one: problems.extend(find_foreign(one.url, link)))
        page.goto(link)
        if address != "/":
            page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not problems


def find_foreign(address, link):
    parts = urlsplit(address)
    known = parts.scheme in ("data", "blob") or parts.netloc == urlsplit(link).netloc
    return [] if known else [f"a request to {address}"]


def go(page, address):
    """Open a page, and wait for a model that is loaded at the first visit."""
    page.goto(address)
    page.locator("meta[http-equiv=refresh]").wait_for(state="detached")


def until(page, is_true):
    """Wait until something is true of a page that changes by itself."""
    for _ in range(TIMEOUT // 50):
        if is_true():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it does not become true")


def read(page, selector):
    return page.locator(selector).first.inner_text()


# ---------------------------------------------------------------- the seven stories


def test_open_a_table(visit, folder):
    page = visit()
    page.evaluate(
        """(text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], "sales.csv"));
            const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true});
            document.getElementById("upload").dispatchEvent(drop);
        }""",
        SALES,
    )
    page.wait_for_url("**/table?table=sales.csv*")
    assert (folder / "sales.csv").read_text() == SALES
    assert "60 rows, 5 columns" in read(page, ".facts")
    row = page.locator("tr", has=page.locator("th", has_text=re.compile("^weight$")))
    assert "20.0%" in row.first.inner_text()  # missing
    row = page.locator("tr", has=page.locator("th", has_text=re.compile("^id$")))
    assert row.first.locator(".tag.warn").count() >= 1  # an identifier
    page.get_by_label("Type of size").select_option("category")
    page.get_by_role("button", name="Store the types").click()
    page.wait_for_load_state()
    assert page.get_by_label("Type of size").input_value() == "category"
    page.get_by_label("Target", exact=True).select_option("color")
    page.wait_for_url("**target=color*")
    page.get_by_role("heading", name="color: 2 classes").wait_for()
    assert page.get_by_label(re.compile("^red")).count() == 1  # a bar


def test_look_closer(visit):
    page = visit("/table?table=bundled:iris")
    page.get_by_role("link", name="Look closer").click()
    page.get_by_role("heading", name="Map of the rows").wait_for()
    assert page.locator("#map .mark").count() == 150
    page.locator("#map .mark").nth(3).click(force=True)
    page.locator("#row-cells tbody tr").first.wait_for()
    assert re.fullmatch(r"Row \d+", read(page, "#row-title"))
    page.locator("#hard-rows button").first.click()
    number = read(page, "#hard-rows button")
    page.wait_for_function(
        "(text) => document.getElementById('row-title').textContent === text",
        arg=f"Row {number}",
    )


def test_search_watch_stop_and_continue(visit):
    page = visit("/table?table=bundled:iris")
    page.get_by_role("link", name="Search a model").click()
    page.get_by_text("Advanced settings").click()
    page.get_by_label("Another time").fill("20m")  # it is stopped
    page.get_by_label("Cross-validation").fill("3")
    page.get_by_label("Name of the results").fill("watched")
    page.get_by_role("button", name="Start the search").click()
    page.wait_for_url("**/search/watched/live")
    other = page.context.new_page()
    other.goto("/searches/new?table=bundled:wine")
    other.get_by_role("button", name="Start the search").click()
    other.wait_for_url("**/live")
    assert "queued" in read(other, "#live-status")  # one at a time
    other.get_by_role("button", name="Cancel").click()
    other.get_by_text("canceled").first.wait_for()
    page.locator("#live-board tbody tr").first.wait_for()  # a trial has ended
    assert re.search(r"\d:\d\d", read(page, "[data-left]"))
    assert page.locator("#live-curve svg.chart").count() == 1
    page.get_by_role("button", name="Stop, and keep the best").click()
    page.wait_for_url("**/search/watched")  # the result, as soon as there is one
    page.get_by_role("link", name="Log and continue").click()
    page.get_by_label("Continue for").fill("8s")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Stop, and keep the best").wait_for()
    page.wait_for_url("**/search/watched")
    assert float(read(page, "#honest-score")) > 0.8


def test_understand_the_result(visit, finished):
    page = visit("/search/iris-search")
    summary = json.loads((finished / "search.json").read_text())["summary"]
    honest = summary["honest"]
    assert read(page, "#honest-score") == f"{honest['score']:.4f}"
    assert f"{honest['naive']:.4f}" in read(page, ".score")
    cell = page.locator("svg[aria-label='Confusion matrix'] .mark").first
    cell.hover()
    assert "rows of Iris-setosa predicted as Iris-setosa" in read(page, ".tip")
    for name in ("ROC curves", "Precision and recall", "Calibration"):
        mark = page.locator(f"svg[aria-label='{name}'] .mark").nth(1)
        mark.focus()
        assert page.locator(".tip").is_visible()
    assert summary["best"] in read(page, "[aria-label='Leaderboard']")


def test_move_the_threshold(visit):
    page = visit("/search/iris-search/threshold")
    slider = page.get_by_label("Threshold", exact=True)
    slider.fill("0")
    assert read(page, "#tp") == "50" and read(page, "#fp") == "100"
    page.get_by_label(re.compile("Cost of a false")).fill("3")
    assert read(page, "#cost") == "300"
    slider.press("End")
    assert float(read(page, "#threshold-value")) == 1.0
    page.get_by_role("button", name=re.compile("Use the cheapest")).click()
    assert read(page, "#threshold-value") == read(page, "#best-text")
    assert float(read(page, "#cost")) < 50
    page.get_by_label("Class").select_option("Iris-setosa")
    page.wait_for_url("**class=Iris-setosa*")
    assert "predicted Iris-setosa" in read(page, ".matrix")


def test_what_if(visit):
    page = visit("/search/iris-search/what-if?row=1")
    assert read(page, "#prediction") == "Iris-setosa"
    before = page.locator("#answer svg.chart").inner_html()
    page.get_by_label("petallength", exact=True).fill("6.5")
    page.get_by_label("petalwidth", exact=True).fill("2.2")
    page.locator("#prediction", has_text="Iris-virginica").wait_for()
    assert page.locator("#answer svg.chart").inner_html() != before
    assert page.locator(".changed").count() == 2
    page.get_by_label("petalwidth", exact=True).fill("wide")
    page.locator("#answer [role=alert]").wait_for()
    page.get_by_role("button", name="Undo all changes").click()
    page.locator("#prediction", has_text="Iris-setosa").wait_for()


def test_what_if_of_numbers_has_an_interval(visit):
    page = visit("/search/sugar-search")
    page.locator("svg[aria-label='Residuals'] .mark").nth(2).click(force=True)
    page.wait_for_url("**/what-if?row=*")
    assert re.search(r"[\d.]+ to [\d.]+", read(page, "#interval"))


def test_compare_two_searches(visit):
    page = visit("/searches")
    page.get_by_role("link", name="Compare two searches").click()
    page.get_by_label("First").select_option("iris-search")
    page.get_by_label("Second").select_option("iris-again")
    page.get_by_role("button", name="Compare").click()
    page.get_by_text("both are right on").wait_for()
    assert page.locator("svg[aria-label='Honest scores']").count() == 1


def test_select_and_compare(visit):
    page = visit("/table?table=bundled:iris")
    page.get_by_role("link", name="Select columns").click()
    page.get_by_label("Number of columns").fill("2")
    page.get_by_text("More settings").click()
    page.get_by_label("Halves of the rows").fill("10")
    page.get_by_label("Permuted targets").fill("0")
    page.get_by_role("button", name="Select columns").click()
    page.get_by_role("heading", name="The kept columns").wait_for()
    assert "2 of 4 columns are kept" in read(page, ".short")
    page.goto("/compare")
    page.get_by_label("Tables", exact=True).select_option(
        ["bundled:iris", "bundled:wine"]
    )
    page.get_by_label("Methods").fill("tree, logistic, dummy")
    page.get_by_label("Cross-validation").select_option("5")
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Scores").wait_for()
    assert page.locator("svg[aria-label='Average ranks'] .mark").count() == 3


def test_use_the_model(visit, finished, tmp_path):
    from manyminds.datasets import load_dataset

    data = load_dataset("iris")
    rows = data.X.assign(target=data.y)
    rows.loc[0, "petalwidth"] = 99.0
    rows.to_csv(tmp_path / "new.csv", index=False)
    page = visit(
        "/search/iris-search/model", permissions=["clipboard-read", "clipboard-write"]
    )
    page.get_by_label("File of the samples").set_input_files(tmp_path / "new.csv")
    page.locator("#upload-interval").select_option("0.9")
    page.get_by_role("button", name="Predict the file").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download predictions").click()
    made = Path(download.value.path()).read_text().splitlines()
    assert len(made) == 151 and "set" in made[0] and "unlike" in made[0]
    assert "accuracy of these 150 rows" in read(page, "#score")
    assert "unlike those of training" in read(page, ".notes")
    page.goto("/search/iris-search/model")
    for name in ("model.skops", "report.html", "leaderboard.csv"):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        sent = Path(download.value.path()).read_bytes()
        assert sent == (finished / name).read_bytes()
    page.get_by_role("button", name="Copy the Python lines").click()
    page.get_by_text("Copied").first.wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "load_model('iris-search')" in copied
    page.get_by_role("link", name="Open the form").click()
    assert page.locator("#prediction").is_visible()


def test_any_column_and_any_label_in_what_if(visit):
    page = visit("/search/tags-search/what-if?row=1")
    page.locator("#prediction").wait_for()  # the model is loaded
    visible = page.locator("#values .field:visible")
    until(page, lambda: visible.count() == 30)
    shown = page.locator("#values label").all_inner_texts()
    hidden = next(f"Size {k}" for k in range(40) if f"Size {k}" not in shown)
    page.get_by_label("Find a column").fill(hidden.upper())
    field = page.get_by_label(hidden, exact=True)
    field.wait_for()
    until(page, lambda: visible.count() < 12)
    page.get_by_label("Find a column").press("Enter")
    inside = "document.activeElement.matches('.values > .field:not([hidden]) [name]')"
    until(page, lambda: page.evaluate(inside))
    page.get_by_text(re.compile(r"columns? match")).wait_for()
    field.fill("900")
    page.get_by_text("unlike those of training").wait_for()
    page.get_by_label("Find a column").fill("")
    until(page, lambda: visible.count() == 31)
    assert field.input_value() == "900"  # what was changed stays
    page.get_by_label("Explained label").select_option("odd")
    page.get_by_text("change of probability of odd").wait_for()
    page.get_by_label("Find a column").fill("nothing like it")
    page.get_by_text("0 columns match").wait_for()


def test_thresholds_of_labels(visit):
    page = visit("/search/tags-search/threshold")
    page.get_by_label("Label").select_option("big")
    page.wait_for_url("**class=big*")
    before = int(read(page, "#tp"))
    page.get_by_label("Threshold", exact=True).press("Home")
    assert int(read(page, "#tp")) >= before and read(page, "#fn") == "0"


def test_delete_and_undo(visit, folder, finished):
    shutil.copytree(finished, folder / "old")
    page = visit("/searches")
    page.get_by_role("button", name="Delete old").click()
    dialog = page.get_by_role("dialog", name="Delete old?")
    dialog.get_by_role("button", name="Cancel").click()
    assert (folder / "old").is_dir()
    page.get_by_role("button", name="Delete old").click()
    dialog.get_by_role("button", name="Delete").click()
    page.get_by_text("is in the trash").wait_for()
    assert not (folder / "old").exists()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("link", name="old", exact=True).wait_for()
    assert (folder / "old" / "model.skops").is_file()
    shutil.rmtree(folder / "old")


# ---------------------------------------------------------------- for everybody


def press_until(page, key, selector, limit=80):
    """Press a key until the focus is on an element."""
    for _ in range(limit):
        page.keyboard.press(key)
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"{key} does not reach {selector}")


def test_keyboard_only(visit):
    page = visit()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    press_until(page, "Tab", "a[href*='iris-search']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/iris-search")
    press_until(page, "Tab", "svg[aria-label='Confusion matrix'] .mark")
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert first != second and read(page, ".tip") == second
    page.keyboard.press("Escape")
    assert page.locator(".tip").is_hidden()
    page.keyboard.press("Tab")  # one stop for each chart
    assert not page.evaluate(
        "document.activeElement.closest('[aria-label=\"Confusion matrix\"]')"
    )
    page.goto("/search/iris-search/threshold")
    press_until(page, "Tab", "#threshold")
    page.keyboard.press("ArrowRight")
    assert read(page, "#threshold-value") == "0.505"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


ADDRESSES = (
    "/",
    "/table?table=bundled:iris",
    "/searches",
    "/searches/new?table=bundled:iris",
    "/search/iris-search",
    "/search/sugar-search",
    "/search/tags-search",
    "/search/iris-search/threshold",
    "/search/tags-search/threshold",
    "/search/iris-search/what-if?row=120",
    "/search/tags-search/what-if",
    "/search/iris-search/model",
    "/search/iris-search/live",
    "/compare-searches?first=iris-search&second=iris-again",
    "/select",
    "/compare",
    "/login",
)


def test_a_narrow_phone(visit):
    page = visit(viewport={"width": 360, "height": 740}, has_touch=True)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    too_wide = []
    for address in ADDRESSES:
        go(page, address)
        if page.evaluate(wide) > 0:
            too_wide.append(address)
    assert not too_wide


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_audit(visit, scheme):
    page = visit(color_scheme=scheme)
    script = (HERE / "page_audit.js").read_text()
    found = []
    for address in ADDRESSES:
        go(page, address)
        found += [f"{address}: {one}" for one in page.evaluate(script)]
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    is_dark = sum(map(int, re.findall(r"\d+", background)[:3])) < 200
    assert is_dark == (scheme == "dark")
    assert not found, "\n".join(found)


def find_axe():
    """Return the script of axe-core: of the npm package, or of one from PyPI."""
    places = [os.environ.get("AXE_CORE", "")]
    places.append("node_modules/axe-core/axe.min.js")  # npm install axe-core
    if package := find_spec("axe_playwright_python"):
        places.append(str(Path(package.origin).parent / "axe.min.js"))
    found = next((one for one in map(Path, places) if one.is_file()), None)
    if found is None:
        pytest.skip("axe-core is not installed; the audit above has to do")
    return found.read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_serious_findings(visit, scheme):
    script = find_axe()
    page = visit(bypass_csp=True, color_scheme=scheme)
    found = []
    for address in ADDRESSES:
        go(page, address)
        page.evaluate(script)
        for one in page.evaluate("axe.run()")["violations"]:
            if one["impact"] in ("serious", "critical"):
                found.append((address, one["id"], one["nodes"][0]["html"][:120]))
    assert not found
