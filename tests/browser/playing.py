"""Rounds played over the wire from within a page: for pages that tell of many."""

from __future__ import annotations

from playwright.sync_api import Page

from browser.pictures import Here, Steps

# To another view, as a link of the house leads there: without loading a page.
GO = "(path) => { history.pushState(null, '', path); dispatchEvent(new Event('popstate')); }"
_SAY = """const say = async (path, body = {}) => (await fetch('/api/v1' + path, {method: 'POST',
    headers: {'Content-Type': 'application/json', 'Idempotency-Key': `round ${key += 1}`},
    body: JSON.stringify(body)})).json();"""

# One round of a game, by given choices; its id.
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

# So many rounds of every game, with every bet there is, by choices that come round.
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


def _played(page: Page, here: Here) -> None:
    """Play some rounds of every game over the wire, as they come."""
    page.goto(here.url)
    page.wait_for_selector(".door")
    while not page.context.cookies():
        page.wait_for_timeout(20)  # until the house knows its guest
    page.evaluate(SOME_ROUNDS, 12)


def statistics(page: Page, here: Here) -> None:
    """Come to the statistics with something to tell."""
    _played(page, here)
    page.goto(f"{here.url}/statistics")
    page.wait_for_selector(".curve")


def by_game(page: Page, here: Here) -> None:
    """Come to what they tell of every game."""
    statistics(page, here)
    page.locator(".by-game").evaluate("(part) => part.scrollIntoView()")


def drilled(game: str, option: int | None = None) -> Steps:
    """Return the way to a question to practise on, and to an answer."""

    def steps(page: Page, here: Here) -> None:
        _played(page, here)
        page.goto(f"{here.url}/drill/{game}")
        page.wait_for_selector("[data-ready=asked]", timeout=60_000)
        if option is not None:
            page.locator(".acts .option").nth(option).click()
            page.wait_for_selector("[data-ready=answered]")

    return steps
