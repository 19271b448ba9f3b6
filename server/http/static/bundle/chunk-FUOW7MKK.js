import {
  NoAnswer
} from "./chunk-PZZ636EH.js";

// server/http/static/api/retry.js
var TRIES = 6;
async function withRetries(ask) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof NoAnswer) || tries === TRIES) throw error;
      await pause(error.pause ?? tries);
    }
  }
}
function pause(seconds) {
  return new Promise((done) => {
    const ends = () => {
      clearTimeout(timer);
      removeEventListener("online", ends);
      done();
    };
    const timer = setTimeout(ends, seconds * 1e3);
    addEventListener("online", ends);
  });
}

export {
  withRetries,
  pause
};
