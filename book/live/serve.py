"""Serve the built book on 127.0.0.1: `make serve`, with the port as PORT=8000."""

from __future__ import annotations

import functools
import http.server
import os
from pathlib import Path

HTML = Path(__file__).resolve().parents[2] / "_build" / "html"


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files as they are; what is compressed is not unpacked on the way."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm", ".svg": "image/svg+xml",
        ".json": "application/json", ".gz": "application/gzip", ".zip": "application/zip", ".woff2": "font/woff2"}


def main() -> None:
    """Serve until interrupted."""
    port = int(os.environ.get("PORT") or 8000)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=str(HTML)))
    print(f"The book is at http://127.0.0.1:{server.server_address[1]}/ (Ctrl+C ends this)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
