// Refreshes pages that show what happens now. What the reader looks at stays as it is: the focus, selected text,
// opened details, marked rows and the order of rows. New rows wait above the list while somebody reads it.
// Without scripts, the link "Refresh" does the same.
(() => {
  "use strict";
  const control = document.querySelector("[data-live]");
  if (!control) return;
  const word = control.querySelector("[data-live-word]");
  const pause = control.querySelector("[data-live-pause]");
  const link = control.querySelector("a");
  const said = control.querySelector("[data-live-said]");
  const button = () => document.querySelector("[data-live-show]"); // a list that was empty had none
  const noun = control.dataset.noun.split("|"); // one, several
  const every = 1000 * Number(control.dataset.live);
  const whole = 12; // of so many refreshes, one brings what costs more, too
  const slowest = 60_000; // ms between tries while the server does not answer
  const stored = "sheaf-live";
  let fresh = Date.now();
  let wait = every;
  let timer = 0;
  let turn = 0;
  let latest = null; // the page with rows that are not shown yet
  let waiting = 0;

  const count = (number) => number + " new " + noun[number === 1 ? 0 : 1];
  let off = false; // where nothing can be stored
  const isPaused = () => {
    try { return sessionStorage.getItem(stored) === "off"; } catch { return off; }
  };

  // Returns whether the reader is in this part of the page.
  const selects = (node) => {
    const selection = getSelection();
    return selection.rangeCount > 0 && !selection.isCollapsed && selection.getRangeAt(0).intersectsNode(node);
  };
  const isHeld = (node) => node.contains(document.activeElement) || selects(node);
  const isRead = (node) => isHeld(node) || node.matches(":hover") || node.getBoundingClientRect().top < 0
    || node.querySelector("details[open], :checked") !== null;

  // Makes an element like the new one, and keeps all nodes that both have.
  const isSame = (one, other) => one.nodeName === other.nodeName && (one.id || "") === (other.id || "");
  const update = (now, next) => {
    if (now.isEqualNode(next) || ["INPUT", "SELECT", "TEXTAREA"].includes(now.nodeName)) return;
    if (now.nodeType !== Node.ELEMENT_NODE) {
      if (!selects(now)) now.data = next.data;
      return;
    }
    for (const { name } of [...now.attributes]) {
      if (!next.hasAttribute(name) && name !== "open" && name !== "data-gone") now.removeAttribute(name);
    }
    for (const { name, value } of next.attributes) {
      if (now.getAttribute(name) !== value && name !== "open") now.setAttribute(name, value);
    }
    const old = [...now.childNodes];
    const all = [...next.childNodes];
    if (old.length === all.length && old.every((node, i) => isSame(node, all[i]))) {
      old.forEach((node, i) => update(node, all[i]));
    } else if (!isHeld(now) && !now.querySelector("details[open]")) {
      now.replaceChildren(...all.map((node) => document.importNode(node, true)));
    }
  };

  const rowsOf = (list) => new Map([...list.children].map((row) => [row.id, row]));

  // Shows the rows as the server has them now. Marked rows stay.
  const settle = () => {
    if (!latest) return;
    const list = document.querySelector("[data-live-list]");
    const wanted = latest.querySelector("[data-live-list]");
    const known = rowsOf(list);
    const kept = rowsOf(wanted);
    for (const [id, row] of known) {
      if (!kept.has(id) && !row.querySelector(":checked")) row.remove();
    }
    let at = list.firstElementChild;
    let first = null;
    for (const row of wanted.children) {
      while (at && !kept.has(at.id)) at = at.nextElementSibling; // a marked one
      const own = known.get(row.id);
      if (own && own === at) {
        at = at.nextElementSibling;
      } else {
        const added = own || document.importNode(row, true);
        list.insertBefore(added, at);
        if (!own) first = first || added;
      }
    }
    const pager = document.querySelector("[data-live-pager]");
    if (pager) update(pager, latest.querySelector("[data-live-pager]"));
    latest = null;
    waiting = 0;
    return first;
  };

  const tell = (number, gone) => {
    const show = button();
    if (!show) return;
    const parts = [];
    if (number > 0) parts.push(count(number));
    if (gone > 0) parts.push(gone + " gone");
    if (show.hidden || number !== waiting) said.textContent = parts.join(", ");
    waiting = number;
    show.hidden = parts.length === 0;
    show.textContent = parts.join(", ") + " – show";
  };

  // Follows a log to its end, unless the reader has scrolled up.
  const tails = [...document.querySelectorAll("[data-live-tail]")];
  const toEnd = (tail) => { tail.scrollTop = tail.scrollHeight; };

  const take = (next) => {
    const followed = tails.filter((tail) => tail.scrollHeight - tail.scrollTop - tail.clientHeight < 4);
    parts(next);
    followed.forEach(toEnd);
  };

  const parts = (next) => {
    document.querySelectorAll("[data-live-part]").forEach((part) => {
      const other = next.getElementById(part.id);
      if (other) update(part, other);
    });
    const list = document.querySelector("[data-live-list]");
    const wanted = next.querySelector("[data-live-list]");
    if (!list || !wanted) {
      const feed = document.querySelector("[data-live-feed]");
      if (feed) update(feed, next.querySelector("[data-live-feed]"));
      return;
    }
    const known = rowsOf(list);
    const rows = [...wanted.children];
    const added = rows.filter((row) => !known.has(row.id));
    const kept = rowsOf(wanted);
    const last = rows.length - 1;
    const order = [...known.keys()];
    const end = next.querySelector("[data-live-pager] [rel=next]") ? order.indexOf(rows[last]?.id) : order.length;
    let gone = 0;
    order.forEach((id, i) => {
      const row = known.get(id);
      const isGone = !kept.has(id) && i < end; // those behind the end are on the next page
      if (kept.has(id)) update(row, kept.get(id));
      row.toggleAttribute("data-gone", isGone);
      gone += isGone ? 1 : 0;
    });
    latest = added.length + gone > 0 ? next : null;
    if (!latest) {
      tell(0, 0);
    } else if (isRead(list)) {
      tell(added.length, gone);
    } else {
      settle();
      tell(0, 0);
      if (added.length > 0) said.textContent = count(added.length);
    }
  };

  const refresh = async () => {
    try {
      const kind = ++turn % whole === 0 ? "whole" : "quick";
      const answer = await fetch(location.href, { headers: { Accept: "text/html", "Sheaf-Refresh": kind } });
      if (!answer.ok || answer.redirected) throw new Error("no page");
      const next = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (isPaused()) return;
      take(next);
      fresh = Date.now();
      wait = every;
      if (!next.querySelector("[data-live]")) stop(); // nothing changes any more
    } catch {
      wait = Math.min(2 * wait, slowest); // the age of the page tells
    }
  };

  const age = () => {
    const seconds = Math.round((Date.now() - fresh) / 1000);
    const past = seconds < 60 ? seconds + " s ago" : Math.round(seconds / 60) + " min ago";
    word.textContent = (isPaused() ? "Paused, " : seconds > 3 * every / 1000 ? "Not reached, " : "Live, ") + past;
  };
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const go = () => {
    stop();
    if (isPaused() || document.hidden) return;
    timer = setTimeout(async () => {
      await refresh();
      if (timer !== 0) go();
    }, Math.max(0, fresh + wait - Date.now()));
  };
  const draw = () => {
    const paused = isPaused();
    control.toggleAttribute("data-off", paused);
    pause.textContent = paused ? "Resume updates" : "Pause updates";
    link.hidden = !paused;
    age();
  };

  pause.hidden = false;
  word.hidden = false;
  pause.addEventListener("click", () => {
    try { sessionStorage.setItem(stored, isPaused() ? "on" : "off"); } catch { off = !off; }
    draw();
    go();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-live-show]")) return;
    const first = settle();
    tell(0, 0);
    (first?.querySelector("a, summary, input") || pause).focus();
  });
  document.addEventListener("visibilitychange", go);
  addEventListener("submit", stop); // the next page has its own message
  addEventListener("pageshow", (event) => { if (event.persisted) go(); });
  setInterval(age, 1000);
  draw();
  go();
})();
