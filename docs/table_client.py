"""Play one round of blackjack as a guest: `python table_client.py http://localhost:8021`."""

import json
import secrets
import sys
import time
import urllib.request
import uuid
from contextlib import suppress

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


def post(address, path, body, cookie=""):
    """Send a request; return the answer and the session's cookie, if it is new."""
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    request = urllib.request.Request(address + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer), answer.headers.get("Set-Cookie", "").partition(";")[0]


class TableClient:
    """One person at one table. A dropped connection is opened again, and nothing is lost or done twice."""

    def __init__(self, address, table, cookie):
        self.url = f"{address.replace('http', 'ws', 1)}/api/v1/tables/{table}/socket"
        self.headers = {"Cookie": cookie}
        self.socket = None
        self.number = None  # of the last entry that was seen
        self.unanswered = {}  # commands by id: sent again after a dropped connection
        self.balance = None

    def send(self, **command):
        """Send a command. Its answer is a message "done" or "refused" with the same id."""
        key = str(uuid.uuid4())
        self.unanswered[key] = json.dumps({"type": "command", "id": key, "command": command})
        if self.socket is not None:
            with suppress(ConnectionClosed):  # `views` connects again and sends it
                self.socket.send(self.unanswered[key])

    def views(self):
        """Yield the table after each entry of its log."""
        while True:
            after = "" if self.number is None else f"?after={self.number}"
            try:
                with connect(self.url + after, additional_headers=self.headers) as self.socket:
                    for text in self.unanswered.values():
                        self.socket.send(text)
                    for text in self.socket:
                        yield from self.read(json.loads(text))
            except (ConnectionClosed, OSError):
                time.sleep(0.5)

    def read(self, message):
        """Take one message; yield its view, if it has one."""
        if message["type"] == "refused":
            self.refused(message)
        if message["type"] == "done":
            self.unanswered.pop(message["id"], None)
        if message["type"] == "balance":
            self.balance = message["cents"]
        if message["type"] in ("snapshot", "entry"):
            self.number = message["number"]
            yield message["view"]

    def refused(self, message):
        """Repeat what the server could not store, and drop what came too late; everything else ends the game."""
        if message["code"] == "unavailable":
            time.sleep(0.5)
            self.socket.close()  # `views` connects again and sends it
        elif message["code"] == "out of turn" and '"seen"' in self.unanswered.get(message["id"], ""):
            del self.unanswered[message["id"]]  # the table asks something else now, and the next view says what
        else:
            sys.exit(f"{message['code']}: {message['message']}")


def decide(client, view):
    """Hit below 17; accept nothing that costs more."""
    actions = [choice["action"] for choice in view["choices"]]
    mine = next(seat for seat in view["seats"] if seat["seat"] == 1)
    if not actions:  # the table asks for late wagers: none
        client.send(do="place", seat=1, seen=client.number)
    elif "hit" in actions and mine["hands"][view["hand"] - 1]["total"] < 17:
        client.send(do="act", seat=1, action="hit", seen=client.number)
    else:
        action = next(one for one in ("stand", "no insurance", "no surrender") if one in actions)
        client.send(do="act", seat=1, action=action, seen=client.number)


def bet_and_deal(client, shoe):
    """Answer the shoe's commitment with a seed that the server did not know, then bet $10; compare both afterwards."""
    seed = secrets.token_hex(16)
    print(f"The commitment is {shoe['commitment']}, and my seed {seed}.")
    client.send(do="add seed", seed=seed, shoe=shoe["id"])
    client.send(do="bet", seat=1, main=1000)
    client.send(do="deal")


def play(address, game="classic"):
    """Open a table, play a round for $10, and return the results."""
    me, cookie = post(address, "/api/v1/guest", {})
    table, _ = post(address, "/api/v1/tables", {"id": str(uuid.uuid4()), "game": game}, cookie)
    print(f"{me['name']} has {me['balance']} cents and opens table {table['id']}.")
    client = TableClient(address, table["id"], cookie)
    client.send(do="sit", seat=1)
    has_bet = False
    for view in client.views():
        if view["yours"] and not has_bet:
            bet_and_deal(client, view["shoe"])
            has_bet = True
        if view["asked"] == 1:
            decide(client, view)
        if view["phase"] == "done":
            break
    return view["results"]


if __name__ == "__main__":
    for result in play(sys.argv[1]):
        print(f"{result['wager']}, stake {result['stake']}: {result['net']:+} cents ({result['line']})")
