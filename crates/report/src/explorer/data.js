"use strict";
// The report, and what follows from it: the state at each step, blocked stretches, arrows.
const data = JSON.parse(document.getElementById("data").textContent);
const report = data.report;
const exploration = report.exploration ?? { snapshots: [], cycle: [] };
const snapshots = exploration.snapshots;
const nameOf = (thread) => (thread === 0 ? "main" : `thread ${thread}`);
const shortOf = (thread) => (thread === 0 ? "main" : `T${thread}`);
const colourOf = (thread) => `var(--thread${thread % 6})`;
const baseOf = (file) => file.split("/").pop();
const placeOf = (it) => (it.line ? `${baseOf(it.file)}:${it.line}` : "");

// The steps: those of the trace, the error, and what repeats after a hang. What libraries allocate for
// themselves is left out.
const error = report.error;
const isShown = (step) => !(step.library && step.action === "allocate");
const steps = report.trace.filter(isShown).map((step) => ({ ...step }));
const errorStep = {
  action: "error", thread: error.thread, function: error.function, file: error.file, line: error.line,
  text: `${error.kind}: ${error.message}`, transition: snapshots.length - (exploration.cycle?.length ? 0 : 1),
};
const cycle = exploration.cycle ?? [];
if (cycle.length) errorStep.transition = cycle[0].transition - 1;
errorStep.transition = Math.max(errorStep.transition, steps.at(-1)?.transition ?? 0);
const errorIndex = steps.push(errorStep) - 1;
for (const step of cycle) steps.push({ ...step, repeats: true });
steps.forEach((step, index) => { step.index = index; });

// The first step of each transition, or of the next one that has any.
const firstOf = [];
for (const step of steps) {
  if (step.action === "error") continue;
  while (firstOf.length <= step.transition) firstOf.push(step.index);
}
const firstStepOf = (transition) => firstOf[transition] ?? steps.length - 1;
const isLastOf = (step) => steps[step.index + 1]?.transition !== step.transition;

// What changes, by thread and by object: [transition, state].
const histories = (part) => {
  const all = new Map();
  snapshots.forEach((snapshot, transition) => {
    for (const [key, state] of Object.entries(snapshot[part] ?? {})) {
      if (!all.has(key)) all.set(key, []);
      all.get(key).push([transition, state]);
    }
  });
  return all;
};
const threadHistory = histories("threads");
const objectHistory = histories("objects");
// The last entry at or before a transition.
const at = (history, transition) => {
  let [low, high] = [0, history?.length ?? 0];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (history[middle][0] <= transition) low = middle + 1; else high = middle;
  }
  return low ? history[low - 1][1] : null;
};
const threads = [...new Set([...steps.map((step) => step.thread), ...[...threadHistory.keys()].map(Number)])]
  .sort((a, b) => a - b);

// The threads at a step. What a step does to locks and waits, its first action does; where the
// thread is then, is known at the end of its transition.
const threadAt = (thread, step) => {
  const now = at(threadHistory.get(String(thread)), step.transition);
  if (step.thread !== thread || isLastOf(step) || step.action === "error") return now;
  const before = at(threadHistory.get(String(thread)), step.transition - 1);
  const stack = (before?.stack ?? now?.stack ?? []).map((frame) => ({ ...frame }));
  if (step.line) {
    const known = stack.findIndex((frame) => frame.function === step.function);
    const frames = known < 0 ? stack : stack.slice(known);
    if (known < 0) frames.unshift({ function: step.function });
    Object.assign(frames[0], { file: step.file, line: step.line, column: 0 });
    return { ...(now ?? before), blocked: null, stack: frames };
  }
  return { ...(now ?? before), blocked: null, stack };
};

// The names that a step can have for a cell of an object.
const namesOf = (identity, object, path) => {
  const names = [identity + path];
  if (object.name) {
    names.push(object.name + path);
    if (path.startsWith(".")) names.push(`${object.name}->${path.slice(1)}`);
    if (object.name.startsWith("*")) {
      const pointer = object.name.slice(1);
      names.push(path.startsWith(".") ? `${pointer}->${path.slice(1)}` : pointer + path);
    }
  }
  return names;
};
// The objects at a step: [identity, {kind, name, cells}]. In the middle of a transition, those of its
// beginning, with what was written since.
const objectsAt = (step) => {
  if (!step) return [];
  const isWhole = isLastOf(step) || step.action === "error";
  const transition = isWhole ? step.transition : step.transition - 1;
  const objects = [];
  for (const [identity, history] of objectHistory) {
    const object = at(history, transition);
    if (object) objects.push([identity, object]);
  }
  if (isWhole) return objects;
  const written = new Map();
  for (let n = firstStepOf(step.transition); n <= step.index; n++) {
    const it = steps[n];
    if (it.transition === step.transition && (it.action === "write" || it.action === "reach")) {
      written.set(it.variable, it.value);
      written.set(it.object, it.value);
    }
  }
  return objects.map(([identity, object]) => [identity, {
    ...object,
    cells: object.cells.map(([path, value]) => {
      const name = namesOf(identity, object, path).find((it) => written.has(it));
      return [path, name === undefined ? value : written.get(name)];
    }),
  }]);
};
const keyOf = (identity, path) => `${identity}\u0000${path}`;
const valuesAt = (step) => {
  const values = new Map();
  for (const [identity, object] of objectsAt(step)) {
    for (const [path, value] of object.cells) values.set(keyOf(identity, path), value);
  }
  return values;
};

// Stretches of steps in which a thread is blocked.
const stretches = [];
for (const thread of threads) {
  let open = null;
  for (const [transition, state] of threadHistory.get(String(thread)) ?? []) {
    const row = firstStepOf(transition);
    if (open && state?.blocked?.text !== open.text) {
      stretches.push({ ...open, to: row, by: transition });
      open = null;
    }
    if (state?.blocked && !open) open = { thread, from: row, text: state.blocked.text, wait: state.blocked };
  }
  if (open) stretches.push({ ...open, to: steps.length, lasts: true });
}

// The last step of the thread that moves in a transition, whose end may be no step.
const moves = report.replay?.moves ?? [];
const lastOf = (transition) => {
  const first = firstStepOf(transition);
  const mover = moves[transition]?.thread ?? steps[first].thread;
  for (let n = Math.min(first, steps.length - 1); n >= 0; n--) {
    if (steps[n].thread === mover && steps[n].transition <= transition && steps[n].action !== "error") return steps[n];
  }
  return null;
};
// Arrows: [kind, from step, to step].
const arrows = [];
// What a step accesses, by the name that this keeps.
const partOf = (step) => step.object ?? step.variable;
const nextOf = (thread, index) => steps.findIndex((step) => step.index > index && step.thread === thread && step.action !== "error");
{
  const writes = new Map();
  for (const step of steps) {
    const started = /^starts thread (\d+)/.exec(step.text);
    if (started) {
      const first = nextOf(Number(started[1]), step.index);
      if (first >= 0) arrows.push(["starts", step.index, first]);
    }
    if (step.action === "read" || step.action === "fail") {
      const write = writes.get(partOf(step));
      if (write && write.thread !== step.thread) arrows.push(["reads from", write.index, step.index]);
    }
    if (step.action === "write" || step.action === "reach") writes.set(partOf(step), step);
  }
  for (const stretch of stretches.filter((it) => !it.lasts)) {
    const by = lastOf(stretch.by);
    const next = nextOf(stretch.thread, stretch.to - 1);
    if (by && by.thread !== stretch.thread && next > by.index) {
      arrows.push([stretch.text.startsWith("to lock") ? "hands over" : "wakes", by.index, next]);
    }
  }
}
const arrowsAt = (index) => arrows.filter(([, from, to]) => from === index || to === index);

// The kinds of steps, and which are shown at first.
const kindOf = (step) => {
  if (step.action === "error") return "error";
  if (step.library) return "library details";
  return { read: "reads", fail: "reads", write: "writes", delay: "writes", reach: "writes", drop: "writes",
    allocate: "memory", free: "memory",
    assign: "locals", choice: "choices", environment: "choices", output: "output" }[step.action] ?? "synchronisation";
};
const kinds = [...new Set(steps.map(kindOf))].filter((kind) => kind !== "error");
const allocations = steps.filter((step) => step.action === "allocate").map((step) => step.object);
const objectNames = [...new Set([...steps.filter((step) => !step.library).map((step) => step.variable), ...allocations].filter(Boolean))].sort();
