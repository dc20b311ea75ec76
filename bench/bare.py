"""The barest endpoints of the same kind, for comparison: JSON in, one durable append without any question, JSON out; a constant.

They are written as anybody would write them with Flask and redis-py, served as the service is (`service.serving`), and
append to the same store.
"""

from typing import cast

from flask import Flask, Response, request

from events import lifeline
from events.settings import Settings
from events.store import connect
from service import serving

STREAM = "bench:bare"
JSON = "application/json"


def create_app(settings: Settings) -> Flask:
    """The app, on the store of the settings."""
    app = Flask(__name__, static_folder=None)
    client = connect(settings.redis_url)

    @app.post("/append")
    def append() -> tuple[dict[str, str], int]:
        kind = request.get_json()["type"]
        entry = cast("bytes", client.xadd(STREAM, {"type": kind, "event": request.get_data()}))
        return {"id": entry.decode()}, 201

    @app.get("/constant/<int:size>")
    def constant(size: int) -> Response:
        return Response(b'"' + b"x" * (size - 2) + b'"', content_type=JSON)

    @app.get("/readyz")
    def readyz() -> Response:
        client.ping()
        return Response(b"{}", content_type=JSON)

    return app


def application() -> Flask:
    """The app of one server process."""
    lifeline.watch_parent()
    return create_app(Settings.read())


if __name__ == "__main__":
    lifeline.watch_parent()
    serving.serve(Settings.read(), "bench.bare:application")
