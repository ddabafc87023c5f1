"""What operators and the curious look at: health, readiness, the docs."""

import re
import sqlite3
from contextlib import closing
from html import escape
from pathlib import Path

import pytest

from app.api.problems import STATUS
from app.locale.en import TEXTS
from tests.conftest import Serve
from tests.table import Visitor, assert_problem

SOURCE = re.compile(r'(?:src|href)="([^"]+)"')


def test_a_living_server_says_so(guest: Visitor) -> None:
    response = guest.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_a_server_that_can_play_says_so(guest: Visitor) -> None:
    response = guest.get("/readyz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_a_server_whose_tables_are_of_another_revision_is_not_ready(
    serve: Serve, file: Path
) -> None:
    with serve() as guest:
        with closing(sqlite3.connect(file)) as other:
            [(revision,)] = other.execute("SELECT version_num FROM alembic_version")
            other.execute("UPDATE alembic_version SET version_num = 'older'")
            other.commit()
            response = guest.get("/readyz")
            other.execute("UPDATE alembic_version SET version_num = ?", (revision,))
            other.commit()
        assert_problem(response, 503, "unavailable")
        assert int(response.headers["Retry-After"]) > 0
        assert guest.get("/readyz").is_success
        assert guest.get("/healthz").is_success


def test_the_docs_need_no_other_host(guest: Visitor) -> None:
    page = guest.get("/docs")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    sources = [source for source in SOURCE.findall(page.text) if source != "/v1/openapi.json"]
    assert len(sources) == 4
    kinds = {"js": "javascript", "css": "css", "png": "png"}
    for source in sources:
        assert source.startswith("/docs/")
        asset = guest.get(source)
        assert asset.status_code == 200
        assert kinds[source.rpartition(".")[2]] in asset.headers["Content-Type"]
        assert asset.content


@pytest.mark.parametrize("part", ["bytes=0-9", "bytes=9999999999-", "bytes=a-b"])
def test_the_docs_are_served_whole(guest: Visitor, part: str) -> None:
    whole = guest.get("/docs/swagger-ui.css")
    response = guest.send("GET", "/docs/swagger-ui.css", headers={"Range": part})
    assert (response.status_code, response.content) == (200, whole.content)


def test_the_docs_run_under_a_strict_policy(guest: Visitor) -> None:
    page = guest.get("/docs")
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "http" not in policy
    assert "<script>" not in page.text
    assert "/v1/openapi.json" in guest.get("/docs/start.js").text


def test_a_problem_page_is_plain_html_under_its_own_policy(guest: Visitor) -> None:
    page = guest.get("/problems/roll-first")
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "script" not in page.text
    assert "script-src" not in page.headers["Content-Security-Policy"]


def test_the_docs_lead_on_where_no_script_runs(guest: Visitor) -> None:
    page = guest.get("/docs").text
    told = page.partition("<noscript>")[2].partition("</noscript>")[0]
    assert 'href="/v1/openapi.json"' in told


def test_a_problem_page_says_what_to_do_and_leads_on(guest: Visitor) -> None:
    page = guest.get("/problems/stale-version").text
    assert "<h2>What to do</h2>" in page
    assert "<code>ETag</code>" in page
    assert "`" not in page
    assert {"/problems", "/docs"} <= set(SOURCE.findall(page))
    assert "What to do" not in guest.get("/problems/category-used").text


def test_all_problems_are_on_one_page(guest: Visitor) -> None:
    page = guest.get("/problems")
    assert page.status_code == 200
    linked = [source for source in SOURCE.findall(page.text) if source != "/docs"]
    assert linked == [f"/problems/{code}" for code in STATUS]
    assert all(escape(TEXTS[f"problem.{code}.title"]) in page.text for code in STATUS)
    assert "script" not in page.text


def test_the_page_of_invalid_requests_lists_the_codes_of_faults(guest: Visitor) -> None:
    page = guest.get("/problems/invalid-request").text
    listed = re.findall(r"<td><code>([a-z-]+)</code></td>", page)
    assert sorted(listed) == sorted({k.split(".")[1] for k in TEXTS if k.startswith("invalid.")})


def test_the_store_survives_a_restart(serve: Serve) -> None:
    with serve() as guest:
        ada = guest.player()
        game = ada.roll(ada.open())
    with serve() as guest:
        assert guest.read(game) == game
        assert len(guest.events(game)) == game["version"]
