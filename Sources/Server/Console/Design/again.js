// Looks again after some seconds at a page that waits for something, and shows what changed.
"use strict";
{
  const look = async () => {
    const address = document.querySelector("main [data-look]")?.dataset.look ?? location.href;
    const answer = await fetch(address, { credentials: "same-origin" }).catch(() => undefined);
    // What was waited for is there, and is given once, to the page itself; or it is over.
    if (answer && [204, 404].includes(answer.status)) return location.reload();
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
