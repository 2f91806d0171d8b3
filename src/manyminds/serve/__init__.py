"""The local web page: all that the command line does, in a browser on this machine."""

from manyminds.serve.server import run_server

__all__ = ["run_server"]
