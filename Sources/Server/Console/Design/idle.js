// Warns before a session of staff ends for want of use, and locks the page when it ended: what stood on it is gone.
"use strict";
{
  const dialog = document.getElementById("idle");
  const signOut = document.querySelector("form[action=\"/console/sign-out\"]");
  if (dialog && signOut) {
    const left = dialog.querySelector("[data-left]");
    const warnAfter = Number(dialog.dataset.warn) * 1000;
    const lockAfter = Number(dialog.dataset.lock) * 1000;
    const key = "gatehouse-used";
    let used = Date.now();
    let timer;

    const note = () => {
      used = Date.now();
      // Other tabs of the same session learn it.
      try { localStorage.setItem(key, String(used)); } catch { /* a browser without a store has one tab to look at */ }
    };
    const lastUse = () => {
      try { return Math.max(used, Number(localStorage.getItem(key)) || 0); } catch { return used; }
    };
    const lock = () => {
      document.querySelector("main").replaceChildren();
      signOut.action = "/console/lock";
      signOut.submit();
    };
    const look = () => {
      clearTimeout(timer);
      const idle = Date.now() - lastUse();
      if (idle >= lockAfter) return lock();
      if (idle < warnAfter) {
        if (dialog.open) dialog.close();
      } else {
        if (!dialog.open) dialog.showModal();
        left.textContent = String(Math.ceil((lockAfter - idle) / 1000));
      }
      timer = setTimeout(look, dialog.open ? 1000 : Math.max(1000, warnAfter - idle));
    };
    const stay = async () => {
      const answer = await fetch(dialog.dataset.renew, { method: "GET", credentials: "same-origin", redirect: "manual" })
        .catch(() => undefined);
      if (!answer || !answer.ok) return lock();
      note();
      if (dialog.open) dialog.close();
    };
    dialog.querySelector("[data-stay]").addEventListener("click", stay);
    dialog.addEventListener("cancel", (event) => { event.preventDefault(); stay(); });
    // A script that keeps the session in use, such as the one of a call, tells of it here.
    document.addEventListener("gatehouse-used", () => { note(); look(); });
    // A page that the browser kept looks at once, for its session may be over.
    addEventListener("pageshow", (event) => { if (event.persisted) look(); });
    document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
    note();
    look();
  }
}
