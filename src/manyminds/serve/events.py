"""Server-sent events: one poller reads the state of jobs, all streams share it."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from manyminds.serve.jobs.queue import JobQueue

__all__ = ["EventHub", "stream_events"]

BUSY_SECONDS, IDLE_SECONDS = 0.5, 2.0  # between two looks at the jobs
SILENCE_SECONDS = 15.0  # after which a comment shows that the stream lives

Source = Callable[[], dict[str, Any]]


class EventHub:
    """Watch the jobs, and publish what changes to all streams that follow a topic.

    A topic is computed once for each look, whoever follows it: 50 streams cost no more
    than one.

    Parameters
    ----------
    jobs : JobQueue
    """

    def __init__(self, jobs: JobQueue) -> None:
        self.jobs = jobs
        self._task: asyncio.Task[None] | None = None
        self._topics: dict[str, _Topic] = {}
        self._wake = asyncio.Event()
        self.n_reads = 0  # of all topics, for tests

    def start(self) -> None:
        """Start to watch; called within the event loop."""
        self._task = asyncio.get_running_loop().create_task(self._watch())

    async def stop(self) -> None:
        """Stop watching, and end all streams."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        for topic in self._topics.values():
            topic.publish(None)

    async def follow(
        self, name: str, source: Source
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the values of a topic: all of them at first, then those that change.

        Parameters
        ----------
        name : str
            Of the topic.
        source : callable
            Returns the values now, by name; called in a thread, by the poller only.
            The stream ends after a value ``"ended": True``.
        """
        topic = self._topics.setdefault(name, _Topic(source))
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        topic.queues.add(queue)
        self._wake.set()
        if topic.values:
            queue.put_nowait(topic.values)
        try:
            while True:
                values = await queue.get()
                if values is None:
                    return
                yield values
                if values.get("ended"):
                    return
        finally:
            topic.queues.discard(queue)
            if not topic.queues:
                self._topics.pop(name, None)

    async def _watch(self) -> None:
        while True:
            self._wake.clear()
            try:
                await run_in_threadpool(self.jobs.tick)
                for topic in list(self._topics.values()):
                    await self._read(topic)
            except Exception as error:  # a full disk must not end the watch
                self._report(error)
            pause = BUSY_SECONDS if self._topics else IDLE_SECONDS
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), pause)
            await asyncio.sleep(0.05)

    async def _read(self, topic: "_Topic") -> None:
        self.n_reads += 1
        values = await run_in_threadpool(topic.source)
        changed = {k: v for k, v in values.items() if topic.values.get(k) != v}
        topic.values = values
        if changed:
            topic.publish(changed)

    def _report(self, error: Exception) -> None:
        from manyminds.serve.errors import log_error

        log_error(self.jobs.folder.log, "events", error)


class _Topic:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.values: dict[str, Any] = {}
        self.queues: set[asyncio.Queue[dict[str, Any] | None]] = set()

    def publish(self, values: dict[str, Any] | None) -> None:
        for queue in self.queues:
            queue.put_nowait(values)


def stream_events(
    request: Request, hub: EventHub, name: str, source: Source
) -> StreamingResponse:
    """Return a stream of server-sent events that follows a topic.

    Parameters
    ----------
    request : Request
    hub : EventHub
    name : str
    source : callable
        See `EventHub.follow`.

    Returns
    -------
    response : StreamingResponse
        Each event is JSON: the values that have changed.
    """

    async def write() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        values = hub.follow(name, source)
        pending: asyncio.Future[Any] | None = None
        try:
            while True:
                pending = pending or asyncio.ensure_future(anext(values))
                done, _ = await asyncio.wait([pending], timeout=SILENCE_SECONDS)
                if not done:
                    yield ": waiting\n\n"
                    continue
                try:
                    content = pending.result()
                except StopAsyncIteration:
                    return
                pending = None
                yield f"data: {json.dumps(content, ensure_ascii=False)}\n\n"
        finally:
            if pending is not None:
                pending.cancel()
                with suppress(asyncio.CancelledError, StopAsyncIteration):
                    await pending
            await values.aclose()

    return StreamingResponse(write(), media_type="text/event-stream")
