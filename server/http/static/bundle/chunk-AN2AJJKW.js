// server/http/static/ui/sound.js
var KEY = "sealedmove-sound";
var NOTES = [659, 880];
var LENGTH = 0.18;
var isOn = () => localStorage.getItem(KEY) === "on";
var set = (on) => on ? localStorage.setItem(KEY, "on") : localStorage.removeItem(KEY);
function play() {
  const context = new AudioContext();
  for (const [at, pitch] of NOTES.entries()) note(context, pitch, context.currentTime + at * LENGTH);
  setTimeout(() => void context.close(), 1e3 * (NOTES.length + 1) * LENGTH);
}
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

export {
  isOn,
  set,
  play
};
