"""Anything that four players may ask for, over HTTP, answered exactly as the model says."""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import httpx
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from app.api.problems import STATUS
from app.rules import CARD, RULESETS, Game
from tests.api.folding import assert_log_gives_state
from tests.attack import model
from tests.attack.model import Json, Person, Refusal
from tests.conftest import Serve
from tests.table import (
    ME,
    NOBODY,
    OPEN,
    Player,
    Visitor,
    assert_problem,
    bot,
    friend,
    path_of,
    success,
)

Place = TypeVar("Place", str, tuple[str, str])

PEOPLE = 4
FEW = 2
"""Only above so many games are accounts deleted: it ends most of what its player takes part in."""
CREATES = frozenset({"join", "roll", "score", "resign"})
POSTS = CREATES | {"start"}

people = st.integers(0, PEOPLE - 1)
askers = st.integers(0, 2 * PEOPLE - 1)
"""Beyond the four: whoever may act in the game, so that not most calls end at the door."""
games = st.integers(0, 30)
marks = st.lists(st.booleans(), min_size=5, max_size=5)
categories = st.sampled_from([str(category) for category in CARD])
texts = st.text("abcXYZ019._-", min_size=1, max_size=64)
names = st.sampled_from(["Ada", "Bo", "Zoë", "Ада", "三", "a b", "🎲"])
levels = st.sampled_from(["novice", "casual", "expert", "perfect"])
others = st.just(OPEN) | st.just(OPEN) | st.builds(friend, names) | st.builds(bot, levels)
tables = st.lists(others, max_size=3).flatmap(lambda seats: st.permutations([ME, *seats]))
wishes = st.fixed_dictionaries(
    {},
    optional={
        "seats": tables,
        "ruleset": st.sampled_from(sorted(RULESETS)),
        "visibility": st.sampled_from(["public", "unlisted"]),
        "hints": st.booleans(),
    },
)
keys = st.none() | st.none() | st.sampled_from(["k", '"k"', "k2", "~!"])
# If-Match for a game at version v, and which versions it accepts; most calls are made without.
MATCHES: dict[str, Callable[[int], tuple[str, set[int] | None]]] = {
    "any": lambda _: ("*", None),
    "right": lambda v: (f'"{v}"', {v}),
    "weak": lambda v: (f'W/"{v}"', {v}),
    "one of": lambda v: (f'"{v + 7}", "x", "{v}"', {v + 7, v}),
    "stale": lambda v: (f'"{v - 1}"', {v - 1}),
    "ahead": lambda v: (f'"{v + 1}"', {v + 1}),
    "no tag": lambda v: (f"{v}", set()),
}
matches = st.none() | st.none() | st.sampled_from(sorted(MATCHES))


def pick(among: Iterable[Place], which: int) -> Place:
    """One of them, always the same one for the same number."""
    places = sorted(among)
    return places[which % len(places)]


class Kept:
    """A call that was made under a key and succeeded, and what it was answered."""

    def __init__(self, call: "Call", response: httpx.Response) -> None:
        self.call = call
        self.response = response

    def assert_repeated(self, response: httpx.Response) -> None:
        """The response is the answer of then, byte for byte."""
        then = self.response
        assert response.headers["Idempotent-Replayed"] == "true"
        assert (response.status_code, response.content) == (then.status_code, then.content)
        for name in ("ETag", "Location", "Content-Type"):
            assert response.headers.get(name) == then.headers.get(name)


class Call:
    """What is asked for, as far as a key knows it: path and body."""

    def __init__(self, path: str, body: Json, key: str | None) -> None:
        self.path = path
        self.body = body
        self.key = None if key is None else key.strip('"')

    def is_as(self, other: "Call") -> bool:
        """Whether both are one call under one key."""
        return (self.path, self.body or {}) == (other.path, other.body or {})


class Tables(RuleBasedStateMachine):
    """Four players at any number of tables of one server, and the model of it all."""

    def __init__(self, guest: Visitor) -> None:
        super().__init__()
        self.guest = guest
        self.players: list[Player] = []
        self.people: list[Person] = []
        self.games: dict[str, Game] = {}
        self.kept: dict[tuple[str, str], Kept] = {}

    @initialize()
    def arrive(self) -> None:
        for _ in range(PEOPLE):
            self.players.append(self.guest.player())
            self.people.append(Person(self.players[-1].id, "Ada"))
        self.open(who=0, body={"seats": [ME, OPEN, OPEN]}, key=None)

    @rule(who=people, body=wishes, key=keys)
    def open(self, who: int, body: Json, key: str | None) -> None:
        call = Call("/v1/games", body, key)
        response = self.players[who].post(call.path, body, key=key)
        if self.is_known(who, call, response):
            return
        answer = success(response)
        assert response.headers["Location"] == path_of(answer)
        self.keep(who, call, response)
        commitment = self.guest.fairness(answer)["commitment"]
        self.games[answer["id"]] = model.opened(self.people[who], body, answer, commitment)
        self.let_bots_move(answer["id"])
        self.assert_told(answer["id"], response, 201)

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, key=keys, match=matches, entropy=st.none() | texts)
    def join(self, entropy: str | None, **call: Any) -> None:
        self.ask("join", {} if entropy is None else {"entropy": entropy}, **call)

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, match=matches, verb=st.sampled_from(["leave", "cancel"]))
    def go(self, verb: str, **call: Any) -> None:
        self.ask(verb, {}, **call)

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, key=keys, match=matches)
    def start(self, **call: Any) -> None:
        self.ask("start", {}, **call)

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, match=matches, value=texts)
    def add_entropy(self, value: str, **call: Any) -> None:
        self.ask("set_entropy", {"value": value}, **call)

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, key=keys, match=matches, held=st.none() | marks)
    def roll(self, held: list[bool] | None, **call: Any) -> None:
        self.ask("roll", {} if held is None else {"held": held}, **call)

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, match=matches, held=marks)
    def hold(self, held: list[bool], **call: Any) -> None:
        self.ask("hold", {"held": held}, **call)

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, key=keys, match=matches, category=categories)
    def score(self, category: str, **call: Any) -> None:
        self.ask("score", {"category": category}, **call)

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, key=keys, match=matches, seat=st.none() | st.integers(0, 7))
    def resign(self, seat: int | None, **call: Any) -> None:
        self.ask("resign", {} if seat is None else {"seat": seat}, **call)

    @precondition(lambda self: any(game.turn for game in self.games.values()))
    @rule(which=games, turns=st.integers(1, 16), held=marks)
    def play_on(self, which: int, turns: int, held: list[bool]) -> None:
        """Some whole turns, by whoever is on turn: else hardly a game would come to its end."""
        game_id = pick([id_ for id_, game in self.games.items() if game.turn], which)
        for _ in range(turns):
            turn = self.games[game_id].turn
            if turn is None:
                return
            take = partial(self.ask, who=self.whoever_acts(self.games[game_id]), game_id=game_id)
            if turn.dice is None:
                take("roll", {})
            if self.games[game_id].open_turn.rolls_left and not all(held):
                take("roll", {"held": held})
            take("score", {"category": str(next(iter(self.games[game_id].options)))})

    @precondition(lambda self: self.games)
    @rule(who=askers, which=games, key=keys, match=matches)
    def rematch(self, who: int, which: int, key: str | None, match: str | None) -> None:
        finished = [id_ for id_, game in self.games.items() if game.status == "finished"]
        game_id = pick(finished or self.games, which)
        game = self.games[game_id]
        who = self.whoever_acts(game) if who >= PEOPLE else who
        tags, versions = (None, None) if match is None else MATCHES[match](game.version)
        headers = {"Idempotency-Key": key, "If-Match": tags}
        given = {name: value for name, value in headers.items() if value is not None}
        call = Call(f"/v1/games/{game_id}/rematch", {}, key)
        response = self.players[who].send("POST", call.path, headers=given)
        if self.is_known(who, call, response):
            return
        person = self.people[who]
        verdict = model.judge_rematch(game, person, versions)
        if verdict is not None:
            assert_problem(response, STATUS[verdict.code], verdict.code)
        elif game.rematch_id is not None:
            self.assert_told(game.rematch_id, response, 200)
        else:
            answer = success(response)
            commitment = self.guest.fairness(answer)["commitment"]
            wishes = model.rematch_wishes(game, person)
            self.games[answer["id"]] = model.opened(person, wishes, answer, commitment)
            self.let_bots_move(answer["id"])
            now = self.guest.read({"id": game_id})
            self.games[game_id] = model.with_rematch(game, answer["id"], now)
            self.assert_told(answer["id"], response, 201)
        if verdict is None:
            self.keep(who, call, response)
        self.assert_told(game_id, self.guest.get(f"/v1/games/{game_id}"), 200)

    @precondition(lambda self: self.kept)
    @rule(which=games)
    def repeat(self, which: int) -> None:
        """A call that succeeded, made again later, by whoever still has the account."""
        owner, _ = place = pick(self.kept, which)
        kept = self.kept[place]
        player = next(player for player in self.players if player.id == owner)
        response = player.post(kept.call.path, kept.call.body, key=kept.call.key)
        kept.assert_repeated(response)

    @rule(who=people, name=names)
    def rename(self, who: int, name: str) -> None:
        told = success(self.players[who].send("PATCH", "/v1/players/me", {"name": name}))
        self.people[who] = Person(told["id"], told["name"])
        assert told["name"] == name

    @precondition(lambda self: len(self.games) > FEW)
    @rule(who=people)
    def delete_account(self, who: int) -> None:
        gone = self.people[who]
        player = self.players[who]
        assert player.send("DELETE", "/v1/players/me").status_code == 204
        assert_problem(player.get("/v1/players/me"), 401, "unauthenticated")
        for game_id, game in self.games.items():
            if game.seats_of(gone.id):
                now = success(self.guest.get(f"/v1/games/{game_id}"))
                at = model.milliseconds(now["updated_at"])
                self.games[game_id] = model.without(game, gone, at)
                self.let_bots_move(game_id)
                assert now == model.told(game_id, self.games[game_id])
        self.kept = {place: kept for place, kept in self.kept.items() if place[0] != gone.id}
        self.players[who] = self.guest.player("Eve")
        self.people[who] = Person(self.players[who].id, "Eve")

    def teardown(self) -> None:
        """Every game, those left alone for long too, is as the model has it, in every telling."""
        for game_id, game in self.games.items():
            now = success(self.guest.get(f"/v1/games/{game_id}"))
            assert now == model.told(game_id, game)
            assert_log_gives_state(self.guest, now)
        for player, person in zip(self.players, self.people, strict=True):
            own = [game_id for game_id, game in self.games.items() if game.seats_of(person.id)]
            assert self.listed(player) == [
                model.told(game_id, self.games[game_id]) for game_id in sorted(own, reverse=True)
            ]

    def listed(self, player: Player) -> list[Json]:
        """The player's own games as they are listed, page by page."""
        items: list[Json] = []
        cursor = ""
        while True:
            page = success(player.get(f"/v1/games?mine=true&limit=7{cursor}"))
            items += page["items"]
            if page["next_cursor"] is None:
                return items
            cursor = f"&cursor={page['next_cursor']}"

    def let_bots_move(self, game_id: str) -> None:
        """Follow what the bots did after what was asked for, if it is their turn in the model."""
        game = self.games[game_id]
        if model.waits_for_bot(game):
            self.games[game_id] = model.with_bots(game, self.guest.events({"id": game_id}))

    def ask(
        self,
        verb: str,
        body: Json,
        *,
        who: int,
        which: int = 0,
        game_id: str | None = None,
        key: str | None = None,
        match: str | None = None,
    ) -> None:
        """Ask for a change of a game, and compare answer and game with what the model says."""
        game_id = game_id or pick(self.games, which)
        game = self.games[game_id]
        who = self.whoever_acts(game) if who >= PEOPLE else who
        tags, versions = (None, None) if match is None else MATCHES[match](game.version)
        path = {"id": game_id}
        response = self.players[who].ask(verb, path, body or None, key=key, if_match=tags)
        call = Call(response.request.url.path, body, key if verb in POSTS else None)
        if self.is_known(who, call, response):
            return
        verdict = model.judge(game, self.people[who], verb, body, versions)
        if isinstance(verdict, Refusal):
            problem = assert_problem(response, STATUS[verdict.code], verdict.code)
            assert problem.get("version", game.version) == game.version
        else:
            now = response if response.content else self.guest.get(path_of(path))
            self.games[game_id] = model.follow(game, verdict, now.json())
            self.let_bots_move(game_id)
            if response.content:
                self.assert_told(game_id, response, 201 if verb in CREATES else 200)
            assert response.is_success
            self.keep(who, call, response)
        self.assert_told(game_id, self.guest.get(path_of(path)), 200)

    def whoever_acts(self, game: Game) -> int:
        """The player who acts for the seat on turn, or the host where there is no turn."""
        acting = game.host if game.turn is None else game.seats[game.turn.seat].player_id
        return next((i for i, person in enumerate(self.people) if person.id == acting), 0)

    def is_known(self, who: int, call: Call, response: httpx.Response) -> bool:
        """Whether the key had been used; then the answer is the one of then, or a refusal."""
        kept = self.kept.get((self.people[who].id, call.key or ""))
        if kept is None:
            assert "Idempotent-Replayed" not in response.headers
            return False
        if kept.call.is_as(call):
            kept.assert_repeated(response)
        else:
            assert_problem(response, 422, "idempotency-key-reused")
        return True

    def keep(self, who: int, call: Call, response: httpx.Response) -> None:
        """Remember what the server must remember."""
        if call.key is not None:
            self.kept[self.people[who].id, call.key] = Kept(call, response)

    def assert_told(self, game_id: str, response: httpx.Response, status: int) -> None:
        """The answer is the whole game, as the model has it."""
        game = self.games[game_id]
        assert response.status_code == status, response.text
        assert response.headers["ETag"] == f'"{game.version}"'
        assert json.loads(response.content) == model.told(game_id, game)


def play(serve: Serve, examples: int, steps: int) -> None:
    """Let Hypothesis play against a server of its own."""
    checks = [HealthCheck.too_slow, HealthCheck.filter_too_much]
    bounds = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=checks,
        database=None,
    )
    with serve(rate_limit=0) as guest:

        class TablesHere(Tables):
            def __init__(self) -> None:
                super().__init__(guest)

        run_machine(TablesHere, settings=bounds)


@pytest.mark.timeout(600)  # a failure is made small before it is told
def test_the_server_answers_as_the_model_says(serve: Serve) -> None:
    play(serve, examples=14, steps=40)


@pytest.mark.soak
def test_the_server_answers_as_the_model_says_for_long(serve: Serve) -> None:
    play(serve, examples=250, steps=80)


def test_a_game_that_does_not_exist_is_not_found(guest: Visitor) -> None:
    nowhere = {"id": NOBODY}
    bodies: dict[str, Json] = {
        "set_entropy": {"value": "x"},
        "hold": {"held": [True] * 5},
        "score": {"category": "ones"},
    }
    for verb in ("join", "leave", "start", "cancel", "roll", "resign", *bodies):
        assert_problem(guest.player().ask(verb, nowhere, bodies.get(verb)), 404, "not-found")
