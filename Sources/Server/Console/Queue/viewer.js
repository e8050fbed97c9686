// Pictures of a case page: larger, smaller and turned, by buttons and by keys, and the places of fields shown on them.
// Without it a picture is as wide as its column, and opens by itself behind its link.
"use strict";
{
  const [least, most, step] = [1, 8, 1.4];

  const view = (figure) => {
    const [stage, sheet, tools] = ["stage", "sheet", "tools"].map((name) => figure.querySelector(`[data-${name}]`));
    const picture = sheet?.querySelector("img");
    if (!stage || !tools || !picture) return;
    let [zoom, turns] = [1, 0];
    const room = document.createElement("div");
    room.className = "room";
    sheet.replaceWith(room);
    room.append(sheet);

    const draw = () => {
      if (!picture.naturalWidth) return;
      const shape = picture.naturalHeight / picture.naturalWidth;
      const isAcross = turns % 2 === 1;
      // Where the middle of what is seen was, so that it stays there.
      const [x, y] = [
        (stage.scrollLeft + stage.clientWidth / 2) / (room.offsetWidth || 1),
        (stage.scrollTop + stage.clientHeight / 2) / (room.offsetHeight || 1),
      ];
      const width = stage.clientWidth * zoom / (isAcross ? shape : 1);
      const height = width * shape;
      const [across, down] = isAcross ? [height, width] : [width, height];
      Object.assign(room.style, { width: `${across}px`, height: `${down}px` });
      Object.assign(sheet.style, {
        width: `${width}px`, height: `${height}px`, left: `${(across - width) / 2}px`, top: `${(down - height) / 2}px`,
        transform: `rotate(${turns * 90}deg)`,
      });
      stage.scrollLeft = x * across - stage.clientWidth / 2;
      stage.scrollTop = y * down - stage.clientHeight / 2;
    };

    const act = {
      in: () => { zoom = Math.min(most, zoom * step); },
      out: () => { zoom = Math.max(least, zoom / step); },
      left: () => { turns = (turns + 3) % 4; },
      right: () => { turns = (turns + 1) % 4; },
      reset: () => { [zoom, turns] = [1, 0]; },
    };
    const perform = (name) => {
      act[name]();
      draw();
    };
    const keys = { "+": "in", "=": "in", "-": "out", "_": "out", r: "right", R: "left", 0: "reset" };

    tools.hidden = false;
    tools.addEventListener("click", (event) => {
      const name = event.target.closest("[data-do]")?.dataset.do;
      if (name) perform(name);
    });
    stage.tabIndex = 0;
    stage.setAttribute("role", "group");
    stage.setAttribute("aria-label", stage.dataset.label);
    stage.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
      event.preventDefault();
      perform(keys[event.key]);
    });
    figure.classList.add("live");
    if (picture.complete) draw();
    picture.addEventListener("load", draw);
    addEventListener("resize", draw);
  };

  // A field and the place that it was read from: shown while the pointer or the focus is on it, and kept by its button.
  const connect = (part) => {
    for (const row of part.querySelectorAll("[data-field]")) {
      const marks = [...part.querySelectorAll(`[data-mark="${CSS.escape(row.dataset.field)}"]`)];
      const head = row.querySelector("th");
      if (!marks.length || !head) continue;
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "link" });
      button.setAttribute("aria-pressed", "false");
      button.append(...head.childNodes);
      head.append(button);
      let isKept = false;
      const show = (isOn) => marks.forEach((mark) => mark.classList.toggle("on", isOn || isKept));
      button.addEventListener("click", () => {
        isKept = !isKept;
        button.setAttribute("aria-pressed", String(isKept));
        show(isKept);
        if (isKept) marks[0].scrollIntoView({ block: "nearest", inline: "nearest" });
      });
      for (const [name, isOn] of [["mouseenter", true], ["mouseleave", false], ["focusin", true], ["focusout", false]]) {
        row.addEventListener(name, () => show(isOn));
      }
    }
  };

  document.querySelectorAll("[data-viewer]").forEach(view);
  document.querySelectorAll("[data-document]").forEach(connect);
}
