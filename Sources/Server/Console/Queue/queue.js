// Shows the queue as it is now when something changed, unless somebody types in it, and how much time is left.
"use strict";
{
  const place = document.querySelector("[data-live]");
  if (place) {
    let waiting = false;
    // By the server's clock, which this page knows from when it was read.
    const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { style: "short" });
    const units = [[1440, "day"], [60, "hour"]];
    let read = performance.now();
    const tick = () => {
      const table = document.querySelector("[data-now]");
      // Conversations have none.
      if (!table) return;
      const now = Number(table.dataset.now) + performance.now() - read;
      for (const line of table.querySelectorAll("[data-due]")) {
        const minutes = Math.round((Number(line.dataset.due) - now) / 60_000);
        const [size, unit] = units.find(([size]) => Math.abs(minutes) >= 2 * size) ?? [1, "minute"];
        line.textContent = format.format(Math.trunc(minutes / size), unit);
        line.closest("td").querySelector("[data-over]").hidden = Number(line.dataset.due) >= now;
      }
    };
    tick();
    setInterval(tick, 30_000);
    const path = (row) => row.querySelector("a")?.getAttribute("href");
    const look = async () => {
      waiting = false;
      if (document.activeElement && document.activeElement.closest("main form")) return later();
      // A page that reads itself again does not keep the session alive.
      const address = new URL(location.href);
      address.searchParams.set("live", "1");
      const answer = await fetch(address, { credentials: "same-origin" }).catch(() => undefined);
      if (!answer || !answer.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [now, next] = [document.querySelector("[data-live]"), page.querySelector("[data-live]")];
      if (!now || !next) return;
      // One that only moved up from the next page has waited before; conversations are not counted.
      const before = [...now.querySelectorAll("tr[data-opened]")].map(path);
      const since = Number(now.querySelector("[data-now]")?.dataset.now);
      const fresh = [...next.querySelectorAll("tr[data-opened]")]
        .filter((row) => !before.includes(path(row)) && Number(row.dataset.opened) >= since).length;
      const news = document.querySelector("[data-news]");
      if (fresh && news) news.textContent = `${news.dataset.news}: ${fresh}`;
      // The keyboard's focus stays on the case that has it.
      const focused = now.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      now.replaceChildren(...next.childNodes);
      read = performance.now();
      tick();
      if (focused) now.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus();
    };
    const later = () => {
      if (waiting) return;
      waiting = true;
      setTimeout(look, 1000);
    };
    new EventSource(place.dataset.live).addEventListener("changed", later);
  }
}
