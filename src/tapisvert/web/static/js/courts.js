// @ts-check
/**
 * The twelve court figures and the joker, composed of named parts.
 *
 * Heads are drawn around 0 0, the middle of the face, then set at 125 98; all else in card units.
 * The clip path `court-half` cuts a figure along the diagonal; cards.js shows it twice.
 */

const INK = '#1b1a22';
const RED = '#b3202e';
const NAVY = '#1f2f5c';
const GOLD = '#e3b04b';
const IVORY = '#fdf6e6';
const GREEN = '#1f5c3f';
const LEAF = '#4d8a55';
const STEEL = '#cfd6e0';
const WOOD = '#7a4a25';

/** How outlines are drawn, for the group around a figure. */
const PEN = `stroke="${INK}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"`;

/**
 * @typedef {object} Person
 * @property {string} skin
 * @property {string} hair its colour
 * @property {string} [brow] its colour, where not the hair's
 * @property {string} back hair behind the shoulders, of HAIR
 * @property {string} [fringe] hair over the forehead, of FRINGE
 * @property {string} [beard] of BEARD
 * @property {string} headgear of HEADGEAR
 * @property {'left'|'right'} [profile] one-eyed, looking that way
 * @property {number} [look] how far the features of a full face are turned, -4 to 4
 * @property {number} [shift] of the head, sideways
 * @property {number} [tilt] of the head, in degrees
 * @property {boolean} [lady]
 * @property {boolean} [smile]
 * @property {string} main colour of the robe
 * @property {string} trim second colour
 * @property {string} [pattern] laid over the robe, of CLOTHS
 * @property {string} collar of COLLAR
 * @property {string} attribute of ATTRIBUTE
 */

/** A filled, outlined shape.  @param {string} fill @param {string} d */
const shape = (fill, d) => `<path fill="${fill}" d="${d}"/>`;
/** A stroke without filling.  @param {string} d @param {string} [colour] @param {number} [width] */
const line = (d, colour = INK, width = 2) =>
  `<path fill="none" stroke="${colour}" stroke-width="${width}" d="${d}"/>`;
/** A crease, a strand, a seam.  @param {string} d */
const fine = (d) => line(d, INK, 1.4);
/** A patch without outline.  @param {string} fill @param {string} d @param {number} [opacity] */
const patch = (fill, d, opacity = 1) => `<path fill="${fill}" stroke="none" opacity="${opacity}"
  d="${d}"/>`;
/** A row of outlined beads.  @param {string} fill @param {number} r @param {number[][]} centres */
const beads = (fill, r, centres) =>
  centres.map(([x, y]) => `<circle fill="${fill}" stroke-width="1.5" cx="${x}" cy="${y}"
    r="${r}"/>`).join('');
/** Copies of a small shape.  @param {string} fill @param {string} d @param {string[]} transforms */
const copies = (fill, d, transforms) =>
  transforms.map((t) => `<path transform="${t}" fill="${fill}" stroke-width="1.5" d="${d}"/>`)
    .join('');
/** A drawing and its mirror image.  @param {string} body */
const both = (body) => `${body}<g transform="scale(-1 1)">${body}</g>`;

/** Hair that falls behind the robe. @type {Record<string, string>} */
const HAIR = {
  long: 'M0-40C-34-40-36-8-35 10c0 22-9 34-15 54H50C44 44 35 32 35 10 36-8 34-40 0-40Z',
  straight: 'M0-42C-36-42-34-6-36 20l-4 52H40L36 20C34-6 36-42 0-42Z',
  curls: `M-24-30c-14 2-13 16-9 19-9 4-8 18-2 21-8 5-6 17 1 20-4 10 8 16 16 10H18c8 6 20 0 16-10 7-3
    9-15 1-20 6-3 7-17-2-21 4-3 5-17-9-19Z`,
  cloud: `M0-52c-12-6-24 0-27 7-11 1-17 13-13 23-7 10-4 24 4 28 2 12 12 16 20 12H16c8 4 18 0 20-12
    8-4 11-18 4-28 4-10-2-22-13-23-3-7-15-13-27-7Z`,
  bob: `M0-40C-36-40-34-6-34 14c0 12-6 16-9 21 9 9 23 5 25-5H18c2 10 16 14 25 5-3-5-9-9-9-21C34-6
    36-40 0-40Z`,
  short: 'M0-40C-32-40-32-14-30 2c-3 4 2 12 8 12H22c6 0 11-8 8-12 2-16 2-42-30-42Z',
  cropped: 'M0-34C24-38 32-20 30 0c-2 14-8 20-16 22L2-30Z',
};

/** Hair over the forehead. @type {Record<string, string>} */
const FRINGE = {
  parted: 'M-24 2c1-16 10-24 24-29C14-22 23-14 24 2c7-16 4-38-24-40-28 2-31 24-24 40Z',
  straight: 'M-25 4c1-12 3-16 5-19 12 3 28 3 40 0 2 3 4 7 5 19 6-18 3-40-25-42-28 2-31 24-25 42Z',
  curly: `M-25 2c-6-6-3-14 1-16 2-6 9-4 12-1 4-5 9-5 12-1 3-4 8-4 12 1 3-3 10-5 12 1 4 2 7 10 1 16
    8-14 3-40-25-40-28 0-33 26-25 40Z`,
  swept: 'M-24 2c0-10 4-15 10-18 14 6 28 4 35-4 3 6 4 14 3 22 7-14 4-40-24-40-28 0-31 24-24 40Z',
  side: `M-21-15C-8-9 2-10 8-15 4 0 5 18 11 30c10 11 23 11 30
    4-7-10-6-24-8-38-1-14-3-22-9-30H-17Zm35 3q-2 24 8 44m1-44q-1 24 7 42`,
  page: `M-21-14C-8-7 4-9 10-14 6-2 6 8 10 16c8 8 21 4 23-8 2-18-1-34-9-42H-17Zm37 2Q13 4 18
    16m7-28Q23 4 26 14`,
  braids: `M-24 2c1-16 10-24 24-29C14-22 23-14 24 2c-4 8-2 14 0 16-5 6-4 12 0 16-4 6-2 14 2 16l5 10
    4-10c5-3 5-10 1-16 5-4 5-12 0-16 5-6 2-14-3-18 1-20-7-38-33-38-26 0-34 18-33 38-5 4-8 12-3 18-5
    4-5 12 0 16-4 6-4 13 1 16l4 10 5-10c4-2 6-10 2-16 4-4 5-10 0-16 2-2 4-8 0-16Z`,
};

/** Beards; the mouth is drawn over them. @type {Record<string, (hair: string) => string>} */
const BEARD = {
  forked: (hair) =>
    shape(hair,
    `M-23-2c1 14 7 17 13 15 5-3 7-1 10 0 3-1 5-3 10 0 6 2 12-1 13-15 6 30-3 54-12 68C6 60 2 55 0
    49-2 55-6 60-11 66-20 52-29 28-23-2Z`)
    + fine('M-13 28q-1 14 2 24M13 28q1 14-2 24M0 32v8'),
  full: (hair) =>
    shape(hair,
    `M-24-2c2 12 8 16 14 15 5-3 7-1 10 0 3-1 5-3 10 0 6 1 12-3 14-15 6 8 4 16 3 20 4 8-2 16-7 17-2
    9-12 11-20 8-8 3-18 1-20-8-5-1-11-9-7-17-1-4-3-12 3-20Z`)
    + fine('M-17 22q3 6 0 10M17 22q-3 6 0 10M-6 32q6 5 12 0'),
  goatee: (hair) => shape(hair, 'M-9 24q9-4 18 0 1 12-9 22-10-10-9-22Z')
    + shape(hair,
      `M0 14C-6 9-17 11-25 4-25 15-14 22-8 20c4-1 6-2 8-3 2 1 4 2 8 3 6 2 17-5 17-16C17 11 6 9
      0 14Z`),
  pointed: (hair) =>
    shape(hair,
    `M-23 12c7-3 15 2 25-8L12-10C20 8 12 32-2 42c-8 6-16 14-25 16 2-10 2-20 6-28
    0-3-1-6-1-8l8-3-8-2Z`)
    + fine('M-12 28q-4 10-8 16M2 22Q0 32-6 36'),
  tuft: (hair) => shape(hair, 'M-4 29q4-3 8 0 0 6-4 10-4-4-4-10Z'),
};

/** Crowns, veils and hats. @type {Record<string, (p: Person) => string>} */
const HEADGEAR = {
  spikes: (p) => shape(GOLD, 'M-27-26-35-56-18-42 0-66 18-42 35-56 27-26Q0-34-27-26Z')
    + shape(p.trim, 'M-28-28q28-8 56 0L26-17Q0-25-26-17Z')
    + beads(IVORY, 2.6, [[-15, -26], [0, -28], [15, -26]]) + beads(p.trim, 4.2,
      [[-35, -57], [0, -64], [35, -57]]),
  closed: (p) => shape(p.main, 'M-25-30C-40-60-14-66 0-56c14-10 40-4 25 26Z')
    + shape(GOLD, 'M-4-56H4L5-32H-5Z') + both(line('M27-32c9-20-5-30-25-26', GOLD, 5))
    + shape(GOLD, 'M-29-34q29-8 58 0L26-18Q0-26-26-18Z')
    + shape(GOLD, 'M-2-70H2v4H6v4H2v6H-2v-6H-6v-4h4Z')
    + beads(p.trim, 3.2, [[-17, -29], [0, -31], [17, -29]]),
  turban: (p) => shape(IVORY, 'M-23-14C-40-38-26-66 3-66c29 0 39 26 28 56C20-26-6-28-23-14Z')
    + line('M-20-30c4-18 18-30 40-32M-4-40C4-52 18-56 32-50M14-36c6-6 14-6 21-2', p.main, 3)
    + shape(GOLD, 'M-26-14C-8-26 20-24 32-4l4-20-10 2-5-14-9 9L2-42-5-28-16-38-19-24-31-28Z')
    + beads(p.trim, 3, [[-16, -23], [2, -27], [20, -20]]),
  castle: (p) => shape(GOLD, 'M-27-22-32-54h12v10H-7V-60H7v16H20V-54H32L27-22Q0-30-27-22Z')
    + line('M-29-35q29-8 58 0') + beads(p.main, 3, [[-17, -29], [0, -31], [17, -29]])
    + beads(p.trim, 4, [[0, -62]]),
  diadem: (p) =>
    shape(GOLD,
    'M-27-18c3-16 15-22 27-22 12 0 24 6 27 22l2-22-9 4-5-18L7-42 0-64-7-42-15-54-20-36l-9-4Z')
    + beads(STEEL, 3.2, [[-29, -42], [-15, -55], [0, -64], [15, -55], [29, -42]])
    + beads(p.trim, 3.5, [[0, -44]]),
  hearts: (p) => shape(GOLD, 'M-26-24-27-42l14 7L0-50 13-35l14-7-1 18Q0-34-26-24Z')
    + copies(p.main, 'M0 9C-11 1-9-7-4-7L0-3 4-7C9-7 11 1 0 9Z',
      ['-27 -47', '0 -57', '27 -47'].map((at) => `translate(${at})`))
    + beads(IVORY, 2.6, [[-14, -32], [0, -34], [14, -32]]),
  sun: (p) =>
    shape(GOLD,
    `M-26-16c6-13 16-17 26-17 10 0 20 4 26 17l3-11L43-42 23-38l1-22L9-44 0-68-9-44-24-60l1 22-20-4
    14 15Z`)
    + fine('M-28-26c8-12 18-15 28-15 10 0 20 3 28 15')
    + beads(p.main, 4, [[0, -37]]) + beads(IVORY, 2.4, [[-14, -33], [14, -33]])
    + both(line('M25 10a5 5 0 1 0 .1 0', INK, 4.5) + line('M25 10a5 5 0 1 0 .1 0', GOLD, 2.2)),
  laurel: () => both(copies(LEAF, 'M0 8C-8 2-8-9 0-17 8-9 8 2 0 8Z',
    [-100, -82, -64, -46, -28].map((a) => `rotate(${a}) translate(0 -31) rotate(52)`)))
    + shape(GOLD, 'M-13-30-17-50l9 6L0-62 8-44l9-6-4 20Q0-36-13-30Z') + beads(RED, 3.4, [[0, -41]]),
  beret: (p) => shape(p.main, 'M-32-30C-34-56 6-62 26-48c12 8 12 22 4 30Z')
    + shape(p.trim,
      'M-24-34C-30-62 0-72 28-58c-8 2-6 6-12 8-6-2-6 4-12 4-6-2-10 4-16 6-4 0-8 2-12 6Z')
    + fine('M-22-38c8-16 26-22 40-19') + shape(GOLD, 'M-31-31l3 11Q2-30 30-8l3-11Q4-42-31-31Z'),
  cap: (p) => shape(p.main, 'M-20-28c0-28 42-32 50-2l2 14Z')
    + shape(GOLD, 'M-31-26c7-14 25-10 39-6 14 4 24 8 27 22C20-20-8-22-27-16Z')
    + shape(LEAF, 'M4-38C2-52 10-64 22-66c5 14-4 24-18 28Z') + fine('M8-43 18-58')
    + beads(p.trim, 4, [[4, -34]]),
  bonnet: (p) => shape(p.main, 'M-30-22C-48-44-20-66 4-60c30-4 42 20 26 38Z')
    + fine('M-18-40q8-14 20-16M22-40q2-8-4-14')
    + shape(p.trim, 'M-31-26Q0-40 31-26L28-15Q0-27-28-15Z') + beads(GOLD, 5, [[-14, -29]]),
  archer: (p) => shape(RED, 'M16-34c8-28 24-34 36-32-4 18-16 30-30 38Z') + fine('M20-34 44-60')
    + shape(p.main, 'M-24-26c4-24 20-36 34-36 8 12 14 22 17 38Z')
    + shape('#2f7d55', 'M-42-20c18-6 34-16 72-14l3 14Q4-28-24-13Z'),
};

/** What closes the robe at the neck, in card units.
 * @type {Record<string, (p: Person) => string>} */
const COLLAR = {
  ermine: (p) =>
    shape(IVORY,
    `M98 133c-18 6-34 14-44 27l4 16c22-14 48-18 67-4 19-14 45-10 67 6l4-18c-10-13-26-21-44-27-10
    15-44 15-54 0Z`)
    + patch(INK,
      `M72 152q6 9 0 12-6-3 0-12Zm16-5q6 9 0 12-6-3 0-12Zm16 4q6 9 0 12-6-3 0-12Zm42 0q6 9 0 12-6-3
      0-12Zm16-4q6 9 0 12-6-3 0-12Z`)
    + beads(GOLD, 7, [[125, 166]]) + beads(p.trim, 3.4, [[125, 166]]),
  lapels: (p) => shape(IVORY, 'M106 132h38l-19 44Z')
    + shape(p.trim, 'M104 131l21 47-9 18-32-50Zm42 0-21 47 9 18 32-50Z')
    + line('M104 133l21 47 21-47', GOLD, 3),
  chain: (p) => shape(p.trim, 'M102 132c-6 18 52 18 46 0l12 6c4 28-74 28-70 0Z')
    + line('M84 144c8 32 74 32 82 0', GOLD, 5) + beads(GOLD, 7, [[125, 170]])
    + beads(p.trim, 3, [[125, 170]]),
  neckline: (p) =>
    shape(p.skin, 'M114 124h22v12c10 4 16 6 20 6l-6 18q-25 10-50 0l-6-18c4 0 10-2 20-6Z')
    + line('M94 142l6 18q25 10 50 0l6-18', GOLD, 4)
    + beads(IVORY, 2.8, [[111, 143], [117, 148], [125, 150], [133, 148], [139, 143]])
    + beads(p.trim, 4, [[125, 155]]),
  ruff: () =>
    shape(IVORY,
    `M125 128c-17 0-33 4-37 10-4 6 4 10 8 8 2 6 12 7 15 3 4 6 11 6 14 2 3 4 10 4 14-2 3 4 13 3 15-3
    4 2 12-2 8-8-4-6-20-10-37-10Z`)
    + fine('M104 136l-6 9m17-7-3 10m13-9v11m10-12 3 10m8-12 6 9'),
  gorget: () =>
    shape(STEEL,
    'M102 131h46l6 13c16 2 30 8 38 20-20 2-42 12-67 18-25-6-47-16-67-22 8-8 22-14 38-16Z')
    + fine('M96 144q29 12 58 0m-29 6v30') + beads(GOLD, 2.6, [[84, 154], [166, 154], [104, 162],
      [146, 162]]),
  cowl: (p) =>
    shape(p.trim, 'M98 130c-14 8-16 20-6 28 20 10 46 10 66 0 10-8 8-20-6-28-8 12-46 12-54 0Z')
    + fine('M94 142q31 18 62 0'),
};

/** What the figure holds at its right, around 175 160.
 * @type {Record<string, (p: Person) => string>} */
const ATTRIBUTE = {
  sword: () => shape(STEEL, 'M169 46l6-12 6 12v96H169Z') + fine('M175 50V138')
    + shape(GOLD, 'M156 141q19 6 38 0v7q-19 6-38 0Z')
    + shape(WOOD, 'M171 150h8v26h-8Z') + beads(GOLD, 5.5, [[175, 177]]),
  sceptre: (p) => shape(GOLD, 'M172 74h6V200h-6Z') + shape(GOLD, 'M164 74h22l-4 10H168Z')
    + shape(p.main, 'M175 73c-17-11-17-27-8-27 4 0 7 3 8 7 1-4 4-7 8-7 9 0 9 16-8 27Z')
    + beads(GOLD, 3, [[175, 42]]),
  axe: () => shape(WOOD, 'M170 44h6V200h-6Z')
    + shape(STEEL, 'M177 58c9-2 15-8 19-16 4 20 4 40 0 60-4-10-10-14-19-16Z')
    + shape(GOLD, 'M167 56h12V88H167Z') + fine('M190 56q4 16 0 34') + beads(GOLD, 4, [[173, 42]]),
  orb: (p) => `<circle cx="177" cy="136" r="17" fill="${GOLD}"/>`
    + line('M160 138q17 8 34 0m-17-18v22', p.trim, 4)
    + shape(GOLD, 'M174 102h6v4h4v5h-4v8h-6v-8h-4v-5h4Z'),
  mirror: () => shape(GOLD, 'M172 118h6l1 82h-8Z')
    + `<circle cx="175" cy="100" r="20" fill="${GOLD}"/><circle cx="175" cy="100" r="14"
      fill="#dfeaf0"/>`
    + line('M167 102l10-12m-6 18 13-14', '#fff', 2.4) + beads(RED, 3, [[175, 77]]),
  rose: () => line('M174 118q4 42-2 82', GREEN, 4)
    + shape(LEAF, 'M176 138c8-12 18-10 22-14 0 14-10 22-21 22Z')
    + shape(RED, 'M174 122c-14 0-20-12-16-24 4 2 8-2 16-8 8 6 12 10 16 8 4 12-2 24-16 24Z')
    + fine('M160 104q14 8 28 0m-20-4q6-4 12 0 2 8-6 10-8-2-6-10'),
  fan: (p) => shape(p.trim, 'M175 166l-31-38c6-20 46-28 60-8Z')
    + line('M175 166l-23-50m23 50-9-57m9 57 7-59m-7 59 21-54', GOLD, 2)
    + shape(GOLD, 'M144 128c6-20 46-28 60-8l-4 7c-12-15-42-11-51 7Z'),
  bird: () =>
    shape('#eef2f6', 'M160 134c0-12 8-16 14-12 10 0 18 8 24 24-8 0-14 4-22 4-10 0-16-6-16-16Z')
    + shape('#9db4cc', 'M172 130c10 0 18 8 24 16-12 0-22-2-24-16Z')
    + shape(GOLD, 'M162 125l-14 7 13 6Z')
    + beads(INK, 1.2, [[166, 129]]) + line('M172 150v6m7-6v6', GOLD, 2),
  halberd: () => shape(WOOD, 'M172 60h6V200h-6Z') + shape(STEEL, 'M175 32l6 18-3 16h-6l-3-16Z')
    + shape(STEEL, 'M178 66c8-2 14-6 18-12 4 16 4 28 0 42-6-6-12-8-18-8Zm-6 4-14-6q2 12 14 20Z'),
  hawk: () => `<g transform="translate(22 18) scale(.88)">${
    shape('#8a5a32', 'M162 96c-3-14 16-16 21-4 8 12 13 32 7 56l4 24-13-2-5-18c-13-6-18-22-13-40Z')
    + shape(IVORY, 'M163 110c-4 18 1 32 12 40 3-12 1-30-4-42Z')
    + fine('M167 118l3 1m-3 7 4 1m-2 7 3 1') + line('M172 150v4m7-3v3', GOLD, 3)
    + shape('#5f3b1f', 'M175 104c12 2 18 24 15 54-10-8-18-30-15-54Z')
    + shape(GOLD, 'M163 89l-8 3c-2 5 0 8 2 9 1-4 4-3 7-3Z') + beads(GOLD, 2.6, [[170, 92]])}</g>`,
  lute: () => shape(WOOD, 'M172 58h7v72h-7Z') + shape(GOLD, 'M168 40h14l-2 20h-9Z')
    + shape('#c98a3c', 'M175 118c15 12 23 30 19 52-2 16-34 16-38 0-4-22 4-40 19-52Z')
    + `<circle cx="175" cy="152" r="6.5" fill="${INK}"/>` + line('M173 60V176m5-116V176', IVORY, 1)
    + beads(RED, 2.4, [[166, 44], [166, 53], [184, 44], [184, 53]]),
  bow: () => line('M168 42c30 32 32 78 10 158', INK, 7) + line('M168 42c30 32 32 78 10 158',
    WOOD, 3.6)
    + fine('M168 42l6 158') + line('M92 144 84 114m0 33-10-25', INK, 2.4)
    + copies(IVORY, 'M0 8-6 2V-12L0-6l6-6V2Z', ['translate(84 114) rotate(-16)',
      'translate(74 122) rotate(-22)']),
};

/** A full face: eyes, nose, mouth, a little colour on the cheeks.  @param {Person} p */
function frontFace(p) {
  const look = p.look ?? 0;
  const eye = patch('#fffdf6', 'M5-1q5-6 11 0Q10 4 5-1Z')
    + patch(INK, 'M13.2-1.5A2.9 2.9 0 1 1 7.4-1.5 2.9 2.9 0 0 1 13.2-1.5Z')
    + line(p.lady ? 'M4-1q6-7 14-2' : 'M4-1q6-6 12-1');
  const mouth = p.lady
    ? patch(RED, 'M-7 21q4-4 7-2 3-2 7 2-7 7-14 0Z') + line('M-7 21q7 2 14 0', '#7a1526', 1)
    : p.smile ? shape(IVORY, 'M-10 18q10 5 20 0Q6 29 0 29-6 29-10 18Z') : line('M-6 21q6 3 12 0');
  return shape(p.skin, 'M-24-28H24c1 20 2 34-2 45C17 29 8 35 0 35c-8 0-17-6-22-18-4-11-3-25-2-45Z')
    + both(patch(RED, 'M12 13a5 4 0 1 0 10 0 5 4 0 1 0-10 0', 0.18))
    + (p.beard ? BEARD[p.beard](p.hair) : '')
    + `<g transform="translate(${look}
      0)">${both(eye + line('M5-9q6-4 12 0', p.brow ?? p.hair, 2.4))}`
    + `<g transform="scale(${look < 0 ? -1 : 1} 1)">${line('M1-3Q3 5 5 9q-1 3-7 3', INK, 1.8)}</g>${
      mouth}</g>`;
}

/** A face in profile, looking left.  @param {Person} p */
function sideFace(p) {
  return shape(p.skin,
    `M-16-28c-4 8-5 16-3 21L-28 7c0 3 3 4 6 4l-2 5 3 2-2 4c1 2 3 3 3 5-1 6 2 9 8 9 10 0 22-6
    28-18l8-46Z`)
    + patch(RED, 'M-12 12a5 4 0 1 0 10 0 5 4 0 1 0-10 0', 0.18)
    + patch('#fffdf6', 'M-18-2q5-5 10 0-5 4-10 0Z')
    + patch(INK, 'M-12.5-2A2.6 2.8 0 1 1-17.7-2 2.6 2.8 0 0 1-12.5-2Z')
    + line('M-19-3q6-5 12 0') + line('M-20-10q7-4 14 0', p.hair, 2.4) + line('M-22 18H-15',
      INK, 1.8)
    + fine('M9 2C8-8 18-6 15 2c-1 4-4 6-6 4') + (p.beard ? BEARD[p.beard](p.hair) : '');
}

/** The twelve. @type {Record<string, Person>} */
const PEOPLE = {
  Ks: { skin: '#f4d8bd', hair: '#e9e6e0', brow: '#9a968e', back: 'long', beard: 'forked',
    headgear: 'spikes', look: -3,
    main: NAVY, trim: RED, pattern: 'lozenge', collar: 'chain', attribute: 'sword' },
  Kh: { skin: '#f2cba8', hair: '#a8552a', back: 'curls', beard: 'full', headgear: 'closed', look: 2,
    main: RED, trim: NAVY, collar: 'ermine', attribute: 'sceptre' },
  Kd: { skin: '#a56d45', hair: '#211c20', back: 'cropped', beard: 'pointed', headgear: 'turban',
    profile: 'right',
    main: RED, trim: NAVY, pattern: 'stripe', collar: 'lapels', attribute: 'axe' },
  Kc: { skin: '#e0b48a', hair: '#5a3820', back: 'bob', fringe: 'straight', beard: 'goatee',
    headgear: 'castle', look: 3,
    main: GREEN, trim: RED, pattern: 'fleur', collar: 'chain', attribute: 'orb' },
  Qs: { skin: '#f7e2cf', hair: '#1f1d28', back: 'straight', fringe: 'parted', headgear: 'diadem',
    look: 3, tilt: 3,
    lady: true, main: NAVY, trim: RED, pattern: 'dots', collar: 'neckline', attribute: 'mirror' },
  Qh: { skin: '#f6d5b8', hair: '#c9762c', back: 'long', fringe: 'parted', headgear: 'hearts',
    look: 2, tilt: 3,
    lady: true, main: RED, trim: NAVY, pattern: 'fleur', collar: 'neckline', attribute: 'rose' },
  Qd: { skin: '#7f5136', hair: '#1d1a1e', back: 'cloud', headgear: 'sun', look: 3, lady: true,
    main: '#c8552b', trim: NAVY, pattern: 'stripe', collar: 'neckline', attribute: 'fan' },
  Qc: { skin: '#eac39c', hair: '#6d4223', back: 'short', fringe: 'braids', headgear: 'laurel',
    look: 3, tilt: 4,
    lady: true, main: GREEN, trim: RED, pattern: 'lozenge', collar: 'neckline', attribute: 'bird' },
  Js: { skin: '#f2cfae', hair: '#3a2a22', back: 'cropped', fringe: 'side', headgear: 'beret',
    profile: 'left', shift: 2,
    main: NAVY, trim: RED, pattern: 'stripe', collar: 'gorget', attribute: 'halberd' },
  Jh: { skin: '#f7dcc0', hair: '#d9a441', back: 'cropped', fringe: 'page', headgear: 'cap',
    profile: 'right', shift: -6,
    main: RED, trim: NAVY, pattern: 'lozenge', collar: 'ruff', attribute: 'hawk' },
  Jd: { skin: '#9c6640', hair: '#1f1b1d', back: 'curls', fringe: 'curly', beard: 'tuft',
    headgear: 'bonnet',
    look: 3, tilt: 4, main: NAVY, trim: RED, pattern: 'dots', collar: 'ruff', attribute: 'lute' },
  Jc: { skin: '#f6d3b3', hair: '#c4571f', back: 'short', fringe: 'swept', headgear: 'archer',
    look: 3,
    main: GREEN, trim: RED, collar: 'cowl', attribute: 'bow' },
};

const SHOULDERS = 'M44 220V178c10-28 40-38 60-44h42c24 6 50 18 60 44v42Z';

/** Half a court figure.  @param {Person} p */
function figure(p) {
  const flip = p.profile === 'right' ? ' scale(-1 1)' : '';
  const head = (/** @type {string} */ body) =>
    `<g transform="translate(${125 + (p.shift ?? 0)} 98) rotate(${p.tilt ?? 0})${flip}">${
      body}</g>`;
  const face = p.profile ? sideFace(p) : frontFace(p);
  const fringe = p.fringe ? shape(p.hair, FRINGE[p.fringe]) : '';
  const sleeve = shape(p.trim, 'M188 170l12-12 14 12v44l-28-24Z')
    + shape(GOLD, 'M184 174l11-11 6 6-11 12Z');
  const hand = shape(p.skin, 'M166 155c0-5 4-5 9-5 7 0 11 3 12 8l7 10-8 8-6-6h-9c-5 0-5-6-5-10')
    + fine('M167 157h10m-10 6.5h10');
  return head(shape(p.hair, HAIR[p.back])) + shape(p.skin, 'M114 120h22v26H114Z')
    + shape(p.main, SHOULDERS) + (p.pattern ? patch(`url(#cloth-${p.pattern})`, SHOULDERS) : '')
    + COLLAR[p.collar](p) + head(face + fringe + HEADGEAR[p.headgear](p))
    + `<g transform="translate(-4 0)">${sleeve}${ATTRIBUTE[p.attribute](p)}${hand}</g>`;
}

/** A pattern to lay over a robe.  @param {string} id @param {number} size @param {string} body */
const cloth = (id, size, body) =>
  `<pattern id="cloth-${id}" width="${size}" height="${size}" patternUnits="userSpaceOnUse">${
    body}</pattern>`;

const CLOTHS = cloth('lozenge', 14, patch(GOLD, 'M7 2l4 5-4 5L3 7Z'))
  + cloth('stripe', 12, patch(GOLD, 'M0 0H4V12H0Z'))
  + cloth('motley', 28, patch(NAVY, 'M0 0H14V28H0Z') + patch(GOLD, 'M14 0l7 14-7 14L7 14Z'))
  + cloth('dots', 12, `<circle cx="6" cy="6" r="2" fill="${GOLD}"/>`)
  + cloth('fleur', 18,
    patch(GOLD,
    `M9 2c3 4 2 7 1 9 2-4 5-3 5 0-2-1-3 1-4 2H7c-1-1-2-3-4-2 0-3 3-4 5 0C7 9 6 6 9 2ZM7
    14h4v2H7Z`));

/** The court figures as symbols, with the cloths and the clip they need. */
export function courtSymbols() {
  const figures = Object.entries(PEOPLE).map(([card, person]) =>
    `<symbol id="court-${card}" viewBox="0 0 250 350">
      <g clip-path="url(#court-half)" ${PEN}>${figure(person)}</g></symbol>`);
  const crown = shape(GOLD, 'M8 46 2 12l18 14L35 2l15 24 18-14-6 34Z');
  return `<clipPath id="court-half"><path d="M54 26H196V194L54 156Z"/></clipPath>${CLOTHS}${
    figures.join('')}
    <symbol id="court-crown" viewBox="0 0 70 50">${crown}</symbol>`;
}

/** The joker, as a symbol of the whole card: a bust in motley. */
export function jokerSymbol() {
  const cap = shape(GOLD, 'M-21-22C-18-50-8-60 2-72c8 14 18 24 19 50Z')
    + shape(RED, 'M-4-34C-22-62-56-52-58-12c10-14 20-12 30 2Z')
    + shape(NAVY, 'M4-34C22-62 56-52 58-12 48-26 38-24 28-10Z')
    + shape(IVORY, 'M-30-20Q0-36 30-20L27-8Q0-23-27-8Z')
    + beads(GOLD, 6, [[-58, -8], [58, -8], [2, -74]]);
  const coat =
    `M-58 92c2-28 18-42 36-50H22c18 8 34 22 36 50-12-6-22 2-30 14C18 96 8 96 0
    110c-8-14-18-14-28-4-8-12-18-20-30-14Z`;
  const jester = { ...PEOPLE.Jc, hair: '#5a3820', look: 0, smile: true };
  return `<symbol id="card-joker" viewBox="0 0 250 350"><g transform="translate(125 168)
    scale(1.36)" ${PEN}>`
    + shape(jester.hair, HAIR.short) + shape(RED, coat) + patch('url(#cloth-motley)', coat)
    + line(coat)
    + beads(GOLD, 5, [[-58, 94], [-28, 108], [0, 112], [28, 108], [58, 94]])
    + `<g transform="translate(-125 -96)">${COLLAR.ruff(jester)}</g>` + frontFace(jester)
    + patch(RED, 'M10 5l2.5 5L10 15 7.5 10ZM-10 5l-2.5 5 2.5 5 2.5-5Z') + cap + '</g></symbol>';
}
