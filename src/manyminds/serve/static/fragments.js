// Pieces of a page that the server renders later, or again: all text is escaped there.

import { announce } from "/static/page.js";

async function load(place, address) {
  place.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(address, { headers: { Accept: "text/html" } });
    if (!response.ok) throw new Error();
    place.innerHTML = await response.text();
  } catch {
    announce("That part of the page could not be loaded.");
    return false;
  } finally {
    place.removeAttribute("aria-busy");
  }
  return true;
}

for (const place of document.querySelectorAll("[data-fragment]")) load(place, place.dataset.fragment);

document.addEventListener("click", async (event) => {
  const link = event.target.closest("[data-into]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const place = document.getElementById(link.dataset.into);
  const name = link.textContent;
  if (!(await load(place, link.dataset.part))) return location.assign(link.href);
  history.replaceState(null, "", link.href);
  const again = [...place.querySelectorAll("[data-into]")].find((one) => one.textContent === name);
  (again ?? place.querySelector("[tabindex]"))?.focus({ preventScroll: true });
});
