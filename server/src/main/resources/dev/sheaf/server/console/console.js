// Conveniences of pages with JavaScript. Every page also works without it.
(() => {
  "use strict";
  const root = document.documentElement;
  root.setAttribute("data-js", "");

  // Copies the text of the command beside the button.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = button.parentElement.querySelector("code").textContent;
    navigator.clipboard.writeText(text).then(() => {
      const said = button.getAttribute("aria-label").replace(/^Copied/, "Copy");
      const show = (word, icon) => {
        const use = button.querySelector("use");
        button.setAttribute("aria-label", said.replace(/^Copy/, word));
        button.querySelector("span").textContent = word;
        use.setAttribute("href", use.getAttribute("href").replace(/#.*/, "#" + icon));
        button.toggleAttribute("data-copied", word === "Copied");
        announce(word === "Copied" ? button.getAttribute("aria-label") : "");
      };
      clearTimeout(button.copied);
      show("Copied", "check");
      button.copied = setTimeout(() => show("Copy", "copy"), 3000);
    });
  });

  // Tells readers who do not look at the screen.
  const announce = (text) => {
    let place = document.getElementById("announced");
    if (!place) {
      place = document.createElement("p");
      place.id = "announced";
      place.className = "hide";
      place.setAttribute("role", "status");
      document.querySelector("main").append(place);
    }
    place.textContent = text;
  };

  // Leaves empty fields out of the address of a search or a filter.
  document.addEventListener("formdata", (event) => {
    if (event.target.method !== "get") return;
    for (const name of new Set([...event.formData.keys()])) {
      if (event.formData.getAll(name).every((value) => value === "")) event.formData.delete(name);
    }
  });

  // Closes an open menu on Escape and on a click beside it.
  document.addEventListener("click", (event) => {
    document.querySelectorAll("details.menu[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.open = false;
    });
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  // Takes the token of an invitation from the fragment of its link, which no request contains. It stays in this tab
  // until the invitation is accepted, because some people sign in first.
  const invitation = document.querySelector("form[data-invitation]");
  if (invitation) {
    const field = invitation.querySelector("[name=token]");
    const stored = "sheaf-invitation";
    if (/^#shi_[A-Za-z0-9_-]+$/.test(location.hash)) {
      sessionStorage.setItem(stored, location.hash.slice(1));
      history.replaceState(null, "", location.pathname + location.search);
    }
    if (!field.value) field.value = sessionStorage.getItem(stored) || "";
    invitation.addEventListener("submit", () => sessionStorage.removeItem(stored));
  }

  // Puts dropped files and folders into the form. A browser sends only names, so the paths are sent separately.
  const walk = async (entry, path, into) => {
    if (entry.isFile) {
      const file = await new Promise((done, failed) => entry.file(done, failed));
      into.push([file, path]);
    } else {
      const reader = entry.createReader();
      for (let some = [0]; some.length > 0;) {
        some = await new Promise((done, failed) => reader.readEntries(done, failed));
        for (const next of some) await walk(next, path + "/" + next.name, into);
      }
    }
  };
  document.querySelectorAll("form[data-drop]").forEach((form) => {
    const here = form.querySelector("[data-drop-here]");
    const files = form.querySelector("[name=files]");
    const paths = form.querySelector("[data-paths]");
    here.hidden = false;
    files.addEventListener("change", () => { paths.value = ""; });
    form.addEventListener("dragover", (event) => {
      event.preventDefault();
      form.setAttribute("data-over", "");
    });
    form.addEventListener("dragleave", () => form.removeAttribute("data-over"));
    form.addEventListener("drop", async (event) => {
      event.preventDefault();
      form.removeAttribute("data-over");
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
      if (entries.length === 0) return; // a text or a link
      const one = entries.length === 1 && entries[0].isDirectory; // it is the bundle itself
      const found = [];
      for (const entry of entries) await walk(entry, one ? "" : entry.name, found);
      const chosen = new DataTransfer();
      found.forEach(([file]) => chosen.items.add(file));
      files.files = chosen.files;
      paths.value = found.map(([, path]) => path.replace(/^\//, "")).join("\n");
      here.textContent = found.length + (found.length === 1 ? " file is" : " files are") + " chosen: "
        + paths.value.split("\n").slice(0, 5).join(", ") + (found.length > 5 ? " …" : "");
    });
  });

  // Counts the marked rows of a list, and marks all of them.
  document.addEventListener("change", (event) => {
    const form = event.target.closest("form[data-marks]");
    if (!form) return;
    if (event.target.matches("[data-mark-all]")) {
      form.querySelectorAll("tbody input[type=checkbox]").forEach((box) => { box.checked = event.target.checked; });
    }
    form.querySelector("[data-marked]").textContent = form.querySelectorAll("tbody :checked").length + " marked:";
  });
  document.querySelectorAll("[data-mark-all]").forEach((box) => { box.hidden = false; });

  // Begins at the end of a log.
  document.querySelectorAll("[data-live-tail]").forEach((tail) => { tail.scrollTop = tail.scrollHeight; });

  // The key / goes to the search, except in fields. The page of the theme turns single keys off.
  const keys = "sheaf-keys";
  const keysAct = () => {
    try { return localStorage.getItem(keys) !== "off"; } catch { return true; } // storage may be forbidden
  };
  const showKeys = () => document.querySelectorAll("[data-keys]").forEach((hint) => { hint.hidden = !keysAct(); });
  showKeys();
  document.addEventListener("htmx:afterSwap", showKeys);
  document.addEventListener("keydown", (event) => {
    const search = document.getElementById("top-q");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || !search || !keysAct()) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    search.focus();
    search.select();
  });

  // The keys j and k go to the next file of a comparison and to the one before, on this page or the next one.
  document.addEventListener("keydown", (event) => {
    const step = { j: 1, k: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey || !keysAct()) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const files = [...document.querySelectorAll("[data-file]")];
    const link = document.querySelector(step > 0 ? "a[data-next]" : "a[data-previous]");
    if (files.length < 2) {
      link?.click();
      return;
    }
    const at = files.findIndex((file) => file.contains(document.activeElement));
    const next = files[at < 0 ? (step > 0 ? 0 : files.length - 1) : at + step];
    if (!next) return;
    event.preventDefault();
    next.scrollIntoView();
    next.querySelector("h2").focus({ preventScroll: true });
  });

  document.querySelectorAll("[data-keys-choice]").forEach((choice) => {
    const box = choice.querySelector("input");
    choice.hidden = false;
    box.checked = keysAct();
    box.addEventListener("change", () => {
      try { localStorage.setItem(keys, box.checked ? "on" : "off"); } catch { /* only this page then */ }
    });
  });

  // Focuses the errors of a form.
  document.querySelector("[data-focus]")?.focus();
})();
