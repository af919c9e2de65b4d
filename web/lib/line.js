// The line to the server: whether it can be reached. Requests and sockets tell when it does not answer; then it is asked for until it is back.

const ASK = "/api/v1/healthz";
/** So long an answer is waited for: a server that is frozen, or a network that swallows everything, refuses nothing. */
export const PATIENCE = 5000;
/** After so long without a word from the server, a page that is looked at asks whether it is there. */
const SILENCE = 15_000;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 5000;

let gone = false;
/** When the server was last heard of. */
let last = performance.now();
/** The question that is on its way. @type {Promise<boolean> | null} */
let asking = null;
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

/** The server has said something. */
export function heard() {
  last = performance.now();
}

/** For a request, which may take long: it is given up only if the server is gone meanwhile. */
export function patient() {
  const given = new AbortController();
  const timer = setInterval(async () => (await answers()) || given.abort(), PATIENCE);
  return { signal: given.signal, done: () => clearInterval(timer) };
}

/** Tries at once. */
export function tryNow() {
  hurry();
}

async function search() {
  for (let pause = FIRST_PAUSE; !(await answers()); pause = Math.min(pause * 2, LONGEST_PAUSE)) {
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

/** Whether the server answers in time; if not, it is gone. */
async function answers() {
  asking ??= ask().finally(() => {
    asking = null;
  });
  const there = await asking;
  if (there) heard();
  else tell(true);
  return there;
}

async function ask() {
  try {
    // What stands in front of a server that is gone may answer in its place, but not so.
    return (await fetch(ASK, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) })).ok;
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
setInterval(() => document.hidden || performance.now() - last < SILENCE || back(), PATIENCE);
