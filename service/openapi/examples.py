"""Examples in the contract; a test gives them to the service."""

REGISTER = {"name": "Ada"}
RENAME = {"name": "Grace"}
NEW_TOKEN = {"name": "spectator on the wall", "scopes": ["read"], "expires_at": "2999-12-31T23:59:59Z"}
RECOVER = {"recovery": "recovery_9fc2a7d41b3e5f6078a9b0c1_the-rest-of-the-code", "revoke": True}
STREAM_TOKEN = {"game": None}
WEBHOOK = {"url": "https://bot.example/annales", "game": None, "types": ["table.game_started", "table.game_ended"]}
CLOSED = {"open": False}
CREATE_WITH_BOTS = {
    "ruleset": "kreta",
    "seats": [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "random"}],
}
CREATE_OPEN = {
    "ruleset": "kreta",
    "seats": [{"kind": "me"}, {"kind": "open"}],
    "visibility": "public",
    "undo": "consent",
    "start": "when_full",
}
JOIN = {"type": "join_game", "data": {"seat": 1}}
BATCH = {"commands": [{"type": "add_entropy", "data": {"entropy": "seven"}}, {"type": "leave_game", "data": {}}]}

EXPORT = '{"annales_export":1,"checkpoint":null,"game":"9fc2a7d41b3e5f6078a9b0c1"}\n'
"""How an export begins; one event a line follows."""
