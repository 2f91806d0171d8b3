// Events of a job: the server renders pieces, this puts them in place.

import { announce } from "/static/page.js";

// Only what has changed is replaced: a button stays the same under pointer and focus.
function put(piece, html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const old = [...piece.children];
  const made = [...fresh.content.children];
  if (old.length !== made.length) return piece.replaceChildren(fresh.content);
  made.forEach((one, k) => one.isEqualNode(old[k]) || old[k].replaceWith(one));
}

const showTime = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function showSince() {
  const since = place.querySelector("[data-since]");
  if (since) since.textContent = showTime(Math.max(0, Math.round(Date.now() / 1000 - Number(since.dataset.since))));
}

const place = document.getElementById("live");
if (place && place.dataset.active === "1") {
  const source = new EventSource(place.dataset.events);
  let state = "";
  source.onmessage = (event) => {
    const values = JSON.parse(event.data);
    for (const [name, html] of Object.entries(values)) {
      const piece = document.getElementById(`live-${name}`);
      // What a person is using stays as it is until they leave it.
      if (piece && !(piece.contains(document.activeElement) && name !== "status")) put(piece, html);
    }
    showSince();
    if (values.state && values.state !== state) {
      if (state) announce(`The state is now: ${values.state}.`);
      state = values.state;
    }
    if (values.ended) {
      source.close();
      if (values.next) location.assign(values.next);
    }
  };
  // Between events, the clocks run here.
  setInterval(() => {
    const left = place.querySelector("[data-left]");
    if (left) {
      left.dataset.left = String(Math.max(0, Number(left.dataset.left) - 1));
      left.textContent = showTime(Number(left.dataset.left));
    }
    showSince();
  }, 1000);
  showSince();
}
