"""Pages: one module per story, each of which lists its routes."""

from importlib import import_module

from starlette.routing import BaseRoute

__all__ = ["MODULES", "list_routes"]

# Those of fixed addresses first: "/search/{folder:path}" takes whatever is left.
MODULES = (
    "login",
    "home",
    "tables",
    "look",
    "jobs",
    "searches",
    "live",
    "threshold",
    "what_if",
    "compare_searches",
    "selection",
    "comparison",
    "model",
    "result",
)


def list_routes() -> list[BaseRoute]:
    """Return the routes of all pages."""
    found: list[BaseRoute] = []
    for name in MODULES:
        found += import_module(f"manyminds.serve.pages.{name}").routes
    return found
