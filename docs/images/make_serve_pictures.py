"""Take the five pictures of the local web page; needs Playwright and Chromium."""

import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
MAX_BYTES = 80_000
SIZE = {"width": 1040, "height": 780}


def main() -> None:
    """Serve a folder, walk through a search of a bundled table, take the pictures."""
    with TemporaryDirectory() as folder, sync_playwright() as play:
        words = ["serve", folder, "--no-browser", "--port", "0"]
        server = subprocess.Popen(
            [sys.executable, "-m", "manyminds", *words],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        assert server.stdout is not None
        link = next(found[0] for line in server.stdout if (found := find_link(line)))
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(
            base_url=link.partition("/?")[0], viewport=SIZE, color_scheme="light"
        )
        page.set_default_timeout(300_000)
        try:
            page.goto(link)
            walk(page)
        finally:
            browser.close()
            server.terminate()


def find_link(line: str) -> re.Match[str] | None:
    """Find the link that the command prints."""
    return re.search(r"http://\S+", line)


def walk(page: Page) -> None:
    """Look at a table, search, understand the result."""
    page.goto("/look?table=bundled:wine")
    page.get_by_role("heading", name="Map of the rows").wait_for()
    page.locator("#hard-rows button").first.click()
    page.locator("#row-cells tbody tr").first.wait_for()
    take(page, "serve-look", "h2:has-text('Map of the rows')")

    page.goto("/searches/new?table=bundled:wdbc")
    page.get_by_text("Advanced settings").click()
    page.get_by_label("Another time").fill("2m")
    page.get_by_role("button", name="Start the search").click()
    page.wait_for_url("**/live")
    page.locator("#live-board tbody tr").nth(7).wait_for()
    take(page, "serve-live", "h1")
    page.wait_for_url("**/search/wdbc-search")
    page.set_viewport_size(SIZE | {"height": 1280})
    take(page, "serve-result", "h1")
    page.set_viewport_size(SIZE)
    page.goto("/search/wdbc-search/threshold?missed=10")
    take(page, "serve-threshold", "h1")
    page.goto("/search/wdbc-search/what-if?row=39")
    take(page, "serve-what-if", "h1")


def take(page: Page, name: str, top: str) -> None:
    """Take a picture from an element on, with few colors so that it is small."""
    page.locator(top).first.evaluate(
        "(one) => scrollTo(0, one.tagName === 'H1' ? 0 : one.offsetTop - 76)"
    )
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    small = picture.quantize(128, dither=Image.Dither.NONE)
    small.save(HERE / f"{name}.png", optimize=True)
    assert (HERE / f"{name}.png").stat().st_size < MAX_BYTES


if __name__ == "__main__":
    main()
