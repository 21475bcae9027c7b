"""What must be in view together at a table, whatever the window: asked in the page's language."""

from __future__ import annotations

# The player's own cards, the question and every button that can be pressed: inside the window and
# inside whatever clips or scrolls around them, and nothing lies upon them.
IN_VIEW = r"""(scrolling) => {
  const found = new Set();
  const page = document.scrollingElement;
  const wide = [page, ...document.querySelectorAll('.bar, .felt, .rail, .account')]
    .filter((el) => el.scrollWidth > el.clientWidth + 1);
  for (const el of wide) found.add(`${el.className || el.tagName} is ${el.scrollWidth} px wide`);
  const name = (el) => `${el.closest('.zone')?.className ?? ''} ${el.tagName}.${el.className}`
    + ` "${el.textContent.replace(/\s+/g, ' ').trim().slice(0, 24)}"`;
  const own = '.zone:not(.house, .house-low, .house-high) .hand > li';
  const wanted = [own, '.message > *', '.bar a', '.bar button', '.ask button', '.felt button:enabled',
    '.rail button:enabled', '.rail dd', '.meter b'].join();
  const inside = (el) => {
    const box = el.getBoundingClientRect();
    for (let frame = el.parentElement; frame; frame = frame.parentElement) {
      const whole = frame === document.documentElement;
      if (!whole && getComputedStyle(frame).overflow === 'visible') continue;
      if (whole || frame === document.body) {
        if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1
          || box.bottom > innerHeight + 1) return 'outside the window';
        continue;
      }
      const around = frame.getBoundingClientRect();
      if (box.left < around.left - 1 || box.top < around.top - 1 || box.right > around.right + 1
        || box.bottom > around.bottom + 1) return `cut by ${frame.className}`;
    }
    return '';
  };
  // Cards of one hand may lie on each other.
  const group = (el) => el.closest('.hand') ?? el.closest('.message') ?? el;
  const covered = (el) => {
    const { left, top, width, height } = el.getBoundingClientRect();
    for (const x of [0.16, 0.5, 0.84]) for (const y of [0.16, 0.5, 0.84]) {
      const at = document.elementFromPoint(left + width * x, top + height * y);
      if (!at || !group(el).contains(at)) {
        return `covered by ${at ? `${at.tagName}.${at.className.baseVal ?? at.className}` : 'nothing'}`;
      }
    }
    return '';
  };
  for (const el of document.querySelectorAll(wanted)) {
    if (!el.checkVisibility()) continue;
    if (scrolling) el.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const why = inside(el) || covered(el);
    if (why) found.add(`${why}: ${name(el)}`);
  }
  if (scrolling) for (const el of document.querySelectorAll('html, .felt, .rail')) el.scrollTop = 0;
  return [...found];
}"""
