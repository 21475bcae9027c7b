/** Synthesized sounds, without files: a card that slides, one that turns, a chip, a win.
 * Fetched when wanted. */
import { settings } from './store.js';

/** @typedef {import('./protocol.js').AnyEvent} AnyEvent */

const VOLUMES = /** @type {Record<string, number>} */ ({ low: 0.12, normal: 0.3, high: 0.7 });
const SLIDE_S = 0.09, TURN_S = 0.05, APART_S = 0.055, CARDS_MAX = 7;
/** A short rising chord, in Hz, for a round that returned more than its stakes. */
const CHORD = [523, 659, 784, 1047];

/** @type {AudioContext | undefined} */
let context;

/** The audio context; a browser allows it after the first press. */
function out() {
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume();
  const volume = context.createGain();
  volume.gain.value = VOLUMES[settings.value.volume] ?? VOLUMES.normal;
  volume.connect(context.destination);
  return { context, volume };
}

/** A breath of noise: paper on cloth. @param {number} after @param {number} seconds
 * @param {number} hertz */
function rustle(after, seconds, hertz) {
  const { context: audio, volume } = out();
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = (Math.random() * 2 - 1) * (1 - at / samples.length) ** 2;
  }
  const source = audio.createBufferSource(), band = audio.createBiquadFilter();
  source.buffer = buffer;
  band.type = 'bandpass';
  band.frequency.value = hertz;
  source.connect(band).connect(volume);
  source.start(audio.currentTime + after);
}

/** A tone that dies away. @param {number} after @param {number} seconds @param {number} hertz
 * @param {OscillatorType} type */
function ping(after, seconds, hertz, type) {
  const { context: audio, volume } = out();
  const tone = audio.createOscillator(), fade = audio.createGain();
  const start = audio.currentTime + after;
  tone.type = type;
  tone.frequency.value = hertz;
  fade.gain.setValueAtTime(0.5, start);
  fade.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  tone.connect(fade).connect(volume);
  tone.start(start);
  tone.stop(start + seconds);
}

/** Clay on clay. */
export function chip() {
  ping(0, 0.05, 2_600, 'triangle');
  ping(0.03, 0.07, 3_400, 'triangle');
}

/** What a beat of the table sounds like. @param {readonly AnyEvent[]} events */
export function beat(events) {
  const count = (/** @type {string} */ kind) => Math.min(CARDS_MAX, events.reduce((sum, event) => (
    sum + (event.kind === kind && 'cards' in event ? event.cards.length : 0)), 0));
  for (let card = 0; card < count('dealt'); card += 1) rustle(card * APART_S, SLIDE_S, 2_400);
  for (let card = 0; card < count('revealed'); card += 1) rustle(card * APART_S, TURN_S, 4_200);
}

/** A round is over. Only one that brought more than it cost sounds like it: no loss is dressed as a
 * win. @param {number} net */
export function ended(net) {
  if (net > 0) CHORD.forEach((hertz, note) => ping(note * 0.09, 0.35, hertz, 'sine'));
}
