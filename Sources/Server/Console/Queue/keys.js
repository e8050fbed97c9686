// Decides a case by keys. They act on what has the focus only (WCAG 2.1.4): in a list of answers a digit chooses the
// answer of that number and goes on to the next question, and after the last one to the button of the decision.
"use strict";
for (const form of document.querySelectorAll("form[data-decision]")) {
  const verdicts = form.querySelectorAll("button[name=verdict]");
  // The one that was pressed before everything was answered.
  let wanted = verdicts[0];
  for (const verdict of verdicts) verdict.addEventListener("click", () => { wanted = verdict; });
  form.addEventListener("keydown", (event) => {
    const list = event.target;
    if (!(list instanceof HTMLSelectElement) || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!/^[1-9]$/.test(event.key)) return;
    // Before the first answer stands the words "Choose".
    const answer = list.options[Number(event.key)];
    if (!answer) return;
    event.preventDefault();
    list.value = answer.value;
    list.dispatchEvent(new Event("change", { bubbles: true }));
    (form.querySelector(":invalid") ?? wanted)?.focus();
  });
}
