"""A bot that plays a whole game of chance moves: `python bot.py http://127.0.0.1:8000 kreta`."""

import random
import sys

from annales_client import ME, Client, VersionMismatch, WrongMoment, bot


def play(client: Client, game: str) -> None:
    """Give a legal command whenever one of our seats is to act, to the end of the game."""
    looked_at = 0
    for event in client.follow(game):
        if event["version"] < looked_at:
            continue  # we have seen the game at a later moment already
        turn = client.legal_commands(game)
        looked_at = turn["version"]
        if turn["commands"]:
            command = random.choice(turn["commands"])  # your strategy goes here
            try:
                done = client.give(game, {**command, "seat": turn["seat"]}, version=turn["version"])
                looked_at = done["version"]
            except (VersionMismatch, WrongMoment):
                pass  # the game has moved on; the stream will tell


def main(base_url: str, ruleset: str) -> None:
    """Play against a bot of the service, and say how it went."""
    with Client(base_url) as client:
        client.register("Random Rita")
        game = client.create(ruleset, [ME, bot("random")])["id"]
        print(f"Playing {base_url}/v1/games/{game}")
        play(client, game)
        print(f"Over: {client.game(game)['result']}")
        print(f"The log is {client.audit(game)['verdict']}.")


if __name__ == "__main__":
    main(*sys.argv[1:])
