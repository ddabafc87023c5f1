"""Links of the OpenAPI document: which calls an answer opens the way to.

An answer that is a game leads to every call about a game, one that is a player to every call about
a player; so a new route is linked as soon as it is there.
"""

from typing import Any

# What the answer is, the parameter that its id becomes, and the answers that count as one.
_SUBJECTS = {
    "game_id": {"#/components/schemas/GameView"},
    "player_id": {"#/components/schemas/PlayerView", "#/components/schemas/NewPlayerView"},
}


def link(document: dict[str, Any]) -> None:
    """Put the links into a document that is otherwise complete."""
    operations = [
        (path, operation)
        for path, methods in document["paths"].items()
        for operation in methods.values()
    ]
    links: dict[str, Any] = {}
    for parameter, views in _SUBJECTS.items():
        ids = [
            operation["operationId"] for path, operation in operations if f"{{{parameter}}}" in path
        ]
        links |= {
            name: {"operationId": name, "parameters": {parameter: "$response.body#/id"}}
            for name in ids
        }
        for _, operation in operations:
            for answer in operation["responses"].values():
                if _schema(answer) in views:
                    answer["links"] = {name: {"$ref": f"#/components/links/{name}"} for name in ids}
    document["components"]["links"] = links


def _schema(answer: dict[str, Any]) -> str | None:
    content = answer.get("content", {}).get("application/json", {})
    reference = content.get("schema", {}).get("$ref")
    return None if reference is None else str(reference)
