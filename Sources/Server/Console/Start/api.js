// Lays out /openapi.json: operations by tag, each with its parameters, bodies and answers. Text only, nothing is run.
"use strict";
{
  const make = (name, text, children = []) => {
    const node = document.createElement(name);
    if (text) node.textContent = text;
    node.append(...children);
    return node;
  };
  const nameOf = (reference) => reference.split("/").pop();
  const resolve = (root, value) =>
    value && value.$ref
      ? value.$ref.slice(2).split("/").reduce((node, key) => node?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], root)
      : value;

  // A schema in a line or a few; what it refers to by name, once.
  const outline = (root, schema, depth = 0) => {
    if (!schema) return "";
    if (schema.$ref) {
      if (depth > 1) return nameOf(schema.$ref);
      return `${nameOf(schema.$ref)} ${outline(root, resolve(root, schema), depth + 1)}`;
    }
    const pad = "  ".repeat(depth + 1);
    const type = [schema.type ?? ""].flat().join(" | ");
    if (schema.properties && depth < 3) {
      const needed = new Set(schema.required ?? []);
      const lines = Object.entries(schema.properties).map(
        ([name, value]) => `${pad}${name}${needed.has(name) ? "" : "?"}: ${outline(root, value, depth + 1)}`);
      return `{\n${lines.join("\n")}\n${"  ".repeat(depth)}}`;
    }
    if (schema.items) return `[ ${outline(root, schema.items, depth)} ]`;
    for (const key of ["oneOf", "anyOf", "allOf"]) {
      if (schema[key]) return schema[key].map((one) => outline(root, one, depth)).join(key === "allOf" ? " & " : " | ");
    }
    const limits = ["enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "maximum"]
      .filter((key) => schema[key] !== undefined).map((key) => `${key} ${[schema[key]].flat().join(", ")}`);
    return [type, ...limits].filter(Boolean).join(", ");
  };
  const bodies = (root, content) =>
    Object.entries(content ?? {}).flatMap(([type, media]) => [
      make("p", "", [make("code", type)]), ...(media.schema ? [make("pre", outline(root, media.schema))] : []),
    ]);

  const details = (root, operation) => {
    const parts = [];
    if (operation.description) parts.push(make("p", operation.description));
    const parameters = (operation.parameters ?? []).map((one) => resolve(root, one));
    if (parameters.length) {
      parts.push(make("h3", "Parameters"), make("dl", "", parameters.flatMap((one) => [
        make("dt", `${one.name} (${one.in}${one.required ? ", required" : ""})`),
        make("dd", [one.description, outline(root, one.schema)].filter(Boolean).join(" – ")),
      ])));
    }
    const body = resolve(root, operation.requestBody);
    if (body) parts.push(make("h3", "Body"), ...bodies(root, body.content));
    parts.push(make("h3", "Answers"));
    for (const [status, one] of Object.entries(operation.responses ?? {})) {
      const answer = resolve(root, one);
      parts.push(make("p", "", [make("strong", status), ` ${answer?.description ?? ""}`]));
      if (status.startsWith("2")) parts.push(...bodies(root, answer?.content));
    }
    return parts;
  };

  const show = (root) => {
    const rows = [];
    const groups = new Map();
    for (const [path, item] of Object.entries(root.paths)) {
      for (const [method, operation] of Object.entries(item)) {
        const tag = operation.tags?.[0] ?? "Other";
        if (!groups.has(tag)) groups.set(tag, make("section", "", [make("h2", tag)]));
        const entry = make("details", "", [make("summary", "", [
          make("code", `${method.toUpperCase()} ${path}`), ` ${operation.summary ?? ""}`,
        ])]);
        // Filled when it is opened: there are hundreds.
        entry.addEventListener("toggle", () => { if (entry.childElementCount === 1) entry.append(...details(root, operation)); });
        groups.get(tag).append(entry);
        rows.push({ entry, text: `${method} ${path} ${operation.summary ?? ""} ${tag}`.toLowerCase() });
      }
    }
    for (const group of groups.values()) group.className = "card";
    document.querySelector("[data-operations]").append(...groups.values());
    const count = document.querySelector("[data-count]");
    const search = document.querySelector("[data-search]");
    const filter = (text) => {
      const words = text.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        row.entry.hidden = !words.every((word) => row.text.includes(word));
        if (!row.entry.hidden) shown += 1;
      }
      for (const group of groups.values()) group.hidden = !group.querySelector("details:not([hidden])");
      count.textContent = `${shown} of ${rows.length} operations`;
    };
    search.hidden = false;
    search.querySelector("input").addEventListener("input", (event) => filter(event.target.value));
    filter("");
  };

  fetch("/openapi.json").then((answer) => answer.json()).then(show).catch(() => {
    document.querySelector("[data-count]").textContent = "The description could not be loaded.";
  });
}
