"""What all requests share: the folder, the settings, jobs, events and caches."""

from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment
from starlette.requests import HTTPConnection

from manyminds.serve.cache import BoundedCache
from manyminds.serve.events import EventHub
from manyminds.serve.folder import ServedFolder
from manyminds.serve.jobs.queue import JobQueue
from manyminds.serve.security import Access

__all__ = ["ServeState", "get_state"]

MAX_PAGES, MAX_SUMMARIES, MAX_TABLES, MAX_MODELS = 64, 64, 4, 3


@dataclass
class ServeState:
    """What all requests share.

    Parameters
    ----------
    folder : ServedFolder
        The folder that is served.
    access : Access
        Token, password and names of this host.
    jobs : JobQueue
        Processes of the command line.
    events : EventHub
        Changes of jobs, for streams of events.
    environment : Environment
        Templates.
    upload_limit : int
        Bytes of an upload.
    pages, summaries, tables, models : BoundedCache
        Rendered pages, summaries of searches, small tables, loaded models; a key has
        the `manyminds.serve.cache.stamp` of each file.
    """

    folder: ServedFolder
    access: Access
    jobs: JobQueue
    events: EventHub
    environment: Environment
    upload_limit: int
    pages: BoundedCache = field(default_factory=lambda: BoundedCache(MAX_PAGES))
    summaries: BoundedCache = field(default_factory=lambda: BoundedCache(MAX_SUMMARIES))
    tables: BoundedCache = field(default_factory=lambda: BoundedCache(MAX_TABLES))
    models: BoundedCache = field(default_factory=lambda: BoundedCache(MAX_MODELS))


def get_state(connection: HTTPConnection) -> ServeState:
    """Return what all requests share."""
    state: Any = connection.app.state.serve
    return state
