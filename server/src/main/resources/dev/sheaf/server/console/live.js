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
  let tried = fresh;
  let wait = every;
  let timer = 0;
  let turn = 0;
  let latest = null; // the page with rows that are not shown yet
  let waiting = 0;
  let isHeldBack = false; // for the reader to end a selection
  let isOver = false;

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

  // Fields are the reader's. Lists have their own rules, see below. What is costly comes with some refreshes only.
  const own = "input, select, textarea, [data-live], [data-live-feed], [data-live-pager]";
  const isOwn = (now, next) => now.nodeType === Node.ELEMENT_NODE
    && (now.matches(own) || next.hasAttribute("data-live-keep"));

  // Pairs the children of the new element with those that are there: by their ids, else by their order.
  const isSame = (one, other) => one.nodeName === other.nodeName && (one.id || "") === (other.id || "");
  const pairs = (now, next) => {
    const ids = new Set([...next.children].map((child) => child.id).filter(Boolean));
    let at = now.firstChild;
    return [...next.childNodes].map((wanted) => {
      let known = at;
      while (known && !isSame(known, wanted) && !ids.has(known.id)) known = known.nextSibling;
      if (!known || !isSame(known, wanted)) return [null, wanted];
      at = known.nextSibling;
      return [known, wanted];
    });
  };
  const left = (now, all) => {
    const kept = new Set(all.map(([known]) => known));
    return [...now.childNodes].filter((node) => !kept.has(node) && !node.matches?.("[data-live]"));
  };

  // Returns whether selected text would change. Text that grows at its end keeps its selection.
  const disturbs = (now, next) => {
    if (now.isEqualNode(next) || isOwn(now, next)) return false;
    if (now.nodeType !== Node.ELEMENT_NODE) return !next.data.startsWith(now.data) && selects(now);
    const all = pairs(now, next);
    return left(now, all).some(selects) || all.some(([known, wanted]) => known && disturbs(known, wanted));
  };

  // Makes an element like the new one, and keeps all nodes that both have.
  const update = (now, next) => {
    if (now.isEqualNode(next) || isOwn(now, next)) return;
    if (now.nodeType !== Node.ELEMENT_NODE) {
      if (next.data.startsWith(now.data)) now.appendData(next.data.slice(now.data.length));
      else now.data = next.data;
      return;
    }
    for (const { name } of [...now.attributes]) {
      if (!next.hasAttribute(name) && !["open", "tabindex", "data-gone"].includes(name)) now.removeAttribute(name);
    }
    for (const { name, value } of next.attributes) {
      if (now.getAttribute(name) !== value && name !== "open") now.setAttribute(name, value);
    }
    const all = pairs(now, next);
    left(now, all).forEach((node) => node.remove());
    let last = null;
    for (const [known, wanted] of all) {
      const node = known || document.importNode(wanted, true);
      if (known) update(known, wanted);
      else now.insertBefore(node, last ? last.nextSibling : now.firstChild);
      last = node;
    }
  };

  const replace = (now, next) => {
    now.replaceChildren(...[...next.childNodes].map((node) => document.importNode(node, true)));
    now.querySelectorAll("[data-mark-all]").forEach((box) => { box.hidden = false; });
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
    if (pager) replace(pager, latest.querySelector("[data-live-pager]"));
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

  // Shows the new page; false if that must wait, because it would change selected text. All of it waits then, so that
  // no part contradicts another one.
  const take = (next) => {
    if (both("[data-live-part], [data-live-list] > *", next).some(([now, wanted]) => disturbs(now, wanted))) return false;
    const followed = tails.filter((tail) => tail.scrollHeight - tail.scrollTop - tail.clientHeight < 4);
    const focused = [];
    for (let node = document.activeElement; node; node = node.parentElement) focused.push(node);
    const key = () => document.querySelector("[data-live-key]")?.dataset.liveKey;
    const before = key();
    parts(next);
    followed.forEach(toEnd);
    if (focused[0]?.isConnected === false) { // the focus goes to what was around it
      const place = focused.find((node) => node.isConnected);
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    }
    if (key() !== before) document.getElementById("notices")?.remove(); // they were about the state before
    return true;
  };

  // Pairs elements with those of the new page.
  const both = (selector, next) => [...document.querySelectorAll(selector)]
    .map((now) => [now, next.getElementById(now.id)])
    .filter(([, wanted]) => wanted);

  const parts = (next) => {
    both("[data-live-part]", next).forEach(([part, wanted]) => update(part, wanted));
    const list = document.querySelector("[data-live-list]");
    const wanted = next.querySelector("[data-live-list]");
    if (!list || !wanted) {
      const feed = document.querySelector("[data-live-feed]");
      const other = next.querySelector("[data-live-feed]");
      if (feed && other) replace(feed, other);
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
      wait = every;
      isHeldBack = !take(next);
      if (isHeldBack) return;
      fresh = Date.now();
      if (!next.querySelector("[data-live]")) end(); // nothing changes any more
    } catch {
      wait = Math.min(2 * wait, slowest); // the age of the page tells
    } finally {
      tried = Date.now();
    }
  };

  const age = () => {
    const seconds = Math.round((Date.now() - fresh) / 1000);
    const past = seconds < 60 ? seconds + " s ago" : Math.round(seconds / 60) + " min ago";
    word.textContent = (isOver ? "Updates ended, "
      : isPaused() ? "Paused, "
      : isHeldBack ? "Waits while text is selected, "
      : seconds > 3 * every / 1000 ? "Not reached, " : "Live, ") + past;
  };
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };
  const end = () => {
    isOver = true;
    stop();
    draw();
  };
  const go = () => {
    stop();
    if (isOver || isPaused() || document.hidden) return;
    timer = setTimeout(async () => {
      await refresh();
      if (timer !== 0) go();
    }, Math.max(0, tried + wait - Date.now()));
  };
  const draw = () => {
    const paused = isPaused();
    control.toggleAttribute("data-off", paused || isOver);
    pause.textContent = paused ? "Resume updates" : "Pause updates";
    if (isOver && document.activeElement === pause) link.focus();
    pause.hidden = isOver;
    link.hidden = !paused && !isOver;
    age();
  };

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
