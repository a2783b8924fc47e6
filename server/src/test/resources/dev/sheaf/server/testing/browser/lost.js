// Returns what a reader of the page cannot get at: what lies beyond its edges or is cut off. Boxes that scroll are in order if the
// keyboard can reach them.
() => {
  const found = new Set();
  const wide = document.documentElement.clientWidth;
  const told = (what, e) => found.add(what + ": " + e.outerHTML.slice(0, 160));
  document.querySelectorAll("details").forEach((d) => { d.open = true; });
  if (document.documentElement.scrollWidth > wide) {
    found.add("the page scrolls sideways: " + document.documentElement.scrollWidth + " of " + wide);
  }
  const look = (rect, from, what) => {
    for (let e = from; e && e !== document.body; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (style.clipPath !== "none" || e.matches(".skip")) return; // for screen readers
      const box = e.getBoundingClientRect();
      if (/auto|scroll/.test(style.overflowX)) {
        if (e.scrollWidth > e.clientWidth && e.tabIndex < 0 && !e.querySelector("a[href], button, input")) told("the keyboard does not scroll", e);
        rect = box;
      } else if (e.matches(".digest, .cut")) {
        rect = box; // shortened, and the whole is elsewhere
      } else if (/hidden|clip/.test(style.overflowX) || /paint|content|strict/.test(style.contain)) {
        if (rect.left < box.left - 1 || rect.right > box.right + 1 || rect.top < box.top - 2 || rect.bottom > box.bottom + 2) told("cut", what);
      }
    }
    if (rect.left < -1 || rect.right > wide + 1) told("beyond the edge", what);
  };
  const isSeen = (e) => e.checkVisibility({visibilityProperty: true});
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const on = text.parentElement;
    if (text.data.trim() === "" || !isSeen(on) || on.closest("select, textarea, title")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const rect of range.getClientRects()) if (rect.width > 0) look(rect, on, on);
  }
  for (const e of document.querySelectorAll("input:not([type=hidden]), select, textarea, button, svg, img, progress")) {
    const box = e.getBoundingClientRect();
    if (isSeen(e) && box.width > 0) look(box, e.parentElement, e);
  }
  for (const e of document.querySelectorAll("td[data-l]")) {
    const label = getComputedStyle(e, "::before");
    if (isSeen(e) && label.position === "absolute" && parseFloat(label.width) > parseFloat(getComputedStyle(e).paddingLeft)) told("the label covers the value", e);
  }
  return [...found].join("\n");
}
