// Returns what stands wrong on the page: parts outside of their box, blocks that touch, text that is cut or squeezed.
() => {
  const found = new Set();
  const isSeen = (e) => {
    const style = getComputedStyle(e);
    const head = e.closest("thead");
    if (!e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}) || style.clipPath !== "none") return false;
    if (head && getComputedStyle(head).position === "absolute") return false; // cards have no head
    const box = e.getBoundingClientRect();
    return box.width > 1 && box.height > 1;
  };
  const name = (e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (typeof e.className === "string" && e.className ? "." + e.className.split(" ").join(".") : "")
    + " '" + (e.textContent || "").trim().slice(0, 30) + "'";
  const told = (what) => { if (found.size < 12) found.add(what); };

  if (document.documentElement.scrollWidth > innerWidth) told("the page is " + document.documentElement.scrollWidth + " px wide");
  // parts outside of their box
  for (const box of document.querySelectorAll(".box, .note, .verdict, .cmd, .tiles > li, .tag, .btn, td, th, .chain > li, .plan > li, .top, .head")) {
    if (!isSeen(box)) continue;
    const outer = box.getBoundingClientRect();
    for (const part of box.querySelectorAll("*")) {
      if (!isSeen(part) || part.closest(".skip, .menu > ul, .hide, svg, .code, .scroll, .digest, .cut, .tail, pre") || part.matches("option")) continue;
      const inner = part.getBoundingClientRect();
      if (inner.right > outer.right + 1 || inner.left < outer.left - 1 || inner.bottom > outer.bottom + 1.5 && !box.matches(".tag")) {
        told("outside: " + name(part) + " of " + name(box) + ", " + Math.round(inner.right - outer.right) + " right, " + Math.round(inner.bottom - outer.bottom) + " below");
      }
    }
  }
  // blocks, one below the other, that are too near
  for (const group of document.querySelectorAll("main > .wrap, .body, .side")) {
    const blocks = [...group.children].filter((e) => isSeen(e) && getComputedStyle(e).position !== "sticky");
    for (let i = 1; i < blocks.length; i++) {
      const above = blocks[i - 1].getBoundingClientRect();
      const below = blocks[i].getBoundingClientRect();
      const isBelow = below.left < above.right - 1 && below.right > above.left + 1 && below.top >= above.top;
      if (isBelow && below.top - above.bottom < 15.5) told("a gap of " + Math.round(below.top - above.bottom) + " px: " + name(blocks[i - 1]) + " above " + name(blocks[i]));
    }
  }
  const wraps = [...document.querySelectorAll("main > .wrap")].filter(isSeen);
  for (let i = 1; i < wraps.length; i++) {
    const gap = wraps[i].getBoundingClientRect().top - wraps[i - 1].getBoundingClientRect().bottom;
    if (gap < 15.5) told("a gap of " + Math.round(gap) + " px between the parts of the page: " + name(wraps[i]));
  }
  // text that is cut or squeezed
  for (const e of document.querySelectorAll(".tag, .btn, h1, h2, h3, td, th, .verdict li, .tiles b, li a")) {
    if (!isSeen(e) || e.closest(".cut, .digest")) continue;
    const style = getComputedStyle(e);
    if (e.scrollWidth > e.clientWidth + 1 && style.display !== "inline" && style.overflowX !== "visible") told("cut: " + name(e) + ", " + e.scrollWidth + " of " + e.clientWidth);
  }
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    const on = text.parentElement;
    if (!text.data.trim() || !isSeen(on) || on.closest(".hide, .digest, .cut, .scroll, .tail, svg, .ax-y, .ax-x, option, select, textarea, .code, pre")) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const place = range.getBoundingClientRect();
    const box = on.closest(".btn, .tag, td, th, .box, .cmd code, li")?.getBoundingClientRect();
    if (box && (place.right > box.right + 1 || place.left < box.left - 1)) told("cut text: " + name(on) + ", " + Math.round(place.right - box.right));
    if (text.data.trim().length > 12 && place.width < 40) told("squeezed: " + name(on) + ", " + Math.round(place.width));
    const isWord = /^[A-Za-z0-9]{2,12}$/.test(text.data.trim());
    if (isWord && new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1) told("a short word on several lines: " + name(on));
  }
  // what the words need besides
  for (const e of document.querySelectorAll("time:not([title])")) told("a time without its exact time: " + name(e));
  for (const e of document.querySelectorAll(".chart svg[role=img]:not([aria-label])")) told("a chart without words: " + name(e));
  return [...found].join("\n");
}
