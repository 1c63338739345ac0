// The page as a whole: the present step, keys, filters, the address.
const showPane = (name) => {
  document.body.dataset.pane = name;
  for (const tab of document.querySelectorAll("#tabs button")) tab.setAttribute("aria-selected", tab.dataset.tab === name);
};
const draw = () => {
  bringIntoSight();
  drawTimeline();
  drawSource(steps[current]);
  drawState();
  byId("number").value = current + 1;
};
const go = (index, quietly = false) => {
  const target = Math.min(Math.max(index, 0), steps.length - 1);
  if (target !== current) explained = null;
  current = target;
  draw();
  // Within the page of several checks, it has no address.
  if (!quietly && location.protocol !== "about:") history.replaceState(null, "", `#step=${current + 1}`);
};
// The next shown step in a direction for which a condition holds; the present one if there is none.
const seek = (direction, count = 1, holds = () => true) => {
  let index = current;
  for (let n = current + direction; n >= 0 && n < steps.length && count > 0; n += direction) {
    if (rowOf.has(n) && holds(steps[n])) { index = n; count--; }
  }
  go(index);
};
const sameThread = (step) => step.thread === steps[current].thread;
const toggleThread = (thread) => {
  if (shown.threads.has(thread)) shown.threads.delete(thread); else shown.threads.add(thread);
  refilter();
};
const refilter = () => {
  for (const button of byId("threads").children) button.setAttribute("aria-pressed", shown.threads.has(Number(button.dataset.thread)));
  filter();
  drawLanes();
  draw();
};
const askWhy = () => {
  const blocked = threads.filter((thread) => threadAt(thread, steps[current])?.blocked);
  if (!blocked.length) return;
  explain(blocked[(blocked.indexOf(explained) + 1) % blocked.length]);
};

byId("kind").textContent = error.kind;
byId("place").textContent = placeOf(error);
byId("message").textContent = error.message;
byId("count").textContent = ` of ${steps.length}`;
byId("number").max = steps.length;
for (const thread of threads) {
  byId("threads").append(make("button", { "data-thread": thread, "aria-pressed": true, style: `--colour:${colourOf(thread)}`,
    title: `Show or hide ${nameOf(thread)} (${thread})`, on: { click: () => toggleThread(thread) } }, nameOf(thread)));
}
for (const kind of kinds) {
  const box = make("input", { type: "checkbox", checked: shown.kinds.has(kind), "data-kind": kind, on: { change: () => {
    if (box.checked) shown.kinds.add(kind); else shown.kinds.delete(kind);
    refilter();
  } } });
  byId("kinds").querySelector("div").append(make("label", {}, box, ` ${kind}`));
}
byId("objects").append(...objectNames.map((name) => make("option", { value: name })));
byId("object").addEventListener("input", () => { shown.object = byId("object").value; refilter(); });
const by = (id, act) => byId(id).addEventListener("click", act);
by("first", () => seek(-1, Infinity));
by("previous", () => seek(-1));
by("next", () => seek(1));
by("last", () => seek(1, Infinity));
by("culprit", () => go(errorIndex));
by("help", () => byId("keys").showModal());
byId("number").addEventListener("change", () => go(Number(byId("number").value) - 1));
for (const tab of document.querySelectorAll("#tabs button")) tab.addEventListener("click", () => { showPane(tab.dataset.tab); draw(); });

const KEYS = {
  ArrowDown: () => seek(1), j: () => seek(1), ArrowUp: () => seek(-1), k: () => seek(-1),
  ArrowRight: () => seek(1, 1, sameThread), ArrowLeft: () => seek(-1, 1, sameThread),
  PageDown: () => seek(1, 10), PageUp: () => seek(-1, 10), Home: () => seek(-1, Infinity), End: () => seek(1, Infinity),
  e: () => go(errorIndex), w: askWhy, "/": () => byId("object").focus(), "?": () => byId("keys").showModal(),
};
addEventListener("keydown", (event) => {
  if (byId("keys").open) return;
  if (event.target.closest?.("input") && event.key !== "Escape") return;
  if (event.key === "Escape") { document.activeElement?.blur(); scroll.focus(); return; }
  if (event.altKey && ["1", "2", "3"].includes(event.key)) {
    const name = ["source", "timeline", "state"][event.key - 1];
    showPane(name);
    draw();
    byId(name === "source" ? "code" : name === "timeline" ? "scroll" : "state").focus();
    event.preventDefault();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = /^\d$/.test(event.key) && threads.includes(Number(event.key)) ? () => toggleThread(Number(event.key)) : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
const fromAddress = () => {
  const step = /^#step=(\d+)$/.exec(location.hash);
  go(step ? Number(step[1]) - 1 : errorIndex, true);
};
addEventListener("hashchange", fromAddress);
addEventListener("resize", draw);
showPane("timeline");
filter();
drawLanes();
for (const button of byId("threads").children) button.setAttribute("aria-pressed", true);
fromAddress();
