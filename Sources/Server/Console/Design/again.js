// Looks again after some seconds at a page that waits for something, and shows what changed.
"use strict";
{
  const look = async () => {
    const answer = await fetch(location.href, { credentials: "same-origin" }).catch(() => undefined);
    if (answer && answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const [main, next] = [document.getElementById("main"), page.getElementById("main")];
      if (next && next.innerHTML !== main.innerHTML) {
        main.replaceChildren(...next.childNodes);
        document.title = page.title;
      }
    }
    wait();
  };
  const wait = () => {
    const place = document.querySelector("main [data-again]");
    if (place) setTimeout(look, 1000 * Number(place.dataset.again));
  };
  wait();
}
