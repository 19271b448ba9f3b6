// A short sound of this device, when a game begins to wait. It is off until its owner switches it on.

const KEY = "sealedmove-sound";
const NOTES = [659, 880]; // hertz
const LENGTH = 0.18; // seconds of each

/** Is it on? */
export const isOn = () => localStorage.getItem(KEY) === "on";

/** @param {boolean} on */
export const set = (on) => (on ? localStorage.setItem(KEY, "on") : localStorage.removeItem(KEY));

/** Plays it once. A browser may refuse until somebody has pressed something on the page. */
export function play() {
  const context = new AudioContext();
  for (const [at, pitch] of NOTES.entries()) note(context, pitch, context.currentTime + at * LENGTH);
  setTimeout(() => void context.close(), 1000 * (NOTES.length + 1) * LENGTH);
}

/** @param {AudioContext} context @param {number} pitch @param {number} from */
function note(context, pitch, from) {
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.linearRampToValueAtTime(0.15, from + 0.02);
  volume.gain.setValueAtTime(0.15, from + 0.02);
  volume.gain.linearRampToValueAtTime(0, from + LENGTH);
  const tone = new OscillatorNode(context, { frequency: pitch });
  tone.connect(volume).connect(context.destination);
  tone.start(from);
  tone.stop(from + LENGTH);
}
