"""Plays games by an unchanged client library: SERVER TOKEN OPPONENT GAMES. Prints how each game ended.

The library neither reconnects nor times out, so this does: whatever breaks is begun anew, and the streams say how everything stands."""

import random
import sys
import threading
import time

import berserk
import requests

SERVER, TOKEN, OPPONENT, GAMES = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
TIMEOUT = 3  # seconds of silence; the server says something more often


class Session(berserk.TokenSession):
    """With a limit on silence."""

    def request(self, *args, **more):
        return super().request(*args, timeout=TIMEOUT, **more)


def client():
    return berserk.Client(session=Session(TOKEN), base_url=SERVER)


BROKEN = (berserk.exceptions.ApiError, requests.RequestException, OSError)


def again(work):
    """Does something until it gets through; what the server refuses is given back."""
    while True:
        try:
            return work()
        except berserk.exceptions.ResponseError as error:
            if error.status_code not in (429, 503):
                return error
            time.sleep(float(error.response.headers.get("Retry-After", 1)))
        except BROKEN:
            time.sleep(0.1)


def legal(state):
    """The moves that are legal, as the server tells them."""
    body = {"layout": "belgian-daisy", "rules": "playstrategy", "moves": state["moves"].split()}
    answer = requests.post(f"{SERVER}/api/v1/positions", json=body, timeout=TIMEOUT)
    answer.raise_for_status()
    return [move["move"] for move in answer.json()["position"]["moves"]]


def play(game, ends):
    """Plays a game to its end, over as many streams as it takes."""
    me = None
    while game not in ends:
        try:
            for event in client().bots.stream_game_state(game):
                if event["type"] == "gameFull":
                    me = "white" if event["white"]["name"] == NAME else "black"
                    event = event["state"]
                if event["type"] != "gameState":
                    continue
                # The library makes times of the stream's own numbers alone.
                int(event["winc"]) if isinstance(event["winc"], int) else event["winc"].total_seconds()
                if event["status"] != "started":
                    ends[game] = (event["status"], event.get("winner"), me)
                    break
                turn = "black" if len(event["moves"].split()) % 2 == 0 else "white"
                if turn == me:
                    move = random.choice(legal(event))
                    again(lambda: client().bots.make_move(game, move))
        except berserk.exceptions.ResponseError as error:
            if error.status_code in (401, 403, 404):
                ends[game] = (str(error), None, me)
        except BROKEN:
            time.sleep(0.1)


NAME = again(lambda: client().account.get())["username"]
started, ends, lock = {}, {}, threading.Lock()


def follow():
    while True:
        try:
            for event in client().bots.stream_incoming_events():
                if event["type"] == "gameStart":
                    game = event["game"]["gameId"]
                    with lock:
                        if game not in started:
                            started[game] = threading.Thread(target=play, args=(game, ends), daemon=True)
                            started[game].start()
        except (berserk.exceptions.ResponseError, *BROKEN):
            time.sleep(0.1)


threading.Thread(target=follow, daemon=True).start()
for number in range(GAMES):
    while True:
        wish = dict(clock_limit=600, clock_increment=5, color=["black", "white"][number % 2], variant="belgian-daisy")
        made = again(lambda: client().challenges.create(OPPONENT, True, **wish))
        if not isinstance(made, Exception):
            break
        time.sleep(0.2)  # it plays as many as it can
    while len(ends) < number + 1 - 3:
        time.sleep(0.05)
while len(ends) < GAMES:
    time.sleep(0.05)
assert any(bot["username"] == OPPONENT for bot in again(lambda: list(client().bots.get_online_bots())))
for game, (status, winner, me) in ends.items():
    print(game, status, winner, me)
