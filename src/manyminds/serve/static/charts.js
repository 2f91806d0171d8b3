// Charts answer to the pointer and to the keyboard: one mark of each is in the tab
// order, arrow keys move among marks, Enter chooses one.

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
tip.setAttribute("aria-hidden", "true"); // the mark's own label is read instead
document.body.append(tip);

function show(mark) {
  tip.textContent = mark.getAttribute("aria-label");
  tip.hidden = false;
  const box = mark.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const left = box.left + box.width / 2 - tip.offsetWidth / 2;
  tip.style.left = `${window.scrollX + Math.min(Math.max(left, 8), width - tip.offsetWidth - 8)}px`;
  const above = box.top - tip.offsetHeight - 8;
  tip.style.top = `${window.scrollY + (above > 4 ? above : box.bottom + 8)}px`;
}

function hide() {
  tip.hidden = true;
}

function markOf(event) {
  return event.target instanceof Element ? event.target.closest("svg.chart .mark") : null;
}

function choose(mark) {
  mark.dispatchEvent(new CustomEvent("chart:choose", { bubbles: true, detail: { ...mark.dataset } }));
}

function move(mark, step) {
  const marks = [...mark.closest("svg.chart").querySelectorAll(".mark")];
  const place = Math.min(Math.max(marks.indexOf(mark) + step, 0), marks.length - 1);
  mark.setAttribute("tabindex", "-1");
  marks[place].setAttribute("tabindex", "0");
  marks[place].focus();
}

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -1e9, End: 1e9 };

document.addEventListener("pointerover", (event) => {
  const mark = markOf(event);
  if (mark) show(mark);
});
document.addEventListener("pointerout", (event) => {
  if (!markOf(event)) return;
  const focused = document.activeElement?.closest("svg.chart .mark");
  if (focused) show(focused);
  else hide();
});
document.addEventListener("focusin", (event) => {
  const mark = markOf(event);
  if (mark) show(mark);
});
document.addEventListener("focusout", (event) => {
  if (markOf(event)) hide();
});
document.addEventListener("click", (event) => {
  const mark = markOf(event);
  if (mark) choose(mark);
});
document.addEventListener("keydown", (event) => {
  const mark = markOf(event);
  if (event.key === "Escape") hide();
  if (!mark) return;
  if (event.key in STEPS) {
    event.preventDefault();
    move(mark, STEPS[event.key]);
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(mark);
  }
});
