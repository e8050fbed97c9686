// Adds to the page of a conversation what is said in it, as it is said, and sends an answer by Ctrl and Enter.
"use strict";
{
  const log = document.querySelector("[data-chat]");
  const typing = document.querySelector("[data-typing]");
  const numbers = () => new Set([...log.querySelectorAll("[data-number]")].map((said) => said.dataset.number));
  // A form in which something was typed stays: what is refused is said when it is sent.
  const isTouched = (place) =>
    [...place.querySelectorAll("textarea, select")].some((field) => field.value !== "") ||
    [...place.querySelectorAll("details")].some((details) => details.open);

  const add = (page) => {
    const next = page.querySelector("[data-chat]");
    if (!next) return;
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    const known = numbers();
    for (const said of next.querySelectorAll("[data-number]")) {
      if (!known.has(said.dataset.number)) log.append(said);
    }
    if (known.size > 0 || numbers().size > 0) log.querySelector("[data-none]")?.remove();
    if (isAtEnd) log.scrollTop = log.scrollHeight;
    for (const name of ["[data-state]", "[data-facts]"]) {
      const [here, there] = [document.querySelector(name), page.querySelector(name)];
      if (here && there && here.innerHTML !== there.innerHTML) here.replaceChildren(...there.childNodes);
    }
    const [here, there] = [document.querySelector("[data-hold]"), page.querySelector("[data-hold]")];
    if (here.dataset.hold === there.dataset.hold || isTouched(here)) return;
    here.dataset.hold = there.dataset.hold;
    here.replaceChildren(...there.childNodes);
  };

  let [isReading, isStale] = [false, false];
  const read = async () => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    while (isStale) {
      isStale = false;
      // A page that reads itself again does not keep the session alive.
      const answer = await fetch(`${log.dataset.chat}?live=1`, { credentials: "same-origin" }).catch(() => undefined);
      if (!answer || !answer.ok || answer.redirected) break;
      add(new DOMParser().parseFromString(await answer.text(), "text/html"));
    }
    isReading = false;
  };

  let pause;
  if (log) {
    log.scrollTop = log.scrollHeight;
    const news = new EventSource(`${log.dataset.chat}/events?after=${log.dataset.position}`);
    news.addEventListener("changed", () => {
      typing.textContent = "";
      read();
    });
    news.addEventListener("typing", () => {
      typing.textContent = typing.dataset.words;
      clearTimeout(pause);
      pause = setTimeout(() => (typing.textContent = ""), 6000);
    });
    document.addEventListener("keydown", (event) => {
      const field = event.target;
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || field.tagName !== "TEXTAREA") return;
      event.preventDefault();
      field.form.requestSubmit();
    });
  }
}
