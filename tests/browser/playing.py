"""Rounds played by HTTP from within a page, for pages that show many rounds."""

from __future__ import annotations

from playwright.sync_api import Page

from browser.pictures import Here
from browser.tables import Visit
from rounds.house_with_operator import TABLES

# Changes the view as an internal link does, without loading a page.
GO = "(path) => { history.pushState(null, '', path); dispatchEvent(new Event('popstate')); }"
_SAY = """const say = async (path, body = {}) => (await fetch('/api/v1' + path, {method: 'POST',
    headers: {'Content-Type': 'application/json', 'Idempotency-Key': `round ${key += 1}`},
    body: JSON.stringify(body)})).json();"""

# Plays one round of a game with given choices; returns its id.
ONE_ROUND = f"""async ([game, stakes, choices]) => {{
  let key = Math.random();
  {_SAY}
  const {{round_id, commitment}} = await say('/seats', {{game}});
  await say('/rounds', {{round_id, commitment, stakes, client_seed: 's'}});
  for (const [step, choice] of choices.entries()) {{
    await say(`/rounds/${{round_id}}/choices`, {{step, choice}});
  }}
  return round_id;
}}"""

# Plays rounds of every game with all bets, cycling through the choices.
SOME_ROUNDS = f"""async (rounds) => {{
  let key = 0;
  {_SAY}
  const {{games}} = await (await fetch('/api/v1/games')).json();
  for (let number = 0; number < rounds; number += 1) for (const {{id: game, spots}} of games) {{
    const {{round_id, commitment}} = await say('/seats', {{game}});
    const stakes = Object.fromEntries(spots.map(({{id, fixed, min}}) => [id, fixed ? min : 200]));
    let {{round}} = await say('/rounds', {{round_id, commitment, stakes, client_seed: 's'}});
    while (round?.ask) {{
      const options = round.ask.options.filter(({{legal, affordable}}) => legal && affordable);
      const {{id: choice}} = options[(number + key) % options.length];
      ({{round}} = await say(`/rounds/${{round_id}}/choices`, {{step: round.ask.step, choice}}));
    }}
  }}
}}"""


# The rounds of this guest so far become those of the session.
SESSION = """async () => {
  const { rounds } = await (await fetch('/api/v1/rounds')).json();
  const now = Date.now(), counted = rounds.map(({ id }) => id);
  const net = rounds.reduce((sum, { returned_cents: returned, staked_cents: staked }) =>
    sum + returned - staked, 0);
  localStorage.setItem('session', JSON.stringify({ begun: now, alive: now, net, counted }));
}"""


def fold_kings(made: Visit) -> str:
    """Fold the known hand of Casino Stud, a pair of kings, as a guest; return the round's id.

    The round is the session.
    """
    made.let_in()
    hand = ["casino-stud", TABLES["casino-stud"].stakes, ["fold"]]
    found: str = made.page.evaluate(ONE_ROUND, hand)
    made.page.evaluate(SESSION)
    return found


def played(page: Page, here: Here, rounds: int = 12) -> None:
    """Play some rounds of every game by HTTP."""
    page.goto(here.url)
    page.wait_for_selector(".door")
    while not page.context.cookies():
        page.wait_for_timeout(20)  # until the house knows its guest
    page.evaluate(SOME_ROUNDS, rounds)


def statistics(page: Page, here: Here) -> None:
    """Open the statistics after some rounds."""
    played(page, here, 8)
    page.goto(f"{here.url}/statistics")
    page.wait_for_selector(".curve")
    page.wait_for_load_state("networkidle")  # until the coach has looked at every round


def by_game(page: Page, here: Here) -> None:
    statistics(page, here)
    page.locator(".by-game").evaluate("(part) => part.scrollIntoView()")
