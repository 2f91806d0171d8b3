// A point that stands for a row of the table opens the row's what-if page.

document.addEventListener("chart:choose", (event) => {
  const place = event.target.closest("[data-what-if]");
  if (place && event.detail.row) {
    location.href = `${place.dataset.whatIf}?row=${encodeURIComponent(event.detail.row)}`;
  }
});
