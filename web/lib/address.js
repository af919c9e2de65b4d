// A text in the fragment of an address: compressed, in letters that links keep. The server never sees it.

/** Longer addresses are cut by programs that pass links on. */
export const MOST_LETTERS = 30_000;
/** More text than this is not unpacked: a small fragment can hide a huge one. */
const MOST_TEXT = 500_000;
/** The first letter says how the rest is to be read. */
const VERSION = "1";

/** @param {string} text @returns {Promise<string | null>} the fragment without its `#`; `null` if it would be too long */
export async function pack(text) {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  const fragment = VERSION + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return fragment.length > MOST_LETTERS ? null : fragment;
}

/** The text in a fragment; an error if there is none. @param {string} fragment without its `#` @returns {Promise<string>} */
export async function unpack(fragment) {
  if (fragment[0] !== VERSION || fragment.length > MOST_LETTERS) throw new Error("expected a fragment of version 1");
  const letters = atob(fragment.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MOST_TEXT) {
      await reader.cancel();
      throw new Error("expected a shorter text");
    }
  }
}
