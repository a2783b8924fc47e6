// What pages do besides with JavaScript: nothing that they cannot do without it.
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
      const said = button.getAttribute("aria-label");
      button.setAttribute("aria-label", "Copied");
      button.setAttribute("data-done", "");
      setTimeout(() => {
        button.setAttribute("aria-label", said);
        button.removeAttribute("data-done");
      }, 2000);
    });
  });

  // Leads to what was wrong with a form.
  document.querySelector("[data-focus]")?.focus();
})();
