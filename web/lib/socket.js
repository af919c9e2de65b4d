// A WebSocket that comes back after it was lost, with growing pauses, until it is closed on purpose.

import { socketUrl } from "./api.js";

const LONGEST_PAUSE = 10_000;

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

  function open() {
    socket = new WebSocket(socketUrl(path));
    socket.onopen = () => {
      pause = 250;
      hear.open?.();
    };
    socket.onmessage = (event) => {
      if (!closed) hear.message(JSON.parse(event.data));
    };
    socket.onclose = () => {
      if (!closed) hear.lost?.();
      if (closed) return;
      timer = setTimeout(open, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    };
  }
  open();

  return {
    /** Sends if the line is open; says whether it did. @param {object} data */
    send(data) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(data));
      return true;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      // Closing before the line is open would be an error in the console.
      if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket?.close();
      else socket?.close();
    },
  };
}
