// Shows the queue as it is now when something changed, unless somebody types in it.
"use strict";
{
  const place = document.querySelector("[data-live]");
  if (place) {
    let waiting = false;
    const look = async () => {
      waiting = false;
      if (document.activeElement && document.activeElement.closest("main form")) return later();
      // What nobody asked for does not keep the session alive.
      const address = new URL(location.href);
      address.searchParams.set("live", "1");
      const answer = await fetch(address, { credentials: "same-origin" }).catch(() => undefined);
      if (!answer || !answer.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [now, next] = [document.querySelector("[data-live]"), page.querySelector("[data-live]")];
      if (!now || !next || now.innerHTML === next.innerHTML) return;
      // Whoever stands on a case stays on it.
      const focused = now.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      now.replaceChildren(...next.childNodes);
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
