// Drop zone: a file that is dropped or chosen is sent with its progress shown.

import { announce, csrf } from "/static/page.js";

for (const form of document.querySelectorAll("form.drop")) {
  const input = form.querySelector('input[type="file"]');
  const error = form.querySelector("[data-error]");
  const progress = form.querySelector("[data-progress]");

  const show = (sentence) => {
    error.textContent = sentence;
    error.hidden = !sentence;
  };

  const submit = () => {
    const [file] = input.files;
    show("");
    if (!file) return show("Choose a file first.");
    if (file.size > Number(form.dataset.limit)) return show("The file is larger than the limit of uploads.");
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.setRequestHeader("X-CSRF-Token", csrf);
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    progress.hidden = false;
    announce("Uploading");
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) progress.querySelector("progress").value = event.loaded / event.total;
    };
    request.onload = () => {
      progress.hidden = true;
      if (request.status < 300 && request.response?.next) location.assign(request.response.next);
      else show(request.response?.error ?? "The upload failed.");
    };
    request.onerror = () => {
      progress.hidden = true;
      show("The upload failed: the server ended the connection.");
    };
    request.send(new FormData(form));
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.classList.add("over");
  });
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length) {
      input.files = event.dataTransfer.files;
      submit();
    }
  });
}
// A file that misses the zone must not replace the page.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
