"""How quick the web page is: load on the result page, first paints, large tables.

    python benchmarks/serve_load.py --out benchmarks/results/serve_load.md

The result page is that of a search whose leaderboard and history have 500 trials: a
small search is run, and its rows are repeated with other scores. Requests are sent at
fixed times whether or not earlier ones have been answered; a latency counts from the
time at which the request should have been sent. First paints are Chromium's, if
Playwright and Chromium are installed. The server is a process of its own.
"""

import argparse
import asyncio
import csv
import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import psutil

from machine import describe_machine

N_TRIALS = 500
RATE, SECONDS, N_CONNECTIONS = 200, 20, 40
N_ROWS = 1_000_000
BIG = 2_000_000_000
PACKAGES = ("manyminds", "starlette", "uvicorn", "jinja2")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Server:
    """A server as a process, with the cookie of a visitor."""

    def __init__(self, folder):
        words = [sys.executable, "-m", "manyminds", "serve", str(folder)]
        words += ["--port", "0", "--no-browser", "--upload-limit", "3G"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        lines = iter(self.process.stdout.readline, "")
        self.link = next(line for line in lines if "token=" in line).strip()
        self.port = int(re.search(r":(\d+)/", self.link)[1])
        self.cookie = ""
        answer, _ = self.ask(self.link.split(str(self.port), 1)[1])
        self.cookie = answer.headers["set-cookie"].split(";")[0]
        _, page = self.ask("/")
        self.csrf = re.search(rb'name="csrf" content="(\w+)"', page)[1].decode()

    def ask(self, address, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        headers = {"Cookie": self.cookie} | headers
        connection.request(method, address, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer, content

    def post(self, address, **form):
        """Send a form; return the address that follows."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        body = urlencode(form | {"csrf": self.csrf}, doseq=True)
        answer, content = self.ask(address, "POST", body, **kind)
        assert answer.status == 303, (address, answer.status, content)
        return answer.headers["location"]

    def wait(self, address):
        """Wait until the result of a job is shown; return its address."""
        while b'data-active="1"' in self.ask(address)[1]:
            time.sleep(0.5)
        return address

    def time(self, address, repeats=1):
        """Return the seconds of each of some requests."""
        found = []
        for _ in range(repeats):
            start = time.perf_counter()
            answer, _ = self.ask(address)
            found.append(time.perf_counter() - start)
            assert answer.status == 200, (address, answer.status)
        return found

    def end(self):
        self.process.terminate()
        self.process.wait(20)


# ------------------------------------------------------------------ inputs


def make_folder(folder, n_rows):
    """Fill a folder with a search of many trials and a table of many rows."""
    from manyminds.datasets import load_dataset
    from manyminds.workflows import run_search

    place = folder / "wine-search"
    run_search("wine", n_trials=8, cv=5, out=place)
    file = place / "search.json"
    content = json.loads(file.read_text())
    rng = np.random.default_rng(0)
    board = content["summary"]["leaderboard"]
    rows = []
    for k in range(N_TRIALS):
        row, shift = dict(board[k % len(board)]), rng.normal(scale=0.002)
        for key in ("score", "low", "high"):
            row[key] = min(row[key] + shift, 1.0)
        rows.append(row | {"trial": k})
    rows.sort(key=lambda row: -row["score"])
    ranked = [row | {"rank": k} for k, row in enumerate(rows, start=1)]
    content["summary"] |= {"leaderboard": ranked, "n_trials": N_TRIALS}
    content["summary"]["outcomes"] = {"complete": N_TRIALS}
    file.write_text(json.dumps(content))
    lengthen(place / "trace.csv")
    shutil.copytree(place, folder / "wine-again")
    load_dataset("wine").X.to_csv(folder / "new.csv", index=False)
    make_table(folder / "big.csv", n_rows)


def lengthen(file):
    """Repeat the rows of a history until it has as many trials."""
    with open(file, newline="") as source:
        reader = csv.DictReader(source)
        rows, names = list(reader), reader.fieldnames
    with open(file, "w", newline="") as target:
        writer = csv.DictWriter(target, names)
        writer.writeheader()
        for k in range(N_TRIALS):
            writer.writerow(rows[k % len(rows)] | {"trial": k})


def make_table(file, n_rows):
    rng = np.random.default_rng(0)
    with open(file, "w") as target:
        target.write(",".join([f"x{k}" for k in range(10)] + ["color", "class"]) + "\n")
        for start in range(0, n_rows, 100_000):
            n = min(100_000, n_rows - start)
            X = rng.normal(size=(n, 10)).round(4)
            color = rng.choice(["red", "green", "blue"], n)
            label = (X[:, 0] + rng.normal(size=n) > 0).astype(int)
            for row, one, other in zip(X.tolist(), color, label):
                target.write(",".join(map(str, row)) + f",{one},{other}\n")


# ------------------------------------------------------------------ load


async def send_load(server, address, rate, seconds):
    """Return latencies of requests that are sent at a fixed rate."""
    loop = asyncio.get_running_loop()
    request = (
        f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        f"Cookie: {server.cookie}\r\n\r\n"
    ).encode()
    free = asyncio.Queue()
    for _ in range(N_CONNECTIONS):
        free.put_nowait(await asyncio.open_connection("127.0.0.1", server.port))
    start, latencies = loop.time() + 0.1, []

    async def send(planned):
        reader, writer = await free.get()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(re.search(rb"content-length: (\d+)", head)[1])
        await reader.readexactly(length)
        latencies.append(loop.time() - planned)
        free.put_nowait((reader, writer))

    tasks = []
    for k in range(rate * seconds):
        planned = start + k / rate
        await asyncio.sleep(max(0.0, planned - loop.time()))
        tasks.append(asyncio.ensure_future(send(planned)))
    await asyncio.gather(*tasks)
    return np.array(latencies), loop.time() - start


def measure_load(server):
    server.time("/search/wine-search", 3)
    page = len(server.ask("/search/wine-search")[1])
    process = psutil.Process(server.process.pid)
    before = sum(process.cpu_times()[:2])
    found, wall = asyncio.run(send_load(server, "/search/wine-search", RATE, SECONDS))
    busy = (sum(process.cpu_times()[:2]) - before) / wall
    p50, p99 = 1000 * np.quantile(found, [0.5, 0.99])
    return [
        f"| result page of {N_TRIALS} trials ({page / 1000:.0f} kB), "
        f"{RATE} requests per second for {SECONDS} s | p50 {p50:.1f} ms, p99 "
        f"{p99:.1f} ms, most {1000 * found.max():.0f} ms; {1000 * busy / RATE:.2f} ms "
        "of a core for a request | p99 under 100 ms |"
    ]


def measure_tables(server):
    (first,) = server.time("/table?table=big.csv")
    pages = [f"/table/rows?table=big.csv&page={k}" for k in (1, 20_000, 39_999)]
    later = [one for page in pages for one in server.time(page, 3)]
    whole = server.time("/table?table=big.csv&page=33333", 3)
    return [
        f"| first page of a table of {N_ROWS:,} rows, not opened before | "
        f"{1000 * first:.0f} ms | |",
        f"| the same table again, any page | {1000 * max(whole):.0f} ms at most | "
        "under 500 ms |",
        f"| other rows of it | {1000 * max(later):.0f} ms at most | |",
    ]


def measure_streams(server):
    """Compare the processor time of one stream with that of fifty."""
    server.post("/searches/new", table="bundled:iris", custom_budget="20m", name="long")
    process, busy = psutil.Process(server.process.pid), {}
    for n_streams in (1, 50):
        streams = []
        for _ in range(n_streams):
            one = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
            address = "/search/long/events"
            one.request("GET", address, headers={"Cookie": server.cookie})
            streams.append((one, one.getresponse()))
        readers = [threading.Thread(target=drain, args=(s,)) for _, s in streams]
        for reader in readers:
            reader.daemon = True
            reader.start()
        time.sleep(1.0)
        before = sum(process.cpu_times()[:2])
        time.sleep(8.0)
        busy[n_streams] = (sum(process.cpu_times()[:2]) - before) / 8.0
        for one, _ in streams:
            one.sock and one.sock.close()
    server.post("/search/long/stop")
    return [
        f"| server while a search is watched by 1 and by 50 streams | {busy[1]:.1%} "
        f"and {busy[50]:.1%} of a core | one reading for all |"
    ]


def drain(stream):
    try:
        while stream.read1(65_536):
            pass
    except (OSError, ValueError, http.client.HTTPException, AttributeError):
        return


def measure_upload(server, folder):
    """Send a CSV of 2 GB; return seconds and the growth of memory."""
    with open(folder / "big.csv", "rb") as source:
        first = source.readline()
        rows = b"".join(source.readline() for _ in range(20_000))
    head = (
        b'--B\r\nContent-Disposition: form-data; name="file"; filename="u.csv"\r\n\r\n'
    )
    tail = b"\r\n--B--\r\n"
    n_blocks = -(-(BIG - len(first)) // len(rows))
    size = len(first) + n_blocks * len(rows)
    process = psutil.Process(server.process.pid)
    before, most = process.memory_info().rss, [0]

    def pieces():
        yield head + first
        for _ in range(n_blocks):
            yield rows
            most[0] = max(most[0], process.memory_info().rss)
        yield tail

    headers = {"Content-Type": "multipart/form-data; boundary=B"}
    headers |= {"Content-Length": str(size + len(head) + len(tail))}
    headers |= {"X-CSRF-Token": server.csrf, "Accept": "application/json"}
    start = time.perf_counter()
    answer, content = server.ask("/tables/upload", "POST", pieces(), **headers)
    seconds = time.perf_counter() - start
    assert answer.status == 200, content
    assert (folder / "u.csv").stat().st_size == size
    (folder / "u.csv").unlink()
    growth = (most[0] - before) / 1e6
    return [
        f"| upload of a CSV of {size / 1e9:.1f} GB | {seconds:.1f} s, memory grows by "
        f"{growth:.0f} MB | bounded |"
    ]


# ------------------------------------------------------------------ paints

PAGES = {
    "login": "/login",
    "tables": "/",
    "a table": "/table?table=bundled:wine",
    "a table of a million rows": "/table?table=big.csv",
    "form of a search": "/searches/new?table=bundled:wine",
    "analysis": "/look?table=bundled:wine",
    "searches": "/searches",
    "result": "/search/wine-search",
    "result, all trials": "/search/wine-search?all=1",
    "live": "/search/wine-search/live",
    "threshold": "/search/wine-search/threshold",
    "what-if": "/search/wine-search/what-if",
    "what-if of a row": "/search/wine-search/what-if?row=7",
    "model": "/search/wine-search/model",
    "two searches": "/compare-searches?first=wine-search&second=wine-again",
    "select": "/select?table=bundled:wine",
    "compare": "/compare?table=bundled:wine",
    "error": "/table?table=absent.csv",
}
PAINT = """new PerformanceObserver((list) => {
  for (const one of list.getEntries())
    if (one.name === "first-contentful-paint") {
      const visit = performance.getEntriesByType("navigation")[0];
      window.painted(one.startTime, visit.responseEnd - visit.requestStart);
    }
}).observe({ type: "paint", buffered: true })"""


def run_jobs(server):
    """Run one job of each kind; return the addresses of their results."""
    wine = "bundled:wine"
    server.wait(server.ask("/look?table=bundled:wine")[0].headers.get("location", "/"))
    select = server.post("/select", table=wine, number="4", resamples="10")
    compare = server.post("/compare", table=[wine, "bundled:iris"], cv="5",
                          methods="tree, dummy, logistic")  # fmt: skip
    predict = server.post("/search/wine-search/predict-table", table="new.csv")
    return {
        "selection": server.wait(select),
        "comparison": server.wait(compare),
        "predictions": server.wait(predict),
    }


def measure_paints(server):
    """Return the first paint of each page, when it is opened first and later."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return ["| first paint | not measured: Playwright is not installed | |"]
    if CHROMIUM is None:
        return ["| first paint | not measured: Chromium is not installed | |"]
    rows = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page, paints = browser.new_page(), []
        page.expose_function("painted", lambda *times: paints.append(times))
        page.add_init_script(PAINT)
        page.goto(server.link)
        for name, address in (PAGES | run_jobs(server)).items():
            found = []
            for _ in range(4):
                page.wait_for_load_state()
                paints.clear()
                page.goto(f"http://127.0.0.1:{server.port}{address}")
                while not paints:
                    page.wait_for_timeout(20)
                found.append(paints[0])  # that of the page that waits, if there is one
                page.wait_for_timeout(500)
            if found:
                later = np.median(found[1:], axis=0)
                rows.append(
                    f"| first paint: {name} | {found[0][0]:.0f} ms first, of which the "
                    f"server {found[0][1]:.0f}; later {later[0]:.0f}, server "
                    f"{later[1]:.0f} | under 300 ms |"
                )
        browser.close()
    return rows


PARTS = {
    "load": lambda server, _: measure_load(server),
    "tables": lambda server, _: measure_tables(server),
    "paints": lambda server, _: measure_paints(server),
    "streams": lambda server, _: measure_streams(server),
    "upload": measure_upload,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--rows", type=int, default=N_ROWS)
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make_folder(folder, chosen.rows)
        load = os.getloadavg()[0]
        server = Server(folder)
        try:
            rows = [row for part in chosen.only for row in PARTS[part](server, folder)]
        finally:
            server.end()
    table = ["| what | measured | wanted |", "|---|---|---|", *rows]
    text = "\n".join(
        ["# Speed of the web page", "", *table, "", describe_machine(PACKAGES),
         f"- load average of the machine before: {load:.1f}", ""]
    )  # fmt: skip
    print(text)
    if chosen.out:
        chosen.out.write_text(text)


if __name__ == "__main__":
    main()
