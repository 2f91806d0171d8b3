// The slider moves the threshold: all counts are on the page already.

const form = document.getElementById("threshold-form");
const [hits, alarms] = JSON.parse(form.dataset.counts);
const nWith = Number(form.dataset.with);
const nWithout = Number(form.dataset.without);
const steps = Number(form.dataset.steps);
const slider = form.elements.threshold;

const put = (name, text) => {
  document.getElementById(name).textContent = text;
};
const show = (value) => (Number.isFinite(value) ? value.toFixed(4) : "–");
const short = (value) => Math.abs(value) >= 9999.5
  ? Math.round(value).toLocaleString("en-US") : Number(value.toPrecision(4)).toString();

function readCosts() {
  return ["false", "missed"].map((name) => Math.max(0, Number(form.elements[name].value) || 0));
}

function costAt(place, [falseCost, missedCost]) {
  return alarms[place] * falseCost + (nWith - hits[place]) * missedCost;
}

function findCheapest(costs) {
  let best = 0;
  for (let place = 1; place <= steps; place += 1) {
    const gain = costAt(best, costs) - costAt(place, costs);
    const nearer = Math.abs(place - steps / 2) < Math.abs(best - steps / 2);
    if (gain > 1e-12 || (Math.abs(gain) <= 1e-12 && nearer)) best = place;
  }
  return best;
}

function update() {
  const place = Math.round(Number(slider.value) * steps);
  const costs = readCosts();
  const tp = hits[place];
  const fp = alarms[place];
  const tn = nWithout - fp;
  const threshold = (place / steps).toFixed(3);
  put("tp", tp.toLocaleString("en-US"));
  put("fp", fp.toLocaleString("en-US"));
  put("fn", (nWith - tp).toLocaleString("en-US"));
  put("tn", tn.toLocaleString("en-US"));
  put("recall", show(tp / nWith));
  put("precision", show(tp / (tp + fp)));
  put("accuracy", show((tp + tn) / (nWith + nWithout)));
  put("cost", short(costAt(place, costs)));
  put("cost-per-row", short(costAt(place, costs) / (nWith + nWithout)));
  put("threshold-value", threshold);
  put("python-threshold", threshold);
  const best = (findCheapest(costs) / steps).toFixed(3);
  put("best", best);
  put("best-text", best);
}

form.addEventListener("input", update);
form.addEventListener("submit", (event) => {
  if (event.submitter?.id === "apply") {
    event.preventDefault();
    update();
  }
});
const cheapest = document.getElementById("cheapest");
cheapest.hidden = false;
document.getElementById("apply").hidden = true;
cheapest.addEventListener("click", () => {
  slider.value = findCheapest(readCosts()) / steps;
  update();
});
