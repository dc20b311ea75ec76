"""What the log of the service tells, and that it tells no secret."""

from pathlib import Path

from tests.service.outsider import Outsider
from tests.support.running import running


def test_no_secret_that_a_client_sends_is_in_the_log(tmp_path: Path) -> None:
    with running(tmp_path) as base:
        registered = Outsider(base).call("POST", "/v1/players", {"name": "Ada"}).body
        ada = Outsider(base, registered["token"])
        stream = ada.call("POST", "/v1/stream-tokens", {}).body["token"]
        game = ada.call(
            "POST",
            "/v1/games",
            {"ruleset": "kreta", "seats": [{"kind": "me"}, {"kind": "open"}], "visibility": "private"},
        ).body
        path = f"/v1/games/{game['id']}"
        invite = ada.call("POST", f"{path}/invites").body["code"]
        secrets = [registered["token"], registered["recovery"], stream, invite]
        nobody = Outsider(base)
        assert next(nobody.stream(f"{path}/events?access_token={stream}&limit=1"))["id"] == "1"
        assert nobody.call("GET", f"{path}?invite={invite}").status == 200
        for secret in secrets:
            for address in (path, f"{path}/events", f"{path}/board", "/nowhere", "/v1/players", "/v1/tokens/recover"):
                for query in (f"?access_token={secret}", f"?invite={secret}", f"?{secret}", f"/{secret}"):
                    nobody.call(
                        "GET", f"{address}{query}{'&' if '?' in query else '?'}limit=1", Accept="text/event-stream"
                    )
            assert nobody.call("POST", "/v1/tokens/recover", {"recovery": secret + "x"}).status == 401
            assert Outsider(base, secret + "x").call("GET", path).status == 401
    log = (tmp_path / "annales.log").read_text()
    assert "ready on" in log
    for secret in secrets:
        assert secret[-12:] not in log
        assert secret not in log
