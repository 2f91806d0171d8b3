// Each change of a value asks for the prediction again; the latest answer is shown.

import { csrf } from "./page.js";

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
