"""JavaScript probes for what must be visible together at a table, at any window size."""

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
  const own = '.zone:not(.house, .house-low, .house-high, .board) .hand > li';
  const wanted = [own, '.message > *', '.bar a', '.bar button', '.ask button',
    '.felt button:enabled', '.rail button:enabled', '.rail dd', '.meter b'].join();
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
        return `covered by ${at?.tagName}.${at?.className.baseVal ?? at?.className}`;
      }
    }
    return '';
  };
  const small = (el) => {
    const { width, height } = el.getBoundingClientRect();
    return el.matches('button') && Math.min(width, height) < 43.9 ? `${width} x ${height} px` : '';
  };
  for (const el of document.querySelectorAll(wanted)) {
    if (!el.checkVisibility()) continue;
    if (scrolling) el.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const why = inside(el) || covered(el) || (scrolling ? '' : small(el));
    if (why) found.add(`${why}: ${name(el)}`);
  }
  if (scrolling) for (const el of document.querySelectorAll('html, .felt, .rail')) el.scrollTop = 0;
  return [...found];
}"""

# The boxes of the buttons of a kind: left, top, right, bottom.
ACTS = """(kind) => [...document.querySelectorAll(`.acts ${kind}`)].map((button) => {
  const { left, top, right, bottom } = button.getBoundingClientRect();
  return [left, top, right, bottom];
})"""

# Elements outside the bar, and overlaps in it.
BAR = r"""() => {
  const bar = document.querySelector('.bar'), found = [];
  const page = document.scrollingElement;
  if (page.scrollWidth > innerWidth) found.push(`the page is ${page.scrollWidth} px wide`);
  const frame = bar.getBoundingClientRect();
  const parts = [...bar.querySelectorAll('.logo, .sign, h1, .facts > span, .ico')]
    .filter((el) => el.checkVisibility());
  const box = (el) => {
    const range = document.createRange();
    range.selectNodeContents(el);
    return (el.matches('h1, .facts > span') ? range : el).getBoundingClientRect();
  };
  const name = (el) => el.textContent.replace(/\s+/g, ' ').trim() || el.className;
  parts.forEach((el, place) => {
    const one = box(el);
    if (one.left < 0 || one.right > innerWidth || one.top < frame.top - 1
      || one.bottom > frame.bottom + 1) found.push(`outside: ${name(el)}`);
    for (const other of parts.slice(place + 1)) {
      const two = box(other);
      if (Math.min(one.right, two.right) - Math.max(one.left, two.left) > 1
        && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 1) {
        found.push(`${name(el)} lies on ${name(other)}`);
      }
    }
  });
  return found;
}"""

# Length of the inscription, length of its path, and its contrast on the lightest part of the felt.
INSCRIPTION = """() => {
  const text = document.querySelector('.arc text'), style = getComputedStyle(text);
  const line = document.querySelector('.arc path').getTotalLength();
  const root = getComputedStyle(document.documentElement);
  const hex = root.getPropertyValue('--felt-light').trim();
  const felt = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const ink = style.fill.match(/[0-9.]+/g).slice(0, 3)
    .map((each, at) => each * style.opacity + felt[at] * (1 - style.opacity));
  const light = (colour) => colour.map((each) => each / 255)
    .map((each) => (each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4))
    .reduce((sum, each, at) => sum + each * [0.2126, 0.7152, 0.0722][at], 0);
  return [text.getComputedTextLength(), line, (light(ink) + 0.05) / (light(felt) + 0.05)];
}"""

# Width of the outline around the chosen element, and around the others of its kind.
CHOSEN = """(chosen) => {
  const thick = (el) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(el);
    return outlineStyle === 'none' ? 0 : parseFloat(outlineWidth);
  };
  const marked = [...document.querySelectorAll(chosen)];
  const kind = ['.zone', '.pickable', '.card'].find((each) => marked[0]?.matches(each));
  const others = [...document.querySelectorAll(kind)].filter((el) => !marked.includes(el)
    && !el.matches('.suggested'));
  return [marked.map(thick), others.map(thick)];
}"""
