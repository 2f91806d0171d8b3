// What all pages need: CSRF header for fetch, copy buttons, confirmations, drop zones.

export const csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";

export async function send(address, options = {}) {
  const headers = { "X-CSRF-Token": csrf, Accept: "application/json", ...options.headers };
  const response = await fetch(address, { ...options, headers });
  const content = await response.json().catch(() => ({ error: "The server did not answer." }));
  if (!response.ok) throw new Error(content.error ?? "That did not work.");
  return content;
}

export function announce(text) {
  const place = document.getElementById("live-note");
  if (place) place.textContent = text;
}

document.addEventListener("click", async (event) => {
  const copy = event.target.closest("[data-copy]");
  if (copy) {
    const text = document.getElementById(copy.dataset.copy).textContent;
    try {
      await navigator.clipboard.writeText(text);
      announce("Copied.");
      copy.textContent = "Copied";
    } catch {
      announce("The browser does not allow it: select the text instead.");
    }
  }
  const opener = event.target.closest("[data-dialog]");
  if (opener) {
    event.preventDefault();
    document.getElementById(opener.dataset.dialog).showModal();
  }
  const closer = event.target.closest("[data-close]");
  if (closer) closer.closest("dialog").close();
});

// A select or an input with data-submit sends its form when it changes.
document.addEventListener("change", (event) => {
  if (event.target.closest("[data-submit]")) event.target.form.requestSubmit();
});
