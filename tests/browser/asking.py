"""JavaScript probes that the browser tests run in a page."""

from __future__ import annotations

from playwright.sync_api import Page

# Waits until the page has drawn what has arrived.
TWO_FRAMES = "new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))"
# Returns visual faults: elements outside the window, cut texts, small targets.
LOOK = r"""(round) => {
  const found = [];
  const name = (el) => `${el.tagName}.${el.className} "${el.textContent.trim().slice(0, 30)}"`;
  const seen = { visibilityProperty: true, opacityProperty: true };
  const shown = (el) => el.checkVisibility(seen) && !el.closest('.vh, svg *, noscript');
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} px wide`);
  const running = (el) => getComputedStyle(el).display === 'inline'
    && [...el.parentNode.childNodes]
      .some((node) => node.nodeType === 3 && /\p{L}/u.test(node.data));
  const controls = 'button:enabled, a[href], input:enabled, select:enabled, summary';
  for (const el of document.querySelectorAll(controls)) {
    const { width, height } = el.getBoundingClientRect();
    const small = width < 43.9 || height < 43.9;
    if (shown(el) && !running(el) && small) found.push(`${width} x ${height} px: ${name(el)}`);
  }
  for (const panel of document.querySelectorAll('dialog[open]')) {
    const frame = panel.getBoundingClientRect();
    for (const el of panel.querySelectorAll('h2, h3, p, li, table, button')) {
      const box = el.getBoundingClientRect();
      const near = Math.min(box.left - frame.left, frame.right - box.right);
      if (shown(el) && near < 10) found.push(`${near} px from the edge of its panel: ${name(el)}`);
    }
  }
  if (!round) return found;
  if (page.scrollHeight > innerHeight) found.push(`the page is ${page.scrollHeight} px high`);
  const felt = document.querySelector('.felt');
  const hidden = felt.scrollHeight - felt.clientHeight;
  if (hidden > 1) found.push(`the felt hides ${hidden} px`);
  const outside = (box, frame) => box.left < frame.left - 1 || box.top < frame.top - 1
    || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
  const view = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  // What is longer than its place may be scrolled there, with the keyboard too.
  const scrolled = (el) => el.tabIndex === 0 && getComputedStyle(el).overflowY === 'auto';
  const still = [...document.querySelectorAll('#app *')].filter((el) => shown(el)
    && !el.closest('dialog, .account[tabindex="0"] *')
    && !el.getAnimations({ subtree: true }).length);
  for (const el of still) {
    if (outside(el.getBoundingClientRect(), view)) found.push(`outside the window: ${name(el)}`);
  }
  const walk = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const owner = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !shown(owner) || owner.closest('dialog')) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (let frame = owner; frame && !scrolled(frame); frame = frame.parentElement) {
      if (getComputedStyle(frame).overflow === 'visible' && frame !== document.body) continue;
      const box = frame === document.body ? view : frame.getBoundingClientRect();
      const cut = [...range.getClientRects()].some((line) => outside(line, box));
      if (cut) found.push(`cut: ${name(owner)}`);
    }
  }
  const rows = [...felt.querySelectorAll(':scope > :not(.promise, .arc, .meter)')]
    .map((el) => [name(el), el.getBoundingClientRect()]);
  rows.slice(1).forEach(([below, box], place) => {
    const [above, its] = rows[place];
    if (box.top < its.bottom - 1) found.push(`${above} lies on ${below}`);
  });
  return found;
}"""

# Returns the visible content of the table.
SHOWN = """() => {
  const text = (node) => node?.textContent.replace(/\\s+/g, ' ').trim() ?? '';
  const each = (root, path, read) => [...root.querySelectorAll(path)].map(read);
  const own = (node) => text(
    [...node.childNodes].find((child) => child.nodeName === '#text' && text(child)));
  const by = (path, read) => Object.fromEntries(
    each(document, path, (node) => [node.classList[1], read(node)]));
  const option = (node) => [
    own(node.querySelector('span')), text(node.querySelector('small')), node.disabled];
  const cells = 'th > span:last-child, td:nth-child(2), .sum > *';
  return {
    phase: document.querySelector('main.table')?.dataset.phase,
    cards: by('.zone', (zone) => each(zone, '.card .vh', text)),
    names: by('.zone', (zone) => text(zone.querySelector('.name'))),
    stakes: by('.spot', (spot) => text(spot.querySelector('.stack')).replace(/[ ,]/g, '')),
    figures: each(document, '.rail dd', text),
    options: each(document, '.acts .option', option),
    lines: each(document, '.ledger tbody tr', (row) => each(row, cells, text)),
    message: text(document.querySelector('.message p')),
  };
}"""

# Returns faults on the felt: elements outside it, overlaps, texts outside their ring.
FELT = r"""() => {
  const felt = document.querySelector('.felt'), frame = felt.getBoundingClientRect();
  const found = [];
  const of = (el) => el.closest('.zone, .spot')?.className ?? '';
  const name = (el) => `${of(el)} ${el.tagName}.${el.className}`
    + ` "${el.textContent.replace(/\s+/g, ' ').trim().slice(0, 40)}"`;
  const inside = (el) => {
    const range = document.createRange();
    range.selectNodeContents(el);
    return range.getBoundingClientRect();
  };
  const box = (el) => (el.matches('h2, .label, .why') ? inside(el) : el.getBoundingClientRect());
  const boxes = [...felt.querySelectorAll('.zone h2, .hand > li, .name span, .message, .ring,'
    + ' .label, .why, .meter, .shoe, .hash, .account')].filter((el) => el.checkVisibility())
    .map((el) => [el, box(el)]);
  for (const [el, { left, right, top, bottom }] of boxes) {
    if (left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1
      || bottom > frame.bottom + 1) found.push(`outside the felt: ${name(el)}`);
  }
  const together = (a, b) => a.contains(b) || b.contains(a)
    || (a.closest('.hand') && a.closest('.hand') === b.closest('.hand'))
    || (a.matches('.ring') && b.matches('.why') && a.closest('.spot') === b.closest('.spot'));
  boxes.forEach(([a, one], place) => boxes.slice(place + 1).forEach(([b, two]) => {
    const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
    const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
    if (wide > 1 && high > 1 && !together(a, b)) {
      found.push(`${name(a)} lies on ${name(b)} (${wide.toFixed()} x ${high.toFixed()} px)`);
    }
  }));
  for (const ring of felt.querySelectorAll('.ring')) {
    const wide = inside(ring).width, room = ring.clientWidth;
    if (wide > room) found.push(`${wide.toFixed()} px in ${room} px of a ring: ${name(ring)}`);
  }
  const account = felt.querySelector('.account');
  const lines = [...account?.querySelectorAll('tbody tr') ?? []];
  const whole = lines.filter((line) => box(line).bottom <= box(account).bottom + 1);
  if (whole.length < Math.min(3, lines.length)) {
    found.push(`${whole.length} of ${lines.length} lines of the ledger are in sight`);
  }
  return found;
}"""


def until_advised(page: Page) -> None:
    """Wait until the page has the coach's answer to the question, shown or not."""
    page.wait_for_selector(".side .coach[data-advised]", state="attached")
