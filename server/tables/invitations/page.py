"""Pages of invitations: the one behind the link in a mail, and the forms of hosts and invited people.

The link's page shows the table to somebody who may never have been here. Its buttons act by POST only; nobody has to
be signed in to decline.
"""

from __future__ import annotations

from uuid import UUID

from flask import Response, request

from server.http.page import blueprint, page, redirect_to, services, signed_in
from server.http.schemas import MOST
from server.kernel import text
from server.kernel.errors import Problem
from server.kernel.problem_bodies import body_of
from server.tables.invitations import write
from server.tables.invitations.schemas import flaw
from server.tables.invitations.write import LinkedPlace, Never
from server.tables.read import clock, seat_holders, title_of

WISHES: dict[str, Never | None] = {"": None, "host": "host", "anybody": "anybody"}


@blueprint.get("/i/<token>")
def invitation_page(token: str) -> Response:
    """The inviter, the game, one sentence about this site, and one button."""
    return _shown(token, "ask")


@blueprint.post("/i/<token>")
def answer_invitation_page(token: str) -> Response:
    """Keep the seat for the account that is signed in here, or decline; a mail program's one-click POST refuses all."""
    if request.form.get("do") == "accept":
        return redirect_to(f"/games/{write.claim(services(), token, signed_in().account_id)}")
    if request.form.get("List-Unsubscribe") == "One-Click":
        never: Never | None = "anybody"
    else:
        never = WISHES.get(request.form.get("never", ""))
    write.decline_by_link(services(), token, never)
    return _shown(token, "declined", never)


def _shown(token: str, stage: str, never: Never | None = None) -> Response:
    found = write.linked(services(), token)
    place, game = found.place, found.game
    is_over = write.is_over(place, game, services().now())
    return page(
        "invitation.html",
        secret=True,
        stage="over" if stage == "ask" and is_over else stage,
        never=never,
        game=game,
        key=game.type,
        title=title_of(game.type),
        by=write.public_name(found.host),
        people=_people(found),
        clock=text.clock(clock(game)),
        until=place.until,
        email=place.email or _address(found),
        again=place.kind == "rematch",
    )


def _people(found: LinkedPlace) -> list[str]:
    with services().database.read() as session:
        sits = seat_holders(session, [found.game.id]).get(found.game.id, {})
    return [text.badged(one.name, bot=one.bot) for one in sits.values() if one.name]


def _address(found: LinkedPlace) -> str | None:
    """The invited account's address, to which the sign-in link goes: the token was mailed there."""
    return None if found.account is None else found.account.email


# --- Forms ------------------------------------------------------------------------------------------------------------


@blueprint.post("/games/<uuid:game_id>/invitations")
def invite_page(game_id: UUID) -> Response:
    """The form of a host."""
    principal, to = signed_in(), request.form.get("to", "").strip()
    wrong = flaw({"to": to})
    if wrong is None:
        try:
            write.invite(services(), str(game_id), principal.account_id, to)
        except Problem as no:
            wrong = body_of(no)["title"]
    if wrong is not None:
        return page("not_invited.html", status=422, game=str(game_id), to=to, wrong=wrong)
    return redirect_to(f"/games/{game_id}#seat-actions")


@blueprint.post(f"/games/<uuid:game_id>/invitations/<int(max={MOST}):number>/withdraw")
def withdraw_invitation_page(game_id: UUID, number: int) -> Response:
    """Withdraw an invitation of one's table."""
    write.withdraw(services(), str(game_id), signed_in().account_id, number)
    return redirect_to(f"/games/{game_id}#seat-actions")


@blueprint.post(f"/invitations/<int(max={MOST}):number>/decline")
def decline_invitation_page(number: int) -> Response:
    """Decline with one press."""
    never = WISHES.get(request.form.get("never", ""))
    write.decline(services(), signed_in().account_id, number, never)
    return redirect_to("/")
