// The state at the present step: why threads are blocked, threads, locks, memory.
const pane = byId("state");
let explained = null;
const chip = (thread) => make("b", { class: "chip", style: `--colour:${colourOf(thread)}` }, nameOf(thread));
const link = (step) => make("button", { class: "link", on: { click: () => go(step.index) } }, `step ${step.index + 1}`);
const part = (id, title, ...content) => make("section", { id, class: "part" }, make("h2", {}, title), ...content);
const frameOf = (frame) => make("button", { class: "link frame", title: frame.file,
  on: { click: () => { showFileOf(frame.file); lines[frame.line - 1]?.scrollIntoView({ block: "center" }); showPane("source"); } } },
make("span", {}, frame.function), make("small", {}, placeOf(frame)));

// The last step at which a thread has locked something.
const lockedAt = (thread, resource, before) => {
  for (let n = before; n >= 0; n--) {
    const step = steps[n];
    if (step.thread === thread && step.text.startsWith("locks") && step.text.includes(resource)) return step;
  }
  return null;
};
// Why a thread is blocked, with whom it waits for, and so on.
const reasons = (thread, step) => {
  const items = [];
  const seen = new Set();
  let queue = [thread];
  while (queue.length) {
    const waiting = queue.shift();
    const state = threadAt(waiting, step);
    if (seen.has(waiting)) continue;
    seen.add(waiting);
    if (!state?.blocked) {
      if (state) items.push(make("li", {}, chip(waiting), " can continue"));
      else items.push(make("li", {}, chip(waiting), " has ended"));
      continue;
    }
    const { text, resource, on = [] } = state.blocked;
    const item = make("li", {}, chip(waiting), ` waits ${text} `, state.stack[0] ? frameOf(state.stack[0]) : "");
    for (const holder of on) {
      const locked = holder === waiting ? null : lockedAt(holder, resource, step.index);
      if (locked) item.append(make("span", { class: "since" }, chip(holder), ` has locked ${resource} at `, link(locked)));
      if (seen.has(holder)) item.append(make("span", { class: "since" }, "these threads wait for each other: none can continue"));
    }
    items.push(item);
    queue = queue.concat(on);
  }
  return make("ul", { class: "why" }, ...items);
};
const explain = (thread) => {
  explained = thread;
  drawState();
  showPane("state");
  pane.scrollTop = 0;
};

// Where the label of an edge stands: beside its curve, which bends to that side.
const labelAt = ([x, y, side]) => ({ x, y, class: "label", "text-anchor": side > 0.3 ? "start" : side < -0.3 ? "end" : "middle" });
// Who waits for whom: threads on a circle, arrows to those that would have to act.
const waitGraph = (hang) => {
  const all = hang.region.threads.filter((it) => it.state !== "ended" || it.holds?.length);
  const [w, h] = [300, Math.max(120, Math.min(220, all.length * 60))];
  const places = new Map(all.map((it, n) => {
    const angle = (n / all.length) * 2 * Math.PI + Math.PI;
    return [it.thread, all.length === 1 ? [w / 2, h / 2] : [w / 2 + Math.cos(angle) * (w / 2 - 55), h / 2 + Math.sin(angle) * (h / 2 - 28)]];
  }));
  const graph = svg("svg", { viewBox: `0 0 ${w} ${h}`, class: "graph", role: "img", "aria-label": "wait-for graph" },
    svg("defs", {}, svg("marker", { id: "wait", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
      svg("path", { d: "M0 0 8 4 0 8z" }))));
  const inCycle = new Set(hang.region.cycle ?? []);
  for (const it of all) {
    for (const on of it.waits_for ?? []) {
      const [[x1, y1], target] = [places.get(it.thread), places.get(on)];
      if (!target) continue;
      const [x2, y2] = target;
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [cx, cy] = [(x1 + x2) / 2 - uy * 34, (y1 + y2) / 2 + ux * 34];
      const edge = it.thread === on
        ? `M${x1 - 14} ${y1 - 15}C${x1 - 40} ${y1 - 60} ${x1 + 40} ${y1 - 60} ${x1 + 14} ${y1 - 17}`
        : `M${x1 + ux * 38} ${y1 + uy * 18}Q${cx} ${cy} ${x2 - ux * 40} ${y2 - uy * 20}`;
      const cyclic = inCycle.has(it.thread) && inCycle.has(on) ? " cyclic" : "";
      graph.append(svg("path", { class: `wait${cyclic}`, d: edge, "marker-end": "url(#wait)" }),
        svg("text", labelAt(it.thread === on ? [x1, y1 - 46, 0] : [(x1 + x2) / 2 - uy * 22, (y1 + y2) / 2 + ux * 24 + 4, -uy]),
          it.resource === nameOf(on) ? "" : it.resource ?? ""));
    }
  }
  for (const it of all) {
    const [x, y] = places.get(it.thread);
    const runs = it.state === "running" ? " runs" : "";
    const node = svg("g", { class: `node${runs}`, style: `--colour:${colourOf(it.thread)}`, "data-thread": it.thread },
      svg("rect", { x: x - 34, y: y - 14, width: 68, height: 28, rx: 8 }), svg("text", { x, y: y + 4 }, nameOf(it.thread)),
      svg("title", {}, it.waits ? `waits ${it.waits}` : it.state === "running" ? "runs forever" : "has ended"));
    node.addEventListener("click", () => { go(errorIndex); explain(it.thread); });
    graph.append(node);
  }
  return graph;
};

const hangPart = () => {
  const hang = error.hang;
  const lines = hang.region.threads.map((it) => {
    if (it.state === "ended") return null;
    const place = it.places?.[0];
    const where = place ? ` at ${placeOf(place)}` : "";
    const text = it.waits ? ` waits${where} ${it.waits}` : ` runs forever${where}${it.reads?.length ? `: reads ${it.reads.map((r) => `${r.variable} (${r.values.join(" or ")})`).join(", ")}` : ""}`;
    return make("li", {}, chip(it.thread), text);
  });
  const repeats = cycle.length ? make("p", {}, "From the error on, the threads pass through the same states again and again: ",
    make("button", { class: "link", on: { click: () => go(errorIndex + 1) } }, `${cycle.length} steps`), " repeat",
    ...(exploration.repeats_from === undefined ? ["."] : ["; the last leads back to ", link(steps[firstStepOf(exploration.repeats_from)]), "."])) : null;
  return part("hang", "Why it never ends", waitGraph(hang), make("ul", { class: "why" }, ...lines.filter(Boolean)), repeats);
};

const table = (rows) => make("table", {}, make("tbody", {}, ...rows));
const cellRow = ([name, value], changed, before) => make("tr", changed ? { class: "changed" } : {},
  make("th", { scope: "row" }, name), make("td", {}, before === undefined || !changed ? "" : make("s", {}, before), value));

const threadPart = (step) => {
  const items = threads.map((thread) => {
    const state = threadAt(thread, step);
    const head = make("summary", {}, chip(thread));
    if (!state) {
      const before = step.transition < (threadHistory.get(String(thread))?.[0]?.[0] ?? 0);
      head.append(before ? " has not started" : " has ended");
      return make("details", { class: "thread idle" }, head);
    }
    if (state.blocked) {
      head.append(` waits ${state.blocked.text} `, make("button", { class: "ask", "data-thread": thread,
        on: { click: (event) => { event.preventDefault(); explain(thread); } } }, "why?"));
    } else head.append(thread === step.thread ? " moves" : " can continue");
    const frames = state.stack.map((frame) => make("li", {}, frameOf(frame),
      frame.locals?.length ? table(frame.locals.map((cell) => cellRow(cell))) : null));
    return make("details", { class: "thread", open: true, "data-thread": thread }, head, make("ol", { class: "stack" }, ...frames));
  });
  return part("stacks", "Threads", ...items);
};
const everHeld = new Set([...threadHistory.values()].flatMap((history) => history.flatMap(([, state]) => state?.holds ?? [])));
const isLock = (name) => everHeld.has(name);
const lockPart = (step) => {
  const locks = new Map();
  const lock = (name) => locks.get(name) ?? locks.set(name, { holders: [], waiters: [] }).get(name);
  for (const thread of threads) {
    const state = threadAt(thread, step);
    for (const name of state?.holds ?? []) lock(name).holders.push(thread);
    if (state?.blocked?.resource) lock(state.blocked.resource).waiters.push(thread);
  }
  if (!locks.size) return null;
  const list = (all) => all.map(chip);
  const rows = [...locks].sort(([a], [b]) => a.localeCompare(b)).map(([name, { holders, waiters }]) => make("tr", {},
    make("th", { scope: "row" }, name), make("td", {}, ...(holders.length ? ["held by ", ...list(holders)] : [isLock(name) ? "free" : ""])),
    make("td", {}, ...(waiters.length ? ["awaited by ", ...list(waiters)] : [""]))));
  return part("locks", "Locks and waits", table(rows));
};
const bufferPart = (step) => {
  const items = threads.flatMap((thread) => {
    const delayed = threadAt(thread, step)?.delayed ?? [];
    return delayed.length ? [make("p", {}, chip(thread), make("span", {}, ...delayed.map(([name, value]) => make("code", {}, `${name} = ${value}`))))] : [];
  });
  return items.length ? part("buffers", "Store buffers, oldest first", ...items) : null;
};
// How the program refers to an object, and where it was allocated.
const aside = (identity, object) => {
  const name = object.name && object.name !== identity ? object.name : "";
  const place = object.allocated ? `allocated at ${object.allocated}` : "";
  const text = [name, place].filter(Boolean).join(", ");
  return text ? [make("small", {}, ` ${text}`)] : [];
};
const memoryPart = (step) => {
  const before = valuesAt(steps[step.index - 1]);
  // Where there is much, what has changed comes first.
  const foremost = new Set();
  const all = objectsAt(step);
  const items = all.sort(([a], [b]) => a.localeCompare(b, undefined, { numeric: true })).map(([identity, object]) => {
    const rows = object.cells.map(([path, value]) => {
      const old = before.get(keyOf(identity, path));
      return [cellRow([path === "" ? (object.kind === "heap" ? "value" : identity) : path, value], step.index > 0 && old !== value, old), step.index > 0 && old !== value];
    });
    const changed = rows.some(([, it]) => it);
    const single = object.kind !== "heap" && object.cells.length === 1 && object.cells[0][0] === "";
    const head = single ? null : make("h3", {}, identity, ...aside(identity, object));
    if (changed && all.length > 12) foremost.add(identity);
    return make("div", { class: `object${changed ? " changed" : ""}`, "data-object": identity }, head, table(rows.map(([row]) => row)));
  });
  items.sort((a, b) => foremost.has(b.dataset.object) - foremost.has(a.dataset.object));
  return items.length ? part("memory", "Memory", ...items) : null;
};
const arrowPart = (step) => {
  const related = arrowsAt(step.index).map(([kind, from, to]) => {
    const other = from === step.index ? steps[to] : steps[from];
    const text = from === step.index
      ? { "reads from": "is read by ", "hands over": "hands over to ", wakes: "wakes ", starts: "starts " }[kind]
      : { "reads from": "reads what was written by ", "hands over": "gets the lock from ", wakes: "is woken by ", starts: "is started by " }[kind];
    return make("li", {}, text, chip(other.thread), " at ", link(other));
  });
  return related.length ? make("ul", { class: "related" }, ...related) : null;
};
const drawState = () => {
  const step = steps[current];
  const parts = [make("section", { id: "now", class: "part" },
    make("p", {}, chip(step.thread), " ", step.text, " ", make("small", {}, placeOf(step))), arrowPart(step))];
  if (explained !== null) {
    parts.push(part("explanation", `Why ${nameOf(explained)} is blocked here`, reasons(explained, step)));
  }
  if (error.hang && step.index >= errorIndex) parts.push(hangPart());
  parts.push(threadPart(step), lockPart(step), bufferPart(step), memoryPart(step));
  pane.replaceChildren(...parts.filter(Boolean));
};
