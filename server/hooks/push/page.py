"""What a browser needs to install the site and to show notifications: manifest, service worker, icons with a count.

The service worker has one address for good, at the root, and is checked at each use: a browser must never keep an old
one. docs/adr/web-push.md has the reasons.
"""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from server.http.page import DRAWING, STATIC, asset_url, blueprint, guarded

WORKER = "worker/sw.js"
SIZES = (192, 512)
PAPER = "#fbf8f1"
A_DAY = 86400
MOST = 10  # games on the icon; then `9+`
# Over the lower right of the seal, in its own coordinates.
COUNT = (
    '<circle cx="22.5" cy="22.5" r="9" fill="#7c1812" stroke="#fff"/><text x="22.5" y="27" text-anchor="middle" '
    'font-family="sans-serif" font-weight="700" font-size="{size}" fill="#fff">{count}</text></svg>'
)


@blueprint.get("/sw.js")
def service_worker() -> Response:
    """The service worker, for the whole site."""
    answer = Response((STATIC / WORKER).read_text("utf-8"), mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return guarded(answer)


@blueprint.get("/manifest.webmanifest")
def web_manifest() -> Response:
    """How the site looks when it is installed."""
    answer = jsonify(manifest())
    answer.mimetype = "application/manifest+json"
    answer.headers["Cache-Control"] = "no-cache"
    return guarded(answer)


def manifest() -> dict[str, Any]:
    """The members of the manifest. `id` must never change: browsers know the installed app by it."""
    icons = [_icon(f"icons/{size}.png", size, "any") for size in SIZES]
    return {
        "id": "/",
        "name": "Sealed Move",
        "short_name": "Sealed Move",
        "description": "Slow board games with signed moves, over days.",
        "lang": "en",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [*icons, _icon("icons/maskable.png", 512, "maskable")],
    }


def _icon(name: str, size: int, purpose: str) -> dict[str, str]:
    return {"src": asset_url(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}


@blueprint.get(f"/seal/<int(min=1, max={MOST}):count>.svg")
def counted_seal(count: int) -> Response:
    """The icon of a tab while games wait."""
    words, size = ("9+", 10) if count == MOST else (str(count), 13)
    seal = (STATIC / "seal.svg").read_text("utf-8").strip().removesuffix("</svg>")
    answer = Response(seal + COUNT.format(count=words, size=size), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = f"public, max-age={A_DAY}"
    answer.headers["Content-Security-Policy"] = DRAWING
    return guarded(answer)
