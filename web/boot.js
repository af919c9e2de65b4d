// Sets theme, light or dark, and language before the first paint, so that nothing flashes. A classic script on purpose.
(() => {
  /** @type {{theme?: string, mode?: string, language?: string}} */
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("sumito.settings") || "{}") || {};
  } catch {
    // A browser that keeps nothing: the defaults hold.
  }
  const root = document.documentElement;
  if (kept.theme) root.dataset.theme = kept.theme;
  if (kept.mode && kept.mode !== "auto") root.dataset.mode = kept.mode;
  if (kept.language) root.lang = kept.language;
})();
