"""Fifty games at once, thirty-two clients: no error, no lock, and every total is right."""

from queue import Empty, Queue
from threading import Thread

from tests.process.client import Client
from tests.process.server import PATIENCE, Server

GAMES = 50
CLIENTS = 32
ROUNDS = 12


class Table:
    """A game on which any client may make the next move: roll, roll with holds, score."""

    def __init__(self, client: Client, number: int) -> None:
        self.token = client.register(f"Player {number}")
        self.game = client.expect(201, "POST", "/v1/games", {}, token=self.token)
        self.path = f"/v1/games/{self.game['id']}"
        self.points: list[int] = []
        self.calls = 0

    def move(self, client: Client) -> None:
        turn = self.game["turn"]
        self.calls += 1
        if turn["rolls_used"] == 2:
            category, points = max(turn["options"].items(), key=lambda option: option[1])
            self.points.append(points)
            self._call(client, "scores", {"category": category})
        elif turn["rolls_used"] == 1:
            self._call(client, "rolls", {"held": [face > 3 for face in turn["dice"][:4]] + [False]})
        else:
            self._call(client, "rolls", None)

    def _call(self, client: Client, verb: str, body: object) -> None:
        version = self.game["version"]
        self.game = client.expect(201, "POST", f"{self.path}/{verb}", body, token=self.token)
        assert self.game["version"] >= version + 1


def test_fifty_games_at_once_end_with_the_right_totals(plain: Server) -> None:
    tables: Queue[Table] = Queue()
    done: list[Table] = []
    faults: list[Exception] = []

    def play() -> None:
        try:
            with plain.client() as client:
                while len(done) < GAMES and not faults:
                    try:
                        table = tables.get(timeout=0.1)
                    except Empty:
                        continue
                    table.move(client)
                    if table.game["status"] == "active":
                        tables.put(table)
                    else:
                        done.append(table)
        except Exception as error:  # noqa: BLE001 - a thread has nobody to tell
            faults.append(error)

    with plain.client() as client:
        for number in range(GAMES):
            tables.put(Table(client, number))
        threads = [Thread(target=play) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(2 * PATIENCE)
            assert not thread.is_alive()
        assert faults == []
        assert len(done) == GAMES
        for table in done:
            game = client.expect(200, "GET", table.path)
            assert game == table.game
            assert (game["status"], table.calls) == ("finished", 3 * ROUNDS)
            assert game["seats"][0]["total"] == sum(table.points)
    assert [word for word in ("locked", " ERROR ", "Traceback") if word in plain.log] == []
