// Short sounds of wood and glass, made on the spot: no file to load.

import { current } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/**
 * @param {number} frequency in hertz
 * @param {number} length in seconds
 * @param {number} volume from 0 to 1
 * @param {number} [delay] in seconds
 */
function knock(frequency, length, volume, delay = 0) {
  context ??= new AudioContext();
  const at = context.currentTime + delay;
  const tone = context.createOscillator();
  const loudness = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(frequency, at);
  tone.frequency.exponentialRampToValueAtTime(frequency / 2, at + length);
  loudness.gain.setValueAtTime(volume, at);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(loudness).connect(context.destination);
  tone.start(at);
  tone.stop(at + length);
}

/** The sound of a move. @param {import("./types.js").MoveView} move */
export function moveSound(move) {
  if (!current().sound) return;
  const marbles = move.marbles.length + move.pushed.length;
  for (let i = 0; i < marbles; i++) knock(900 + 60 * i, 0.06, 0.12, i * 0.045);
  if (move.ejected) {
    for (let i = 0; i < 5; i++) knock(420 - 40 * i, 0.09, 0.14 - 0.02 * i, 0.3 + i * 0.07);
  }
}

/** The sound of a turn that has come elsewhere. */
export function turnSound() {
  knock(660, 0.12, 0.12);
  knock(880, 0.16, 0.12, 0.12);
}

/** The sound of a game that ends. @param {boolean} won */
export function endSound(won) {
  if (!current().sound) return;
  const notes = won ? [523, 659, 784] : [523, 440, 349];
  notes.forEach((note, i) => knock(note * 2, 0.4, 0.1, i * 0.14));
}
