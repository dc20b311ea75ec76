import pytest

from service.accounts import screened
from tests.service.client import Client, House, problem


def test_a_new_player_gets_a_token_and_a_recovery_code_once(visitor: Client) -> None:
    response = visitor.post("/v1/players", {"name": "Ada"})
    assert response.status_code == 201
    assert response.json is not None
    assert response.json["player"]["name"] == "Ada"
    assert response.json["token"].startswith("annales_")
    assert len(response.json["recovery"]) >= 32
    assert response.headers["Cache-Control"] == "no-store"


def test_tokens_and_recovery_codes_are_stored_as_digests_alone(house: House, visitor: Client) -> None:
    made = visitor.post("/v1/players", {"name": "Ada"}).json
    assert made is not None
    store = house.services.store.client
    secrets = (made["token"].split("_", 3)[3], made["recovery"].split("_", 2)[2])
    kept = b"".join(key + repr(store.hgetall(key)).encode() for key in store.scan_iter("*player*"))
    assert kept
    assert all(secret.encode() not in kept for secret in secrets)


def test_a_player_is_known_by_the_token(ada: Client) -> None:
    assert ada.see("/v1/players/me")["player"] == {"id": ada.id, "name": "Ada"}


@pytest.mark.parametrize(
    "header",
    ["Bearer nonsense", "Bearer annales_abc_def", "Basic YTpi", "Bearer", "Bearer annales_\u00e9_x", "annales", ""],
)
def test_a_bad_token_is_refused_everywhere(ada: Client, visitor: Client, header: str) -> None:
    game = ada.create()
    for path in ("/v1/players/me", "/v1/games", game.path, f"{game.path}/board", "/v1/rulesets"):
        response = visitor.call("GET", path, headers={"Authorization": header})
        problem(response, 401, "unauthenticated")
        assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_token_of_one_player_with_the_id_of_another_is_no_token(ada: Client, bob: Client, visitor: Client) -> None:
    forged = (ada.token or "").replace(ada.id, bob.id)
    problem(
        visitor.call("GET", "/v1/players/me", headers={"Authorization": f"Bearer {forged}"}), 401, "unauthenticated"
    )


def test_without_a_token_there_is_no_me(visitor: Client) -> None:
    problem(visitor.get("/v1/players/me"), 401, "unauthenticated")


def test_a_player_may_take_another_name(ada: Client) -> None:
    game = ada.create()
    response = ada.call("PATCH", "/v1/players/me", {"name": "Grace"})
    assert response.json == {"player": {"id": ada.id, "name": "Grace"}}
    assert game.now["seats"][0]["player"] == {"id": ada.id, "name": "Grace"}


def test_me_lists_the_open_and_active_games_of_the_caller(house: House, ada: Client, bob: Client) -> None:
    opened, active, over = ada.create(seats="mo"), ada.create(seats="mm", visibility="private"), ada.create()
    over.do("finish")
    bob.create()
    house.project()
    games = ada.see("/v1/players/me")["games"]
    assert [game["id"] for game in games["open"]] == [opened.game]
    assert [game["id"] for game in games["active"]] == [active.game]


@pytest.mark.parametrize("name", ["A", "x" * 40, "Jürgen Müller", "李雷", "क\u094dष", "O'Brien & <Sons>"])
def test_names_may_be_those_of_people(visitor: Client, name: str) -> None:
    made = visitor.post("/v1/players", {"name": name}).json
    assert made is not None
    assert made["player"]["name"] == name


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 41, "a\nb", "a\x00b", "a\u202eb", "a\u2028b", "\u200d", "\ue000", "x" * 201],
)
def test_names_that_cannot_be_shown_are_refused(visitor: Client, name: str) -> None:
    told = problem(visitor.post("/v1/players", {"name": name}), 400, "malformed-request")
    assert told["pointer"] == "/name"


def test_a_name_is_kept_without_the_space_around_it_and_in_one_form() -> None:
    assert screened("  Ada ") == "Ada"
    assert screened("e\u0301") == "\u00e9"


@pytest.mark.parametrize("body", [{}, {"name": 5}, {"name": None}, {"name": "Ada", "admin": True}, [], "Ada", None])
def test_registering_needs_a_name_and_nothing_else(visitor: Client, body: object) -> None:
    problem(
        visitor.post("/v1/players", body),
        400 if body is not None else 415,
        "malformed-request" if body is not None else "unsupported-media-type",
    )
