// A point of the map, or a row of the list, shows its row.

import { announce, send } from "/static/page.js";

const map = document.getElementById("map");

async function showRow(number) {
  const { row, cells } = await send(`${map.dataset.row}&row=${encodeURIComponent(number)}`);
  document.getElementById("row-title").textContent = `Row ${row.toLocaleString("en")}`;
  document.getElementById("row-hint").hidden = true;
  const table = document.getElementById("row-cells");
  table.hidden = false;
  table.tBodies[0].replaceChildren(
    ...cells.map(({ name, value }) => {
      const line = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      const cell = document.createElement("td");
      cell.className = "cell";
      cell.textContent = value === "" ? "–" : value;
      line.append(head, cell);
      return line;
    }),
  );
  announce(`Row ${row} is shown.`);
}

map?.addEventListener("chart:choose", (event) => showRow(event.detail.row));
document.getElementById("hard-rows")?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-row]");
  if (button) showRow(button.dataset.row);
});
