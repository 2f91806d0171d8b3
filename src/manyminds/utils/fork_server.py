"""A process that has imported a module once, and starts others as copies of itself."""

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import Any

import psutil

from manyminds.utils.collection import no_collection
from manyminds.utils.leases import is_alive, name_owner
from manyminds.utils.parents import follow_parent

__all__ = ["ForkServer", "ForkedProcess", "serve"]

PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from manyminds.utils.fork_server import serve; serve(sys.argv[2], sys.argv[3])"
)
PREPARE = "prepare_process"  # a function of the module, called after the import
REQUEST = b"f"  # sent with the socket of the process to start
ID_BYTES = 4
NONE = -1  # instead of the id of a process that could not be started


class ForkServer:
    """Start processes that need not import: each is forked from one that has.

    The process that is forked runs no threads, and is none that the caller works in:
    it starts anew, imports the module, and waits for requests. It ends with its
    parent, and the processes that it started end with it. For Linux.

    Parameters
    ----------
    module : str
        Imported by the process, which then calls its function ``prepare_process`` if
        there is one; it must not start threads.
    env : dict
        Variables of its environment, besides those of this process.

    Examples
    --------
    >>> from manyminds.utils.fork_server import ForkServer
    >>> server = ForkServer("json", {"COLOR": "blue"})
    >>> process = server.open()
    >>> process.submit(pow, 2, 10).result()
    1024
    >>> process.submit(os.getenv, "COLOR").result()
    'blue'
    >>> process.shutdown()
    >>> server.close()
    """

    def __init__(self, module: str, env: Mapping[str, str]) -> None:
        self.module, self.env = module, env
        self._lock = threading.Lock()
        self._start()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [
                    sys.executable, "-c", PROGRAM,
                    json.dumps(sys.path), str(theirs.fileno()), self.module,
                ],
                env={**os.environ, **self.env},
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
            )  # fmt: skip

    def open(self) -> "ForkedProcess":
        """Start a process; it waits until the module is imported."""
        if self._process.poll() is not None:  # killed, perhaps for lack of memory
            self.close()
            self._start()
        ours, theirs = socket.socketpair()
        with theirs:
            return ForkedProcess(self._fork, ours, theirs.dup())

    def close(self) -> None:
        """End the server, and the processes that it has started."""
        self._control.close()
        self._process.kill()
        self._process.wait()

    def _fork(self, theirs: socket.socket) -> str:
        """Ask for a process that works for a socket; return its name as an owner."""
        with self._lock, theirs:
            socket.send_fds(self._control, [REQUEST], [theirs.fileno()])
            found = self._control.recv(ID_BYTES, socket.MSG_WAITALL)
        process = int.from_bytes(found, "little")
        if not process:  # nothing was received, or there is no memory
            raise ConnectionError("no process could be started")
        try:
            return name_owner(process)
        except psutil.NoSuchProcess as error:
            raise ConnectionError("the process has ended at once") from error


class ForkedProcess:
    """A process that does one piece of work after the other.

    Has the methods of pools of `concurrent.futures` that are needed here.
    """

    def __init__(
        self,
        fork: Callable[[socket.socket], str],
        ours: socket.socket,
        theirs: socket.socket,
    ) -> None:
        self._connection = Connection(ours.detach())
        self._thread = ThreadPoolExecutor(1)
        self._started = self._thread.submit(fork, theirs)

    def submit(self, function: Callable[..., Any], *args: Any) -> Future[Any]:
        """Call a function of a module there; EOFError if the process is lost."""
        return self._thread.submit(self._call, function, args)

    def shutdown(self, wait: bool = True, kill_workers: bool = False) -> None:
        """End the process: at once, or after all work that was submitted."""
        if kill_workers and self._started.done() and not self._started.exception():
            _kill(self._started.result())
        self._thread.shutdown(wait=wait, cancel_futures=kill_workers)
        self._connection.close()

    def _call(self, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        self._started.result()
        self._connection.send_bytes(pickle.dumps((function, args)))
        is_done, answer = pickle.loads(self._connection.recv_bytes())
        if not is_done:
            raise answer
        return answer


def _kill(owner: str) -> None:
    """Kill a process, unless it has ended and its id may be another's by now."""
    if is_alive(owner):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(int(owner.split(":")[1]), signal.SIGKILL)


# ------------------------------------------------------------------ in the processes


def serve(control: str, module: str) -> None:
    """Import a module, then fork for each request until the parent is gone.

    Parameters
    ----------
    control : str
        Number of the socket of requests.
    module : str
    """
    # Ctrl-C reaches all processes of a terminal; the parent ends these.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with no_collection():  # afterwards, what is imported stays shared
        prepare = getattr(import_module(module), PREPARE, None)
        if prepare is not None:
            prepare()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that ended
    with socket.socket(fileno=int(control)) as requests:
        while True:
            message, found, _, _ = socket.recv_fds(requests, len(REQUEST), 1)
            if not message:
                return
            try:
                process = os.fork()
            except OSError:  # no memory, or too many processes
                process = NONE
            if not process:
                requests.close()
                _work(Connection(found[0]))
            os.close(found[0])
            requests.sendall(max(0, process).to_bytes(ID_BYTES, "little"))


def _work(connection: Connection) -> None:
    """Do work until there is none; never return to the server's loop."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    follow_parent(os.getppid())
    try:
        while True:
            function, args = pickle.loads(connection.recv_bytes())
            connection.send_bytes(_try(function, args))
    except (EOFError, OSError):  # no more work, or nobody who waits for it
        pass
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def _try(function: Callable[..., Any], args: tuple[Any, ...]) -> bytes:
    try:
        return pickle.dumps((True, function(*args)))
    except Exception as error:
        try:
            return pickle.dumps((False, error))
        except Exception:  # an error that holds what cannot be sent
            return pickle.dumps((False, RuntimeError(repr(error))))
