"""Run the server: bind an address, show the link, serve until Ctrl-C."""

import socket
from collections.abc import Callable
from os import PathLike

from manyminds.utils.errors import InputError, MissingPackageError, Parameter

__all__ = ["PORT", "run_server"]

PORT = 8642


def run_server(
    folder: str | PathLike[str] = ".",
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    password: str | None = None,
    upload_limit: float | str = "2G",
    n_searches: int = 1,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a folder as a local web page, until the process is interrupted.

    ``manyminds serve`` calls this function.

    Parameters
    ----------
    folder : path, default="."
        Folder of tables and searches; nothing outside of it is read or written.
    host : str, default="127.0.0.1"
        Address to listen on. One that other machines reach needs a password.
    port : int, default=None
        None means 8642, or any free port if that is taken; 0 means any free port.
    password : str, default=None
        What visitors of other machines must enter.
    upload_limit : float or str, default="2G"
        Bytes of an upload, or a text such as "500M".
    n_searches : int, default=1
        Number of searches that run at once; others wait.
    on_ready : callable, default=None
        Called with the link, which holds the key to the page.

    Raises
    ------
    MissingPackageError
        If the packages of the extra ``serve`` are not installed.
    InputError
        If other machines reach the address and there is no password, or if the port
        is taken.
    """
    try:
        import python_multipart  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise MissingPackageError(
            f"The web page needs the package {error.name}: "
            "pip install 'manyminds[serve]'."
        ) from error
    from manyminds.search.evaluation.resources import read_bytes
    from manyminds.serve.app import create_app
    from manyminds.serve.security import Access, is_loopback

    if not is_loopback(host) and not password:
        raise InputError(
            Parameter("host"),
            f": other machines reach {host}, and whoever opens the page can read and "
            "delete what is in the folder and start computations. Set ",
            Parameter("password"),
            " to allow it; it crosses the network unencrypted.",
        )
    limit = int(read_bytes(upload_limit, "upload_limit"))
    listener = _bind(host, port)
    access = Access(host, listener.getsockname()[1], password)
    app = create_app(folder, access, upload_limit=limit, n_searches=n_searches)
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    if on_ready is not None:
        on_ready(access.link)
    uvicorn.Server(config).run(sockets=[listener])


def _bind(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens; an unnamed port may be any other that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in (PORT, 0) if port is None else (port,):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(128)
            return listener
        except OSError as error:
            listener.close()
            problem = error.strerror or error
    raise InputError(Parameter("port"), f": cannot listen on {host}:{port}: {problem}.")
