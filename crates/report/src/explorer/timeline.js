// The timeline: a row for each step, a lane for each thread. Only the rows in sight are drawn.
const ROW = 26;
const LANE = 30;
const scroll = byId("scroll");
const rows = byId("rows");
const marks = byId("marks");
let current = 0;
let visible = [];
const rowOf = new Map();
const shown = { threads: new Set(threads), kinds: new Set(kinds.filter((kind) => kind !== "library details" && kind !== "locals")), object: "" };

const concerns = (step) => {
  const wanted = shown.object.trim();
  if (!wanted) return true;
  if (step.action === "error") return true;
  return step.variable === wanted || (step.variable ?? "").includes(wanted) || step.text.includes(wanted);
};
const filter = () => {
  visible = steps.filter((step) => step.action === "error"
    || (shown.threads.has(step.thread) && shown.kinds.has(kindOf(step)) && concerns(step)));
  rowOf.clear();
  visible.forEach((step, row) => rowOf.set(step.index, row));
  rows.style.height = `${visible.length * ROW}px`;
};
const lanes = () => threads.filter((thread) => shown.threads.has(thread));
const laneX = (thread) => lanes().indexOf(thread) * LANE + LANE / 2 + 4;
const width = () => lanes().length * LANE + 8;
// The row of a step, or of the next one that is shown.
const rowAt = (index) => {
  let [low, high] = [0, visible.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (visible[middle].index < index) low = middle + 1; else high = middle;
  }
  return low;
};
const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
const shape = (step, x, y) => {
  const style = `--colour:${colourOf(step.thread)}`;
  switch (kindOf(step)) {
    case "reads": return svg("circle", { class: "mark hollow", cx: x, cy: y, r: 5, style });
    case "writes": return svg("circle", { class: "mark", cx: x, cy: y, r: 5.5, style });
    case "choices": return svg("path", { class: "mark", d: `M${x} ${y - 7}l7 7-7 7-7-7z`, style });
    case "output": return svg("path", { class: "mark", d: `M${x - 5} ${y - 6}l11 6-11 6z`, style });
    case "error": return svg("path", { class: "mark fault", d: `M${x - 6} ${y - 6}l12 12m0-12l-12 12` });
    case "synchronisation": return svg("rect", { class: "mark", x: x - 5.5, y: y - 5.5, width: 11, height: 11, rx: 2, style });
    default: return svg("circle", { class: "mark", cx: x, cy: y, r: 3, style });
  }
};
const arrowTip = svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 6, markerHeight: 6,
  orient: "auto-start-reverse" }, svg("path", { d: "M0 0 8 4 0 8z" })));
const arrowText = (kind, from, to) => {
  const [giver, taker] = [from, to].map((step) => `${nameOf(step.thread)} (step ${step.index + 1})`);
  return kind === "reads from" ? `${taker} reads from ${giver}` : `${giver} ${kind === "hands over" ? "hands over to" : kind} ${taker}`;
};
const drawArrow = ([kind, from, to]) => {
  const [a, b] = [steps[from], steps[to]];
  if (!rowOf.has(from) || !rowOf.has(to)) return null;
  const [x1, x2] = [laneX(a.thread), laneX(b.thread)];
  const [y1, y2] = [(rowOf.get(from) + 0.5) * ROW, (rowOf.get(to) + 0.5) * ROW];
  const [side, end] = [x2 > x1 ? 7 : -7, x2 > x1 ? -8 : 8];
  const bend = Math.min(40, Math.abs(y2 - y1) / 2);
  const chosen = from === current || to === current ? " chosen" : "";
  const path = svg("path", { class: `arrow ${kind.replace(" ", "-")}${chosen}`, "marker-end": "url(#tip)",
    d: `M${x1 + side} ${y1}C${x1 + side + (x2 > x1 ? 12 : -12)} ${y1 + bend} ${x2 + end - (x2 > x1 ? 12 : -12)} ${y2 - bend} ${x2 + end} ${y2}` });
  path.append(svg("title", {}, arrowText(kind, a, b)));
  return path;
};
const drawTimeline = () => {
  const [top, height] = [scroll.scrollTop, scroll.clientHeight || 600];
  const first = Math.max(0, Math.floor(top / ROW) - 10);
  const last = Math.min(visible.length, Math.ceil((top + height) / ROW) + 10);
  const drawn = [];
  const content = [arrowTip];
  for (const thread of lanes()) {
    const x = laneX(thread);
    content.push(svg("line", { class: "lane", x1: x, x2: x, y1: first * ROW, y2: last * ROW }));
  }
  for (const stretch of stretches.filter((it) => shown.threads.has(it.thread))) {
    const [from, to] = [rowAt(stretch.from), rowAt(stretch.to)];
    if (to <= first || from >= last) continue;
    const rect = svg("rect", { class: "blocked", x: laneX(stretch.thread) - 8, width: 16, rx: 4, y: from * ROW + 2,
      height: Math.max(1, to - from) * ROW - 4, style: `--colour:${colourOf(stretch.thread)}` });
    rect.append(svg("title", {}, `${nameOf(stretch.thread)} waits ${stretch.text}`));
    rect.addEventListener("click", (event) => {
      const row = Math.floor((event.clientY - rows.getBoundingClientRect().top) / ROW);
      go(visible[Math.min(Math.max(row, 0), visible.length - 1)].index);
      explain(stretch.thread);
    });
    content.push(rect);
  }
  for (const arrow of arrows) {
    const [from, to] = [rowOf.get(arrow[1]), rowOf.get(arrow[2])];
    if (from !== undefined && to !== undefined && to >= first && from < last) content.push(drawArrow(arrow));
  }
  for (let row = first; row < last; row++) {
    const step = visible[row];
    content.push(shape(step, laneX(step.thread), (row + 0.5) * ROW));
    const repeats = step.repeats ? " repeats" : "";
    const kind = step.action === "error" ? " error" : "";
    drawn.push(make("div", { class: `row${repeats}${kind}`, id: `step-${step.index + 1}`, role: "option", style: `top:${row * ROW}px`,
      "aria-selected": step.index === current, "aria-posinset": row + 1, "aria-setsize": visible.length, "data-kind": kindOf(step),
      title: step.text, on: { click: () => go(step.index) } },
    make("span", { class: "no" }, step.action === "error" ? "✖" : String(step.index + 1)),
    make("span", { class: "gap", style: `width:${width()}px` }),
    make("span", { class: "who", style: `--colour:${colourOf(step.thread)}` }, shortOf(step.thread)),
    make("span", { class: "what" }, step.text), make("span", { class: "where" }, placeOf(step))));
  }
  marks.replaceChildren(...content.filter(Boolean));
  marks.setAttribute("width", width());
  marks.setAttribute("height", visible.length * ROW);
  for (const row of [...rows.querySelectorAll(".row")]) row.remove();
  rows.append(...drawn);
  scroll.setAttribute("aria-activedescendant", `step-${current + 1}`);
};
const drawLanes = () => {
  const heads = lanes().map((thread) => make("span", { style: `left:${laneX(thread)}px;--colour:${colourOf(thread)}` }, shortOf(thread)));
  byId("lanes").replaceChildren(...heads);
};
const bringIntoSight = () => {
  const row = rowAt(current);
  const [top, bottom] = [row * ROW, (row + 1) * ROW];
  const height = scroll.clientHeight || 600;
  if (top < scroll.scrollTop + ROW) scroll.scrollTop = top - Math.min(height / 3, 200);
  else if (bottom > scroll.scrollTop + height - ROW) scroll.scrollTop = bottom - height + Math.min(height / 3, 200);
};
scroll.addEventListener("scroll", () => requestAnimationFrame(drawTimeline), { passive: true });
