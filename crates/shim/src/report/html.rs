//! A result as one page that needs nothing else: verdict, cycle, network, task tree, messages
//! and the program itself.

use super::network::network;
use super::sequence::sequence;
use super::svg::escape;
use super::terminal::{meaning, sentence};
use crate::verdict::{CheckResult, Verdict};
use crate::words::counted;
use std::fmt::Write;

const STYLE: &str = "\
:root{--ink:#1c2330;--soft:#667085;--line:#d5dae3;--back:#f6f7f9;--card:#fff;--red:#c4281c;--green:#1a7f43;--amber:#a15c00}\
@media(prefers-color-scheme:dark){:root{--ink:#e4e8ef;--soft:#98a2b3;--line:#394150;--back:#14181f;--card:#1c222c;--red:#ff7b6e;--green:#5fd08a;--amber:#f0b45a}}\
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);margin:0 auto;max-width:1100px;padding:28px}\
a{color:inherit}h1{font-size:22px;margin:0 0 4px}h2{font-size:16px;margin:0 0 10px}p{margin:4px 0}\
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:16px 20px;margin:16px 0;overflow-x:auto}\
.free{color:var(--green)}.bad{color:var(--red)}.open{color:var(--amber)}.soft{color:var(--soft)}\
code,pre,.mono{font:13px/1.5 ui-monospace,monospace}ol{padding-left:34px}li{margin:1px 0}\
ul.tree,ul.tree ul{list-style:none;padding-left:20px;border-left:1px solid var(--line);margin:2px 0}\
svg{font:13px ui-monospace,monospace;display:block;max-width:none}svg text{fill:var(--ink)}\
.task{fill:var(--card);stroke:var(--soft)}.stuck{stroke:var(--red);stroke-width:2.5}\
.edge{fill:none;stroke:var(--soft)}.wait{fill:none;stroke:var(--red);stroke-width:2}.life{stroke:var(--line)}\
.tip{fill:var(--soft)}.redtip{fill:var(--red)}.dot{fill:var(--ink)}svg .label,svg .waitlabel{font-size:12px;fill:var(--soft);paint-order:stroke;stroke:var(--card);stroke-width:4px}svg .waitlabel{fill:var(--red)}\
pre{margin:0}pre span{display:block;padding:0 8px}pre span::before{content:attr(data-n);color:var(--soft);display:inline-block;width:3.2em}\
pre .here{background:color-mix(in srgb,var(--red) 16%,transparent)}\
table{border-collapse:collapse}td{padding:2px 14px 2px 0;vertical-align:top}";

/// Returns a result as an HTML page; `source` is the text of the program.
pub fn page(result: &CheckResult, source: &str) -> String {
    let class = match result.verdict {
        Verdict::DeadlockFree => "free",
        Verdict::Possible => "open",
        _ => "bad",
    };
    let mut out = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{file}: {word}</title><style>{STYLE}</style></head><body>\
         <h1><span class=\"{class}\">{word}</span> <span class=\"soft\">{file}</span></h1><p>{meaning}. <span class=\"soft\">{method}.</span></p>",
        file = escape(&result.file),
        word = result.verdict.word(),
        meaning = sentence_case(&meaning(result)),
        method = escape(&sentence_case(&result.method)),
    );
    summary(&mut out, result);
    if result.error.is_some() {
        cycle(&mut out, result);
    }
    section(&mut out, "Network of channels", &network(result));
    if !result.trace.is_empty() {
        section(&mut out, "Messages", &sequence(result));
        steps(&mut out, result);
    }
    remarks(&mut out, result);
    section(&mut out, "Tasks", &tree(result, None));
    program(&mut out, result, source);
    out + "</body></html>\n"
}

fn sentence_case(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| {
        first.to_uppercase().collect::<String>() + chars.as_str()
    })
}

fn section(out: &mut String, title: &str, body: &str) {
    write!(out, "<section><h2>{title}</h2>{body}</section>").expect("text grows");
}

fn summary(out: &mut String, result: &CheckResult) {
    write!(
        out,
        "<p class=\"soft\">{}, {}, states: {}, {:.3} s, {:.1} MB</p>",
        counted(result.tasks.len(), "task"),
        counted(result.channels.len(), "channel"),
        result.states,
        result.seconds,
        result.peak_memory_bytes as f64 / 1e6
    )
    .expect("text grows");
    if let Some(reason) = &result.reason {
        write!(out, "<p>{}.</p>", prose(&sentence_case(reason))).expect("text grows");
    }
    if !result.inputs.is_empty() {
        let rows = result.inputs.iter().map(|i| {
            format!(
                "<tr><td>{}</td><td>{}</td></tr>",
                escape(&i.name),
                escape(&i.value)
            )
        });
        section(
            out,
            "Inputs",
            &format!("<table class=\"mono\">{}</table>", rows.collect::<String>()),
        );
    }
}

fn cycle(out: &mut String, result: &CheckResult) {
    let mut body = String::from("<table>");
    for waiting in &result.waiting {
        let class = if result.cycle.contains(&waiting.task) {
            "bad"
        } else {
            ""
        };
        write!(
            body,
            "<tr><td class=\"mono {class}\">{}</td><td>line <a href=\"#line{line}\">{line}</a></td><td>{}</td><td>for <span class=\"mono\">{}</span></td></tr>",
            escape(&waiting.task),
            prose(&waiting.what),
            escape(&waiting.for_tasks.join(", ")),
            line = waiting.line
        )
        .expect("text grows");
    }
    body.push_str("</table>");
    let round = result
        .cycle
        .iter()
        .chain(result.cycle.first())
        .map(|n| escape(n))
        .collect::<Vec<_>>()
        .join(" → ");
    write!(body, "<p class=\"bad mono\">{round}</p>").expect("text grows");
    if let Some(help) = &result.help {
        write!(body, "<p>To try: {}.</p>", prose(help)).expect("text grows");
    }
    section(out, "No task can continue", &body);
}

fn steps(out: &mut String, result: &CheckResult) {
    let mut body = String::from("<ol class=\"mono\">");
    for step in result.trace.iter().take(400) {
        write!(body, "<li>{}", escape(&sentence(step))).expect("text grows");
        for branch in &step.branches {
            let text = format!(
                "{}:{} {} is {}",
                branch.task, branch.line, branch.condition, branch.taken
            );
            write!(body, "<br><span class=\"soft\">{}</span>", escape(&text)).expect("text grows");
        }
        body.push_str("</li>");
    }
    body.push_str("</ol>");
    if result.trace.len() > 400 {
        write!(
            body,
            "<p class=\"soft\">… and {} more.</p>",
            result.trace.len() - 400
        )
        .expect("text grows");
    }
    section(out, "Step by step", &body);
}

fn remarks(out: &mut String, result: &CheckResult) {
    let mut body = String::new();
    for branch in &result.unsettled {
        let truth = if branch.taken { "true" } else { "false" };
        let text = format!(
            "{}:{} {} is {truth}",
            branch.task, branch.line, branch.condition
        );
        write!(body, "<li>Not settled: <code>{}</code></li>", escape(&text)).expect("text grows");
    }
    for warning in &result.warnings {
        write!(
            body,
            "<li>Line {}: {}</li>",
            warning.line,
            prose(&warning.message)
        )
        .expect("text grows");
    }
    for place in &result.assumptions {
        write!(
            body,
            "<li>Taken for granted on line {}: {}</li>",
            place.line,
            prose(&place.message)
        )
        .expect("text grows");
    }
    if !body.is_empty() {
        section(out, "Remarks", &format!("<ul>{body}</ul>"));
    }
}

fn tree(result: &CheckResult, parent: Option<usize>) -> String {
    let children: Vec<usize> = (0..result.tasks.len())
        .filter(|t| result.tasks[*t].parent == parent)
        .collect();
    if children.is_empty() {
        return String::new();
    }
    let item = |task: &usize| {
        let info = &result.tasks[*task];
        let class = if result.cycle.contains(&info.name) {
            "bad"
        } else {
            ""
        };
        format!(
            "<li><span class=\"mono {class}\">{}</span> <span class=\"soft\">line {}</span>{}</li>",
            escape(&info.name),
            info.line,
            tree(result, Some(*task))
        )
    };
    format!(
        "<ul class=\"tree\">{}</ul>",
        children.iter().map(item).collect::<String>()
    )
}

fn program(out: &mut String, result: &CheckResult, source: &str) {
    let here = |line: usize| {
        result
            .waiting
            .iter()
            .any(|w| w.channel.is_some() && w.line as usize == line)
    };
    let lines = source.lines().enumerate().map(|(index, text)| {
        let class = if here(index + 1) {
            " class=\"here\""
        } else {
            ""
        };
        format!(
            "<span id=\"line{0}\" data-n=\"{0}\"{class}>{1}</span>",
            index + 1,
            escape(text)
        )
    });
    section(
        out,
        "Program",
        &format!("<pre>{}</pre>", lines.collect::<String>()),
    );
}

/// A sentence, with what stands between backquotes as code.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for (index, part) in escape(text).split('`').enumerate() {
        if index > 0 {
            out.push_str(if index % 2 == 1 { "<code>" } else { "</code>" });
        }
        out.push_str(part);
    }
    out
}
