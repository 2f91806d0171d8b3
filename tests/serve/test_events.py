"""Events: all streams of a topic share one reading of it."""

import asyncio
import json

import pytest

pytest.importorskip("starlette")
from starlette.requests import Request

from manyminds.serve import events
from manyminds.serve.events import EventHub, stream_events
from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs.queue import JobQueue


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs a coroutine with a hub that watches."""
    monkeypatch.setattr(events, "BUSY_SECONDS", 0.01)
    queue = JobQueue(ServedFolder(tmp_path))

    def call(work):
        async def main():
            hub = EventHub(queue)
            hub.start()
            try:
                return await asyncio.wait_for(work(hub), 10.0)
            finally:
                await hub.stop()

        return asyncio.run(main())

    return call


async def collect(hub, source, name="topic"):
    return [values async for values in hub.follow(name, source)]


def count_to(last):
    """Return a source whose number grows with each reading, and then ends."""
    state = {"n": 0}

    def read():
        state["n"] += 1
        values = {"n": state["n"], "same": "x"}
        return values | ({"ended": True} if state["n"] >= last else {})

    return read, state


def test_values_that_change_are_sent(run):
    read, _ = count_to(3)
    found = run(lambda hub: collect(hub, read))
    assert found[0] == {"n": 1, "same": "x"}
    assert found[-1] == {"n": 3, "ended": True} and len(found) == 3


def test_many_streams_cost_one_reading(run):
    read, state = count_to(5)

    async def work(hub):
        return await asyncio.gather(*(collect(hub, read) for _ in range(50)))

    found = run(work)
    assert state["n"] == 5 and len(found) == 50
    assert all(one[-1]["n"] == 5 and one[-1]["ended"] for one in found)


def test_a_late_stream_starts_with_all_values(run):
    read, _ = count_to(9)

    async def work(hub):
        first = asyncio.ensure_future(collect(hub, read))
        await asyncio.sleep(0.15)
        second = await collect(hub, read)
        await first
        return second

    assert run(work)[0]["same"] == "x"


def test_an_error_of_one_reading_does_not_end_the_watch(run, tmp_path):
    calls = []

    def read():
        calls.append(1)
        if len(calls) == 1:
            raise OSError("disk full")
        return {"ended": True}

    assert run(lambda hub: collect(hub, read)) == [{"ended": True}]
    assert "disk full" in (tmp_path / ".manyminds" / "serve.log").read_text()


def test_nobody_is_followed_after_the_last_stream_has_left(run):
    read, state = count_to(10**9)

    async def work(hub):
        stream = hub.follow("topic", read)
        await anext(stream)
        await stream.aclose()
        await asyncio.sleep(0.2)
        n_reads = state["n"]
        await asyncio.sleep(0.2)
        return n_reads

    assert run(work) == state["n"]


def test_a_stream_is_lines_of_json(run):
    read, _ = count_to(2)

    async def work(hub):
        request = Request({"type": "http", "headers": [], "method": "GET"})
        response = stream_events(request, hub, "topic", read)
        return response.media_type, [piece async for piece in response.body_iterator]

    kind, pieces = run(work)
    assert kind == "text/event-stream" and pieces[0] == "retry: 1000\n\n"
    values = [json.loads(one.removeprefix("data: ")) for one in pieces[1:]]
    assert values == [{"n": 1, "same": "x"}, {"n": 2, "ended": True}]


def test_a_silent_stream_shows_that_it_lives(run, monkeypatch):
    monkeypatch.setattr(events, "SILENCE_SECONDS", 0.05)

    async def work(hub):
        request = Request({"type": "http", "headers": [], "method": "GET"})
        response = stream_events(request, hub, "topic", lambda: {})
        pieces = response.body_iterator
        found = [await anext(pieces), await anext(pieces)]
        await pieces.aclose()
        return found

    assert run(work)[1] == ": waiting\n\n"
