// The source, with the lines in which the threads are.
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
};
const byId = (id) => document.getElementById(id);
const code = byId("code");
const files = Object.keys(data.sources);
let shownFile = null;
let lines = [];

const WORDS = new Set(("alignas alignof asm auto bool break case catch char class const const_cast constexpr continue "
  + "decltype default delete do double dynamic_cast else enum explicit extern false float for friend goto if inline int long "
  + "mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast return short signed "
  + "sizeof static static_cast struct switch template this throw true try typedef typename union unsigned using virtual void "
  + "volatile while _Atomic _Thread_local thread_local").split(" "));
const TOKEN = /(\/\/.*$|\/\*.*?(?:\*\/|$))|("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)|(^\s*#\s*\w+)|(\b\d[\w.]*)|([A-Za-z_]\w*)|([^\w"'/#]+|.)/g;
const highlighted = (text, inComment) => {
  const parts = [];
  let rest = text;
  if (inComment) {
    const end = text.indexOf("*/");
    if (end < 0) return [[make("i", { class: "c" }, text)], true];
    parts.push(make("i", { class: "c" }, text.slice(0, end + 2)));
    rest = text.slice(end + 2);
  }
  let open = false;
  for (const [all, comment, string, directive, number, word] of rest.matchAll(TOKEN)) {
    const kind = comment ? "c" : string ? "s" : directive ? "d" : number ? "n" : word && WORDS.has(word) ? "w" : null;
    if (comment?.startsWith("/*") && !comment.endsWith("*/")) open = true;
    parts.push(kind ? make("i", { class: kind }, all) : all);
  }
  return [parts, open];
};
const showFile = (file) => {
  if (file === shownFile) return;
  shownFile = file;
  for (const tab of byId("files").children) tab.setAttribute("aria-selected", tab.dataset.file === file);
  const text = data.sources[file];
  if (text === undefined) {
    lines = [];
    code.replaceChildren(make("p", { class: "empty" }, file ? `${file} cannot be read` : "no source here"));
    return;
  }
  let inComment = false;
  lines = text.split("\n").map((line, index) => {
    const [parts, open] = highlighted(line, inComment);
    inComment = open;
    return make("div", { class: "line" }, make("span", { class: "at" }), make("span", { class: "no" }, String(index + 1)),
      make("span", { class: "text" }, ...parts));
  });
  if (lines.length > 1 && text.endsWith("\n")) lines.pop();
  code.replaceChildren(...lines);
};
for (const file of files) {
  byId("files").append(make("button", { role: "tab", "data-file": file, title: file, on: { click: () => showFileOf(file) } }, baseOf(file)));
}
let marked = [];
const drawSource = (step) => {
  const file = step.file || shownFile || files[0];
  showFile(file);
  mark(step);
  const line = lines[step.line - 1];
  if (line && step.file === file) {
    const [top, height] = [line.offsetTop - code.offsetTop, code.clientHeight];
    if (top < code.scrollTop + 40 || top > code.scrollTop + height - 60) code.scrollTop = top - height / 3;
  }
};
const mark = (step) => {
  for (const line of marked) {
    line.className = "line";
    line.querySelector(".at").replaceChildren();
  }
  marked = [];
  for (const thread of threads) {
    const frame = thread === step.thread && step.line ? step : threadAt(thread, step)?.stack?.[0];
    if (!frame || frame.file !== shownFile) continue;
    const line = lines[frame.line - 1];
    if (!line) continue;
    marked.push(line);
    line.classList.add("marked");
    if (thread === step.thread) {
      line.classList.add(step.action === "error" ? "failed" : "current");
      line.style.setProperty("--colour", colourOf(thread));
    }
    line.querySelector(".at").append(make("b", { style: `--colour:${colourOf(thread)}`, title: `${nameOf(thread)} is here` }, shortOf(thread)));
  }
};
const showFileOf = (file) => { showFile(file); mark(steps[current]); };
