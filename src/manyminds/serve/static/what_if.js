// Each change of a value asks for the prediction again; the latest answer is shown.
// A search box finds columns by name: those of the form, and all others on the server.

import { csrf } from "/static/page.js";

const form = document.getElementById("row-form");
const answer = document.getElementById("answer");
let waiting;
let asked = 0;

function mark() {
  for (const field of form.querySelectorAll("[data-base]")) {
    const input = field.querySelector("input, select");
    field.classList.toggle("changed", input.value !== field.dataset.base);
  }
}

async function ask() {
  const mine = (asked += 1);
  answer.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { "X-CSRF-Token": csrf, "X-Fragment": "1" },
    });
    const text = await response.text();
    if (mine === asked) answer.innerHTML = text; // rendered and escaped by the server
  } catch {
    if (mine === asked) answer.textContent = "The server does not answer.";
  } finally {
    if (mine === asked) answer.setAttribute("aria-busy", "false");
  }
}

function plan() {
  mark();
  clearTimeout(waiting);
  waiting = setTimeout(ask, 250);
}

form.addEventListener("input", plan);
form.addEventListener("reset", () => setTimeout(plan, 0));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  mark();
  clearTimeout(waiting);
  ask();
});

const search = document.getElementById("find-form");
const values = document.getElementById("values");
const found = document.getElementById("found");
const note = document.getElementById("found-note");
const usual = note.textContent;
let finding;
let sought = 0;

// Fields that were changed stay in the form when others are looked for.
function keepChanged() {
  for (const field of [...found.children]) if (field.classList.contains("changed")) values.append(field);
  found.replaceChildren();
}

async function find() {
  const mine = (sought += 1);
  const text = search.elements.find.value.trim();
  const response = await fetch(`${search.dataset.columns}${search.dataset.columns.includes("?") ? "&" : "?"}find=${encodeURIComponent(text)}`);
  if (mine !== sought || !response.ok) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await response.text(); // rendered and escaped by the server
  if (mine !== sought) return;
  keepChanged();
  const wanted = new Set([...fresh.content.querySelectorAll("[name]")].map((one) => one.id));
  for (const field of values.children) field.hidden = !wanted.has(field.querySelector("[name]").id);
  for (const field of [...fresh.content.children]) {
    if (!document.getElementById(field.querySelector("[name]").id)) found.append(field);
  }
  const count = Number(response.headers.get("X-Found"));
  const shown = wanted.size < count ? `; the first ${wanted.size} are shown` : "";
  note.textContent = `${count === 1 ? "1 column matches" : `${count.toLocaleString("en-US")} columns match`}${shown}.`;
}

function showAll() {
  sought += 1;
  keepChanged();
  for (const field of values.children) field.hidden = false;
  note.textContent = usual;
}

search?.addEventListener("input", () => {
  clearTimeout(finding);
  if (!search.elements.find.value.trim()) showAll();
  else finding = setTimeout(find, 200);
});
// Enter goes to the first column that matches.
search?.addEventListener("submit", async (event) => {
  event.preventDefault();
  clearTimeout(finding);
  if (search.elements.find.value.trim()) await find();
  form.querySelector(".values > .field:not([hidden]) [name]")?.focus();
});
if (search?.elements.find.value.trim()) find();
