// Previews, smaller photos, progress. Without it the forms send themselves.
"use strict";

{
  const longSideMax = 2400;
  const bytesKept = 3_500_000;

  // Large photos become smaller before they travel; whatever cannot be read here goes as it is.
  async function lighter(file) {
    if (file.size <= bytesKept) return file;
    try {
      const bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
      const scale = Math.min(1, longSideMax / Math.max(bitmap.width, bitmap.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(bitmap.width * scale);
      canvas.height = Math.round(bitmap.height * scale);
      canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height);
      const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9));
      return blob && blob.size < file.size ? blob : file;
    } catch {
      return file;
    }
  }

  // What the server says is the page, also of a photo that it does not take. The reader stays where they were.
  function show(html, id) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const main = document.getElementById("main");
    main.replaceChildren(...page.getElementById("main").childNodes);
    document.title = page.title;
    prepare();
    const place = document.getElementById(id);
    (place && place.querySelector("form") ? place : main).focus();
  }

  function send(form, photo) {
    const progress = form.querySelector("progress");
    const body = new FormData();
    body.append("photo", photo, "photo");
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) progress.value = (100 * event.loaded) / event.total;
    };
    request.onload = () => show(request.responseText, form.closest("article").id);
    request.onerror = () => form.submit();
    progress.hidden = false;
    request.send(body);
  }

  function prepare() {
    for (const form of document.querySelectorAll("main form")) {
      const input = form.querySelector("input[type=file]");
      const preview = form.querySelector("img");
      input.addEventListener("change", () => {
        if (preview.src) URL.revokeObjectURL(preview.src);
        preview.hidden = input.files.length === 0;
        if (!preview.hidden) preview.src = URL.createObjectURL(input.files[0]);
      });
      form.addEventListener("submit", async (event) => {
        if (input.files.length === 0) return;
        event.preventDefault();
        form.querySelector("button").disabled = true;
        send(form, await lighter(input.files[0]));
      });
    }
  }
  prepare();
}
