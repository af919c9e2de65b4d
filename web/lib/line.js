// The line to the server: whether it can be reached. Requests and sockets tell when it does not answer; then it is asked for until it is back.

const ASK = "/api/v1/healthz";
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

let gone = false;
/** The search for the server, if it is under way. @type {Promise<void> | null} */
let searching = null;
/** Ends the pause before the next attempt. */
let hurry = () => {};
/** @type {Set<(gone: boolean) => void>} */
const listeners = new Set();

/** Calls back when the server is gone and when it is back. @param {(gone: boolean) => void} listener */
export function watchLine(listener) {
  listeners.add(listener);
}

/** Something was not answered: looks for the server, and is done when it answers. */
export function back() {
  searching ??= search().finally(() => {
    searching = null;
  });
  return searching;
}

/** Tries at once. */
export function tryNow() {
  hurry();
}

async function search() {
  for (let pause = FIRST_PAUSE; !(await answers()); pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    tell(true);
    await new Promise((done) => {
      const timer = setTimeout(done, pause);
      hurry = () => {
        clearTimeout(timer);
        done(null);
      };
    });
  }
  tell(false);
}

async function answers() {
  try {
    // What stands in front of a server that is gone may answer in its place, but not so.
    return (await fetch(ASK, { cache: "no-store" })).ok;
  } catch {
    return false;
  }
}

/** @param {boolean} now */
function tell(now) {
  if (now === gone) return;
  gone = now;
  for (const listener of listeners) listener(gone);
}

// A device that finds its network again, or a person who comes back to the page, need not wait.
window.addEventListener("online", () => hurry());
document.addEventListener("visibilitychange", () => document.hidden || hurry());
