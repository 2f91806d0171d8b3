"""Who may use the page: token and cookie, password, host names, cross-site requests."""

import asyncio
import hashlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["POLICY", "Access", "SecurityMiddleware", "is_loopback"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; "
    "base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Without a referrer to itself, a browser sends the origin of forms as "null".
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
SAFE_METHODS = ("GET", "HEAD")
MAX_FORM = 4_000_000  # bytes of a form without files
PUBLIC = ("/static/", "/login")  # the page that asks for the password, and its style


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address.

    Examples
    --------
    >>> from manyminds.serve.security import is_loopback
    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass
class Access:
    """The secrets of a running server.

    Parameters
    ----------
    host : str
        Address that the server is bound to.
    port : int
    password : str or None, default=None
        None if the link with the token is the only way in.
    token : str, optional
        Random; part of the link that the command opens.
    attempts : asyncio.Lock, optional
        Held while a password is checked: guesses wait for each other.
    """

    host: str
    port: int
    password: str | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    attempts: asyncio.Lock = field(default_factory=asyncio.Lock, repr=False)

    @property
    def cookie(self) -> str:
        """Name of the cookie: cookies are shared by all ports of a host."""
        return f"manyminds-{self.port}"

    @property
    def session(self) -> str:
        """Value of the cookie."""
        return self._derive("session")

    @property
    def csrf(self) -> str:
        """Value that each form sends along; other sites cannot read it."""
        return self._derive("csrf")

    @property
    def link(self) -> str:
        """The link that opens the page."""
        host = "127.0.0.1" if _is_wildcard(self.host) else self.host
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.port}/?token={self.token}"

    def knows_host(self, header: str) -> bool:
        """Return whether a Host header names this server.

        A name that an attacker's DNS directs here is refused; addresses cannot be
        directed. A server of all addresses takes any address and its own name.
        """
        name, _, port = header.rpartition(":")
        if header.endswith("]") or not port.isdigit():
            name, port = header, "80"
        name = name.lower().strip("[]")
        if port != str(self.port):
            return False
        if is_loopback(self.host):
            return is_loopback(name)
        if _is_wildcard(self.host):
            own = socket.gethostname().lower()
            return name in ("localhost", own) or _is_address(name)
        return name == self.host.lower() or is_loopback(name)

    def check_password(self, given: str) -> bool:
        """Return whether a password is right; the time does not depend on it."""
        wanted = (self.password or "").encode()
        return self.password is not None and hmac.compare_digest(given.encode(), wanted)

    def open_session(self, response: Response) -> Response:
        """Set the cookie of a visitor who has shown the token or the password."""
        response.set_cookie(
            self.cookie, self.session, httponly=True, samesite="strict", path="/"
        )
        return response

    def _derive(self, purpose: str) -> str:
        return hmac.new(
            self.token.encode(), purpose.encode(), hashlib.sha256
        ).hexdigest()


class SecurityMiddleware:
    """Refuse foreign hosts, strangers and cross-site changes; set safe headers.

    Parameters
    ----------
    app : ASGI application
    access : Access
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if scope["path"].startswith("/static/"):
                    headers["Cache-Control"] = "no-cache"  # asked for again, by ETag
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        response = self._refuse_stranger(scope)
        if response is None and scope["method"] not in SAFE_METHODS:
            response, receive = await self._refuse_cross_site(scope, receive)
        await (response or self.app)(scope, receive, send_safely)

    def _refuse_stranger(self, scope: Scope) -> Response | None:
        headers, access = Headers(scope=scope), self.access
        if not access.knows_host(headers.get("host", "")):
            return _refuse("This server does not answer to that host name.", 421)
        if scope["path"].startswith(PUBLIC):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        for token in query.pop("token", []):
            if scope["method"] == "GET" and _same(token, access.token):
                rest = urlencode(query, doseq=True)
                place = scope["path"] + (f"?{rest}" if rest else "")
                target = "/" + place.lstrip("/\\")  # never to another host
                return access.open_session(RedirectResponse(target, 303))
        if access.cookie in (found := _read_cookies(headers)):
            if _same(found[access.cookie], access.session):
                return None
        if access.password is not None:
            return RedirectResponse("/login", 303)
        return _refuse(
            "Open the link that `manyminds serve` has printed: it holds the key to "
            "this page.",
            403,
        )

    async def _refuse_cross_site(
        self, scope: Scope, receive: Receive
    ) -> tuple[Response | None, Receive]:
        headers = Headers(scope=scope)
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host")
        if foreign or site not in (None, "same-origin", "none"):
            return _refuse("The request comes from another site.", 403), receive
        if scope["path"] == "/login":
            return None, receive
        given = headers.get("x-csrf-token")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if given is None and kind == "multipart/form-data":
            query = parse_qs(scope["query_string"].decode("latin-1"))
            given = query.get("csrf", [""])[0]
        elif given is None and kind == "application/x-www-form-urlencoded":
            body = await _read_body(receive)
            if body is None:
                return _refuse("The form is too large.", 413), receive
            given = parse_qs(body.decode("latin-1")).get("csrf", [""])[0]
            receive = _replay(body, receive)
        if _same(given or "", self.access.csrf):
            return None, receive
        return _refuse("The form is outdated: load the page again.", 403), receive


def _is_wildcard(host: str) -> bool:
    return host in ("0.0.0.0", "::", "")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
        return True
    except ValueError:
        return False


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _refuse(sentence: str, status: int) -> Response:
    return PlainTextResponse(sentence + "\n", status)


def _read_cookies(headers: Headers) -> dict[str, str]:
    try:
        found = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return {}
    return {name: morsel.value for name, morsel in found.items()}


async def _read_body(receive: Receive) -> bytes | None:
    """Return the body of a small form; None if it is too large."""
    pieces: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        more = message.get("more_body", False)
        if size > MAX_FORM:
            return None
    return b"".join(pieces)


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a channel that has the body of a request once more."""
    messages: Iterable[Message] = [{"type": "http.request", "body": body}]
    waiting = iter(messages)

    async def next_message() -> Message:
        return next(waiting, None) or await receive()

    return next_message
