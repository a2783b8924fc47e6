// Colours the lines of a file by highlight.js. The page's text stays as it is: ranges over it get the colours.
(() => {
  "use strict";
  const code = document.querySelector("pre[data-language]");
  if (!code || !window.Highlight || !hljs.getLanguage(code.dataset.language)) return;
  const colours = Object.entries({
    keyword: ["keyword", "built_in", "type", "literal", "attr", "attribute", "name", "tag", "meta", "selector-tag"],
    string: ["string", "regexp", "code", "link"],
    comment: ["comment", "quote"],
    heading: ["section", "title", "strong"],
    number: ["number", "variable", "symbol", "bullet", "template-variable"],
  }).flatMap(([colour, scopes]) => scopes.map((scope) => ["hljs-" + scope, colour]));
  const colourOf = new Map(colours);
  const texts = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  };

  // Where each text node of the page begins in the text of all lines.
  const places = [];
  let text = "";
  for (const line of code.querySelectorAll("[data-n]")) {
    for (const node of texts(line)) {
      places.push([text.length, node]);
      text += node.data;
    }
    text += "\n";
  }
  const place = (at, from) => {
    let i = from;
    while (i + 1 < places.length && places[i + 1][0] <= at) i++;
    const [begin, node] = places[i];
    return [i, node, Math.min(at - begin, node.length)];
  };

  const coloured = document.createElement("template");
  coloured.innerHTML = hljs.highlight(text, { language: code.dataset.language, ignoreIllegals: true }).value;
  const ranges = new Map([...new Set(colourOf.values())].map((colour) => [colour, new Highlight()]));
  let at = 0;
  let index = 0;
  for (const node of texts(coloured.content)) {
    const colour = [...(node.parentElement?.classList ?? [])].map((name) => colourOf.get(name)).find(Boolean);
    const end = at + node.length;
    if (colour && places.length > 0) {
      const [first, from, offset] = place(at, index);
      const [, to, length] = place(end, first);
      const range = new StaticRange({ startContainer: from, startOffset: offset, endContainer: to, endOffset: length });
      ranges.get(colour).add(range);
      index = first;
    }
    at = end;
  }
  ranges.forEach((range, colour) => CSS.highlights.set(colour, range));
})();
