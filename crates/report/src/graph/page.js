const svg = document.querySelector("main svg");
const root = svg.querySelector("g");
const whole = svg.viewBox.baseVal;
const fitted = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
svg.removeAttribute("width");
svg.removeAttribute("height");

// Moving and enlarging.
const zoom = (factor, x = whole.x + whole.width / 2, y = whole.y + whole.height / 2) => {
  whole.x = x - (x - whole.x) * factor;
  whole.y = y - (y - whole.y) * factor;
  whole.width *= factor;
  whole.height *= factor;
};
const fit = () => Object.assign(whole, fitted);
const point = (event) =>
  new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const at = point(event);
  zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, at.x, at.y);
}, { passive: false });
let held = null;
let moved = false;
svg.addEventListener("pointerdown", (event) => { held = point(event); moved = false; });
addEventListener("pointermove", (event) => {
  if (!held) return;
  const at = point(event);
  const [dx, dy] = [held.x - at.x, held.y - at.y];
  moved ||= Math.hypot(dx, dy) > 3;
  if (moved) { whole.x += dx; whole.y += dy; }
});
addEventListener("pointerup", () => { held = null; });
const by = (id, act) => document.getElementById(id)?.addEventListener("click", act);
by("in", () => zoom(1 / 1.3));
by("out", () => zoom(1.3));
by("fit", fit);
addEventListener("keydown", (event) => {
  const act = { "+": () => zoom(1 / 1.3), "-": () => zoom(1.3), "0": fit,
    ArrowLeft: () => { whole.x -= whole.width / 10; }, ArrowRight: () => { whole.x += whole.width / 10; },
    ArrowUp: () => { whole.y -= whole.height / 10; }, ArrowDown: () => { whole.y += whole.height / 10; },
  }[event.key];
  if (act && !event.ctrlKey && !event.metaKey) { event.preventDefault(); act(); }
});

// Collapsing components.
const centre = (element) => {
  const box = element.getBBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};
const nodes = componentOf.map((_, number) => document.getElementById(`node-${number}`));
const places = nodes.map(centre);
const edges = [...svg.querySelectorAll(".edge")].map((element) => {
  const name = [...element.classList].find((word) => word.startsWith("edge-"));
  const [from, to] = name.split("-").slice(1).map(Number);
  return { element, from, to };
});
const make = (parent, name, attributes, text = "") => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.textContent = text;
  return parent.appendChild(element);
};
const tip = make(make(root, "defs", {}), "marker", { id: "tip", viewBox: "0 0 8 8", refX: 4, refY: 4,
  markerWidth: 8, markerHeight: 8, orient: "auto" });
make(tip, "path", { d: "M0 0 8 4 0 8z", class: "tip" });
const lines = make(root, "g", {});
root.insertBefore(lines, root.querySelector(".node"));
const buttons = [...document.querySelectorAll("[data-component]")];
const components = buttons.map((button, number) => {
  const cluster = document.getElementById(`component-${number}`);
  const at = centre(cluster);
  const terminal = cluster.classList.contains("terminal") ? " terminal" : "";
  const summary = make(root, "g", { class: `collapsed hidden${terminal}` });
  make(summary, "ellipse", { cx: at.x, cy: at.y, rx: 46, ry: 22 });
  make(summary, "text", { x: at.x, y: at.y + 4, "text-anchor": "middle", "font-size": 11 },
    cluster.querySelector("text").textContent.split(",")[0]);
  const component = { button, cluster, at, summary, collapsed: false };
  const toggle = () => { component.collapsed = !component.collapsed; draw(); };
  button.addEventListener("click", toggle);
  cluster.addEventListener("click", () => moved || toggle());
  summary.addEventListener("click", () => moved || toggle());
  return component;
});
const whereIs = (node) => {
  const component = components[componentOf[node] ?? -1];
  return component?.collapsed ? component : null;
};
function draw() {
  for (const { button, cluster, summary, collapsed } of components) {
    button.setAttribute("aria-pressed", collapsed);
    cluster.classList.toggle("hidden", collapsed);
    summary.classList.toggle("hidden", !collapsed);
  }
  nodes.forEach((node, number) => node.classList.toggle("hidden", whereIs(number) !== null));
  lines.replaceChildren();
  const drawn = new Set();
  for (const { element, from, to } of edges) {
    const [source, target] = [whereIs(from), whereIs(to)];
    element.classList.toggle("hidden", Boolean(source || target));
    if (source === target) continue;
    const [a, b] = [source?.at ?? places[from], target?.at ?? places[to]];
    const key = `${a.x} ${a.y} ${b.x} ${b.y}`;
    const middle = `${(a.x + b.x) / 2} ${(a.y + b.y) / 2}`;
    const d = `M${a.x} ${a.y} L${middle} L${b.x} ${b.y}`;
    if (!drawn.has(key)) make(lines, "path", { class: "joined", d, "marker-mid": "url(#tip)" });
    drawn.add(key);
  }
  const all = document.getElementById("all");
  if (all) all.textContent = components.every((it) => it.collapsed) ? "expand all" : "collapse all";
}
by("all", () => {
  const collapse = !components.every((it) => it.collapsed);
  components.forEach((it) => { it.collapsed = collapse; });
  draw();
});
if (location.hash === "#collapsed") document.getElementById("all")?.click();
