"""The rules as a service: what can be played, and what dice are worth."""

from typing import cast

from fastapi import APIRouter
from starlette.responses import Response

from app.api.answers import json_response
from app.api.call import Call, StrictRoute
from app.api.describe import PathSlug, operation
from app.api.examples import RULESET, SCORES
from app.locale import DEFAULT_LANGUAGE
from app.rules import RULESETS, Dice, Ruleset
from app.schemas.requests import DiceRequest
from app.schemas.rulesets import (
    RulesetsView,
    RulesetView,
    ScoresView,
    ruleset_view,
    scores_view,
)
from app.store.command import NotFound

router = APIRouter(prefix="/v1/rulesets", tags=["rulesets"], route_class=StrictRoute)

TEXTS = {
    "Cache-Control": "public, max-age=300",
    "Content-Language": DEFAULT_LANGUAGE,
    "Vary": "Accept-Language",
}


@router.get(
    "",
    **operation(
        "listRulesets",
        "List rulesets",
        200,
        RulesetsView,
        example={"items": [RULESET], "next_cursor": None},
        is_localised=True,
    ),
)
async def list_(_call: Call) -> Response:
    """The rulesets that can be played."""
    items = [ruleset_view(ruleset) for ruleset in RULESETS.values()]
    return json_response({"items": items, "next_cursor": None}, headers=TEXTS)


@router.get(
    "/{slug}",
    **operation(
        "getRuleset",
        "Read a ruleset",
        200,
        RulesetView,
        example=RULESET,
        problems=["not-found"],
        is_localised=True,
    ),
)
async def get(_call: Call, slug: PathSlug) -> Response:
    """One ruleset: its switches, its maximum and its categories."""
    return json_response(ruleset_view(named_ruleset(slug)), headers=TEXTS)


@router.post(
    "/{slug}/scores",
    **operation(
        "previewScores",
        "Work out what dice would score",
        200,
        ScoresView,
        example=SCORES,
        body={"dice": [5, 5, 5, 2, 1]},
        problems=["not-found"],
    ),
)
async def preview(_call: Call, slug: PathSlug, body: DiceRequest) -> Response:
    """What five dice would score in each category; no game needed."""
    return json_response(scores_view(named_ruleset(slug), cast("Dice", tuple(body.dice))))


def named_ruleset(slug: str) -> Ruleset:
    """The ruleset of a path. Raises NotFound where none has the slug."""
    if slug not in RULESETS:
        raise NotFound
    return RULESETS[slug]
