// A WebSocket that comes back after it was lost, with growing pauses, until it is closed on purpose. A silent one is asked for a word: a line that
// nobody answers on stays open for many minutes.

import { ApiError, socketUrl } from "./api.js";
import { PATIENCE, back, heard } from "./line.js";

const LONGEST_PAUSE = 10_000;
/** After so long without a message one is asked for. */
const SILENCE = 5000;

/**
 * @param {string} path below the API
 * @param {{message: (data: any) => void, open?: () => void, lost?: () => void}} hear
 */
export function connect(path, hear) {
  /** @type {WebSocket | null} */
  let socket = null;
  let closed = false;
  let pause = 250;
  let timer = 0;
  /** Waits for a word. */
  let pulse = 0;
  /** What was asked and is not answered yet, by its id. @type {Map<number, {done: () => void, failed: (error: ApiError) => void}>} */
  const asked = new Map();
  let last = 0;

  /** Whether a message answers something that was asked. @param {any} data */
  function answers(data) {
    const waiting = asked.get(data.id);
    if (!waiting || (data.type !== "ack" && data.type !== "error")) return false;
    asked.delete(data.id);
    if (data.type === "ack") waiting.done();
    else waiting.failed(new ApiError(400, data.error));
    return true;
  }

  function open() {
    const line = new WebSocket(socketUrl(path));
    socket = line;
    awake();
    line.onopen = () => {
      pause = 250;
      hear.open?.();
    };
    line.onmessage = (event) => {
      if (line !== socket) return;
      awake();
      heard();
      const data = JSON.parse(event.data);
      if (data.type !== "pong" && !answers(data) && !closed) hear.message(data);
    };
    line.onclose = () => line === socket && lost();
  }

  /** Something was heard: silence begins anew. */
  function awake() {
    clearTimeout(pulse);
    pulse = setTimeout(() => {
      if (socket?.readyState === WebSocket.OPEN) socket.send('{"type":"ping"}');
      pulse = setTimeout(silent, PATIENCE);
    }, SILENCE);
  }

  /** Nobody answers: the line is as good as closed. */
  function silent() {
    const line = socket;
    socket = null;
    if (line) end(line);
    lost();
  }

  function lost() {
    clearTimeout(pulse);
    if (closed) return;
    for (const { failed } of asked.values()) failed(new ApiError(0, { code: "offline" }));
    asked.clear();
    hear.lost?.();
    const there = back();
    timer = setTimeout(() => there.then(() => closed || open()), pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
  open();

  /**
   * A browser may keep a page that was left, with its line: whoever is gone would seem to be there still. When the page is shown again, the
   * line comes back like any that was lost.
   */
  function left() {
    if (socket?.readyState === WebSocket.OPEN) socket.close();
  }
  window.addEventListener("pagehide", left);

  return {
    /** Sends if the line is open; says whether it did. @param {object} data */
    send(data) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(data));
      return true;
    },
    /**
     * Sends what is to be acknowledged: done when it is, an `ApiError` when it is refused or the line is lost; nothing if the line is not open.
     * @param {object} data
     * @returns {Promise<void> | null}
     */
    ask(data) {
      if (!this.send({ ...data, id: ++last })) return null;
      return new Promise((done, failed) => asked.set(last, { done, failed }));
    },
    close() {
      closed = true;
      window.removeEventListener("pagehide", left);
      clearTimeout(timer);
      clearTimeout(pulse);
      if (socket) end(socket);
    },
  };
}

/** Closing before a line is open would be an error in the console. @param {WebSocket} line */
function end(line) {
  if (line.readyState === WebSocket.CONNECTING) line.onopen = () => line.close();
  else line.close();
}
