/**
 * Movement: measure, render, measure, animate the difference (FLIP, Web Animations API).
 * Only transforms move. Everything can be cut short: `settle()` ends all movement at once.
 */

const DEAL_MS = 260, DEAL_STAGGER_MS = 55, TURN_MS = 180, TURN_STAGGER_MS = 90, CHIP_MS = 120;
const EASE = 'cubic-bezier(.2,.8,.2,1)';
const SPEEDS = /** @type {Record<string, number>} */ ({ slow: 0.5, normal: 1, fast: 2 });
const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** @type {Set<Animation>} */
const moving = new Set();
/** @type {Set<() => void>} */
const waiting = new Set();

/** How fast things move; 0 is not at all. @param {string} speed */
export const pace = (speed) => (calm.matches ? 0 : SPEEDS[speed] ?? 0);

export const busy = () => moving.size + waiting.size > 0;

/** End every movement and every pause now. */
export function settle() {
  for (const animation of moving) animation.finish();
  for (const wake of waiting) wake();
}

/** Wait a while; `settle()` ends it. @param {number} ms @param {number} rate
 * @returns {Promise<void>} */
export function pause(ms, rate) {
  if (!rate) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => { clearTimeout(timer); waiting.delete(wake); resolve(); };
    const timer = setTimeout(wake, ms / rate);
    waiting.add(wake);
  });
}

/** @returns {NodeListOf<HTMLElement>} */
const keyed = () => document.querySelectorAll('[data-key]');

/** @param {Element} element @param {PropertyIndexedKeyframes} frames @param {number} duration
 * @param {number} delay */
function move(element, frames, duration, delay) {
  const animation = element.animate(frames, { duration, delay, easing: EASE, fill: 'backwards' });
  moving.add(animation);
  return animation.finished.finally(() => moving.delete(animation)).catch(() => undefined);
}

/**
 * Render, and animate every keyed element from its old place; new ones from `origin`.
 * @param {() => void} render @param {number} rate
 * @param {{card?: Element | null, chip?: Element | null}} origin
 * @returns {Promise<unknown>}
 */
export function flip(render, rate, origin) {
  if (!rate) {
    render();
    return Promise.resolve();
  }
  const before = new Map([...keyed()].map((element) => (
    [element.dataset.key, { box: element.getBoundingClientRect(),
      down: element.classList.contains('down') }])));
  const sources = { card: origin.card?.getBoundingClientRect(),
    chip: origin.chip?.getBoundingClientRect() };
  render();
  let flown = 0, turned = 0;
  const all = [];
  // All boxes are read before the first animation starts, so that the page is laid out once.
  const now = [...keyed()].map((element) => ({ element, box: element.getBoundingClientRect() }));
  now.sort((one, other) => Number(one.element.dataset.order) - Number(other.element.dataset.order));
  for (const { element, box } of now) {
    const was = before.get(element.dataset.key);
    const kind = element.classList.contains('card') ? 'card' : 'chip';
    const source = was?.box ?? sources[kind];
    if (was?.down && !element.classList.contains('down')) {
      const sides = element.querySelector('.sides');
      const delay = turned++ * TURN_STAGGER_MS / rate;
      if (sides) all.push(move(sides, { transform: ['rotateY(180deg)', 'none'] }, TURN_MS / rate,
        delay));
    }
    if (!source || (Math.abs(source.x - box.x) < 1 && Math.abs(source.y - box.y) < 1)) continue;
    const fresh = !was && kind === 'card';
    const from =
      `translate(${source.x - box.x}px,${source.y - box.y}px) scale(${source.width / box.width})`;
    const frames = { transform: [fresh ? `${from} rotate(-9deg)` : from, 'none'],
      transformOrigin: ['0 0', '0 0'] };
    const duration = (kind === 'card' ? DEAL_MS : CHIP_MS) / rate;
    all.push(move(element, frames, duration, fresh ? flown++ * DEAL_STAGGER_MS / rate : 0));
  }
  return Promise.all(all);
}
